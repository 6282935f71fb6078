"""Tile art, Azulia prints and table tops: five hands that draw the same kinds differently."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import cv2
import numpy as np

from tools.picture_lab import noise
from tools.picture_lab.symbols import SYMBOLS, Canvas, arc, polar

Array = np.ndarray
RGB = tuple[float, float, float]
SIZE = 320
RAINBOW = (
    (0.8, 0.15, 0.15),
    (0.85, 0.55, 0.1),
    (0.8, 0.8, 0.15),
    (0.15, 0.65, 0.25),
    (0.15, 0.35, 0.8),
    (0.5, 0.2, 0.7),
)


@dataclass(frozen=True)
class Art:
    """One copy of the game as its illustrator drew it; colours are sRGB 0..1."""

    hand: str
    """`flat`, `painterly`, `photo`, `engraved` or `ornament`."""
    snow: tuple[RGB, RGB]
    surface: tuple[RGB, RGB]
    deep: tuple[RGB, RGB]
    ink: RGB
    rock: RGB
    symbols: dict[str, str]
    tints: dict[str, RGB]
    azulia: tuple[RGB, RGB, RGB]
    frame: RGB
    ledge: RGB
    prints: int = 1
    faintness: float = 0.0
    """0: full contrast of what is drawn on snow; towards 1: hardly there."""


def _seed(*parts: object) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32("|".join(map(str, parts)).encode()))


def draw_tile(art: Art, name: str, layer: str, kind: str, print_no: int) -> Array:
    """The print of one tile, SIZE x SIZE, sRGB 0..1; its hexagon has its corners at radius 1, one upwards."""
    rng = _seed(name, layer, kind, print_no)
    canvas = Canvas(_ground(art, rng, layer, kind))
    if layer == "snow":
        _snow_motif(art, rng, canvas, kind)
    else:
        _artifact_motif(art, rng, canvas, layer, kind)
    return np.clip(_finish(art, rng, canvas.picture), 0, 1)


def _ground(art: Art, rng: np.random.Generator, layer: str, kind: str) -> Array:
    low, high = {"snow": art.snow, "surface": art.surface, "deep": art.deep}[layer]
    if art.hand == "flat":
        picture = noise.mix(low, high, np.full((SIZE, SIZE), 0.5, np.float32) + 0.12 * noise.fractal(rng, SIZE, 90, 2))
    elif art.hand == "painterly":
        picture = noise.mix(low, high, noise.fractal(rng, SIZE, 110, 6, 0.7))
    elif art.hand == "photo":
        height = noise.fractal(rng, SIZE, 70, 6, 0.6)
        picture = noise.mix(low, high, height) * noise.relief(height, 0.8)[..., None]
    elif art.hand == "engraved":
        picture = noise.mix(low, high, 0.4 * noise.fractal(rng, SIZE, 25, 4))
        y = np.mgrid[0:SIZE, 0:SIZE][0]
        picture *= (1 - 0.05 * (np.sin(y * 1.1 + 6 * noise.fractal(rng, SIZE, 120, 2)) > 0.3))[..., None]
    else:
        y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
        picture = noise.mix(high, low, np.clip(np.hypot(x, y), 0, 1).astype(np.float32))
        picture *= (0.94 + 0.12 * noise.fractal(rng, SIZE, 12, 3))[..., None]
    return picture.astype(np.float32)


def _faint(art: Art, colour: object) -> Array:
    """A colour drawn on snow, faded towards the snow by the art's faintness."""
    snow = np.mean(art.snow, axis=0)
    return np.asarray(colour) + (snow - np.asarray(colour)) * art.faintness


def _snow_motif(art: Art, rng: np.random.Generator, c: Canvas, kind: str) -> None:
    ink, rock = _faint(art, art.ink), _faint(art, art.rock)
    for _ in range(rng.integers(2, 5)):  # drifts
        at, turn = rng.uniform(-0.5, 0.5, 2), rng.uniform(0, 360)
        c.line(arc((at[0], at[1]), rng.uniform(0.2, 0.6), turn, turn + 70, 0.6), ink, 0.012, alpha=0.25)
    if kind == "tunnel":
        _tunnel(art, rng, c, ink)
    elif kind == "nunatak":
        _peaks(art, rng, c, rock)
    elif kind == "crevasse":
        _crack(art, rng, c, ink)
    elif kind == "camp_site":
        _camp_mark(art, rng, c, ink)


