"""LED strips: one address string picks the device, `show()` lights a frame of colours."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hardware.addresses import resolve
from hardware.errors import BadAddress

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each, as a screen would show it."""

LEDS: Final[dict[str, str]] = {
    "simulator": "hardware.leds.simulator:SimulatorWire",
    "spi": "hardware.leds.spi:SpiWire",
    "wled": "hardware.leds.wled:WledWire",
    "ws281x": "hardware.leds.ws281x:Ws281xWire",
}
"""Address scheme to `module:Class` of the wire, imported on use; the class is called with (address, options)."""


@dataclass(frozen=True, slots=True)
class LedFrame:
    """The colours of a whole strip, first LED first."""

    colours: tuple[Colour, ...]

    @classmethod
    def dark(cls, count: int) -> LedFrame:
        """All LEDs off."""
        return cls(((0, 0, 0),) * count)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of LEDs on the strip; the LEDs of a frame follow the segments in their order."""

    start: int
    count: int
    reverse: bool = False


@dataclass(frozen=True, slots=True)
class StripOptions:
    """How a strip is built and how bright it may be."""

    count: int
    """LEDs that a frame lights (skipped ones not counted)."""
    order: str | None = None
    """Order of the colours on the wire, such as `GRB` or `GRBW`; None takes the usual one of the device."""
    gamma: float = 2.2
    brightness: float = 0.5
    """Share of full brightness, 0 to 1."""
    skip: int = 0
    """LEDs at the start of the strip that stay dark, for example one that only renews the signal."""
    reverse: bool = False
    segments: tuple[Segment, ...] = ()
    """Empty: one segment with all LEDs."""
    budget_ma: float = 2000.0
    """What the supply may give to the strip; never exceeded, whatever is asked."""
    channel_ma: float = 20.0
    """What one colour of one LED draws at full brightness."""
    idle_ma: float = 1.0
    """What one dark LED draws."""

    def __post_init__(self) -> None:
        if self.count < 1 or self.skip < 0:
            raise BadAddress(f"expected at least one LED and no negative skip, got {self.count} and {self.skip}")
        if not 0.0 <= self.brightness <= 1.0 or self.gamma <= 0.0:
            raise BadAddress(f"expected brightness 0 to 1 and gamma > 0, got {self.brightness} and {self.gamma}")
        if self.order is not None and sorted(self.order) not in (sorted("RGB"), sorted("RGBW")):
            raise BadAddress(f"expected a colour order such as GRB or GRBW, got '{self.order}'")


class Leds(Protocol):
    """A strip of LEDs; a context manager that may be closed twice and goes dark on close."""

    @property
    def count(self) -> int:
        """How many LEDs a frame has."""
        ...

    @property
    def shown(self) -> LedFrame:
        """The frame that is lit now; dark at first and while the strip is lost."""
        ...

    @property
    def glow(self) -> NDArray[np.uint8]:
        """The light that comes out, one row of red, green, blue per LED of a frame, 0 to 255 of full brightness."""
        ...

    @property
    def current_ma(self) -> float:
        """What the strip draws now by our reckoning."""
        ...

    lost: str
    """Why the strip takes no colours at the moment; empty when all is well."""

    def show(self, frame: LedFrame) -> None:
        """Light a frame; a lost strip is tried again later and does not stop the game."""
        ...

    def close(self) -> None:
        """Darken the strip and let go of it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_leds(address: str, options: StripOptions) -> Leds:
    """The strip of an address; `COMPANION_LEDS` overrides it. Raises HardwareError when it can never work so."""
    from hardware.leds.strip import Strip  # the strip module uses the types of this one

    wanted, make = resolve(address, LEDS, "COMPANION_LEDS", "strip")
    return Strip(lambda: make(wanted, options), options)
