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


PAWNS: Final = ("ball", "cone", "peg", "bell")
TENTS: Final = ("ridge", "pyramid", "wedge")


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The make of one copy's pieces: shapes, sizes in millimetres, and the colours of its paint and wood."""

    leader_height_mm: float = 25.0
    leader_radius_mm: float = 5.6
    archaeologist_height_mm: float = 15.0
    archaeologist_radius_mm: float = 3.9
    tent_mm: tuple[float, float, float] = (13.0, 11.0, 8.0)
    leader_shape: str = "ball"
    archaeologist_shape: str = "ball"
    tent_shape: str = "ridge"
    tent_front: float = 0.7
    """How dark the front of a tent is beside its sides."""
    paints: tuple[Colour, ...] = tuple(COLOURS.values())
    """In the order of `COLOURS`."""
    wood: Colour = WOOD
    gloss: float = 0.3

    def paint(self, name: str) -> Colour:
        """The colour that this copy calls by a name."""
        return self.paints[list(COLOURS).index(name)]


def make_piece_set(seed: int) -> PieceSet:
    """A make that differs from every other as copies and editions do."""
    rng = np.random.default_rng([seed, 23])
    height = float(rng.uniform(10.5, 16.5))
    radius = float(rng.uniform(3.1, 4.2))
    return PieceSet(
        leader_height_mm=max(float(rng.uniform(17, 28)), height + 5),
        leader_radius_mm=max(float(rng.uniform(4.3, 6.2)), radius + 0.9),
        archaeologist_height_mm=height,
        archaeologist_radius_mm=radius,
        tent_mm=(float(rng.uniform(11, 17)), float(rng.uniform(8.5, 12)), float(rng.uniform(3, 9.5))),
        leader_shape=str(rng.choice(PAWNS, p=(0.5, 0.2, 0.15, 0.15))),
        archaeologist_shape=str(rng.choice(PAWNS, p=(0.5, 0.2, 0.15, 0.15))),
        tent_shape=str(rng.choice(TENTS, p=(0.6, 0.25, 0.15))),
        tent_front=float(rng.uniform(0.6, 1.0)),
        paints=tuple(_mixed(colour, rng) for colour in COLOURS.values()),
        wood=_wood(rng),
        gloss=float(rng.uniform(0.05, 0.5)),
    )


def _mixed(colour: Colour, rng: np.random.Generator) -> Colour:
    """Another paint of the same name: a little other hue, paler or stronger, darker or lighter."""
    grey = sum(colour) / 3
    pale, light = float(rng.uniform(-0.15, 0.2)), float(rng.uniform(0.75, 1.15))
    b, g, r = ((c + (grey - c) * pale) * light + float(rng.normal(0, 11)) for c in colour)
    return (min(max(b, 5), 250), min(max(g, 5), 250), min(max(r, 5), 250))


def _wood(rng: np.random.Generator) -> Colour:
    """From pale maple to brown oak."""
    dark = float(rng.uniform(0, 1))
    pale, brown = np.array([140, 190, 226]), np.array([72, 118, 165])
    b, g, r = pale + (brown - pale) * dark + rng.normal(0, 6, 3)
    return (float(b), float(g), float(r))


def radius_mm(label: str, make: PieceSet) -> float:
    """How much room a piece needs around its centre."""
    if label == "archaeologist":
        return make.archaeologist_radius_mm
    if label.startswith("leader."):
        return make.leader_radius_mm
    return math.hypot(make.tent_mm[0], make.tent_mm[1]) / 2 * 0.85


def _pawn(shape: str, radius: float, height: float, colour: Colour, gloss: float) -> Body:
    """A turned pawn standing on the origin."""
    if shape == "cone":
        return lathe([(radius, 0), (radius * 0.9, height * 0.2), (radius * 0.25, height * 0.95)], colour, gloss=gloss)
    if shape == "peg":
        rim = [(radius * 0.8, 0), (radius * 0.8, height * 0.9), (radius * 0.6, height)]
        return lathe(rim, colour, gloss=gloss)
    head = radius * (0.72 if shape == "ball" else 0.55)
    neck = height - 2 * head
    ball = [(head * math.cos(t), height - head + head * math.sin(t)) for t in np.radians([-50, -20, 10, 40, 65])]
    foot = [(radius, 0), (radius, height * 0.1), (radius * 0.82, height * 0.16)]
    waist = radius * (0.5 if shape == "ball" else 0.75)
    return lathe([*foot, (waist, neck * 0.72), (head * 0.62, neck * 1.02), *ball], colour, gloss=gloss)


def _hatted(shape: str, radius: float, height: float, colour: Colour, gloss: float) -> Body:
    """A leader: a pawn with a collar, so that it differs from an archaeologist in shape as well as in size."""
    body = _pawn(shape, radius, height, colour, gloss)
    at = height - 2 * radius * 0.72
    collar = lathe([(radius * 0.5, at - 1), (radius * 0.8, at), (radius * 0.5, at + 1)], colour, gloss=gloss)
    return joined(body, collar) if shape == "ball" else body


@lru_cache(maxsize=128)
def piece_body(label: str, make: PieceSet) -> Body:
    """The body of a piece standing on the origin."""
    kind, _, name = label.partition(".")
    if kind == "archaeologist":
        size = make.archaeologist_radius_mm, make.archaeologist_height_mm
        return _pawn(make.archaeologist_shape, *size, make.wood, make.gloss / 3)
    if name not in COLOURS or kind not in ("leader", "camp"):
        raise ValueError(f"expected one of {', '.join(PIECE_KINDS)}, got {label!r}")
    if kind == "leader":
        size = make.leader_radius_mm, make.leader_height_mm
        return _hatted(make.leader_shape, *size, make.paint(name), make.gloss)
    ridge = {"ridge": 0.94, "wedge": 0.55, "pyramid": 0.02}[make.tent_shape]
    return tent(*make.tent_mm, make.paint(name), ridge=ridge, front=make.tent_front)
