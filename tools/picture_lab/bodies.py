"""The pieces and the arm as solid bodies, in several shapes and tones."""

from __future__ import annotations

import colorsys
import itertools
import math

import numpy as np

from tools.picture_lab.meshes import Body, ball_profile, body, join, lathe, placed, prism

RGB = tuple[float, float, float]

# Linear colours around each name; sets turn the hue a little.
PAINT: dict[str, RGB] = {
    "blue": (0.02, 0.09, 0.48),
    "red": (0.50, 0.02, 0.02),
    "green": (0.02, 0.28, 0.05),
    "yellow": (0.75, 0.48, 0.02),
    "purple": (0.20, 0.02, 0.34),
    "white": (0.80, 0.79, 0.76),
}


def paint(name: str, hue_shift: float, value: float) -> RGB:
    """A paint near its name: hue turned by a share of a turn, brightness scaled."""
    h, s, v = colorsys.rgb_to_hsv(*PAINT[name])
    if name == "white":
        hue_shift = 0.0
    r, g, b = colorsys.hsv_to_rgb((h + hue_shift) % 1.0, s, min(1.0, v * value))
    return (r, g, b)


def pawn(shape: str, height: float, foot: float, colour: RGB) -> Body:
    """A standing figure: `pawn` (waisted with ball), `cone` (cone and ball), `peg` (cylinder, dome), `meeple`."""
    if shape == "cone":
        head = foot * 0.55
        neck = height - 2 * head
        return join(
            [
                lathe([(foot, 0), (foot, 1.0), (foot * 0.35, neck)], colour),
                lathe(ball_profile(head, neck + head), colour),
            ]
        )
    if shape == "peg":
        r = foot * 0.85
        dome = [(r * math.cos(a), height - r + r * math.sin(a)) for a in np.linspace(0, 1.45, 6)]
        return lathe([(r, 0), (r, height - r), *dome], colour)
    if shape == "meeple":
        w, h = foot, height
        right = [(0.25, 0), (0.95, 0), (0.55, 0.42), (1.0, 0.5), (1.0, 0.66), (0.42, 0.7), (0.42, 0.9), (0.22, 1.0)]
        outline = np.array([(x * w, z * h) for x, z in right] + [(-x * w, z * h) for x, z in reversed(right)])
        return prism(outline, foot * 1.05, colour)
    head = foot * 0.62
    neck = height - 1.8 * head
    waist = [(foot, 0), (foot, 1.2), (foot * 0.75, 2.0), (foot * 0.42, neck * 0.6), (foot * 0.4, neck)]
    return join([lathe(waist, colour), lathe(ball_profile(head, height - head), colour)])


def camp(shape: str, size: float, colour: RGB) -> Body:
    """A tent: `ridge` (two roofs), `tipi` (cone with poles' tip) or `pyramid`."""
    if shape == "tipi":
        return lathe([(size * 0.62, 0), (size * 0.58, 0.8), (size * 0.06, size * 0.95)], colour, 14)
    if shape == "pyramid":
        base = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size * 0.5
        v = [*[(x, y, 0.0) for x, y in base], (0, 0, size * 0.8)]
        return _faceted(v, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)], colour)
    w, d, h = size * 0.45, size * 0.6, size * 0.75
    v = [(-w, -d, 0), (w, -d, 0), (0, -d, h), (-w, d, 0), (w, d, 0), (0, d, h)]
    faces = [(0, 1, 2), (4, 3, 5), (1, 4, 5), (1, 5, 2), (3, 0, 2), (3, 2, 5)]
    return _faceted(v, faces, colour)


def _faceted(vertices: list[tuple[float, float, float]], faces: list[tuple[int, int, int]], colour: RGB) -> Body:
    """A body with hard edges: every triangle has its own vertices."""
    v = np.array([vertices[i] for face in faces for i in face])
    return body(v, np.arange(len(v)).reshape(-1, 3), None, colour)


def _limb(points: list[tuple[float, float, float, float]], colour: RGB) -> Body:
    """A tube with round ends through (x, y, z, radius) points."""
    p = np.array(points, float)
    dense = np.concatenate([np.linspace(a, b, 6, endpoint=False) for a, b in itertools.pairwise(p)] + [p[-1:]])
    n, rings = 16, []
    for i, (x, y, z, r) in enumerate(dense):
        before, after = dense[max(i - 1, 0), :3], dense[min(i + 1, len(dense) - 1), :3]
        along = (after - before) / np.linalg.norm(after - before)
        side = np.cross(along, [0, 0, 1.0])
        side /= np.linalg.norm(side)
        up = np.cross(side, along)
        a = np.linspace(0, 2 * np.pi, n, endpoint=False)
        rings.append(np.array([x, y, z]) + r * (np.cos(a)[:, None] * side + np.sin(a)[:, None] * up))
    faces = [f for k in range(len(rings) - 1) for f in _strip(k * n, n)]
    parts = [body(np.concatenate(rings), np.array(faces), None, colour)]
    for x, y, z, r in (p[0], p[-1]):
        parts.append(placed(lathe(ball_profile(r, 0.0), colour, 14), x, y, z))
    return join(parts)


def _strip(start: int, n: int) -> list[tuple[int, int, int]]:
    out = []
    for i in range(n):
        j = (i + 1) % n
        out += [(start + i, start + j, start + n + j), (start + i, start + n + j, start + n + i)]
    return out


def arm(skin: RGB, sleeve: RGB, tip: tuple[float, float], direction_deg: float) -> Body:
    """A forearm in a sleeve with a hand that points at `tip`, coming from `direction_deg`."""
    parts = [
        _limb([(430, 0, 70, 46), (150, 0, 60, 38)], sleeve),
        _limb([(170, 0, 58, 29), (95, 0, 48, 25)], skin),
        _limb([(100, -12, 46, 20), (55, -16, 38, 17)], skin),
        _limb([(100, 12, 46, 20), (55, 16, 38, 17)], skin),
        _limb([(100, 0, 48, 22), (55, 0, 40, 19)], skin),
    ]
    for y, reach in ((-24, 12), (-8, 0), (8, 2), (22, 16)):
        parts.append(_limb([(55, y * 0.9, 38, 10), (28 + reach, y, 36, 8.5), (reach, y * 0.8, 20, 7.5)], skin))
    parts.append(_limb([(80, 30, 42, 12), (45, 40, 34, 10), (18, 28, 22, 8.5)], skin))
    return placed(join(parts), tip[0], tip[1], 4.0, direction_deg)
