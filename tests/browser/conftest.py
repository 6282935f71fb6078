"""A real browser on a real server; skipped with the reason where there is no Chromium."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.web import create_app
from companion.web.home import Home
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration
from tests.table.tables import PlainTable

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE_MS = 90_000


class Quiet(WSGIRequestHandler):
    """Does not log requests."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    """The address of an application while it runs."""
    server = make_server("127.0.0.1", port, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def following(table: PlainTable) -> Iterator[None]:
    """A session that goes on by itself."""
    stop = threading.Event()

    def go_on() -> None:
        while not stop.wait(0.02):
            table.now += 1 / 15
            table.session.step()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def opened(browser: Any, address: str, **kind: Any) -> Iterator[Any]:
    """A page that notices script errors and requests that leave the table."""
    usual = {"viewport": {"width": 1200, "height": 900}, "locale": "en-GB", "base_url": address}
    context = browser.new_context(**(usual | kind))
    found = context.new_page()
    found.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    found.on("pageerror", lambda error: problems.append(str(error)))
    found.on("request", lambda sent: problems.append(sent.url) if not sent.url.startswith((address, "data:")) else None)
    yield found
    context.close()
    assert problems == [], "script errors, or requests that leave the table"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: make test installs it")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: sudo apt install chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def desk() -> EngineDesk:
    return EngineDesk(*game_in_exploration())


@pytest.fixture
def address(desk: EngineDesk) -> Iterator[str]:
    with serving(create_app(desk)) as found:
        yield found


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:
    with opened(chromium, address) as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> PlainTable:
    """A whole session on a simulated table, seen by an ideal eye."""
    return PlainTable(tmp_path)


@pytest.fixture
def played(chromium: Any, table: PlainTable, tmp_path: Path) -> Iterator[Any]:
    """A page on that session."""
    app = create_app(table.session, Home.of(tmp_path))
    with following(table), serving(app) as address, opened(chromium, address) as found:
        yield found
