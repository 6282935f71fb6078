"""What refreshing the strip costs: 300 LEDs, 30 frames a second, over SPI up to the port, also in the game loop."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.bootstrap import Simulation, simulated_session
from companion.lamps import StripLamps
from companion.settings import Settings
from hardware.leds import LedFrame, StripOptions
from hardware.leds.simulator import SimulatorWire
from hardware.leds.spi import SpiWire
from hardware.leds.strip import Strip
from tests.table.tables import SMALL, ideal_senses

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
    return cost_s(lambda k: strip.show(frames[k % len(frames)])) * RATE_HZ


def cost_s(do: Callable[[int], object]) -> float:
    """Processor seconds of doing something once, of many."""
    start = time.process_time()
    for k in range(FRAMES):
        do(k)
    return (time.process_time() - start) / FRAMES


def share_in_the_loop() -> tuple[float, int]:
    """The part of a session's rounds that goes into its strip: roles to colours to pulses, at the wished rate.

    Every round darkens the strip before it looks and lights it afterwards: two frames a round.
    """
    options = StripOptions(LEDS)
    with tempfile.TemporaryDirectory() as folder:
        session, table = simulated_session(
            Path(folder), Settings(), Simulation(size=SMALL), time.monotonic, ideal_senses
        )
        session.lamps.close()
        shares = table.table.strip.leds_of
        strip = Strip(lambda: SpiWire("spi:0.0", options, NoPort, room=lambda: 65536), options)
        lamps = StripLamps(strip, {spot: tuple(led % LEDS for led in leds) for spot, leds in shares.items()})
        session.lamps = Timed(lamps)
        for _ in range(FRAMES // 2):
            session.step()
        timed = session.lamps
        session.let_go()
    return timed.spent_s / timed.frames * RATE_HZ, timed.frames


class Timed:
    """A strip that notes what its frames cost."""

    def __init__(self, lamps: StripLamps) -> None:
        self._lamps, self.spent_s, self.frames = lamps, 0.0, 0

    def _timed(self, do: Callable[[], object]) -> None:
        start = time.thread_time()
        do()
        self.spent_s += time.thread_time() - start
        self.frames += 1

    def dim(self) -> None:
        self._timed(self._lamps.dim)

    def show(self, lights: object, at_s: float) -> None:
        self._timed(lambda: self._lamps.show(lights, at_s))

    def status(self) -> object:
        return self._lamps.status()

    def close(self) -> None:
        self._lamps.close()


def measure() -> Iterable[tuple[str, str]]:
    options = StripOptions(LEDS)
    goal = f"strip refresh, {LEDS} LEDs at {RATE_HZ}/s, %s (<= 5 %% of a core)"
    for name, wire in (
        ("SPI, 3 bits", lambda: SpiWire("spi:0.0", options, NoPort, room=lambda: 65536)),
        ("SPI, 8 bits", lambda: SpiWire("spi:0.0?bits=8", options, NoPort, room=lambda: 65536)),
        ("simulator", lambda: SimulatorWire("simulator:", options)),
    ):
        with Strip(wire, options) as strip:
            share = share_of_core(strip)
        yield goal % name, f"{100 * share:.2f} % of a core"
    share, frames = share_in_the_loop()
    yield goal % "SPI, in the game loop", f"{100 * share:.2f} % of a core ({frames} frames)"
