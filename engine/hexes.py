"""Hexagon arithmetic on integer triples, shared by games.

A cell is `(a, b, c)`; cells of one layer share the sum of their coordinates. The plan position is the same formula in
every layer, so that a cell of sum s lies above the three cells of sum s-1 that it touches.
"""

from __future__ import annotations

import math

Cell = tuple[int, int, int]

STEPS: tuple[Cell, ...] = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
"""The six steps to in-layer neighbours."""

UNITS: tuple[Cell, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

_HALF_ROOT_3 = math.sqrt(3) / 2


def add(p: Cell, q: Cell) -> Cell:
    """The sum of two triples."""
    return (p[0] + q[0], p[1] + q[1], p[2] + q[2])


def subtract(p: Cell, q: Cell) -> Cell:
    """The difference of two triples."""
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def cells(total: int, largest: int) -> tuple[Cell, ...]:
    """All cells of a layer: triples of 0..largest with the given sum, in ascending order."""
    span = range(largest + 1)
    return tuple((a, b, total - a - b) for a in span for b in span if 0 <= total - a - b <= largest)


def neighbours(p: Cell) -> tuple[Cell, ...]:
    """The six cells around p, whether or not they are inside a layer."""
    return tuple(add(p, step) for step in STEPS)


def plan(p: Cell, radius: float = 1.0) -> tuple[float, float]:
    """Plan position of a cell's centre for tiles of the given circumradius."""
    a, b, c = p
    return (radius * _HALF_ROOT_3 * (c - b), radius * (a - (b + c) / 2))


def corners(centre: tuple[float, float], radius: float) -> tuple[tuple[float, float], ...]:
    """The six corners of a tile, the first one in direction +y, counter-clockwise."""
    x, y = centre
    angles = [math.radians(90 + 60 * k) for k in range(6)]
    return tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in angles)
