"""The notify protocol of systemd, over a real socket."""

from __future__ import annotations

import socket
from pathlib import Path

from companion.watchdog import Watchdog


def test_ready_beats_and_stop(tmp_path: Path) -> None:
    now = 100.0
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(5)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}
        watchdog = Watchdog(environment, clock=lambda: now)
        watchdog.ready("one table")
        assert systemd.recv(100) == b"READY=1\nSTATUS=one table"
        for step_s in (0.0, 5.0, 4.9, 0.2):
            now += step_s
            watchdog.beat()
        watchdog.stopping()
        heard = [systemd.recv(100) for _ in range(3)]
    assert heard == [b"WATCHDOG=1", b"WATCHDOG=1", b"STOPPING=1"], "a beat every 10 s of 30"


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    for environment in ({}, {"NOTIFY_SOCKET": str(tmp_path / "nobody"), "WATCHDOG_USEC": "1"}):
        watchdog = Watchdog(environment)
        watchdog.ready()
        watchdog.beat()
        watchdog.stopping()
