"""A WLED controller on loopback that keeps what it hears; it shares no code with the sender."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Controller:
    """Ports stay the same when it vanishes and comes back."""

    def __init__(self) -> None:
        self.state = {"on": False, "bri": 40, "transition": 7}
        self.heard: list[bytes] = []
        self.changes: list[dict] = []
        self._arrived = threading.Condition()
        self.udp_port = self.http_port = 0
        self.come()

    def come(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self._socket.bind(("127.0.0.1", self.udp_port))
        self.udp_port = self._socket.getsockname()[1]
        self._threads = [threading.Thread(target=self._listen, args=(self._socket,))]
        controller = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(controller.state)

            def do_POST(self) -> None:
                change = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                controller.state.update(change)
                controller.changes.append(change)
                self._answer({"success": True})

            def _answer(self, content: dict) -> None:
                body = json.dumps(content).encode()
                self.send_response(200 if self.path == "/json/state" else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *parts: object) -> None:
                pass

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.http_port), Handler)
        self.http_port = self._server.server_port
        self._threads.append(threading.Thread(target=self._server.serve_forever, args=(0.02,)))
        for thread in self._threads:
            thread.start()

    def _listen(self, udp: socket.socket) -> None:
        while (packet := udp.recv(65536)) != b"end":
            with self._arrived:
                self.heard.append(packet)
                self._arrived.notify_all()

    def vanish(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as farewell:
            farewell.sendto(b"end", ("127.0.0.1", self.udp_port))
        self._server.shutdown()
        for thread in self._threads:
            thread.join()
        self._server.server_close()
        self._socket.close()

    def wait_for(self, packets: int) -> list[bytes]:
        """The packets heard so far, once there are so many; fails after five seconds."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.heard) >= packets, 5.0), f"heard {len(self.heard)} packets"
            return list(self.heard)

    def address(self, query: str = "") -> str:
        return f"wled://127.0.0.1:{self.http_port}?udp={self.udp_port}{query}"
