"""The set-up from the first start to a running game, on the simulated table with its drawn camera."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.bootstrap import Simulation, bench_of, simulated_session
from companion.settings import Settings, load
from companion.web import create_app
from companion.web.home import Home
from tests.browser.conftest import opened, serving

LONG_MS = 180_000
PICTURE = """async () => {
  const data = new Uint8Array(await (await fetch('/snapshot.jpg')).arrayBuffer());
  return `${data.length} ${data.slice(-400).join()}`;
}"""
"""What tells one picture of the camera from another."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("first start")
    session, _ = simulated_session(folder, Settings(), Simulation())
    stop = threading.Event()
    thread = threading.Thread(target=session.run, args=(stop,), daemon=True)
    thread.start()
    with serving(create_app(session, Home.of(folder), bench_of(session, folder))) as found:
        yield found, folder
    stop.set()
    thread.join()


def test_from_the_first_start_to_a_running_game(chromium: Any, address: tuple[str, Path]) -> None:
    with opened(chromium, address[0]) as page:
        page.set_default_timeout(LONG_MS)
        page.goto("/")
        page.get_by_role("link", name="Set up").click()
        page.select_option("#players", "2")
        page.select_option('[name="seat.2"]', "icewalkers")
        page.wait_for_selector('[name="seat.3"]', state="hidden")  # once the page's script has come
        page.get_by_label("First game: no logbook, no guild abilities").check()
        page.get_by_role("button", name="Keep and go on").click()
        page.wait_for_selector("#verdict:has-text('good enough')")
        assert page.locator("#meters li").count() == 4
        page.get_by_role("button", name="Keep and go on").click()
        page.wait_for_selector("#residual:has-text('The markers fit to 0.')")
        assert page.get_by_role("link", name="Markers to print (PDF)").is_visible()
        page.get_by_text("No markers?").click()
        page.wait_for_function("() => document.querySelectorAll('.corner').length === 4")
        page.get_by_role("button", name="Two more, to be more exact").click()
        page.wait_for_function("() => document.querySelectorAll('.corner').length === 6")
        corner = page.locator(".corner").first
        before = corner.get_attribute("transform")
        box = corner.locator("circle").first.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2 + 9, box["y"] + box["height"] / 2 + 4, steps=3)
        page.mouse.up()
        assert corner.get_attribute("transform") != before
        page.wait_for_selector("#residual:has-text('The corners fit to')")  # told at once, in pixels
        corner.focus()
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name="Try these corners").click()
        page.wait_for_selector("#over .found")
        page.get_by_role("button", name="Keep and go on").click()
        page.get_by_role("button", name="Take the picture").first.wait_for()
        page.goto("/")  # leave and resume
        page.get_by_role("link", name="Set up").click()
        page.wait_for_url("**/setup/tiles")
        page.get_by_role("button", name="Keep and go on").click()
        page.wait_for_selector("#strip-kind")
        page.get_by_role("button", name="Show the colours").click()
        for colour in ("green", "red", "blue"):  # red was sent, green was seen: the first two are swapped
            page.locator("#order").get_by_role("button", name=colour).click()
        page.wait_for_selector("#order:has-text('The order of colours is RGB.')")
        page.fill('input[name="lights.brightness"]', "0.4")
        page.fill('input[name="lights.budget_ma"]', "1500")
        page.get_by_role("button", name="Keep and go on").click()
        page.wait_for_selector("#pressed", state="attached")
        presses = iter(range(1000))
        page.route("**/setup/pressed", lambda asked: asked.fulfill(json={"count": next(presses), "button": "undo"}))
        page.wait_for_selector("label.pressed:has-text('Undo')")
        assert page.text_content("#pressed") == "Pressed: Undo"
        page.unroute("**/setup/pressed")
        page.fill('[name="panel.buttons.end_turn"]', "")
        page.wait_for_selector("#verdict:has-text('✓')")  # every step shows what the camera sees
        page.get_by_role("button", name="Keep and go on").click()
        page.select_option('select[name="table.language"]', "cs")
        page.get_by_role("button", name="Keep and go on").click()
        page.fill('input[name="pin"]', "2468")
        page.get_by_role("button", name="Set the PIN").click()
        page.wait_for_url("**/setup/start")
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_selector("#board .tile-snow")
        page.wait_for_selector("#facts dt:has-text('Incandescents')", state="detached")
        page.wait_for_selector("#facts dt:has-text('Icewalkers')")
        page.wait_for_selector("#restore", state="hidden")
        kept = load(address[1] / "settings.toml")
        assert (kept.lights.brightness, kept.lights.budget_ma, kept.lights.order) == (0.4, 1500, "RGB")
        assert (kept.table.language, kept.game.players, kept.game.first_game) == ("cs", 2, True)
        page.goto("/access")
        page.get_by_role("button", name="Remove the PIN").click()
        page.wait_for_selector("main:has-text('no PIN is set')")


def test_a_layer_is_taken_and_its_groups_are_named(chromium: Any, address: tuple[str, Path]) -> None:
    with opened(chromium, address[0]) as page:
        page.set_default_timeout(LONG_MS)
        page.goto("/setup/tiles")
        row = page.locator("#layers li:has-text('the snow layer')")
        before = page.evaluate(PICTURE)
        row.get_by_role("button", name="Let the hands lay it").click()
        page.wait_for_function(f"async (before) => (await ({PICTURE})()) !== before", arg=before)
        row.get_by_role("button", name="Take the picture").click()
        page.wait_for_selector("#groups fieldset")
        assert page.locator("#groups .print").count() == 48
        page.reload()  # left and resumed
        row.get_by_role("button", name="Name the groups").click()
        page.wait_for_selector("#groups fieldset")
        page.get_by_role("button", name="These names are right").click()
        page.wait_for_selector("#groups:has-text('Every group needs a name')")
        for number in range(page.locator("#groups fieldset").count()):
            page.locator("#groups fieldset > select").nth(number).select_option("tunnel")
        page.get_by_role("button", name="Tile 1: put right", exact=True).click()
        page.locator(".prints select").select_option("campsite")
        page.get_by_role("button", name="These names are right").click()
        page.wait_for_selector("#groups:has-text('Learnt. Next: the bare board.')")
        page.get_by_role("button", name="Back to the game as it was").click()
