"""What every strip must keep, run over every registered one; a strip without a stand-in here fails."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from hardware.errors import BadAddress, DeviceClosed
from hardware.leds import LEDS, LedFrame, Leds, StripOptions, open_leds
from tests.hardware.spi_port import RecordingPort
from tests.hardware.test_ws281x import DOUBLE, PI_4
from tests.hardware.wled_controller import Controller

OPTIONS = StripOptions(count=12, brightness=1.0, gamma=1.0, budget_ma=5000.0)
WHITE = (255, 255, 255)


@contextmanager
def simulator() -> Iterator[str]:
    yield "simulator:"


@contextmanager
def spi() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardware.leds.spi.SpiPort", RecordingPort)
        yield "spi:0.0"


@contextmanager
def wled() -> Iterator[str]:
    controller = Controller()
    yield controller.address()
    controller.vanish()


@contextmanager
def ws281x() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(DOUBLE))
        patch.setenv("WS281X_RECORD", os.devnull)
        patch.setattr("hardware.leds.ws281x.read_model", lambda: PI_4)
        yield "ws281x:18"


STAND_INS: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "simulator": simulator,
    "spi": spi,
    "wled": wled,
    "ws281x": ws281x,
}
"""For every scheme: something that gives an address which works here."""


@pytest.fixture(params=sorted(LEDS))
def leds(request: pytest.FixtureRequest) -> Iterator[Leds]:
    with STAND_INS[request.param]() as address, open_leds(address, OPTIONS) as opened:
        yield opened


def test_every_strip_is_tested() -> None:
    assert set(STAND_INS) == set(LEDS)


def test_a_fresh_strip_is_dark(leds: Leds) -> None:
    assert leds.count == 12
    assert leds.shown == LedFrame.dark(12)
    assert not leds.glow.any()


def test_shows_what_it_is_given(leds: Leds) -> None:
    frame = LedFrame(tuple((20 * i, 255 - 20 * i, 7) for i in range(12)))
    leds.show(frame)
    assert leds.shown == frame
    assert [tuple(map(int, row)) for row in leds.glow] == list(frame.colours)
    assert leds.lost == ""


def test_reckons_its_current(leds: Leds) -> None:
    leds.show(LedFrame((WHITE,) + ((0, 0, 0),) * 11))
    assert leds.current_ma == pytest.approx(12 * OPTIONS.idle_ma + 3 * OPTIONS.channel_ma)


def test_refuses_a_frame_of_another_length(leds: Leds) -> None:
    with pytest.raises(BadAddress, match="expected a frame of 12 LEDs, got 11"):
        leds.show(LedFrame.dark(11))


def test_may_be_closed_twice_and_is_not_used_afterwards(leds: Leds) -> None:
    leds.show(LedFrame((WHITE,) * 12))
    leds.close()
    leds.close()
    assert leds.shown == LedFrame.dark(12)
    with pytest.raises(DeviceClosed):
        leds.show(LedFrame.dark(12))


def test_an_environment_variable_overrides_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LEDS", "simulator:")
    with open_leds("spi:0.0", OPTIONS) as opened:
        assert opened.lost == ""
    monkeypatch.setenv("COMPANION_LEDS", "lantern:")
    with pytest.raises(BadAddress, match=r"got 'lantern:' \(from COMPANION_LEDS\)"):
        open_leds("simulator:", OPTIONS)
