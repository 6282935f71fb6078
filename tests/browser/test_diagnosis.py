"""The diagnostic view, the coach and the LED map in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.led_map import LedMap, MappedLed
from companion.web import create_app
from companion.web.home import Home
from tests.browser.conftest import opened, serving
from tests.browser.screenshots import desk_in_play
from tests.companion.web.bench_double import make_bench


@pytest.fixture(scope="module")
def devices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    folder: Path = tmp_path_factory.mktemp("table")
    bench = make_bench(folder)
    leds = (MappedLed(0, (0.0, 0.0)), MappedLed(1, (40.0, 10.0), doubt="faint"), MappedLed(2, (80.0, 10.0)))
    bench.keep_map(LedMap(leds))
    with serving(create_app(desk_in_play(), Home.of(folder), bench)) as address:
        yield address, bench


def test_the_eye_is_shown_stage_by_stage_and_the_checks_are_listed(chromium: Any, devices: tuple[str, Any]) -> None:
    with opened(chromium, devices[0]) as page:
        page.goto("/")
        page.get_by_role("link", name="What the eye sees, and what is amiss").click()
        page.wait_for_selector("#findings li:has-text('Free space')")
        assert page.locator("#findings li").count() >= 10
        page.get_by_role("button", name="Look now").click()
        page.wait_for_selector("#stages figure")
        captions = page.locator("#stages figcaption").all_text_contents()
        assert captions[0] == "1. The picture as it came"
        assert any("The markers that were seen" in one for one in captions)
        page.wait_for_function("() => [...document.querySelectorAll('#stages img')].every(i => i.naturalWidth > 100)")
        page.wait_for_selector("#looked:has-text('The tiles were not learnt yet')")  # this eye knows none


def test_a_doubtful_led_is_dragged_to_its_place(chromium: Any, devices: tuple[str, Any]) -> None:
    address, bench = devices
    with opened(chromium, address) as page:
        page.goto("/setup/lights")
        dot = page.locator('.led[aria-label="LED 1: faint"] circle')
        page.wait_for_selector("#mapping:has-text('3 LEDs are mapped, 1 of them in doubt')")
        dot.scroll_into_view_if_needed()
        box = dot.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y + 20, steps=3)
        with page.expect_response(lambda got: got.request.method == "POST"):
            page.mouse.up()
        moved = bench.led_map.leds[1]
        assert moved.by_hand
        assert moved.place_mm[0] > 41
        assert moved.place_mm[1] < 9


def test_the_coach_is_switched_on_in_a_game(page: Any) -> None:
    page.goto("/")
    page.wait_for_selector("#board [data-spot]")
    assert page.locator("#coach").is_hidden()
    page.get_by_role("button", name="Coach").click()
    page.wait_for_selector("#coach li:has-text('You can: build a camp (47 places)')")
    assert "Typical mistake: The turn cannot end before 1 EP is spent." in page.text_content("#coach")
    page.get_by_role("button", name="Coach").click()
    page.wait_for_selector("#coach", state="hidden")
