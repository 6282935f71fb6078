"""A crowd of spectators in one process: many live streams at once, and when each snapshot reached each of them."""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time


class Listener:
    """One open stream."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        self.socket.setblocking(False)
        self.rest = b""
        self.delays: list[float] = []
        self.newest = -1

    def take(self, now: float) -> None:
        """Read what has come; every snapshot carries the time at which it was put up."""
        self.rest += self.socket.recv(1 << 20)
        *whole, self.rest = self.rest.split(b"\n\n")
        for event in whole:
            at, mark = event.find(b'"put_up":'), event.find(b"id: ")
            if at >= 0 and mark >= 0:
                self.newest = int(event[mark + 4 :].split(b"\n", 1)[0].rpartition(b".")[2])
                put_up = float(event[at + 9 :].split(b",", 1)[0].split(b"}", 1)[0])
                if put_up:
                    self.delays.append(now - put_up)


def main(port: int, count: int, seconds: float) -> None:
    """Listen for a while, then tell as JSON what was received."""
    listeners = [Listener(port) for _ in range(count)]
    chooser = selectors.DefaultSelector()
    for listener in listeners:
        chooser.register(listener.socket, selectors.EVENT_READ, listener)
    print("ready", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key, _ in chooser.select(0.2):
            key.data.take(time.monotonic())
    delays = sorted(delay for listener in listeners for delay in listener.delays)
    newest = [listener.newest for listener in listeners]
    print(json.dumps({"delays": delays, "newest": newest, "events": [len(one.delays) for one in listeners]}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
