"""A drilled board over a strip: light comes out above each LED, at the height of the bare board there.

The light has faults: strength and spread differ, dark print swallows some, some wanders in the base.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.led_map import bare_height
from engine.spots import Layout, Point
from vision.render import Renderer, Scene

Image = NDArray[np.uint8]
Values = NDArray[np.uint8]

STRENGTH = 0.6
"""Share of full white that an LED brings to the picture in a condition whose glow is 1."""

WOBBLE_MM = 0.6
"""How far a glued strip wanders from a straight line."""


def serpentine(layout: Layout, count: int, pitch_mm: float = 1000 / 60, seed: int = 0) -> tuple[Point, ...]:
    """LEDs in rows to and fro under the cells, as many as wished, glued down by hand: not quite straight or centred."""
    centres = [place.centre_mm for place in layout.in_layer(layout.layers[0])]
    first = next(iter(layout.places.values()))
    reach = math.dist(first.outline_mm[0], first.centre_mm) * 0.9
    low, high = min(y for _, y in centres) - reach, max(y for _, y in centres) + reach
    rows = 2
    while len(found := _rows(centres, reach, np.linspace(low, high, rows), pitch_mm)) < count:
        rows += 1
    rng = np.random.default_rng([seed, 89])
    turn, (dx, dy) = math.radians(rng.uniform(-1.5, 1.5)), rng.uniform(-4, 4, 2).tolist()
    placed = []
    for x, y in found[:count]:
        y += WOBBLE_MM * math.sin(x / 40 + y)
        placed.append((x * math.cos(turn) - y * math.sin(turn) + dx, x * math.sin(turn) + y * math.cos(turn) + dy))
    return tuple(placed)


def _rows(centres: list[Point], reach: float, ys: NDArray[np.float64], pitch_mm: float) -> list[Point]:
    found: list[Point] = []
    for number, y in enumerate(ys.tolist()):
        spans = [(x, math.sqrt(reach**2 - (y - cy) ** 2)) for x, cy in centres if abs(y - cy) < reach]
        if not spans:
            continue
        left, right = min(x - s for x, s in spans), max(x + s for x, s in spans)
        slip = (number * 0.381966) % 1 * pitch_mm  # where a row begins is chance
        row = [(x, y) for x in np.arange(left + slip, right, pitch_mm).tolist()]
        found += row if number % 2 == 0 else row[::-1]
    return found


@dataclass(frozen=True)
class GluedStrip:
    """LEDs with their faults: light of different strength and spread, as a diffuser and a print make it."""

    places_mm: tuple[Point, ...]
    spread_mm: float = 9.0
    seed: int = 0
    through_frame: bool = True
    """Whether the frame around the board is drilled as well; else it hides what lies under it."""

    def add_light(self, drawing: Image, renderer: Renderer, values: Values) -> Image:
        """The drawing with the light of the LEDs (red, green, blue per LED) on it."""
        rng = np.random.default_rng([self.seed, 97])
        strengths = rng.uniform(0.55, 1.0, len(self.places_mm))
        spreads = self.spread_mm * rng.uniform(0.8, 1.3, (len(self.places_mm), 2))
        shown = drawing.astype(np.float32)
        for led in np.flatnonzero(values.any(axis=1)).tolist():
            rows, columns = self._around(led, renderer)
            plane = renderer.lens.plane_map(self._height(led, renderer))
            x, y = (plane[rows, columns] - np.array(self.places_mm[led], np.float32)).transpose(2, 0, 1)
            near = np.exp(-0.5 * ((x / spreads[led, 0]) ** 2 + (y / spreads[led, 1]) ** 2))
            halo = 0.08 * np.exp(-0.5 * (x**2 + y**2) / (4 * self.spread_mm) ** 2)  # light that wanders in the base
            through = 0.4 + 0.6 * drawing[rows, columns].astype(np.float32) / 255  # dark print swallows light
            colour = values[led, ::-1].astype(np.float32) * np.float32(strengths[led])
            light = near + halo if self.through_frame else (near + halo) * self._open(renderer)[rows, columns]
            shown[rows, columns] += STRENGTH * renderer.condition.led_glow * through * light[..., None] * colour
        return np.asarray(np.clip(shown, 0, 255), np.uint8)

    def _height(self, led: int, renderer: Renderer) -> float:
        """How high the light of an LED comes out."""
        return bare_height(renderer.layout, self.places_mm[led]) if self.through_frame else 0.0

    def _open(self, renderer: Renderer) -> NDArray[np.float32]:
        """1 where the bottom of the board is seen, 0 where the frame is before it."""
        open_ = np.ones(renderer.lens.size[::-1], np.float32)
        for place in renderer.layout.places.values():
            if not place.takes_tile and place.top_mm > 0:
                corners = renderer.lens.project([(*corner, place.top_mm) for corner in place.outline_mm])
                cv2.fillConvexPoly(open_, np.rint(corners).astype(np.int32), 0.0)
        return open_

    def _around(self, led: int, renderer: Renderer) -> tuple[slice, slice]:
        """The part of the picture that an LED lights."""
        x, y = renderer.lens.project([(*self.places_mm[led], self._height(led, renderer))])[0]
        reach = 12 * self.spread_mm * renderer.lens.px_per_mm()
        width, height = renderer.lens.size
        rows = slice(max(0, int(y - reach)), max(0, min(height, int(y + reach))))
        return rows, slice(max(0, int(x - reach)), max(0, min(width, int(x + reach))))


class LitBoard:
    """What a camera sees of a bare board over a strip: a picture source for `synthetic:`."""

    def __init__(self, renderer: Renderer, strip: GluedStrip, values: Callable[[], Values]) -> None:
        self._renderer = renderer
        self._strip = strip
        self._values = values
        self._bare = renderer.drawing(Scene())
        self._moment = 0
        self._drawn: tuple[bytes, Image] = (b"", self._bare)

    def __call__(self) -> Image:
        """The next picture."""
        self._moment += 1
        values = self._values()
        if self._drawn[0] != values.tobytes():
            self._drawn = (values.tobytes(), self._strip.add_light(self._bare, self._renderer, values))
        data = np.frombuffer(self._develop(self._drawn[1]), np.uint8)
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _develop(self, drawing: Image) -> bytes:
        darkroom = self._renderer._darkroom
        return darkroom.encode(darkroom.expose(drawing, self._moment))
