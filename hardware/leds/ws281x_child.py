"""The process that drives a pin with rpi_ws281x: frames in on standard input, one line of answer for each."""

from __future__ import annotations

import os
import sys
from typing import Any

DMA = 10
"""Others are used by the SD card of some models; not a matter of taste."""


def say(answer: str) -> None:
    """Answer the parent at once."""
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()


def begin(pin: int, channel: int, leds: int, colours: int) -> Any:
    """The started strip; colours come in the order of the wire, so the library shall not reorder them."""
    import rpi_ws281x

    order = rpi_ws281x.ws.SK6812_STRIP_RGBW if colours == 4 else rpi_ws281x.ws.WS2811_STRIP_RGB
    strip = rpi_ws281x.PixelStrip(leds, pin, dma=DMA, channel=channel, strip_type=order)
    strip.begin()
    return strip


def serve(strip: Any, leds: int, colours: int) -> None:
    """Show frames until standard input ends."""
    size = leds * colours
    while len(frame := sys.stdin.buffer.read(size)) == size:
        for led in range(leds):
            red, green, blue, *white = frame[led * colours : (led + 1) * colours]
            strip.setPixelColor(led, (white[0] if white else 0) << 24 | red << 16 | green << 8 | blue)
        strip.show()
        say("ok")


def main(arguments: list[str]) -> int:
    """Start the library, answer how that went, then show what comes."""
    pin, channel, leds, colours = map(int, arguments)
    try:
        strip = begin(pin, channel, leds, colours)
        say("ok")
        serve(strip, leds, colours)
    except ImportError:
        say("missing")
        return 1
    except RuntimeError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    if main(sys.argv[1:]) != 0:
        os._exit(1)  # the library's own clean-up crashes when its start failed; the system frees what it held
