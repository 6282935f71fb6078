"""axe-core finds no serious barrier on any page, in either theme; skipped with the reason where it is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion.web import create_app
from companion.web.home import JOURNAL_FILE, Home
from companion.workshop import STEPS
from tests.browser.conftest import PATIENCE_MS, serving
from tests.browser.screenshots import desk_in_play
from tests.companion.web.bench_double import make_bench
from tests.companion.web.played import play_into

PAGES = [
    "/",
    "/learn",
    "/learn/7",
    "/score",
    "/score/1",
    "/access",
    "/diagnosis",
    "/nowhere",
    *(f"/setup/{step}" for step in STEPS),
]
RUN = "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})"


@pytest.fixture(scope="module")
def axe() -> str:
    pytest.importorskip("axe_playwright_python", reason="axe-core is missing: make test installs it")
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table with a game under way, a game that was played, and devices."""
    folder: Path = tmp_path_factory.mktemp("table")
    play_into(folder / JOURNAL_FILE, seed=1, players=3)
    with serving(create_app(desk_in_play(), Home.of(folder), make_bench(folder))) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(chromium: Any, axe: str, everything: str, scheme: str) -> None:
    context = chromium.new_context(base_url=everything, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    found = []
    for path in PAGES:
        page.goto(path)
        if page.locator("svg[id$=board]").count():
            page.wait_for_selector("[data-spot]")
        if path == "/":
            page.locator('#board [data-spot="snow:0,5,5"]').dispatch_event("click")
            page.wait_for_selector("#spot-detail details")
            page.locator("#show-coach").click()
            page.wait_for_selector("#coach h2")
        if path == "/diagnosis":
            page.wait_for_selector("#findings li")
        if page.locator("#verdict").count():
            page.wait_for_selector("#verdict:has-text('✓'), #verdict:has-text('✗')")
        page.evaluate(axe)
        found += [
            (path, one["id"], [node["html"][:120] for node in one["nodes"][:3]])
            for one in page.evaluate(RUN)["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    context.close()
    assert found == []


def test_no_page_scrolls_sideways_on_a_small_phone(chromium: Any, everything: str) -> None:
    context = chromium.new_context(base_url=everything, viewport={"width": 360, "height": 740}, locale="ru")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wide = {}
    for path in PAGES:
        page.goto(path)
        if page.locator("svg[id$=board]").count():
            page.wait_for_selector("[data-spot]")
        width = page.evaluate("() => document.documentElement.scrollWidth")
        if width > 360:
            wide[path] = width
    context.close()
    assert wide == {}
