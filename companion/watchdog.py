"""Tells systemd that the service is ready and alive; without systemd it does nothing."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping


class Watchdog:
    """Speaks the notify protocol of systemd over its socket; `beat()` is called by the game loop."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every_s = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 / 3
        self._clock = clock
        self._next = 0.0

    def ready(self, status: str = "") -> None:
        """The page answers and the game loop runs."""
        self._send(f"READY=1\nSTATUS={status}")

    def beat(self) -> None:
        """The game loop is alive; sent three times as often as systemd asks for."""
        now = self._clock()
        if self._every_s and now >= self._next:
            self._next = now + self._every_s
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service ends on purpose."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as notify:
            try:
                notify.sendto(message.encode(), self._address)
            except OSError:
                return  # a lost beat is what the watchdog is there for
