"""`usb:0` or `usb:/dev/v4l/by-id/...`, a webcam through Video4Linux."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import ClassVar

import cv2

from engine.sayings import Saying
from hardware.cameras import CameraOptions, PictureSource
from hardware.cameras.capture import CaptureSource
from hardware.cameras.reader import Reader
from hardware.errors import BadAddress, CameraLost
from hardware.machine import FAULT, OK, Finding, Machine, verbatim

log = logging.getLogger(__name__)

MANUAL_EXPOSURE = 1.0
"""Video4Linux: 1 is manual, 3 is automatic."""
EXPOSURES_PER_MS = 10.0
"""Video4Linux counts exposure in steps of 0.1 ms."""


def device_of(address: str) -> str:
    """The device file of an address."""
    rest = address.removeprefix("usb:")
    if rest.isdecimal():
        return f"/dev/video{rest}"
    if not rest.startswith("/"):
        raise BadAddress(f"expected usb:NUMBER or usb:/dev/..., got '{address}'")
    return rest


def wishes(options: CameraOptions) -> dict[str, tuple[int, float]]:
    """What is asked of the camera, by the name a person knows: OpenCV property and value, in the order to set them."""
    asked: dict[str, tuple[int, float]] = {
        "compression MJPG": (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
        "width": (cv2.CAP_PROP_FRAME_WIDTH, float(options.width_px)),
        "height": (cv2.CAP_PROP_FRAME_HEIGHT, float(options.height_px)),
        "rate": (cv2.CAP_PROP_FPS, options.rate_hz),
        "one buffer": (cv2.CAP_PROP_BUFFERSIZE, 1.0),
    }
    if options.exposure_ms is not None:
        asked["manual exposure"] = (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        asked["exposure"] = (cv2.CAP_PROP_EXPOSURE, options.exposure_ms * EXPOSURES_PER_MS)
        asked["fixed white balance"] = (cv2.CAP_PROP_AUTO_WB, 0.0)
    if options.focus is not None:
        asked["fixed focus"] = (cv2.CAP_PROP_AUTOFOCUS, 0.0)
        asked["focus"] = (cv2.CAP_PROP_FOCUS, options.focus)
    return asked


def open_device(device: str, options: CameraOptions) -> CaptureSource:
    """The opened webcam; what it does not do as asked is logged."""
    if not Path(device).exists():
        found = ", ".join(sorted(str(path) for path in Path("/dev").glob("video*"))) or "none"
        raise CameraLost(f"{device} does not exist (cameras here: {found}): is it plugged in?")
    if not os.access(device, os.R_OK | os.W_OK):
        raise CameraLost(f"{device} may not be opened: `sudo adduser $USER video` and log in again")
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    if not capture.isOpened():
        raise CameraLost(f"{device} cannot be opened: does another program use it, or is it no camera?")
    for name, (setting, value) in wishes(options).items():
        capture.set(setting, value)
        if abs(capture.get(setting) - value) > 0.01 * abs(value):
            log.info("%s: asked for %s %g, the camera has %g", device, name, value, capture.get(setting))
    return CaptureSource(capture, device)


def check_webcam(machine: Machine) -> Finding:
    """Is the webcam plugged in?"""
    rest = machine.camera.removeprefix("usb:")
    wanted = f"/dev/video{rest}" if rest.isdecimal() else rest
    if (machine.root / wanted.lstrip("/")).exists():
        return Finding("camera", OK, verbatim(wanted))
    found = Saying("{device} does not exist", {"device": wanted})
    devices = sorted(f"/dev/{path.name}" for path in (machine.root / "dev").glob("video*"))
    if not devices:
        return Finding("camera", FAULT, found, Saying("plug the camera in"))
    cure = Saying("plug the camera in, or choose one of {devices}", {"devices": devices})
    return Finding("camera", FAULT, found, cure, ("camera", f"usb:{devices[0]}"))


class UsbCamera(Reader):
    """A webcam."""

    groups = ("video",)
    checks: ClassVar = {"camera": check_webcam}

    def __init__(self, address: str, options: CameraOptions, pictures: PictureSource | None) -> None:
        device = device_of(address)
        super().__init__(address, lambda: open_device(device, options), options)
