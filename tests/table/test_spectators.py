"""Many spectators on the production server: everybody has the newest snapshot, and places are given back."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from companion.messages import Snapshot
from companion.web import create_app
from companion.web.server import open_server
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration

CROWD = 100


def wait_until(is_so: Callable[[], bool], seconds: float = 60.0) -> bool:
    pause = threading.Event()
    for _ in range(round(seconds / 0.05)):
        if is_so():
            return True
        pause.wait(0.05)
    return False


def test_a_hundred_spectators_have_the_newest_snapshot() -> None:
    desk = EngineDesk(*game_in_exploration())
    app = create_app(desk)
    server: Any = open_server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    places = app.extensions["listeners"]
    command = [sys.executable, "-m", "tests.bench.crowd", str(server.effective_port), str(CROWD), "6"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout is not None
        assert crowd.stdout.readline().strip() == "ready"
        assert wait_until(lambda: places.taken == CROWD)
        newest = desk.board.newest()
        for number in range(1, 6):
            desk.board.put_up(Snapshot(newest.version + number, {"put_up": 0.0, **newest.public}))
        told = json.loads(crowd.stdout.readline())
    assert told["newest"] == [newest.version + 5] * CROWD
    desk.board.put_up(Snapshot(newest.version + 6, newest.public))  # what is sent to those who left fails
    desk.board.put_up(Snapshot(newest.version + 7, newest.public))
    assert wait_until(lambda: places.taken == 0)
    server.close()
    thread.join(10)
