"""Roles become colours and rhythms; every role is also told apart by its rhythm.

The default palette keeps to colours that the common kinds of colour blindness still tell apart. Brightness and gamma
are applied here; the current budget is enforced below every effect, by the strip's driver.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine import lights as roles
from engine.lights import Light
from engine.spots import Spot

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255, before gamma."""

DARK: Final[Colour] = (0, 0, 0)

PALETTES: Final[Mapping[str, Mapping[str, Colour]]] = {
    "safe": {
        roles.LEGAL_DIG: (0, 158, 255),
        roles.LEGAL_MOVE: (240, 228, 66),
        roles.YOUR_LEADER: (255, 255, 255),
        roles.ILLEGAL: (255, 40, 0),
        roles.PUT_HERE: (0, 220, 150),
        roles.TAKE_AWAY: (230, 120, 0),
        roles.COLLAPSED: (200, 80, 180),
        roles.HINT: (120, 190, 255),
        roles.WAITING: (60, 60, 60),
    },
    "vivid": {
        roles.LEGAL_DIG: (0, 80, 255),
        roles.LEGAL_MOVE: (0, 255, 60),
        roles.YOUR_LEADER: (255, 255, 255),
        roles.ILLEGAL: (255, 0, 0),
        roles.PUT_HERE: (0, 255, 200),
        roles.TAKE_AWAY: (255, 140, 0),
        roles.COLLAPSED: (255, 0, 255),
        roles.HINT: (150, 150, 255),
        roles.WAITING: (80, 80, 80),
    },
}

DEFAULT_PALETTE: Final = "safe"
"""The colours in which snapshots name their lights."""

Rhythm = Callable[[float], float]


def _steady(_: float) -> float:
    return 1.0


def _breathe(period_s: float, low: float) -> Rhythm:
    return lambda t: low + (1 - low) * (0.5 + 0.5 * math.cos(2 * math.pi * t / period_s))


def _blink(period_s: float, share: float, low: float = 0.0) -> Rhythm:
    return lambda t: 1.0 if (t / period_s) % 1 < share else low


def _double_blink(period_s: float) -> Rhythm:
    return lambda t: 1.0 if int((t / period_s) % 1 * 8) in (0, 2) else 0.0


RHYTHMS: Final[Mapping[str, Rhythm]] = {
    roles.LEGAL_DIG: _steady,
    roles.LEGAL_MOVE: _breathe(4.0, 0.5),
    roles.YOUR_LEADER: _breathe(2.0, 0.2),
    roles.ILLEGAL: _blink(0.5, 0.5),
    roles.PUT_HERE: _blink(1.2, 0.75, 0.1),
    roles.TAKE_AWAY: _blink(1.2, 0.25, 0.1),
    roles.COLLAPSED: _double_blink(1.6),
    roles.HINT: _double_blink(3.0),
    roles.WAITING: _breathe(6.0, 0.0),
}


def colour_of(light: Light, palette: str = "safe") -> Colour:
    """The colour of a light at the top of its rhythm."""
    share = 0.25 + 0.75 * min(1.0, max(0.0, light.strength))
    red, green, blue = PALETTES[palette][light.role]
    return (round(red * share), round(green * share), round(blue * share))


def screen_colour(light: Light, palette: str = "safe") -> Colour:
    """The same colour for a screen, on which a faint light would look like dirt."""
    return colour_of(Light(light.role, 0.6 + 0.4 * min(1.0, max(0.0, light.strength))), palette)


def hex_colour(colour: Colour) -> str:
    """`#rrggbb` for pages and commands."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def compose(
    lights: Mapping[Spot, Light],
    leds_of: Mapping[Spot, Sequence[int]],
    count: int,
    at_s: float,
    palette: str = "safe",
    brightness: float = 1.0,
    gamma: float = 2.2,
) -> tuple[Colour, ...]:
    """One colour per LED at a moment; where spots share an LED the more urgent role wins."""
    frame: list[Colour] = [DARK] * count
    urgency = {role: rank for rank, role in enumerate(roles.ROLES)}
    for spot, light in sorted(lights.items(), key=lambda item: -urgency[item[1].role]):
        level = RHYTHMS[light.role](at_s)
        shown = tuple(round(255 * ((part * level / 255) ** gamma) * brightness) for part in colour_of(light, palette))
        for led in leds_of.get(spot, ()):
            if 0 <= led < count:
                frame[led] = (shown[0], shown[1], shown[2])
    return tuple(frame)
