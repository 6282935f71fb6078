"""The table, the board with its printed city and stepped frame, and the markers: all that never moves in a game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.spots import Layout, Place
from vision.looks.bodies import Sun
from vision.looks.lens import Lens
from vision.looks.sheets import grain
from vision.looks.sprites import Mask, Picture, Sprite, fill, make_sprite, warped_sprite

Array = NDArray[np.float64]

_CLOTHS: Final = ((96, 120, 150), (60, 90, 70), (130, 110, 100), (90, 80, 130), (150, 160, 165), (70, 95, 120))
_FRAMES: Final = ((110, 100, 95), (200, 205, 205), (95, 120, 150), (70, 75, 85), (150, 140, 120))
_PRINTS: Final = ((140, 130, 70), (110, 110, 60), (150, 110, 90), (100, 130, 110))
_FRAME_MM: Final = 24.0


@dataclass(frozen=True, slots=True)
class Markers:
    """Four ArUco squares on the table around the board."""

    size_mm: float = 40.0
    quiet_mm: float = 7.0
    centres_mm: tuple[tuple[float, float], ...] = ((-205.0, 205.0), (205.0, 205.0), (205.0, -205.0), (-205.0, -205.0))
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What lies under everything, and the steps of the frame by layer."""

    table: Picture
    steps: dict[str, Sprite]
    shades: dict[str, Mask]
    """At half size, 255 where the step of that layer throws its shadow."""
    board: Mask
    """255 where the board is, which is glossy; the table is not."""


def lifted(points: object, z_mm: float) -> Array:
    """Plan points at a height."""
    flat = np.asarray(points, np.float64)
    return np.column_stack([flat, np.full(len(flat), z_mm)])


def swollen(place: Place, extra_mm: float) -> Array:
    """The outline of a place, larger by a rim."""
    outline, centre = np.asarray(place.outline_mm), np.asarray(place.centre_mm)
    radius = float(np.linalg.norm(outline[0] - centre))
    return np.asarray(centre + (outline - centre) * (1 + extra_mm / (radius * math.sqrt(3) / 2)))


def _mask(lens: Lens, polygons: list[Array]) -> Mask:
    large = np.zeros((lens.height_px * 2, lens.width_px * 2), np.uint8)
    for points in polygons:
        fill(large, (lens.project(points) + 0.5) * 2 - 0.5, 255, smooth=False)
    return np.asarray(cv2.resize(large, lens.size, interpolation=cv2.INTER_AREA), np.uint8)


def _outer(layout: Layout) -> Array:
    points = np.concatenate([np.asarray(p.outline_mm) for p in layout.in_layer(layout.layers[0])])
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    length = np.linalg.norm(hull, axis=1, keepdims=True)
    return np.asarray(hull * (1 + _FRAME_MM / length))


