"""The pieces of I C E as bodies: leaders tall pawns, archaeologists small wooden ones, camps tents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from vision.looks.bodies import Body, Colour, joined, lathe, tent

COLOURS: Final[dict[str, Colour]] = {
    "blue": (190, 80, 35),
    "red": (40, 35, 190),
    "green": (55, 140, 40),
    "yellow": (30, 190, 235),
    "purple": (140, 45, 120),
    "white": (238, 240, 240),
    "grey": (128, 126, 124),
}
"""Blue, green, red of each colour name in a label such as `leader.blue` or `camp.white`."""

WOOD: Final[Colour] = (120, 172, 212)
GUILD_COLOURS: Final = ("blue", "red", "green", "yellow", "purple")
PIECE_KINDS: Final = (
    "archaeologist",
    *(f"leader.{c}" for c in GUILD_COLOURS),
    *(f"camp.{c}" for c in (*GUILD_COLOURS, "white", "grey")),
)


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The make of one copy's pieces: sizes in millimetres, and the tone of its paint and wood."""

    leader_height_mm: float = 25.0
    leader_radius_mm: float = 5.6
    archaeologist_height_mm: float = 15.0
    archaeologist_radius_mm: float = 3.9
    tent_mm: tuple[float, float, float] = (13.0, 11.0, 8.0)
    tone: float = 1.0


def make_piece_set(seed: int) -> PieceSet:
    """A make that differs a little from every other."""
    rng = np.random.default_rng([seed, 23])
    return PieceSet(
        leader_height_mm=float(rng.uniform(21, 28)),
        leader_radius_mm=float(rng.uniform(5.0, 6.2)),
        archaeologist_height_mm=float(rng.uniform(12.5, 16.5)),
        archaeologist_radius_mm=float(rng.uniform(3.5, 4.2)),
        tent_mm=(float(rng.uniform(11.5, 14.5)), float(rng.uniform(10, 12)), float(rng.uniform(6.5, 9))),
        tone=float(rng.uniform(0.9, 1.08)),
    )


def radius_mm(label: str, make: PieceSet) -> float:
    """How much room a piece needs around its centre."""
    if label == "archaeologist":
        return make.archaeologist_radius_mm
    if label.startswith("leader."):
        return make.leader_radius_mm
    return math.hypot(make.tent_mm[0], make.tent_mm[1]) / 2 * 0.85


def _pawn(radius: float, height: float, colour: Colour, gloss: float) -> Body:
    head = radius * 0.72
    neck = height - 2 * head
    ball = [(head * math.cos(t), height - head + head * math.sin(t)) for t in np.radians([-50, -20, 10, 40, 65])]
    foot = [(radius, 0), (radius, height * 0.1), (radius * 0.82, height * 0.16)]
    return lathe([*foot, (radius * 0.5, neck * 0.72), (head * 0.62, neck * 1.02), *ball], colour, gloss=gloss)


def _hatted(radius: float, height: float, colour: Colour) -> Body:
    """A leader: a pawn with a collar, so that it differs from an archaeologist in shape as well as in size."""
    body = _pawn(radius, height, colour, 0.35)
    collar_at = height - 2 * radius * 0.72
    collar = lathe(
        [(radius * 0.5, collar_at - 1), (radius * 0.8, collar_at), (radius * 0.5, collar_at + 1)], colour, gloss=0.35
    )
    return joined(body, collar)


@lru_cache(maxsize=128)
def piece_body(label: str, make: PieceSet) -> Body:
    """The body of a piece standing on the origin."""
    kind, _, name = label.partition(".")
    if kind == "archaeologist":
        return _pawn(make.archaeologist_radius_mm, make.archaeologist_height_mm, WOOD, 0.1).painted(make.tone)
    if name not in COLOURS or kind not in ("leader", "camp"):
        raise ValueError(f"expected one of {', '.join(PIECE_KINDS)}, got {label!r}")
    if kind == "leader":
        return _hatted(make.leader_radius_mm, make.leader_height_mm, COLOURS[name]).painted(make.tone)
    return tent(*make.tent_mm, COLOURS[name]).painted(min(make.tone, 1.0))
