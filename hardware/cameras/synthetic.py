"""`synthetic:`, the camera of a simulated table: every read draws the table as it is now."""

from __future__ import annotations

import time

from hardware.cameras import CameraOptions, Frame, PictureSource
from hardware.closing import Closing
from hardware.errors import BadAddress


class SyntheticCamera(Closing):
    """Gives the pictures of an injected source, one per read."""

    lost = ""
    takes_when_read = True
    is_simulated = True

    def __init__(self, address: str, options: CameraOptions, pictures: PictureSource | None) -> None:
        if pictures is None:
            raise BadAddress(f"'{address}' needs a simulated table to look at; start it with `companion run`")
        self._pictures = pictures

    def read(self) -> Frame:
        """The table as it looks now."""
        self._require_open()
        return Frame(self._pictures(), time.monotonic())
