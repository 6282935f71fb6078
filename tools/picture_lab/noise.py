"""Procedural textures: fractal noise, cells, weave, wood; float arrays in 0..1."""

from __future__ import annotations

import cv2
import numpy as np

Array = np.ndarray


def fractal(rng: np.random.Generator, size: int, cell: float, octaves: int = 5, gain: float = 0.55) -> Array:
    """Smooth fractal noise; `cell` is the size of its coarsest grain in pixels."""
    out = np.zeros((size, size), np.float32)
    weight = 1.0
    for _ in range(octaves):
        n = max(2, round(size / cell))
        grid = rng.random((n + 3, n + 3)).astype(np.float32)
        out += weight * cv2.resize(grid, None, fx=size / n, fy=size / n, interpolation=cv2.INTER_CUBIC)[:size, :size]
        weight *= gain
        cell = max(1.0, cell / 2)
    low, high = np.percentile(out, [1, 99])
    return np.clip((out - low) / (high - low + 1e-6), 0, 1)


def warped(rng: np.random.Generator, picture: Array, strength: float, cell: float) -> Array:
    """A picture pushed about by noise, as a brush would."""
    size = picture.shape[0]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    dx, dy = (strength * (fractal(rng, size, cell, 3) - 0.5) for _ in range(2))
    return cv2.remap(picture, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def cells(rng: np.random.Generator, size: int, count: int) -> tuple[Array, Array]:
    """Cellular pattern: distance to the nearest seed (0..1) and the seed's random value."""
    points = rng.random((count, 2)) * size
    y, x = np.mgrid[0:size, 0:size]
    nearest = np.full((size, size), 1e9, np.float32)
    owner = np.zeros((size, size), np.int32)
    for i, (px, py) in enumerate(points):
        d = np.hypot(x - px, y - py).astype(np.float32)
        closer = d < nearest
        nearest[closer] = d[closer]
        owner[closer] = i
    return np.clip(nearest / (size / np.sqrt(count)), 0, 1), rng.random(count).astype(np.float32)[owner]


def relief(height: Array, strength: float, angle_deg: float = 130.0) -> Array:
    """Light and shade of a height field, around 1."""
    gx, gy = cv2.Sobel(height, cv2.CV_32F, 1, 0), cv2.Sobel(height, cv2.CV_32F, 0, 1)
    a = np.radians(angle_deg)
    return 1 + strength * (gx * np.cos(a) - gy * np.sin(a))


def mix(low: object, high: object, amount: Array) -> Array:
    """Colours between two, by an amount per pixel."""
    a, b = np.asarray(low, np.float32), np.asarray(high, np.float32)
    return a + (b - a) * amount[..., None]


def wood(rng: np.random.Generator, size: int, light: object, dark: object, planks: int) -> Array:
    """Boards with grain along x."""
    y = np.mgrid[0:size, 0:size].astype(np.float32)[0]
    wide = fractal(rng, size, size / 3, 4)
    fine = cv2.resize(rng.random((size, 12)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    ring = 0.5 + 0.5 * np.sin(y / size * 60 + wide * 9)
    grain = np.clip(0.55 * ring + 0.45 * fine, 0, 1)
    picture = mix(dark, light, grain)
    if planks:
        board = (y / size * planks).astype(int)
        picture *= (0.85 + 0.3 * rng.random(planks).astype(np.float32))[np.minimum(board, planks - 1)][..., None]
        seam = np.abs((y / size * planks) % 1 - 0.5) > 0.494
        picture[seam] *= 0.35
    return picture


def cloth(rng: np.random.Generator, size: int, colour: object, threads: int) -> Array:
    """A woven cloth."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    weave = np.sin(x / size * threads * 6.28) * np.sin(y / size * threads * 6.28)
    shade = 0.9 + 0.12 * weave + 0.12 * (fractal(rng, size, size / 4, 6) - 0.5)
    return np.asarray(colour, np.float32) * shade[..., None]


def tartan(rng: np.random.Generator, size: int, base: object, stripes: list[object], repeats: int) -> Array:
    """A chequered table cloth."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    picture = np.tile(np.asarray(base, np.float32), (size, size, 1))
    for k, colour in enumerate(stripes):
        at, width = 0.2 + 0.55 * k / max(1, len(stripes)), 0.08 + 0.1 * (k % 2)
        for coordinate in (x, y):
            band = np.abs((coordinate * repeats) % 1 - at) < width / 2
            picture[band] = 0.5 * picture[band] + 0.5 * np.asarray(colour, np.float32)
    return picture * (0.93 + 0.14 * fractal(rng, size, size / 50, 3)[..., None])


def marble(rng: np.random.Generator, size: int, low: object, high: object) -> Array:
    """Veined stone."""
    vein = np.abs(fractal(rng, size, size / 5, 6) - 0.5) * 2
    return mix(low, high, np.clip(vein * 2.2, 0, 1))
