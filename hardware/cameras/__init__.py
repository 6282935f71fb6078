"""Cameras: one address string picks the device, `read()` gives the newest picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hardware.addresses import resolve

Image = NDArray[np.uint8]
"""Height x width x 3, blue-green-red, as OpenCV has it."""

PictureSource = Callable[[], Image]
"""Draws the picture a synthetic camera sees at this moment."""

CAMERAS: Final[dict[str, str]] = {
    "clip": "hardware.cameras.clip:ClipCamera",
    "http": "hardware.cameras.stream:StreamCamera",
    "https": "hardware.cameras.stream:StreamCamera",
    "picamera": "hardware.cameras.picamera:PiCamera",
    "rtsp": "hardware.cameras.stream:StreamCamera",
    "synthetic": "hardware.cameras.synthetic:SyntheticCamera",
    "usb": "hardware.cameras.usb:UsbCamera",
}
"""Address scheme to `module:Class`, imported on use; the class is called with (address, options, pictures)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and when it was taken."""

    image: Image
    time: float
    """Seconds of a clock that never goes back."""


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """What to ask of a camera; a device that cannot do it says so in its log and gives what it can."""

    width_px: int = 1280
    height_px: int = 720
    rate_hz: float = 15.0
    exposure_ms: float | None = None
    """None leaves the exposure to the camera until it has settled. 10 or 20 suits 50 Hz light, 25 suits 60 Hz."""
    focus: float | None = None
    """Lens position in dioptres (1 / metres); None focuses once and keeps that."""
    loss_s: float = 2.0
    """A camera that gave no picture for so long is lost."""


DEFAULT_OPTIONS: Final = CameraOptions()


class Camera(Protocol):
    """Gives pictures; a context manager that may be closed twice."""

    lost: str
    """Why there is no picture at the moment; empty when all is well."""
    takes_when_read: bool
    """Whether a picture is taken at the moment it is read; a live camera gives one that it took before."""

    def read(self) -> Frame:
        """The newest picture that was not read before; raises CameraLost when none comes in time."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_camera(
    address: str, options: CameraOptions = DEFAULT_OPTIONS, pictures: PictureSource | None = None
) -> Camera:
    """The camera of an address; `COMPANION_CAMERA` overrides it. `pictures` is what a `synthetic:` camera sees."""
    wanted, make = resolve(address, CAMERAS, "COMPANION_CAMERA", "camera")
    camera: Any = make(wanted, options, pictures)
    opened: Camera = camera
    return opened
