"""`http://`, `https://` and `rtsp://`, the camera of a phone or of the network.

MJPEG and single pictures over HTTP are read here: a stall shows at once and a cut-off picture is known as one.
Everything else is left to the FFmpeg inside OpenCV.
"""

from __future__ import annotations

import base64
import http.client
import time
import urllib.error
import urllib.request
from typing import IO, Final, Protocol
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2

from hardware.cameras import CameraOptions, Image, PictureSource
from hardware.cameras.capture import CaptureSource
from hardware.cameras.pictures import JPEG_END, decode
from hardware.cameras.reader import Reader, Source
from hardware.errors import BadAddress, BadPicture, CameraLost

MOST_BYTES: Final = 32 << 20
"""A part longer than this is no picture."""
LINE: Final = 1024


class Answer(Protocol):
    """The body of an HTTP answer."""

    def readline(self, limit: int = -1, /) -> bytes: ...  # noqa: D102
    def read(self, amount: int = -1, /) -> bytes: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def request_of(address: str) -> urllib.request.Request:
    """The request for an address; a name and password in it go where a server looks for them."""
    url = urlsplit(address)
    bare = urlunsplit(url._replace(netloc=url.netloc.rpartition("@")[2]))
    request = urllib.request.Request(bare)
    if url.username is not None:
        login = f"{unquote(url.username)}:{unquote(url.password or '')}".encode()
        request.add_header("Authorization", "Basic " + base64.b64encode(login).decode())
    return request


class MjpegSource:
    """Pictures that follow each other as the parts of one HTTP answer."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._at_headers = False
        """Whether the boundary before the next part was read already."""

    def grab(self) -> Image:
        """Wait for the next picture."""
        try:
            return decode(self._next_part())
        except (http.client.HTTPException, TimeoutError) as error:
            raise CameraLost(f"the stream stopped ({error or type(error).__name__})") from error

    def _line(self) -> bytes:
        line = self._answer.readline(LINE)
        if not line:
            raise CameraLost("the stream ended")
        return line

    def _next_part(self) -> bytes:
        """The content of the next part; its length is taken from its header, or from where it ends."""
        while not self._at_headers:
            self._at_headers = self._line().startswith(b"--")
        self._at_headers = False
        length = None
        while line := self._line().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if length is None:
            return self._until_boundary()
        if length > MOST_BYTES:
            raise BadPicture(f"expected a picture, got a part of {length} bytes")
        content = self._answer.read(length)
        if len(content) < length:
            raise CameraLost(f"the stream ended inside a picture, after {len(content)} of {length} bytes")
        return content

    def _until_boundary(self) -> bytes:
        """Read up to the end mark of a JPEG or to the next boundary."""
        content = bytearray()
        while len(content) < MOST_BYTES:
            line = self._line()
            if line.startswith(b"--") and content.endswith(b"\r\n"):
                self._at_headers = True
                return bytes(content[:-2])
            content += line
            if content.endswith(JPEG_END + b"\r\n"):
                return bytes(content[:-2])
        raise BadPicture("expected a picture, got a part without an end")

    def close(self) -> None:
        """Hang up."""
        self._answer.close()


class StillSource:
    """A page that gives one picture each time it is asked."""

    def __init__(self, address: str, options: CameraOptions) -> None:
        self._address = address
        self._options = options

    def grab(self) -> Image:
        """Ask for a picture, not more often than the wished rate."""
        time.sleep(1.0 / self._options.rate_hz)
        with fetch(self._address, self._options) as answer:
            return decode(answer.read(MOST_BYTES))

    def close(self) -> None:
        """Nothing is open between two pictures."""


def fetch(address: str, options: CameraOptions) -> http.client.HTTPResponse:
    """The HTTP answer of an address."""
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request_of(address), timeout=options.loss_s)
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise CameraLost(
            f"{urlsplit(address).hostname} does not give a picture ({reason}): is it on and on this network?"
        ) from error
    return answer


class Sniffed:
    """An answer whose first line was looked at already."""

    def __init__(self, first: bytes, rest: IO[bytes] | http.client.HTTPResponse) -> None:
        self._first = first
        self._rest = rest

    def readline(self, limit: int = -1, /) -> bytes:
        """The first line once, then the rest."""
        first, self._first = self._first, b""
        return first or self._rest.readline(limit)

    def read(self, amount: int = -1, /) -> bytes:
        """Bytes after the first line."""
        return self._rest.read(amount)

    def close(self) -> None:
        """Hang up."""
        self._rest.close()


def open_stream(address: str, options: CameraOptions) -> Source:
    """The right source for what an address gives."""
    if address.startswith("rtsp:"):
        return open_video(address, options)
    answer = fetch(address, options)
    kind = answer.headers.get_content_type()
    if kind.startswith("multipart/"):
        return MjpegSource(answer)
    if kind.startswith("image/"):
        answer.close()
        return StillSource(address, options)
    try:
        first = answer.readline(LINE)  # some servers do not say what they send
        if not first.strip():
            first = answer.readline(LINE)
    except (OSError, http.client.HTTPException) as error:
        raise CameraLost(f"the stream stopped ({error})") from error
    if first.startswith(b"--"):
        return MjpegSource(Sniffed(first, answer))
    answer.close()
    return open_video(address, options)


def open_video(address: str, options: CameraOptions) -> CaptureSource:
    """A stream that FFmpeg understands."""
    patience = int(options.loss_s * 1000)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 2 * patience, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience]
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        raise CameraLost(f"{urlsplit(address).hostname} gives no video that can be read: does it play in a browser?")
    return CaptureSource(capture, urlsplit(address).hostname or address)


class StreamCamera(Reader):
    """A camera on the network."""

    def __init__(self, address: str, options: CameraOptions, pictures: PictureSource | None) -> None:
        try:
            url = urlsplit(address)
            valid = bool(url.hostname) and (url.port is None or url.port > 0)
        except ValueError:
            valid = False
        if not valid:
            raise BadAddress(f"expected http://HOST/PATH or rtsp://HOST/PATH, got '{address}'")
        super().__init__(f"{url.scheme}://{url.hostname}", lambda: open_stream(address, options), options)
