"""A device or stream opened by OpenCV, as a source for the reader."""

from __future__ import annotations

import cv2

from hardware.cameras import Image
from hardware.cameras.pictures import require_usable
from hardware.errors import CameraLost


class CaptureSource:
    """Pictures of an opened `cv2.VideoCapture`."""

    def __init__(self, capture: cv2.VideoCapture, name: str) -> None:
        self._capture = capture
        self._name = name

    def grab(self) -> Image:
        """Wait for the next picture."""
        taken, image = self._capture.read()
        if not taken:
            raise CameraLost(f"{self._name} stopped giving pictures")
        return require_usable(image)

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()
