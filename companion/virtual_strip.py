"""The LED strip under the pretend board: where each LED sits, and which rims and holes its light comes out of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.led_map import bare_height
from engine.spots import Layout, Place, Point, Spot
from vision.render import Lamp, Rgb, Tile

PITCH_MM: Final = 16.6
"""60 LEDs a metre."""


def _inside(places: Sequence[Place], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each place and point of the plan whether the point lies within the place."""
    outlines = np.array([place.outline_mm for place in places])
    along = np.roll(outlines, -1, axis=1) - outlines
    off = points[None, None] - outlines[:, :, None]
    return np.asarray((along[:, :, None, 0] * off[..., 1] - along[:, :, None, 1] * off[..., 0] >= 0).all(1))


class VirtualStrip:
    """A strip laid to and fro under the whole board."""

    def __init__(self, layout: Layout, pitch_mm: float = PITCH_MM) -> None:
        points = _serpentine(layout.in_layer(layout.layers[0]), layout.size_mm, pitch_mm)
        self.points_mm: tuple[Point, ...] = tuple((float(x), float(y)) for x, y in points)
        """Where each LED sits, in the order of the strip."""
        self._holes = [(x, y, bare_height(layout, (x, y))) for x, y in self.points_mm]
        """The board and the steps of its frame are drilled: light comes out over each LED."""
        places = list(layout.places.values())
        inside = _inside(places, points)
        self.leds_of: dict[Spot, tuple[int, ...]] = {
            place.spot: tuple(int(led) for led in np.flatnonzero(row))
            for place, row in zip(places, inside, strict=True)
        }
        """The LEDs under each place: what a calibration should find."""
        highest_first = sorted(range(len(places)), key=lambda i: -places[i].top_mm)
        self._over = [[places[i].spot for i in highest_first if inside[i, led]] for led in range(len(points))]

    def glow(self, colours: Sequence[Rgb], tiles: Mapping[Spot, Tile]) -> tuple[dict[Spot, Rgb], tuple[Lamp, ...]]:
        """Light at the rims of the uppermost tiles over lit LEDs, and bare lamps where no tile lies over them."""
        rims: dict[Spot, Rgb] = {}
        lamps = []
        for hole, over, colour in zip(self._holes, self._over, colours, strict=False):
            if not any(colour):
                continue
            tile = next((spot for spot in over if spot in tiles), None)
            if tile is None:
                lamps.append((hole, colour))
            else:
                red, green, blue = rims.get(tile, (0, 0, 0))
                rims[tile] = (max(red, colour[0]), max(green, colour[1]), max(blue, colour[2]))
        return rims, tuple(lamps)


def _serpentine(places: Sequence[Place], size_mm: Point, pitch_mm: float) -> NDArray[np.float64]:
    columns, rows = (math.floor(side / pitch_mm) for side in size_mm)
    points = []
    for row in range(rows + 1):
        order = range(columns + 1) if row % 2 == 0 else range(columns, -1, -1)
        points += [((column - columns / 2) * pitch_mm, (row - rows / 2) * pitch_mm) for column in order]
    grid = np.array(points)
    return np.asarray(grid[_inside(places, grid).any(0)])
