"""How a hundred spectators are served: delay behind the session, what they cost its loop, and memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.bootstrap import Simulation, simulated_session
from companion.messages import Board, Snapshot
from companion.session import Session
from companion.settings import Settings
from companion.web import create_app
from companion.web.server import open_server

CROWD = 100
SECONDS = 30.0
BEAT_S = 1 / 5


class StampedBoard(Board):
    """Writes on every snapshot when it was put up."""

    def put_up(self, snapshot: Snapshot) -> None:
        public = {"put_up": time.monotonic(), **snapshot.public}
        super().put_up(Snapshot(snapshot.version, public, snapshot.private))


def resident_mb() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def follow(session: Session, seconds: float) -> list[float]:
    """The session's loop with a new snapshot in every round; gives the CPU milliseconds of each round."""
    spent, pause, end = [], threading.Event(), time.monotonic() + seconds
    while time.monotonic() < end:
        began, used = time.monotonic(), time.thread_time()
        session._published = None
        session.step()
        spent.append((time.thread_time() - used) * 1000)
        pause.wait(max(0.0, began + BEAT_S - time.monotonic()))
    return spent


def gather(port: int, session: Session) -> tuple[dict[str, Any], list[float], list[float], list[float]]:
    """What the crowd received, the loop's cost without and with it, and memory on the way."""
    alone = follow(session, SECONDS / 3)
    command = [sys.executable, "-m", "tests.bench.crowd", str(port), str(CROWD), str(SECONDS + 3)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout is not None
        assert crowd.stdout.readline().strip() == "ready"
        watched, memory = [], []
        for _ in range(3):
            watched += follow(session, SECONDS / 3)
            memory.append(resident_mb())
        told = json.loads(crowd.stdout.readline())
    return told, alone + follow(session, SECONDS / 3), watched, memory


def measure() -> Iterator[tuple[str, str]]:
    """Delay, loss, cost and memory with a hundred listeners on the production server."""
    with tempfile.TemporaryDirectory() as folder:
        session, _ = simulated_session(Path(folder), Settings(), Simulation())
        session.board = StampedBoard(session.board.newest())
        server = open_server(create_app(session), "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        follow(session, 3.0)
        told, alone, watched, memory = gather(server.effective_port, session)
        server.close()
    delays, newest = told["delays"], max(told["newest"])
    yield "spectators that have the newest snapshot at the end", str(told["newest"].count(newest))
    yield (
        "snapshots put up; received by most and by fewest",
        f"{len(watched)}; {max(told['events'])}, {min(told['events'])}",
    )
    yield "delay behind the session, median, ms", f"{statistics.median(delays) * 1000:.0f}"
    yield "delay behind the session, p95, ms", f"{delays[int(len(delays) * 0.95)] * 1000:.0f}"
    yield "a round of the loop alone, median CPU ms", f"{statistics.median(alone):.1f}"
    yield "a round of the loop with spectators, median CPU ms", f"{statistics.median(watched):.1f}"
    yield "memory after each third of the time, MB", ", ".join(f"{one:.0f}" for one in memory)
