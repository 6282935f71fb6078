"""The locks of a table."""

import json
from pathlib import Path

import pytest

from companion.access import FIRST_WAIT_S, FREE_TRIES, MOST_WRONG_AN_HOUR, Access, AccessError, TryLater


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(tmp_path: Path, clock: Clock) -> Access:
    return Access(tmp_path / "access.json", clock)


def test_a_pin_opens_and_outlives_the_program_but_is_not_in_the_file(
    access: Access, tmp_path: Path, clock: Clock
) -> None:
    assert not access.has_pin
    access.set_pin("246813")
    token = access.let_in("246813", "phone")
    path = tmp_path / "access.json"
    assert "246813" not in path.read_text()
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    again = Access(path, clock)
    assert again.has_pin
    assert again.is_owner(token)
    assert not again.is_owner("")
    assert not again.is_owner(token + "x")
    again.let_out(token)
    assert not again.is_owner(token)
    again.clear_pin()
    assert not again.has_pin


def test_a_new_pin_sends_every_device_out(access: Access) -> None:
    access.set_pin("1111")
    token = access.let_in("1111", "phone")
    access.set_pin("2222")
    assert not access.is_owner(token)


@pytest.mark.parametrize("pin", ["", "123", "12a4", "1" * 33, "١٢٣٤"])
def test_bad_pins_are_not_set(access: Access, pin: str) -> None:
    with pytest.raises(AccessError, match="digits"):
        access.set_pin(pin)
    assert not access.has_pin


def test_guessing_costs_more_and_more_time(access: Access, clock: Clock) -> None:
    access.set_pin("4321")
    for _ in range(FREE_TRIES):
        with pytest.raises(AccessError, match="not the PIN"):
            access.let_in("1234", "phone")
    with pytest.raises(TryLater) as caught:
        access.let_in("4321", "phone")
    assert caught.value.wait_s == FIRST_WAIT_S
    assert access.let_in("4321", "tablet")
    clock.now += FIRST_WAIT_S
    with pytest.raises(AccessError, match="not the PIN"):
        access.let_in("0000", "phone")
    clock.now += FIRST_WAIT_S
    with pytest.raises(TryLater):
        access.let_in("4321", "phone")
    clock.now += FIRST_WAIT_S
    assert access.let_in("4321", "phone")


def test_many_devices_together_cannot_guess_either(
    access: Access, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.access._hash", lambda pin, salt: pin)
    access.set_pin("4321")
    for number in range(MOST_WRONG_AN_HOUR):
        with pytest.raises(AccessError, match="not the PIN"):
            access.let_in("1234", f"phone {number}")
    with pytest.raises(TryLater):
        access.let_in("4321", "another phone")


def test_seat_links_are_stable_and_can_be_renewed(access: Access, tmp_path: Path, clock: Clock) -> None:
    links = access.seat_links(["navigators", "icewalkers"])
    assert len(set(links.values())) == 2
    assert min(map(len, links.values())) >= 24
    assert Access(tmp_path / "access.json", clock).seat_links(["navigators"])["navigators"] == links["navigators"]
    assert access.seat_of(links["icewalkers"]) == "icewalkers"
    assert access.seat_of("ž" + links["icewalkers"]) is None
    assert access.is_spectator(access.watch_link())
    assert not access.is_spectator("")
    old = access.watch_link()
    access.renew_links()
    assert access.seat_of(links["icewalkers"]) is None
    assert not access.is_spectator(old)


def test_a_damaged_file_is_named(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "access.json"
    path.write_text(json.dumps({"pin": 4}))
    with pytest.raises(AccessError, match=r"access\.json: cannot be read .* delete the file"):
        Access(path, clock)