def _tunnel(art: Art, rng: np.random.Generator, c: Canvas, ink: Array) -> None:
    at = rng.uniform(-0.08, 0.08, 2)
    spot = (float(at[0]), float(at[1]))
    if art.hand == "flat":
        c.poly(np.concatenate([arc((0, -0.05), 0.4, 0, 180), [(-0.4, -0.4), (0.4, -0.4)]]), ink)
        c.line(arc((0, -0.05), 0.52, 0, 180), ink, 0.06)
    elif art.hand == "engraved":
        for r in (0.5, 0.42, 0.35, 0.29, 0.24, 0.2, 0.16, 0.12, 0.08):
            c.ring(spot, r, ink, 0.03)
    elif art.hand == "ornament":
        for k in range(3):
            c.ring(spot, 0.5 - 0.16 * k, ink, 0.07)
        c.disc(spot, 0.1, ink)
    else:
        for k in range(14):
            c.poly(arc(spot, 0.5 - k * 0.02, 0, 360, 0.75), ink, 0.22)


def _peaks(art: Art, rng: np.random.Generator, c: Canvas, rock: Array) -> None:
    white = np.clip(np.mean(art.snow, axis=0) * 1.05, 0, 1)
    for _ in range(3):
        x, h, w = rng.uniform(-0.32, 0.32), rng.uniform(0.35, 0.75), rng.uniform(0.2, 0.32)
        foot = rng.uniform(-0.45, -0.25)
        tip = (x + rng.uniform(-0.05, 0.05), foot + h)
        if art.hand == "engraved":
            for k in range(7):
                c.line([tip, (x - w + 2 * w * k / 6, foot)], rock, 0.022)
            continue
        c.poly([(x - w, foot), tip, (x + w, foot)], rock)
        c.poly([tip, (x + w, foot), (x + w * 0.2, foot)], rock * 0.7, 0.8)
        c.poly([tip, (x - w * 0.35, foot + h * 0.62), (x, foot + h * 0.7), (x + w * 0.3, foot + h * 0.6)], white)


def _crack(art: Art, rng: np.random.Generator, c: Canvas, ink: Array) -> None:
    """Along the sides that face 0 and 60 degrees: from the corner at -30 over 30 to 90."""
    corners = polar((-30, 0.86), (30, 0.86), (90, 0.86))
    line = np.concatenate([np.linspace(corners[k], corners[k + 1], 9) for k in (0, 1)])
    line = line + rng.normal(0, 0.022, line.shape)
    width = {"flat": 0.1, "painterly": 0.13, "photo": 0.12, "engraved": 0.05, "ornament": 0.08}[art.hand]
    c.line(line, ink, width)
    if art.hand in ("photo", "painterly"):
        c.line(line * 0.95, np.clip(np.mean(art.snow, axis=0) * 1.08, 0, 1), 0.03)
        c.line(line, ink * 0.6, width * 0.4)
    if art.hand == "engraved":
        for p in line[::2]:
            c.line([p, p * 0.8], ink, 0.025)
    if art.hand == "ornament":
        c.line(line * 0.88, ink, 0.03)


def _camp_mark(art: Art, rng: np.random.Generator, c: Canvas, ink: Array) -> None:
    c.poly([(-0.42, -0.3), (0, 0.42), (0.42, -0.3)], _faint(art, (0.85, 0.45, 0.12)))
    c.poly([(-0.12, -0.3), (0, 0.1), (0.12, -0.3)], ink)
    c.line(polar(*[(a, 0.62) for a in range(0, 360, 8)]), _faint(art, (0.75, 0.3, 0.1)), 0.05, True)


def _artifact_motif(art: Art, rng: np.random.Generator, c: Canvas, layer: str, kind: str) -> None:
    if kind == "prismatic":
        _prismatic(art, rng, c)
        return
    tint = np.asarray(art.tints[kind], np.float32)
    if layer == "deep":
        tint = np.clip(tint * 0.9 + 0.05, 0, 1)
    if art.hand == "photo":
        _mineral(rng, c, kind, tint)
        return
    if art.hand == "painterly":
        for _ in range(9):
            at = rng.normal(0, 0.3, 2)
            c.disc((float(at[0]), float(at[1])), float(rng.uniform(0.08, 0.28)), tint, 0.25)
    if art.hand == "ornament":
        folds = {"achievement": 3, "exalted": 4, "philosophical": 5, "harmony": 6, "obliteration": 8}[kind]
        for k in range(folds):
            a = 360 / folds * k
            c.poly(polar((a, 0.15), (a + 14, 0.45), (a, 0.66), (a - 14, 0.45)), tint)
        c.ring((0, 0), 0.72, tint * 0.8, 0.03)
    SYMBOLS[art.symbols[kind]](c, tint, 0.035 if art.hand == "engraved" else 0.08)


