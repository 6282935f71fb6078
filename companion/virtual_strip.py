"""The LED strip under the pretend board: where each LED sits, and which rims and holes its light comes out of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from engine.spots import Layout, Place, Point, Spot
from vision.render import Rgb, Tile

PITCH_MM: Final = 16.6
"""60 LEDs a metre."""


def contains(place: Place, point: Point) -> bool:
    """Whether a point of the plan lies within a place."""
    outline = place.outline_mm
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0) < 0:
            return False
    return True


class VirtualStrip:
    """A strip laid to and fro under the whole board."""

    def __init__(self, layout: Layout, pitch_mm: float = PITCH_MM) -> None:
        self._layout = layout
        top = layout.in_layer(layout.layers[0])
        self.points_mm: tuple[Point, ...] = tuple(_serpentine(top, layout.size_mm, pitch_mm))
        """Where each LED sits, in the order of the strip."""
        self._over = tuple(
            tuple(p.spot for layer in layout.layers for p in layout.in_layer(layer) if contains(p, point))
            for point in self.points_mm
        )
        self.leds_of: dict[Spot, tuple[int, ...]] = {
            place.spot: tuple(i for i, point in enumerate(self.points_mm) if contains(place, point))
            for place in layout.places.values()
        }
        """The LEDs under each place: what a calibration should find."""

    def glow(
        self, colours: Sequence[Rgb], tiles: Mapping[Spot, Tile]
    ) -> tuple[dict[Spot, Rgb], tuple[tuple[Point, Rgb], ...]]:
        """Light at the rims of the uppermost tiles over lit LEDs, and bare lamps where no tile lies over them."""
        rims: dict[Spot, Rgb] = {}
        lamps = []
        for point, over, colour in zip(self.points_mm, self._over, colours, strict=False):
            if not any(colour):
                continue
            tile = next((spot for spot in over if spot in tiles), None)
            if tile is None:
                lamps.append((point, colour))
            else:
                red, green, blue = rims.get(tile, (0, 0, 0))
                rims[tile] = (max(red, colour[0]), max(green, colour[1]), max(blue, colour[2]))
        return rims, tuple(lamps)


def _serpentine(places: Sequence[Place], size_mm: Point, pitch_mm: float) -> list[Point]:
    columns, rows = (math.floor(side / pitch_mm) for side in size_mm)
    points = []
    for row in range(rows + 1):
        y = (row - rows / 2) * pitch_mm
        order = range(columns + 1) if row % 2 == 0 else range(columns, -1, -1)
        points += [((column - columns / 2) * pitch_mm, y) for column in order]
    return [point for point in points if any(contains(place, point) for place in places)]
