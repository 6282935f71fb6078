"""How hands put things down: tiles a little askew, pieces wherever there is room on what can be seen of a place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.spots import Layout, Place, Point, Spot
from vision.looks.conditions import Condition
from vision.looks.ice.pieces import PieceSet, radius_mm
from vision.looks.scene import Piece, Tile

Array = NDArray[np.float64]

_TRIES: Final = 160
_THIRDS: Final = 3
"""Tiles that lie on a place which is nowhere under the frame."""


def put_tile(kind: str, rotation: int, copy: int, sloppiness: Condition, rng: np.random.Generator) -> Tile:
    """A tile as a hand would leave it in its place."""
    shift = np.clip(rng.normal(0, sloppiness.jitter_mm / 2, 2), -sloppiness.jitter_mm, sloppiness.jitter_mm)
    twist = float(np.clip(rng.normal(0, sloppiness.twist_deg / 2), -sloppiness.twist_deg, sloppiness.twist_deg))
    return Tile(kind, rotation, copy, (float(shift[0]), float(shift[1])), twist)


def put_pieces(
    labels: Iterable[str],
    place: Place,
    layout: Layout,
    tiles: Iterable[Spot],
    make: PieceSet,
    rng: np.random.Generator,
    standing: Sequence[Piece] = (),
) -> tuple[Piece, ...]:
    """New pieces on a place, beside those that stand there, clear of the tiles that partly cover it."""
    present = set(tiles)
    covers = [np.asarray(layout.places[c].outline_mm) for c in place.covers if c in present]
    holes = [np.asarray(layout.places[c].outline_mm) for c in place.covers if c not in present]
    done = list(standing)
    # Large ones first: a small one always finds a gap.
    for label in sorted(labels, key=lambda each: -radius_mm(each, make)):
        taken = [(piece.shift_mm, radius_mm(piece.label, make)) for piece in done]
        shift = _find_room(place, covers, holes, taken, radius_mm(label, make), rng)
        done.append(Piece(label, shift, float(rng.uniform(0, 360)), tone=float(rng.normal(1, 0.04))))
    return tuple(done[len(standing) :])


def _find_room(
    place: Place,
    covers: Sequence[Array],
    holes: Sequence[Array],
    taken: Sequence[tuple[Point, float]],
    radius: float,
    rng: np.random.Generator,
) -> Point:
    """The first of many random points with room; when there is none, the one with the most."""
    reach = math.dist(place.outline_mm[0], place.centre_mm)
    shifts = rng.uniform(-reach, reach, (_TRIES, 2))
    at = shifts + np.asarray(place.centre_mm)
    # A foot may reach over the rim by a little, but not under a tile.
    room = _inside(np.asarray(place.outline_mm), at) - radius * 0.75
    for cover in covers:
        room = np.minimum(room, -_inside(cover, at) - radius)
    if holes and len(holes) + len(covers) < _THIRDS:  # an edge: the rest of it lies under the frame
        room = np.minimum(room, np.max([_inside(hole, at) for hole in holes], axis=0) - radius * 0.7)
    for other, other_radius in taken:
        room = np.minimum(room, np.linalg.norm(shifts - other, axis=1) - radius - other_radius)
    enough = np.flatnonzero(room >= 0.2)
    x, y = shifts[enough[0] if len(enough) else int(room.argmax())]
    return (float(x), float(y))


def _inside(outline: Array, points: Array) -> Array:
    """How deep points lie inside a convex outline that runs counter-clockwise; negative outside."""
    along = np.roll(outline, -1, axis=0) - outline
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    return np.asarray(((points[:, None] - outline) * normal).sum(2).min(1))


def arrange(
    layout: Layout,
    tiles: Mapping[Spot, tuple[str, int]],
    pieces: Mapping[Spot, Sequence[str]],
    sloppiness: Condition,
    make: PieceSet,
    seed: int,
    copies: int = 3,
) -> tuple[dict[Spot, Tile], dict[Spot, tuple[Piece, ...]]]:
    """Lay out a whole position: `tiles` gives kind and rotation, `pieces` the labels at each spot."""
    rng = np.random.default_rng([seed, 61])
    laid = {
        spot: put_tile(kind, turn, int(rng.integers(copies)), sloppiness, rng) for spot, (kind, turn) in tiles.items()
    }
    stood = {
        spot: put_pieces(labels, layout.places[spot], layout, laid, make, rng)
        for spot, labels in pieces.items()
        if labels
    }
    return laid, stood