def _prismatic(art: Art, rng: np.random.Generator, c: Canvas) -> None:
    if art.hand in ("flat", "engraved"):
        for k, hue in enumerate(RAINBOW):
            a, b = 0.55 - k * 0.17, 0.55 - (k + 1) * 0.17
            half = lambda y: (0.55 - y) * 0.5  # noqa: E731
            c.poly([(-half(a), a), (half(a), a), (half(b), b), (-half(b), b)], hue)
    elif art.hand == "ornament":
        for k, hue in enumerate(RAINBOW):
            c.disc((0.42 * math.cos(k * math.pi / 3), 0.42 * math.sin(k * math.pi / 3)), 0.17, hue)
    else:
        for _ in range(26):
            at, s = rng.normal(0, 0.3, 2), rng.uniform(0.1, 0.22)
            shard = polar(*[(a + rng.uniform(-25, 25), s) for a in (0, 110, 230)]) + at
            c.poly(shard, RAINBOW[rng.integers(6)], 0.75)


def _mineral(rng: np.random.Generator, c: Canvas, kind: str, tint: Array) -> None:
    """Photo-like stuff: each kind is a different matter rather than a sign."""
    y, x = np.mgrid[1 : -1 : SIZE * 1j, -1 : 1 : SIZE * 1j].astype(np.float32)
    radius = np.hypot(x, y)
    inside = np.clip((0.62 - radius) * 12, 0, 1)
    if kind == "achievement":  # crystals
        near, value = noise.cells(rng, SIZE, 60)
        height, mask = value, inside
        shade = (0.5 + value) * (1.1 - 0.4 * near)
    elif kind == "exalted":  # flames of frost: radial streaks
        angle = np.arctan2(y, x)
        streak = 0.5 + 0.5 * np.sin(angle * 9 + 5 * noise.fractal(rng, SIZE, 60, 3))
        height, mask, shade = streak, inside, 0.5 + streak
    elif kind == "philosophical":  # layered rock
        band = 0.5 + 0.5 * np.sin(24 * y + 6 * noise.fractal(rng, SIZE, 90, 3))
        height, mask, shade = band, inside, 0.55 + 0.8 * band
    elif kind == "harmony":  # pebbles
        near, value = noise.cells(rng, SIZE, 16)
        height, mask = 1 - near**2, inside * np.clip((0.5 - near) * 10, 0, 1)
        shade = 0.7 + 0.6 * value
    else:  # obliteration: a burnt crater
        rough = noise.fractal(rng, SIZE, 20, 4)
        height = np.abs(radius - 0.42) + 0.3 * rough
        mask, shade = np.clip((0.6 - height) * 6, 0, 1) * np.clip((0.75 - radius) * 10, 0, 1), 0.4 + rough
    lit = shade * noise.relief(cv2.GaussianBlur(height.astype(np.float32), (0, 0), 1.5), 1.2)
    c.lay(mask[..., None].astype(np.float32), np.clip(tint * lit[..., None], 0, 1))


def _finish(art: Art, rng: np.random.Generator, picture: Array) -> Array:
    if art.hand == "painterly":
        picture = noise.warped(rng, picture, 26, 18)
        picture = cv2.bilateralFilter(picture, 7, 0.15, 5)
    if art.hand == "photo":
        picture = picture * (0.94 + 0.12 * noise.fractal(rng, SIZE, 4, 2)[..., None])
    return picture


def draw_azulia(art: Art, name: str) -> Array:
    """The print of the sunken city, 1024 x 1024."""
    rng = _seed(name, "azulia")
    size = 1024
    low, high, line = (np.asarray(c, np.float32) for c in art.azulia)
    near, value = noise.cells(rng, size, 90)
    canvas = Canvas(noise.mix(low, high, 0.5 * value + 0.5 * noise.fractal(rng, size, 200, 5)))
    for k in range(9):
        canvas.ring((0, 0), 0.08 + 0.1 * k, line, 0.006)
    for _ in range(40):
        at, s = rng.uniform(-0.8, 0.8, 2), rng.uniform(0.02, 0.07)
        turn = rng.uniform(0, 90)
        square = polar(*[(turn + 90 * q, s) for q in range(4)]) + at
        canvas.line(square, line, 0.006, True)
        canvas.poly(square * 1.0, high, 0.5)
    near_edge = (near > 0.62).astype(np.float32)[..., None]
    canvas.lay(near_edge, line, 0.35)
    return np.clip(canvas.picture, 0, 1)
