"""`simulator:`, a strip without LEDs: it records what it was sent."""

from __future__ import annotations

from collections import deque

from hardware.leds import StripOptions
from hardware.leds.power import Values

KEPT = 10_000
"""Frames remembered; older ones are forgotten so that a long evening does not fill the memory."""


class SimulatorWire:
    """Remembers the values of every frame, newest last."""

    is_simulated = True
    order = "RGB"
    sorts = False

    def __init__(self, address: str, options: StripOptions) -> None:
        self.sent: deque[Values] = deque(maxlen=KEPT)
        self.closed = False

    def send(self, values: Values) -> None:
        """Remember a frame."""
        self.sent.append(values)

    def close(self) -> None:
        """Remember that the strip was closed."""
        self.closed = True
