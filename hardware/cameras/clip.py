"""`clip:game.mp4` or `clip:folder/`, a recorded game: every picture once, in order."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import cv2

from hardware.cameras import CameraOptions, Frame, Image, PictureSource
from hardware.cameras.pictures import decode, require_usable
from hardware.closing import Closing
from hardware.errors import BadAddress, BadPicture, ClipEnded

log = logging.getLogger(__name__)

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


def pictures_of_folder(folder: Path) -> Iterator[Image]:
    """The pictures of a folder by name; one that cannot be read is logged and passed over."""
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES):
        try:
            yield decode(path.read_bytes())
        except BadPicture as error:
            log.warning("%s is passed over: %s", path, error)


def pictures_of_video(capture: cv2.VideoCapture) -> Iterator[Image]:
    """The pictures of an opened video."""
    try:
        while True:
            taken, image = capture.read()
            if not taken:
                return
            yield require_usable(image)
    finally:
        capture.release()


class ClipCamera(Closing):
    """Gives a recording picture by picture; nothing is dropped, however slow the reader is."""

    lost = ""
    takes_when_read = False

    def __init__(self, address: str, options: CameraOptions, pictures: PictureSource | None) -> None:
        self._path = Path(address.removeprefix("clip:"))
        rate_hz = options.rate_hz
        if self._path.is_dir():
            self._pictures = pictures_of_folder(self._path)
        elif self._path.is_file():
            capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
            if not capture.isOpened():
                raise BadAddress(f"'{address}' is not a video that can be read; a folder of pictures works too")
            rate_hz = capture.get(cv2.CAP_PROP_FPS) or rate_hz
            self._pictures = pictures_of_video(capture)
        else:
            raise BadAddress(f"'{address}' names neither a video nor a folder of pictures")
        self._step_s = 1.0 / rate_hz
        self._count = 0

    def read(self) -> Frame:
        """The next picture, at the time it has in the recording."""
        self._require_open()
        image = next(self._pictures, None)
        if image is None:
            raise ClipEnded(f"{self._path} has no picture after {self._count}")
        self._count += 1
        return Frame(image, (self._count - 1) * self._step_s)

    def _release(self) -> None:
        if isinstance(self._pictures, Iterator) and hasattr(self._pictures, "close"):
            self._pictures.close()
