"""Pictures of every page at 390 and 1440 px: `make screenshots`."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.web import create_app
from companion.web.home import JOURNAL_FILE, Home
from companion.workshop import STEPS
from engine.games.ice import actions as a
from engine.games.ice.board import SPOTS, TILE_COUNT
from tests.browser.conftest import CHROMIUM, serving
from tests.companion.web.bench_double import make_bench
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration
from tests.companion.web.played import play_into

PAGES = {
    "play": "/",
    "learn": "/learn",
    "lesson": "/learn/7",
    "score": "/score",
    "game": "/score/1",
    "access": "/access",
    "diagnosis": "/diagnosis",
    **{f"setup-{step}": f"/setup/{step}" for step in STEPS},
}
"""Name and path of every page."""
SIZES = {"phone": (390, 844), "desk": (1440, 900)}
VIEWS = (("en", "light"), ("cs", "light"), ("ru", "dark"))


def desk_in_play(seed: int = 5, actions: int = 60) -> EngineDesk:
    """A game that has dug a few holes."""
    desk = EngineDesk(*game_in_exploration())
    chance = random.Random(seed)
    for _ in range(actions):
        legal = desk.game.legal_actions(desk.state)
        eager = [action for action in legal if isinstance(action, a.Excavate | a.Allocate | a.Reveal)]
        desk.attempt(chance.choice(eager or [x for x in legal if isinstance(x, a.Move)] or legal))
    desk.publish()
    return desk


def home_with_games(folder: Path) -> Home:
    """A table at which some games were played."""
    for seed, players, most in ((1, 3, 5000), (2, 2, 5000), (3, 4, 5000), (4, 3, 150)):
        play_into(folder / JOURNAL_FILE, seed=seed, players=players, most=most)
    return Home.of(folder, ("http://192.168.1.20:8000/", "http://icelight.local:8000/"))


def desk_for_the_readme(desk: EngineDesk) -> EngineDesk:
    """The same desk once nothing is asked any more and the player to act has a leader on a tile."""
    while desk.state.asked or not 0 <= desk.state.leaders[desk.state.active] < TILE_COUNT:
        desk.attempt(desk.game.legal_actions(desk.state)[0])
    desk.publish()
    return desk


def for_the_readme(browser: Any, address: str, desk: EngineDesk, folder: Path) -> None:
    """The three pictures of the README: a place that was tapped, a refusal on a phone, a game that was played."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en", base_url=address)
    page = context.new_page()
    page.goto("/score/1")
    page.wait_for_selector("#by-day polyline")
    page.screenshot(path=folder / "readme-score.png")
    home = SPOTS[desk.state.leaders[desk.state.active]]
    page.goto("/")
    page.wait_for_selector("#board [data-spot]")
    page.locator("#show-coach").click()
    page.locator(f'#board [data-spot="{home}"]').dispatch_event("click")
    page.wait_for_selector("#spot-detail details")
    page.screenshot(path=folder / "readme-play.png")
    context.close()
    view = {"width": 390, "height": 844}
    context = browser.new_context(viewport=view, locale="cs", color_scheme="dark", base_url=address)
    page = context.new_page()
    page.goto("/")
    page.wait_for_selector("#board [data-spot]")
    wrong = next(p for p in range(TILE_COUNT) if desk.state.tiles[p] and p not in desk.state.leaders)
    desk.attempt(a.Excavate(desk.state.active, wrong))
    desk.publish()
    page.wait_for_selector("#refusal h2")
    page.screenshot(path=folder / "readme-phone.png")
    context.close()


def main(folder: Path) -> int:
    """Write the pictures; says what is missing instead of failing with a traceback."""
    if CHROMIUM is None:
        print("screenshots: there is no Chromium here: sudo apt install chromium", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as table,
        serving(create_app(desk := desk_in_play(), home_with_games(Path(table)), make_bench(Path(table)))) as address,
        sync_playwright() as started,
    ):
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for language, scheme in VIEWS:
            for size, (width, height) in SIZES.items():
                view = {"width": width, "height": height}
                context = browser.new_context(viewport=view, locale=language, color_scheme=scheme, base_url=address)
                page = context.new_page()
                for name, path in PAGES.items():
                    page.goto(path)
                    if page.locator("svg[id$=board]").count():
                        page.wait_for_selector("[data-spot]")
                    if page.locator("#verdict").count():
                        page.wait_for_selector("#verdict:has-text('✓'), #verdict:has-text('✗')")
                    if page.locator("#findings").count():
                        page.wait_for_selector("#findings li")
                        page.locator("#look-now").click()
                        page.wait_for_selector("#stages img >> nth=-1")
                        page.wait_for_function(
                            "() => [...document.querySelectorAll('#stages img')].every(i => i.complete)"
                        )
                    page.screenshot(path=folder / f"{name}-{size}-{language}-{scheme}.png", full_page=True)
                context.close()
        for_the_readme(browser, address, desk_for_the_readme(desk), folder)
        browser.close()
    print(f"screenshots: {len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
