"""Seats, spectators and the owner, each in a browser of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.web import create_app
from companion.web.home import Home
from tests.browser.conftest import opened, serving
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration

SECRETS = {"navigators": "shapes-achievement", "incandescents": "prismatic-2", "icewalkers": "either-2-harmony-exalted"}
WORDS = {
    "navigators": "different shapes of Achievement",
    "incandescents": "2 anima from prismatic artifacts",
    "icewalkers": "2 anima of one type: Harmony, Exalted",
}
RECEIVED = """async () => {
  const state = await (await fetch('/api/v1/state')).text();
  const event = await new Promise((done) => {
    const live = new EventSource('/events');
    live.addEventListener('snapshot', (got) => { live.close(); done(got.data); });
  });
  return state + event + document.documentElement.outerHTML;
}"""


@pytest.fixture
def desk() -> EngineDesk:
    game, state = game_in_exploration()
    seats = [replace(seat, requests=(SECRETS[seat.guild],)) for seat in state.seats]
    return EngineDesk(game, replace(state, seats=tuple(seats)))


def test_a_hand_is_received_by_its_own_seat_only(chromium: Any, desk: EngineDesk) -> None:
    home = Home()
    home.access.set_pin("2468")
    links = home.access.seat_links(SECRETS)
    with serving(create_app(desk, home)) as address:
        for guild, token in links.items():
            with opened(chromium, address) as page:
                page.goto(f"/seat/{token}")
                page.wait_for_selector(f"#mine:has-text('{WORDS[guild]}')")
                received = page.evaluate(RECEIVED)
                assert {other for other, words in WORDS.items() if words in received} == {guild}
                assert {other for other, secret in SECRETS.items() if secret in received} <= {guild}
                assert page.get_by_role("button", name="End turn").is_visible()
                assert page.get_by_role("link", name="Set up").count() == 0


def test_spectators_look_and_the_owner_enters_with_the_pin(chromium: Any, desk: EngineDesk) -> None:
    home = Home()
    home.access.set_pin("2468")
    with serving(create_app(desk, home)) as address, opened(chromium, address) as page:
        page.goto("/")
        page.wait_for_selector("#board [data-spot]")
        received = page.evaluate(RECEIVED)
        assert not any(secret in received for secret in (*SECRETS.values(), *WORDS.values()))
        assert page.get_by_role("button", name="End turn").count() == 0
        page.locator('#board [data-spot="snow:4,3,3"]').dispatch_event("click")
        page.wait_for_selector("#spot-detail h3, #spot-detail details")
        assert page.locator("#spot-detail button").count() == 0
        page.get_by_role("link", name="Access").click()
        page.fill('input[name="pin"]', "1111")
        page.get_by_role("button", name="Enter").click()
        assert page.locator('[role="alert"]').text_content() == "This is not the PIN of the table."
        page.fill('input[name="pin"]', "2468")
        page.get_by_role("button", name="Enter").click()
        page.wait_for_selector("#board [data-spot]")
        assert page.get_by_role("button", name="End turn").is_visible()
        assert page.get_by_role("link", name="Set up").is_visible()
