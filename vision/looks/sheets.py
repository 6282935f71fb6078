"""A sheet to draw tile art on: unit coordinates with y up, soft edges, paper grain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks.sprites import Picture

Colour = tuple[float, float, float]
Points = Iterable[tuple[float, float]]

REACH: Final = 1.06
"""Half the side of a sheet, in circumradii of a tile."""
_SHIFT: Final = 4


def grain(rng: np.random.Generator, size: int, coarse: int, strength: float) -> NDArray[np.float32]:
    """Smooth random field around 0: clouds of about size/coarse pixels."""
    field = rng.normal(0, 1, (coarse, coarse)).astype(np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC) * strength, np.float32)


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point by distance and direction."""
    return (radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees)))


class Sheet:
    """One tile face under the brush; drawn large, delivered small."""

    def __init__(self, ground: Colour, rng: np.random.Generator, size: int = 208, clouds: float = 6.0) -> None:
        self.size = size
        self.rng = rng
        self.zoom = 1.0
        """How large what follows is drawn."""
        self._large = size * 2
        field = grain(rng, self._large, 5, clouds) + grain(rng, self._large, 17, clouds * 0.6)
        canvas = np.asarray(ground, np.float32) + field[..., None]
        self.canvas = np.clip(canvas, 0, 255).astype(np.uint8)

    def _px(self, points: Points) -> NDArray[np.int32]:
        scale = self._large / (2 * REACH) * self.zoom
        array = np.array(list(points), np.float64) * (scale, -scale) + self._large / 2 - 0.5
        return np.round(array * (1 << _SHIFT)).astype(np.int32)

    def polygon(self, points: Points, colour: Colour) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.canvas, [self._px(points)], colour, cv2.LINE_AA, _SHIFT)

    def stroke(self, points: Points, colour: Colour, width: float, closed: bool = False) -> None:
        """Draw a line of the given width through the points."""
        thick = max(1, round(width * self.zoom * self._large / (2 * REACH)))
        cv2.polylines(self.canvas, [self._px(points)], closed, colour, thick, cv2.LINE_AA, _SHIFT)

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.ellipse(centre, (radius, radius), 0, colour)

    def ring(self, centre: tuple[float, float], radius: float, colour: Colour, width: float) -> None:
        """Draw a circle."""
        self.arc(centre, radius, 0, 360, colour, width)

    def arc(
        self, centre: tuple[float, float], radius: float, start: float, end: float, colour: Colour, width: float
    ) -> None:
        """Draw a part of a circle, degrees counter-clockwise."""
        steps = max(8, int(abs(end - start) / 6))
        angles = [start + (end - start) * k / steps for k in range(steps + 1)]
        self.stroke([(centre[0] + x, centre[1] + y) for x, y in (polar(radius, t) for t in angles)], colour, width)

    def ellipse(self, centre: tuple[float, float], radii: tuple[float, float], turn_deg: float, colour: Colour) -> None:
        """Fill an ellipse."""
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        points = [polar(1, t) for t in range(0, 360, 8)]
        self.polygon(
            [
                (centre[0] + c * radii[0] * x - s * radii[1] * y, centre[1] + s * radii[0] * x + c * radii[1] * y)
                for x, y in points
            ],
            colour,
        )

    def hatch(self, colour: Colour, count: int, width: float, length: float, turn_deg: float) -> None:
        """Short parallel strokes scattered over the sheet."""
        for _ in range(count):
            x, y = self.rng.uniform(-0.85, 0.85, 2)
            dx, dy = polar(length * self.rng.uniform(0.4, 1) / 2, turn_deg + self.rng.normal(0, 6))
            self.stroke([(x - dx, y - dy), (x, y + self.rng.normal(0, 0.02)), (x + dx, y + dy)], colour, width)

    def jagged(self, corners: Sequence[tuple[float, float]], steps: int, wobble: float) -> list[tuple[float, float]]:
        """Points along a broken line, shaken sideways."""
        path: list[tuple[float, float]] = []
        for (x0, y0), (x1, y1) in pairwise(corners):
            for k in range(steps):
                t = k / steps
                off = self.rng.normal(0, wobble, 2)
                path.append((x0 + (x1 - x0) * t + off[0], y0 + (y1 - y0) * t + off[1]))
        path.append(corners[-1])
        return path

    def picture(self) -> Picture:
        """The finished face."""
        return np.asarray(cv2.resize(self.canvas, (self.size, self.size), interpolation=cv2.INTER_AREA), np.uint8)
