"""`companion run` as a person starts it: a process, its page, and hands moved through the page."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LONG_S = 60.0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Running:
    """The process and a small client of its page."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        options = ["--data", str(data), "--port", str(self.port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "run", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.loads(answer.read())

    def post(self, command: str, **fields: Any) -> None:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/commands/{command}",
            json.dumps(fields).encode(),
            {"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request, timeout=10).close()

    def wait(self, is_right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first snapshot that is right."""
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            state: dict[str, Any] = self.get("/api/v1/state")
            if is_right(state):
                return state
        pytest.fail(f"nothing right came within {LONG_S} s; last: {str(state)[:500]}")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    found = Running(tmp_path)
    yield found
    found.process.kill()
    found.process.wait()
    assert found.process.stdout is not None
    found.process.stdout.close()


def test_the_page_answers_and_hands_are_followed_until_the_process_is_told_to_end(running: Running) -> None:
    assert f"http://localhost:{running.port}/" in running.said
    state = running.wait(lambda s: s.get("mode") == "tracking" and s["question"] is None)
    assert state["simulated"]
    line = next(action["line"] for action in state["legal"] if " camp " in action["line"])
    spot = line.split()[2]
    running.post("hands", verb="act", arguments={"line": line})
    state = running.wait(lambda s: "leaders" in s["position"]["pieces"].get(spot, {}))
    running.wait(lambda s: s["status"]["board"]["ok"] and s["refusal"] is None)
    assert running.get("/healthz")["ok"]
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(15) == 0
