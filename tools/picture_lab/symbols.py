"""Symbols drawn on a unit canvas; each takes the canvas, a colour and a stroke and knows nothing of kinds."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

Array = np.ndarray
Point = tuple[float, float]


class Canvas:
    """A picture whose coordinates run from -1 to 1, y upwards; drawing is antialiased."""

    def __init__(self, picture: Array):
        self.picture = np.ascontiguousarray(picture, np.float32)
        self.size = picture.shape[0]

    def _px(self, points: object) -> Array:
        p = np.asarray(points, float).reshape(-1, 2)
        return np.round(np.column_stack([(p[:, 0] + 1), (1 - p[:, 1])]) * self.size / 2 * 16).astype(np.int32)

    def mask_of(self, draw: Callable[[Array], None]) -> Array:
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        draw(mask)
        return mask.astype(np.float32)[..., None] / 255

    def lay(self, mask: Array, colour: object, alpha: float = 1.0) -> None:
        self.picture += (np.asarray(colour, np.float32) - self.picture) * mask * alpha

    def poly(self, points: object, colour: object, alpha: float = 1.0) -> None:
        px = self._px(points)
        self.lay(self.mask_of(lambda m: cv2.fillPoly(m, [px], 255, cv2.LINE_AA, 4)), colour, alpha)

    def line(self, points: object, colour: object, width: float, closed: bool = False, alpha: float = 1.0) -> None:
        px, t = self._px(points), max(1, round(width * self.size / 2))
        self.lay(self.mask_of(lambda m: cv2.polylines(m, [px], closed, 255, t, cv2.LINE_AA, 4)), colour, alpha)

    def disc(self, centre: Point, radius: float, colour: object, alpha: float = 1.0) -> None:
        self.poly(arc(centre, radius, 0, 360), colour, alpha)

    def ring(self, centre: Point, radius: float, colour: object, width: float) -> None:
        self.line(arc(centre, radius, 0, 360), colour, width, True)


def arc(centre: Point, radius: float, start: float, end: float, squash: float = 1.0) -> Array:
    a = np.radians(np.linspace(start, end, 48))
    return np.column_stack([centre[0] + radius * np.cos(a), centre[1] + radius * squash * np.sin(a)])


def polar(*steps: tuple[float, float]) -> Array:
    return np.array([(r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for a, r in steps])


def crown(c: Canvas, col: object, w: float) -> None:
    c.poly([(-0.45, -0.3), (0.45, -0.3), (0.5, 0.3), (0.22, 0.02), (0, 0.42), (-0.22, 0.02), (-0.5, 0.3)], col)
    c.line([(-0.45, -0.42), (0.45, -0.42)], col, w)


def eye(c: Canvas, col: object, w: float) -> None:
    c.line(np.concatenate([arc((0, -0.35), 0.65, 35, 145), arc((0, 0.35), 0.65, 215, 325)]), col, w, True)
    c.disc((0, 0), 0.2, col)


def burst(c: Canvas, col: object, w: float) -> None:
    c.poly(polar(*[(15 * k, 0.58 if k % 2 else 0.24) for k in range(24)]), col)


def rings(c: Canvas, col: object, w: float) -> None:
    c.ring((-0.18, 0.1), 0.3, col, w)
    c.ring((0.18, 0.1), 0.3, col, w)
    c.ring((0, -0.2), 0.3, col, w)


def flag(c: Canvas, col: object, w: float) -> None:
    c.line([(-0.3, -0.5), (-0.3, 0.5)], col, w)
    c.poly([(-0.28, 0.5), (0.45, 0.28), (-0.28, 0.02)], col)


def hourglass(c: Canvas, col: object, w: float) -> None:
    c.poly([(-0.35, 0.45), (0.35, 0.45), (0, 0)], col)
    c.poly([(-0.35, -0.45), (0.35, -0.45), (0, 0)], col)
    c.line([(-0.42, 0.47), (0.42, 0.47)], col, w)
    c.line([(-0.42, -0.47), (0.42, -0.47)], col, w)


def moon(c: Canvas, col: object, w: float) -> None:
    outer, inner = arc((0, 0), 0.5, 50, 310), arc((0.25, 0), 0.38, 290, 70)
    c.poly(np.concatenate([outer, inner]), col)


def key(c: Canvas, col: object, w: float) -> None:
    c.ring((-0.25, 0.25), 0.2, col, w)
    c.line([(-0.1, 0.1), (0.4, -0.4)], col, w)
    c.line([(0.2, -0.2), (0.35, -0.08)], col, w)
    c.line([(0.32, -0.32), (0.47, -0.2)], col, w)


def spiral(c: Canvas, col: object, w: float) -> None:
    c.line(polar(*[(a, 0.06 + a / 900 * 0.5) for a in range(0, 900, 12)]), col, w)


def flake(c: Canvas, col: object, w: float) -> None:
    for k in range(6):
        c.line(polar((60 * k, 0), (60 * k, 0.52)), col, w)
        c.line(polar((60 * k - 22, 0.5), (60 * k, 0.3), (60 * k + 22, 0.5)), col, w * 0.8)


def waves(c: Canvas, col: object, w: float) -> None:
    x = np.linspace(-0.5, 0.5, 40)
    for y in (-0.28, 0.0, 0.28):
        c.line(np.column_stack([x, y + 0.09 * np.sin(x * 12)]), col, w)


def leaf(c: Canvas, col: object, w: float) -> None:
    c.poly(np.concatenate([arc((-0.4, 0), 0.7, -45, 45), arc((0.4, 0), 0.7, 135, 225)]) * [0.9, 1.0], col)
    c.line([(0, -0.6), (0, 0.2)], col, w)


def prism_sign(c: Canvas, col: object, w: float) -> None:
    hues = [(0.75, 0.1, 0.1), (0.8, 0.5, 0.05), (0.75, 0.75, 0.1), (0.1, 0.6, 0.2), (0.1, 0.3, 0.8), (0.5, 0.1, 0.6)]
    for k, hue in enumerate(hues):
        a, b = 0.5 - k / 6, 0.5 - (k + 1) / 6
        c.poly([(-(0.5 - a) * 0.95, a), ((0.5 - a) * 0.95, a), ((0.5 - b) * 0.95, b), (-(0.5 - b) * 0.95, b)], hue)
    c.line([(0, 0.5), (0.95 * 0.5 * 2 * 0.5 * 2, -0.5), (-0.95, -0.5)], col, w * 0.5, True)


def gear(c: Canvas, col: object, w: float) -> None:
    c.poly(polar(*[(7.5 * k, 0.5 if (k // 3) % 2 else 0.38) for k in range(48)]), col)


def ladder(c: Canvas, col: object, w: float) -> None:
    for x in (-0.2, 0.2):
        c.line([(x, -0.5), (x, 0.5)], col, w)
    for y in (-0.35, -0.1, 0.15, 0.4):
        c.line([(-0.2, y), (0.2, y)], col, w)


def diamonds(c: Canvas, col: object, w: float) -> None:
    for x, y, s in ((0, 0.2, 0.26), (-0.3, -0.2, 0.2), (0.3, -0.2, 0.2)):
        c.poly([(x - s, y), (x, y + s * 1.3), (x + s, y), (x, y - s * 1.3)], col)


SYMBOLS: dict[str, Callable[[Canvas, object, float], None]] = {
    f.__name__: f
    for f in (crown, eye, burst, rings, flag, hourglass, moon, key, spiral, flake, waves, leaf, gear, ladder, diamonds)
}
