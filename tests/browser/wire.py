"""A wire between browser and server that can be cut, or fall silent, and be mended."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading


class Wire:
    """Carries bytes to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._port, self._lock = port, threading.Lock()
        self._pairs: dict[socket.socket, socket.socket] = {}
        self.is_cut = self.is_silent = False
        self.came = 0
        """Bytes that came from the server."""
        self._servers: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._chooser = selectors.DefaultSelector()
        self._chooser.register(self._listener, selectors.EVENT_READ)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    @property
    def address(self) -> str:
        """Where the browser goes."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Wire:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.cut()
        self._listener.close()

    def cut(self) -> None:
        """Break every connection; new ones are hung up on."""
        self.is_cut = True
        with self._lock:
            for one in list(self._pairs):
                self._drop(one)

    def mend(self) -> None:
        """Carry again; what was silent too long is gone for good."""
        if self.is_silent:
            self.cut()
        self.is_cut = self.is_silent = False

    def _carry(self) -> None:
        while not self._over.is_set():
            for key, _ in self._chooser.select(0.05):
                with self._lock:
                    if key.fileobj is self._listener:
                        self._answer()
                    elif isinstance(key.fileobj, socket.socket):
                        self._pass_on(key.fileobj)
            if self.is_silent:
                self._over.wait(0.05)

    def _answer(self) -> None:
        one, _ = self._listener.accept()
        if self.is_cut:
            one.close()
            return
        other = socket.create_connection(("127.0.0.1", self._port))
        self._servers.add(other)
        for here, there in ((one, other), (other, one)):
            self._pairs[here] = there
            self._chooser.register(here, selectors.EVENT_READ)

    def _pass_on(self, one: socket.socket) -> None:
        if self.is_silent or one not in self._pairs:
            return
        try:
            data = one.recv(1 << 16)
            if data:
                self.came += len(data) if one in self._servers else 0
                self._pairs[one].sendall(data)
                return
        except OSError:
            pass
        self._drop(one)

    def _drop(self, one: socket.socket) -> None:
        other = self._pairs.pop(one, None)
        if other is None:
            return
        self._pairs.pop(other, None)
        for end in (one, other):
            with contextlib.suppress(KeyError, ValueError):
                self._chooser.unregister(end)
            end.close()
