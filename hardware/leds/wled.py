"""`wled://HOST`, a strip on a WLED controller: colours over UDP, brightness and health over its JSON interface.

`wled://HOST` speaks DDP; `?protocol=udp` speaks WLED's own realtime formats (DRGB, DRGBW, DNRGB). `HOST:PORT` is the
port of its page, `&udp=PORT` another port for the colours.
"""

from __future__ import annotations

import json
import logging
import socket
import struct
import threading
import urllib.error
import urllib.request
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from hardware.errors import BadAddress, LedsLost
from hardware.leds import StripOptions
from hardware.leds.power import Values

log = logging.getLogger(__name__)

DDP_PORT: Final = 4048
DDP_VERSION: Final = 0x40
DDP_PUSH: Final = 0x01
DDP_TYPE: Final = {3: 0x0B, 4: 0x1B}
"""Data type byte: RGB or RGBW with 8 bits per colour."""
DDP_DISPLAY: Final = 1
DDP_MOST_BYTES: Final = 1440

UDP_PORT: Final = 21324
DRGB, DRGBW, DNRGB = 2, 3, 4
DRGB_MOST, DRGBW_MOST, DNRGB_MOST = 490, 367, 489
HOLD_S: Final = 2
"""The controller goes back to its own effect when it hears nothing for so long."""

REPEAT_S: Final = 1.0
"""The last frame is sent again so often: it keeps the controller listening and heals a lost packet."""
CHECK_EVERY: Final = 5
"""Every so many repeats the controller is asked whether it is still there and as bright as we left it."""
JSON_S: Final = 1.5


def ddp_packets(values: Values, sequence: int) -> list[bytes]:
    """A frame as DDP packets; the number of the first follows `sequence`, the last one makes the strip show it."""
    data = values.tobytes()
    packets = []
    for offset in range(0, len(data), DDP_MOST_BYTES):
        part = data[offset : offset + DDP_MOST_BYTES]
        sequence = sequence % 15 + 1  # 1 to 15; 0 would mean that numbers are not used
        flags = DDP_VERSION | (DDP_PUSH if offset + len(part) == len(data) else 0)
        kind = DDP_TYPE[values.shape[1]]
        packets.append(struct.pack(">BBBBIH", flags, sequence, kind, DDP_DISPLAY, offset, len(part)) + part)
    return packets


def realtime_packets(values: Values) -> list[bytes]:
    """A frame in WLED's own realtime formats: one packet where it fits, else several that name their first LED."""
    leds, colours = values.shape
    if colours == 4:
        if leds > DRGBW_MOST:
            raise BadAddress(f"expected at most {DRGBW_MOST} RGBW LEDs with protocol=udp, got {leds}; use DDP instead")
        return [bytes([DRGBW, HOLD_S]) + values.tobytes()]
    if leds <= DRGB_MOST:
        return [bytes([DRGB, HOLD_S]) + values.tobytes()]
    return [
        struct.pack(">BBH", DNRGB, HOLD_S, first) + values[first : first + DNRGB_MOST].tobytes()
        for first in range(0, leds, DNRGB_MOST)
    ]


class WledWire:
    """Sends frames to a controller, keeps it listening, notices when it is gone."""

    order = "RGB"
    sorts = True  # the controller knows the order of its strip

    def __init__(self, address: str, options: StripOptions) -> None:
        try:
            url = urlsplit(address)
            query = {name: values[-1] for name, values in parse_qs(url.query, strict_parsing=bool(url.query)).items()}
            self._ddp = {"ddp": True, "udp": False}[query.pop("protocol", "ddp")]
            port = int(query.pop("udp", DDP_PORT if self._ddp else UDP_PORT))
            if not url.hostname or url.path.strip("/") or query:
                raise ValueError
            self._page = f"http://{url.hostname}:{url.port or 80}/json/state"
        except (KeyError, ValueError) as error:
            raise BadAddress(f"expected wled://HOST or wled://HOST?protocol=udp, got '{address}'") from error
        self._host = url.hostname
        self._sequence = 0
        self._last: Values | None = None
        self._gone = ""
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._before = self._ask({"on": True, "bri": 255, "transition": 0})
        self._socket = self._connect(port)
        self._keeper = threading.Thread(target=self._keep, name="wled", daemon=True)
        self._keeper.start()

    def _connect(self, port: int) -> socket.socket:
        try:
            family, kind, proto, _, where = socket.getaddrinfo(self._host, port, type=socket.SOCK_DGRAM)[0]
        except OSError as error:
            raise LedsLost(f"no address for the WLED controller '{self._host}' ({error.strerror})") from error
        opened = socket.socket(family, kind, proto)
        opened.connect(where)  # a connected socket learns that nobody listens
        return opened

    def _ask(self, change: dict[str, Any]) -> dict[str, Any]:
        """The controller's state; then set it so that our values are what is lit."""
        try:
            with urllib.request.urlopen(self._page, timeout=JSON_S) as answer:
                state = json.load(answer)
            if any(state.get(name) != value for name, value in change.items()):
                body = json.dumps(change).encode()
                request = urllib.request.Request(self._page, body, {"Content-Type": "application/json"})
                urllib.request.urlopen(request, timeout=JSON_S).close()
        except (OSError, ValueError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise LedsLost(
                f"the WLED controller at {self._page} does not answer ({reason}): is it powered and on this network?"
            ) from error
        return state if isinstance(state, dict) else {}

    def send(self, values: Values) -> None:
        """Send a frame."""
        with self._lock:
            if self._gone:
                raise LedsLost(self._gone)
            self._last = values
            self._send_last()

    def _send_last(self) -> None:
        assert self._last is not None
        packets = ddp_packets(self._last, self._sequence) if self._ddp else realtime_packets(self._last)
        try:
            for packet in packets:
                self._socket.send(packet)
        except OSError as error:
            self._gone = f"the WLED controller at {self._host} does not take colours ({error.strerror})"
            raise LedsLost(self._gone) from error
        self._sequence = (self._sequence + len(packets) - 1) % 15 + 1

    def _keep(self) -> None:
        """Repeat the last frame and look after the controller until the wire is closed."""
        beats = 0
        while not self._stop.wait(REPEAT_S) and not self._gone:
            beats += 1
            self.beat(check=beats % CHECK_EVERY == 0)

    def beat(self, check: bool) -> None:
        """One repeat of the last frame, with or without asking how the controller is; a loss shows at the next send."""
        try:
            if check:
                self._ask({"on": True, "bri": 255})
            with self._lock:
                if self._last is not None and not self._gone:
                    self._send_last()
        except LedsLost as error:
            self._gone = str(error)

    def close(self) -> None:
        """Leave the controller as bright as it was."""
        self._stop.set()
        self._keeper.join()
        self._socket.close()
        before = {name: value for name, value in self._before.items() if name in ("on", "bri", "transition")}
        if not self._gone and before:
            try:
                self._ask(before)
            except LedsLost as error:
                log.warning("its brightness could not be given back: %s", error)
