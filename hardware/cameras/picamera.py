"""`picamera:0`, the ribbon-cable camera of a Raspberry Pi through picamera2.

picamera2 comes from apt and is built against the system's numpy, which need not be ours; so it runs in a process of
the system's Python and the pictures come through a pipe.
"""

from __future__ import annotations

import json
import logging
import re
import select
import subprocess
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from engine.sayings import Saying
from hardware.cameras import CameraOptions, Image, PictureSource
from hardware.cameras.reader import Reader
from hardware.errors import BadAddress, CameraLost, LibraryMissing
from hardware.machine import FAULT, OK, Finding, Machine, verbatim

log = logging.getLogger(__name__)

SYSTEM_PYTHON: Final = "/usr/bin/python3"
CHILD: Final = Path(__file__).with_name("picamera_child.py")
START_S: Final = 30.0
"""Focus and exposure need their time at the start."""
STALL_S: Final = 2.0
LOCKS: Final = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "white balance",
    "LensPosition": "focus",
}


class PiCameraSource:
    """Pictures from the child process."""

    def __init__(self, number: int, options: CameraOptions, python: str = SYSTEM_PYTHON) -> None:
        settings = (number, options.width_px, options.height_px, options.rate_hz, options.exposure_ms, options.focus)
        command = [python, str(CHILD), *("-" if value is None else str(value) for value in settings)]
        self._child = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
        try:
            self.locked = self._read_locks()
        except BaseException:
            self.close()
            raise

    def _read_locks(self) -> dict[str, Any]:
        """What the camera says it keeps; what it does not keep is worth a warning, it spoils the reading of tiles."""
        answer = self._answer(START_S)
        for name in answer["failed"]:
            log.warning(
                "the camera does not keep its %s (it has %s): update the camera packages (`sudo apt full-upgrade`)",
                LOCKS[name],
                answer["locked"][name],
            )
        locked: dict[str, Any] = answer["locked"]
        return locked

    def _answer(self, patience_s: float) -> dict[str, Any]:
        line = bytearray()
        while not line.endswith(b"\n"):
            line += self._bytes(1, patience_s)
        answer: dict[str, Any] = json.loads(line)
        if "missing" in answer:
            raise LibraryMissing(
                f"picamera2 is not installed ({answer['missing']}): sudo apt install python3-picamera2"
            )
        if "error" in answer:
            raise CameraLost(f"the camera does not start ({answer['error']}): check the cable, `rpicam-hello --list`")
        return answer

    def _bytes(self, count: int, patience_s: float) -> bytes:
        """So many bytes from the child; a silence ends it."""
        assert self._child.stdout is not None
        parts: list[bytes] = []
        while count > 0:
            ready, _, _ = select.select([self._child.stdout], [], [], patience_s)
            part = self._child.stdout.read(min(count, 1 << 20)) if ready else b""
            if not part:
                raise CameraLost("the camera stopped giving pictures" if ready else "the camera hangs")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def grab(self) -> Image:
        """Wait for the next picture."""
        height, width, colours = self._answer(STALL_S)["shape"]
        data = self._bytes(height * width * colours, STALL_S)
        return np.frombuffer(data, dtype=np.uint8).reshape(height, width, colours)

    def close(self) -> None:
        """End the child."""
        assert self._child.stdout is not None
        self._child.kill()
        self._child.wait()
        self._child.stdout.close()


def check_library(machine: Machine) -> Finding:
    """Is picamera2 there, in the Python of the system?"""
    if not machine.succeeds([SYSTEM_PYTHON, "-c", "import picamera2"]):
        found = Saying("{module} does not load in the system's Python", {"module": "picamera2"})
        return Finding("camera", FAULT, found, verbatim("sudo apt install python3-picamera2"))
    return Finding("camera", OK, verbatim("picamera2"))


class PiCamera(Reader):
    """A camera on the ribbon cable."""

    groups = ("video", "render")
    checks: ClassVar = {"camera": check_library}

    def __init__(self, address: str, options: CameraOptions, pictures: PictureSource | None) -> None:
        found = re.fullmatch(r"picamera:(\d+)", address)
        if not found:
            raise BadAddress(f"expected picamera:NUMBER such as picamera:0, got '{address}'")
        number = int(found[1])
        super().__init__(address, lambda: PiCameraSource(number, options, SYSTEM_PYTHON), options)
