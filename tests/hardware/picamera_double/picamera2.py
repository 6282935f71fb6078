"""A double of picamera2 that writes down what it is told and answers as a camera would.

PICAMERA_RECORD names the file of calls; PICAMERA_FAULT is `absent`, `unlocked`, `fixed` (no lens motor), `old` (before
libcamera 0.5), `ends` (stops after three pictures) or empty.
"""

from __future__ import annotations

import json
import os
import sys

import numpy as np

FAULT = os.environ.get("PICAMERA_FAULT", "")
RATE_FRAMES_UNTIL_SET = 3


def record(*call: object) -> None:
    with open(os.environ["PICAMERA_RECORD"], "a") as file:
        file.write(json.dumps(call) + "\n")


class Picamera2:
    def __init__(self, camera_num: int = 0) -> None:
        if FAULT == "absent":
            raise IndexError("list index out of range")
        self.camera_controls = dict.fromkeys(["AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"])
        if FAULT != "fixed":
            self.camera_controls |= dict.fromkeys(["AfMode", "LensPosition"])
        if FAULT != "old":
            self.camera_controls |= dict.fromkeys(["ExposureTimeMode", "AnalogueGainMode"])
        self.automatic = True
        self.values = {"ExposureTime": 23_300, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.1), "LensPosition": 0.0}
        self.coming: list = []
        self.given = 0
        record("camera", camera_num)

    def create_video_configuration(self, **settings: object) -> dict:
        return settings

    def configure(self, settings: dict) -> None:
        record("configure", settings)
        self.size = settings["main"]["size"]

    def start(self) -> None:
        record("start")

    def autofocus_cycle(self) -> bool:
        record("autofocus")
        self.values["LensPosition"] = 1.85
        return True

    def set_controls(self, controls: dict) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        record("set", controls)
        self.coming = [None] * RATE_FRAMES_UNTIL_SET + [controls]

    def capture_metadata(self) -> dict:
        if self.coming and (controls := self.coming.pop(0)) and FAULT != "unlocked":
            self.values |= {name: value for name, value in controls.items() if name in self.values}
        return dict(self.values)

    def capture_array(self, name: str) -> np.ndarray:
        self.given += 1
        if FAULT == "ends" and self.given > 3:
            sys.exit(0)
        width, height = self.size
        return np.full((height, width, 3), (10, 120, 240), dtype=np.uint8)
