"""The process that reads the camera of a Raspberry Pi with picamera2; run by the system's Python, so it stands alone.

Arguments: number of the camera, width, height, rate, exposure in ms or `-`, lens position or `-`. Writes one line of
JSON about the locks, then for every picture a line with its shape and its bytes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

SETTLE_FRAMES = 30
"""Pictures given to exposure and white balance to settle before they are locked."""
LOCK_FRAMES = 8
"""Pictures until a changed setting has gone through the camera's pipeline."""
UNIT_US = 10_000
"""Exposures are a multiple of 10 ms: mains light at 50 Hz and the LEDs' own 400 Hz then leave no bands."""
NEAR = 0.05


def say(content: dict[str, Any], data: bytes = b"") -> None:
    """Write a line of JSON, then data."""
    sys.stdout.buffer.write(json.dumps(content).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


def focus(camera: Any, wanted: float | None) -> float | None:
    """Focus once, or where it is told, and stay there; None for a camera with a fixed lens."""
    if "LensPosition" not in camera.camera_controls:
        return None
    if wanted is None:
        camera.autofocus_cycle()
        wanted = float(camera.capture_metadata()["LensPosition"])
    camera.set_controls({"AfMode": 0, "LensPosition": wanted})
    return wanted


def settled_exposure(camera: Any, wanted_ms: float | None) -> dict[str, Any]:
    """Exposure, gain and colour gains once the camera has found them; the exposure in whole units of 10 ms."""
    for _ in range(SETTLE_FRAMES):
        found = camera.capture_metadata()
    exposure_us = round(wanted_ms * 1000) if wanted_ms else max(1, round(found["ExposureTime"] / UNIT_US)) * UNIT_US
    gain = max(1.0, found["AnalogueGain"] * found["ExposureTime"] / exposure_us)
    return {"ExposureTime": exposure_us, "AnalogueGain": gain, "ColourGains": tuple(found["ColourGains"])}


def is_near(got: Any, wanted: Any) -> bool:
    """Whether a value read back is the one that was set, up to the steps of the camera."""
    if got is None:
        return False
    pairs = zip(got, wanted) if isinstance(wanted, tuple) else [(got, wanted)]  # noqa: B905
    return all(abs(a - b) <= NEAR * max(abs(b), 0.1) for a, b in pairs)


def lock(camera: Any, exposure_ms: float | None, lens: float | None) -> dict[str, Any]:
    """Lock focus, exposure and white balance; read back what was really taken."""
    position = focus(camera, lens)
    wanted = settled_exposure(camera, exposure_ms)
    # libcamera 0.5 and newer ignore AeEnable unless the two modes are manual as well
    modes = {name: 1 for name in ("ExposureTimeMode", "AnalogueGainMode") if name in camera.camera_controls}
    camera.set_controls({"AeEnable": False, "AwbEnable": False, **modes, **wanted})
    if position is not None:
        wanted["LensPosition"] = position
    for _ in range(LOCK_FRAMES):
        found = camera.capture_metadata()
    failed = [name for name, value in wanted.items() if not is_near(found.get(name), value)]
    return {"locked": {name: found.get(name) for name in wanted}, "failed": failed}


def open_camera(number: int, width: int, height: int, rate: float) -> Any:
    """The started camera; its `RGB888` is blue, green, red in memory."""
    from picamera2 import Picamera2

    camera = Picamera2(number)
    main = {"size": (width, height), "format": "RGB888"}
    camera.configure(camera.create_video_configuration(main=main, buffer_count=3, controls={"FrameRate": rate}))
    camera.start()
    return camera


def main(arguments: list[str]) -> int:
    """Open, lock, then give pictures until nobody reads them any more."""
    number, width, height, rate, exposure, lens = arguments
    try:
        camera = open_camera(int(number), int(width), int(height), float(rate))
        say(lock(camera, None if exposure == "-" else float(exposure), None if lens == "-" else float(lens)))
        while True:
            image = camera.capture_array("main")
            say({"shape": image.shape}, image.tobytes())
    except BrokenPipeError:
        return 0
    except ImportError as error:
        say({"missing": str(error)})
    except (RuntimeError, IndexError, OSError) as error:
        say({"error": str(error)})
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
