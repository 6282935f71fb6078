"""A double of rpi_ws281x that writes down every call, one line of JSON each, to the file WS281X_RECORD names.

WS281X_FAIL makes `begin` or `show` fail with the library's own words; `die` ends the process in the middle.
"""

from __future__ import annotations

import json
import os


class ws:
    WS2811_STRIP_RGB = 0x00100800
    SK6812_STRIP_RGBW = 0x18100800


def record(*call: object) -> None:
    with open(os.environ["WS281X_RECORD"], "a") as file:
        file.write(json.dumps(call) + "\n")


class PixelStrip:
    def __init__(self, num, pin, freq_hz=800000, dma=10, invert=False, brightness=255, channel=0, strip_type=None):
        record("strip", num, pin, dma, channel, strip_type)
        self.pixels = [0] * num

    def begin(self) -> None:
        if os.environ.get("WS281X_FAIL") == "begin":
            raise RuntimeError("ws2811_init failed with code -5 (mmap() failed)")
        record("begin")

    def setPixelColor(self, n: int, color: int) -> None:
        self.pixels[n] = color

    def show(self) -> None:
        failure = os.environ.get("WS281X_FAIL")
        if failure == "die":
            os._exit(139)
        if failure == "show":
            raise RuntimeError("ws2811_render failed with code -14 (SPI transfer error)")
        record("show", self.pixels)
