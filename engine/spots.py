"""Names of places, what can be seen there, and where they lie on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

Spot = NewType("Spot", str)
"""Opaque id of a place, shared by rules, camera, lights and page: `snow:4,3,3`."""

Label = str
"""What a cue can read: a tile kind, a piece, `absent`."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cue:
    """One thing that can be seen at a spot."""

    spot: Spot
    kind: str
    """What kind of thing: `tile`, `turn`, and the pieces of the game."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a spot lies: outline on the table and the height of its upper face."""

    spot: Spot
    layer: str
    centre_mm: Point
    outline_mm: tuple[Point, ...]
    top_mm: float
    covers: tuple[Spot, ...] = ()
    """Spots whose tile, while present, lies partly on this one."""
    rests_on: tuple[Spot, ...] = ()
    """Spots directly under this one."""
    takes_tile: bool = True
    """False for places that are only walked on (printed areas, frame edges)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All places of a table in millimetres: +x right, +y away from the viewer, origin at the board's centre."""

    places: Mapping[Spot, Place]
    layers: tuple[str, ...]
    """From the top layer down."""
    size_mm: tuple[float, float]
    """Width and height of the rectangle around the board, centred on the origin."""

    def in_layer(self, layer: str) -> tuple[Place, ...]:
        """The places of one layer."""
        return tuple(place for place in self.places.values() if place.layer == layer)
