"""Doubles for cameras that no test machine has: a capture of OpenCV, an MJPEG server, the system's Python."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np

PICAMERA = Path(__file__).parent / "picamera_double"


def picture(width: int = 160, height: int = 120) -> np.ndarray:
    return np.full((height, width, 3), (10, 120, 240), dtype=np.uint8)


def jpeg(image: np.ndarray | None = None) -> bytes:
    return cv2.imencode(".jpg", picture() if image is None else image)[1].tobytes()


class FakeCapture:
    """Stands for `cv2.VideoCapture`; the tests look at what it was told."""

    stubborn: tuple[int, ...] = ()
    """Properties that cannot be set."""

    def __init__(self, *opened: object) -> None:
        self.opened = opened
        self.told: dict[int, float] = {}
        self.alive = True

    def isOpened(self) -> bool:
        return self.alive

    def set(self, setting: int, value: float) -> bool:
        if setting not in self.stubborn:
            self.told[setting] = value
        return True

    def get(self, setting: int) -> float:
        return self.told.get(setting, -1.0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        return self.alive, picture() if self.alive else None

    def release(self) -> None:
        self.alive = False


class MjpegServer:
    """Serves parts as a phone does; `parts` is asked for them anew for every visitor."""

    def __init__(
        self,
        parts: Callable[[], Iterator[bytes]],
        kind: str = "multipart/x-mixed-replace;boundary=b",
        lengths: bool = True,
    ) -> None:
        self.asked: list[dict[str, str]] = []
        self._leaving = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(dict(self.headers))
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                try:
                    for part in parts():
                        if server._leaving.is_set():
                            return
                        if kind.startswith("multipart"):
                            self.wfile.write(b"--b\r\nContent-Type: image/jpeg\r\n")
                            if lengths:
                                self.wfile.write(b"Content-Length: %d\r\n" % len(part))
                            self.wfile.write(b"\r\n" + part + b"\r\n")
                        else:
                            self.wfile.write(part)
                except OSError:
                    pass

            def log_message(self, *parts: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.host = f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> MjpegServer:
        return self

    def __exit__(self, *error: object) -> None:
        self._leaving.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
