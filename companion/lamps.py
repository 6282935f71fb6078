"""The strip as the session uses it: dark while the camera looks, lit with roles in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.lighting import Colour, compose
from engine.lights import Light
from engine.sayings import Saying
from engine.spots import Spot
from hardware.leds import LedFrame, Leds

DARK_ROUNDS: Final = 2
"""The strip is shown at most twice between two pictures."""


class StripLamps:
    """Composes roles for a strip; brightness, gamma and the current budget are the driver's."""

    def __init__(
        self,
        leds: Leds,
        leds_of: Mapping[Spot, Sequence[int]],
        palette: str = "safe",
        shine: Callable[[Sequence[Colour]], None] | None = None,
    ) -> None:
        self._leds, self.leds_of, self._palette = leds, leds_of, palette
        self._shine = shine
        """On a simulated table: the light that comes out."""
        self._dark_rounds = 0
        self.trial: Colour | None = None
        """While the table is set up: the whole strip in one colour."""

    def dim(self) -> None:
        """No light of ours while the camera looks."""
        self._show(LedFrame.dark(self._leds.count))

    def darken(self) -> None:
        """Stay dark for the next rounds, whatever is to be shown; a camera that is lost meanwhile renews it no more."""
        self._dark_rounds = DARK_ROUNDS

    def show(self, lights: Mapping[Spot, Light], at_s: float) -> None:
        """Light every spot in the colour and rhythm of its role."""
        if self._dark_rounds:
            self._dark_rounds -= 1
            self.dim()
            return
        colours = compose(lights, self.leds_of, self._leds.count, at_s, self._palette, brightness=1.0, gamma=1.0)
        self._show(LedFrame(colours))

    @property
    def count(self) -> int:
        """How many LEDs there are."""
        return self._leds.count

    def _show(self, frame: LedFrame) -> None:
        self.show_frame(LedFrame((self.trial,) * self._leds.count) if self.trial else frame)

    def show_frame(self, frame: LedFrame) -> None:
        """Light exactly these colours."""
        self._leds.show(frame)
        if self._shine is not None:
            self._shine([(int(red), int(green), int(blue)) for red, green, blue in self._leds.glow])

    def status(self) -> tuple[bool, Saying]:
        """Whether the strip takes colours, and a word about it."""
        if self._leds.lost:
            return False, Saying("The strip does not answer: {reason}", {"reason": self._leds.lost})
        return True, Saying("{count} {count:LED|LEDs}", {"count": self._leds.count})

    def close(self) -> None:
        """Darken the strip and let go of it."""
        self._leds.close()
