"""What refreshing the strip costs: 300 LEDs, 30 frames a second, over SPI up to the port."""

from __future__ import annotations

import time
from collections.abc import Iterable

from hardware.leds import LedFrame, StripOptions
from hardware.leds.simulator import SimulatorWire
from hardware.leds.spi import SpiWire
from hardware.leds.strip import Strip

LEDS, RATE_HZ, FRAMES = 300, 30, 900


class NoPort:
    def __init__(self, device: str, speed_hz: int) -> None:
        pass

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


def share_of_core(strip: Strip) -> float:
    """Processor seconds per second at the wished rate; frames differ, as a breathing light's do."""
    frames = [LedFrame(tuple((i % 256, (i + k) % 256, k) for i in range(LEDS))) for k in range(60)]
    start = time.process_time()
    for k in range(FRAMES):
        strip.show(frames[k % len(frames)])
    return (time.process_time() - start) / FRAMES * RATE_HZ


def measure() -> Iterable[tuple[str, str]]:
    options = StripOptions(LEDS)
    for name, wire in (
        ("SPI, 3 bits", lambda: SpiWire("spi:0.0", options, NoPort, room=lambda: 65536)),
        ("SPI, 8 bits", lambda: SpiWire("spi:0.0?bits=8", options, NoPort, room=lambda: 65536)),
        ("simulator", lambda: SimulatorWire("simulator:", options)),
    ):
        with Strip(wire, options) as strip:
            share = share_of_core(strip)
        yield f"strip refresh, {LEDS} LEDs at {RATE_HZ}/s, {name} (<= 5 % of a core)", f"{100 * share:.2f} % of a core"