def _cloth(lens: Lens, rng: np.random.Generator) -> Picture:
    where = lens.plane_map(0.0)
    base = np.asarray(_CLOTHS[int(rng.integers(len(_CLOTHS)))], np.float32)
    size = 512
    field = grain(rng, size, 9, 5) + grain(rng, size, 90, 3) + rng.normal(0, 3, (size, size)).astype(np.float32)
    if rng.random() < 0.5:
        lines = grain(rng, size, 24, 7)[:, :1]
        field = field * 0.6 + lines
    texture = np.clip(base + field[..., None], 0, 255).astype(np.uint8)
    maps = (where * 0.9 + size / 2).astype(np.float32)
    return np.asarray(
        cv2.remap(texture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.uint8
    )


def _textured(lens: Lens, z_mm: float, colour: tuple[int, ...], rng: np.random.Generator) -> Picture:
    where = lens.plane_map(z_mm)
    size = 512
    field = grain(rng, size, 12, 4) + grain(rng, size, 100, 2.5)
    texture = np.clip(np.asarray(colour, np.float32) + field[..., None], 0, 255).astype(np.uint8)
    maps = (where + size / 2).astype(np.float32)
    return np.asarray(
        cv2.remap(texture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.uint8
    )


def _paint(picture: Picture, colours: Picture, mask: Mask) -> None:
    make_sprite(0, 0, colours, mask).lay(picture)


def shade_under(picture: Picture, mask: Mask, softness_px: float, depth: float) -> None:
    """Darken the picture by a blurred mask of 255 = in the shade, in place."""
    soft = cv2.GaussianBlur(mask, (0, 0), softness_px)
    kept = cv2.convertScaleAbs(soft, alpha=-depth, beta=255)
    cv2.multiply(picture, cv2.merge([kept] * 3), dst=picture, scale=1 / 255)


def cast(points: Array, sun: Sun, drop_mm: float) -> Array:
    """Where the shadow of points falls on a plane that much lower."""
    light = sun.unit()
    moved = points.copy()
    moved[..., :2] -= light[:2] / light[2] * drop_mm
    moved[..., 2] -= drop_mm
    return moved


def _city(picture: Picture, lens: Lens, layout: Layout, rng: np.random.Generator) -> None:
    """The printed city: streets and blocks, with the white lines between its areas."""
    colour = np.asarray(_PRINTS[int(rng.integers(len(_PRINTS)))], np.float64)
    for place in layout.in_layer(layout.layers[-1]):
        outline = lifted(swollen(place, 0.3), place.top_mm)
        fill(picture, lens.project(outline), tuple(int(c) for c in colour * rng.uniform(0.86, 1.12)))
        centre = np.asarray(place.centre_mm)
        for _ in range(9):
            at = centre + rng.uniform(-14, 14, 2)
            w, h = rng.uniform(2, 6, 2)
            block = lifted(at + np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2, place.top_mm)
            fill(picture, lens.project(block), tuple(int(c) for c in np.clip(colour * rng.uniform(0.7, 1.4), 0, 255)))
    for place in layout.in_layer(layout.layers[-1]):
        pixels = np.round(lens.project(lifted(place.outline_mm, place.top_mm)) * 16).astype(np.int32)
        cv2.polylines(picture, [pixels], True, (215, 220, 215), 1, cv2.LINE_AA, 4)


def _lay_markers(picture: Picture, lens: Lens, markers: Markers) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    half = markers.size_mm / 2 + markers.quiet_mm
    for number, (x, y) in enumerate(markers.centres_mm):
        code = cv2.aruco.generateImageMarker(dictionary, number, 120)
        edge = round(120 * markers.quiet_mm / markers.size_mm)
        framed = cv2.copyMakeBorder(code, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)
        paper: Picture = np.asarray(np.clip(cv2.merge([framed] * 3), 22, 238), np.uint8)
        side = paper.shape[0]
        source = [(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)]
        corners = [(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)]
        pixels = lens.project(lifted(corners, markers.z_mm))
        wide = float(np.linalg.norm(pixels[1] - pixels[0]))
        if wide < side * 0.6:
            small = max(8, round(wide * 1.4))
            paper = np.asarray(cv2.resize(paper, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
            source = [((u + 0.5) * small / side - 0.5, (v + 0.5) * small / side - 0.5) for u, v in source]
        warped_sprite(paper, source, pixels, pixels).lay(picture)


def make_ground(layout: Layout, lens: Lens, sun: Sun, markers: Markers, seed: int, art: int) -> Ground:
    """Draw everything that never moves, once for a camera; the board belongs to the art, the table cloth does not."""
    rng = np.random.default_rng([art, 31])
    scale = lens.px_per_mm()
    outer = _outer(layout)
    tops = {layer: layout.in_layer(layer)[0].top_mm for layer in layout.layers}
    rim_mm = tops[layout.layers[0]]
    table = _cloth(lens, np.random.default_rng([seed, 37]))
    shade_under(table, _mask(lens, [cast(lifted(outer, rim_mm), sun, rim_mm)]), 4 * scale, 0.45)
    _lay_markers(table, lens, markers)
    colour = _FRAMES[int(rng.integers(len(_FRAMES)))]
    body = _mask(lens, [lifted(outer, z) for z in (0.0, rim_mm / 2)])
    _paint(table, _textured(lens, 0.0, tuple(int(c * 0.55) for c in colour), rng), body)
    _city(table, lens, layout, rng)
    steps: dict[str, Sprite] = {}
    shades: dict[str, Mask] = {}
    board = np.zeros_like(body)
    for depth, layer in enumerate(reversed(layout.layers[:-1])):
        top, low = tops[layer], tops[layout.layers[layout.layers.index(layer) + 1]]
        places = layout.in_layer(layer)
        holes = [lifted(swollen(p, 0.5), top) for p in places]
        hole = _mask(lens, holes)
        ring = cv2.subtract(_mask(lens, [lifted(outer, top)]), hole)
        tone = tuple(int(c) for c in np.clip(np.asarray(colour) * (1.25, 1.12, 1.0)[2 - depth], 0, 255))
        colours = _textured(lens, top, tone, rng)
        walls = cv2.subtract(hole, _mask(lens, [lifted(swollen(p, 0.5), low) for p in places]))
        _paint(colours, np.full_like(colours, [int(c * 0.6) for c in tone]), np.asarray(walls, np.uint8))
        both = np.asarray(cv2.max(ring, walls), np.uint8)
        ys, xs = np.nonzero(both)
        y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
        steps[layer] = make_sprite(int(x0), int(y0), colours[y0:y1, x0:x1], both[y0:y1, x0:x1])
        board = np.asarray(cv2.max(board, both), np.uint8)
        fallen = cv2.subtract(body, _mask(lens, [cast(points, sun, top - low) for points in holes]))
        half = (lens.width_px // 2, lens.height_px // 2)
        shades[layer] = np.asarray(cv2.resize(fallen, half, interpolation=cv2.INTER_AREA), np.uint8)
    return Ground(table, steps, shades, np.asarray(cv2.max(board, body), np.uint8))
