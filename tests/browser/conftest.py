"""A real browser on a real server; skipped with the reason where there is no Chromium."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.web import create_app
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


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
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, locale="en-GB", base_url=address)
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "request", lambda sent: problems.append(sent.url) if not sent.url.startswith((address, "data:")) else None
    )
    yield opened
    context.close()
    assert problems == [], "script errors, or requests that leave the table"
