"""Upright bodies as small meshes: turned pawns, tents, limbs; shaded and drawn with what they hide of themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.looks.lens import Lens
from vision.looks.sprites import Sprite, box_of

Array = NDArray[np.float64]
Colour = tuple[float, float, float]
"""Blue, green, red in 0..255."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Corners in millimetres; faces of four corners (a triangle repeats one), counter-clockwise outside; colours."""

    corners: Array
    faces: NDArray[np.intp]
    colours: Array
    gloss: float = 0.2

    def moved(self, offset_mm: ArrayLike, rotation: Array | None = None) -> Body:
        """The same body elsewhere, turned about its own origin first."""
        turned = self.corners if rotation is None else self.corners @ rotation.T
        return Body(turned + np.asarray(offset_mm, np.float64), self.faces, self.colours, self.gloss)

    def painted(self, factor: ArrayLike) -> Body:
        """The same body in another tone."""
        return Body(self.corners, self.faces, np.clip(self.colours * np.asarray(factor), 0, 255), self.gloss)


@dataclass(frozen=True, slots=True)
class Sun:
    """Where the main light comes from."""

    direction: tuple[float, float, float] = (-0.45, 0.35, 0.82)
    """From the table towards the light, of length one or so."""
    ambient: float = 0.55

    def unit(self) -> Array:
        """The direction with length one."""
        vector = np.asarray(self.direction, np.float64)
        return np.asarray(vector / np.linalg.norm(vector), np.float64)


def joined(*bodies: Body) -> Body:
    """Several bodies as one, with the gloss of the first."""
    starts = np.cumsum([0, *(len(b.corners) for b in bodies)])
    return Body(
        np.concatenate([b.corners for b in bodies]),
        np.concatenate([b.faces + s for b, s in zip(bodies, starts, strict=False)]),
        np.concatenate([b.colours for b in bodies]),
        bodies[0].gloss,
    )


def lathe(profile: ArrayLike, colour: Colour, around: int = 14, gloss: float = 0.2) -> Body:
    """A turned body from (radius, height) pairs, bottom to top, closed at the top."""
    rings = np.asarray(profile, np.float64)
    angles = np.arange(around) * (2 * math.pi / around)
    circle = np.stack([np.cos(angles), np.sin(angles)], -1)
    corners = np.concatenate([np.column_stack([circle * radius, np.full(around, height)]) for radius, height in rings])
    top = len(corners)
    corners = np.vstack([corners, [0, 0, rings[-1, 1]]])
    here, after = np.arange(around), np.roll(np.arange(around), -1)
    faces = [
        np.column_stack([k * around + here, k * around + after, (k + 1) * around + after, (k + 1) * around + here])
        for k in range(len(rings) - 1)
    ]
    last = (len(rings) - 1) * around
    lid = np.full(around, top)
    faces.append(np.column_stack([last + here, last + after, lid, lid]))
    every = np.concatenate(faces)
    return Body(corners, every, np.tile(np.asarray(colour, np.float64), (len(every), 1)), gloss)


def tent(
    length_mm: float,
    width_mm: float,
    height_mm: float,
    colour: Colour,
    gloss: float = 0.15,
    ridge: float = 0.94,
    front: float = 0.7,
) -> Body:
    """A tent on the ground, its ridge along x and of that share of its length, the fronts darker than the sides."""
    x, y = length_mm / 2, width_mm / 2
    corners = np.array(
        [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0), (-x * ridge, 0, height_mm), (x * ridge, 0, height_mm)], float
    )
    faces = np.array([(0, 1, 5, 4), (2, 3, 4, 5), (1, 2, 5, 5), (3, 0, 4, 4)])
    tone = np.asarray(colour, np.float64)
    return Body(corners, faces, np.stack([tone, tone, tone * front, tone * front]), gloss)


def limb(start: ArrayLike, end: ArrayLike, r0: float, r1: float, colour: Colour, around: int = 12) -> Body:
    """A round limb between two points, with round ends."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = max(float(np.linalg.norm(b - a)), 1e-6)
    caps = np.radians([-90, -55, -25])
    low = [(r0 * math.cos(t), r0 * math.sin(t)) for t in caps]
    middle = [(r0 + (r1 - r0) * s, length * s) for s in np.linspace(0, 1, 2 + int(length / 40))]
    high = [(r1 * math.cos(t), length - r1 * math.sin(t)) for t in caps[::-1]]
    body = lathe([*low, *middle, *high], colour, around, gloss=0.08)
    forward = (b - a) / length
    side = np.cross(forward, (0.0, 0.0, 1.0) if abs(forward[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    return body.moved(a, np.stack([side, np.cross(forward, side), forward], 1))


def _shaded(body: Body, normals: Array, towards: Array, sun: Sun) -> NDArray[np.uint8]:
    light = sun.unit()
    lambert = np.clip(normals @ light, 0, None)
    # Sky light from above keeps tops brighter than sides even in the shade.
    tone = sun.ambient * (0.72 + 0.28 * normals[:, 2]) + (1.08 - sun.ambient) * lambert
    half = towards + light
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = np.clip((normals * half).sum(1), 0, 1) ** 24 * body.gloss * 255
    return np.asarray(np.clip(body.colours * tone[:, None] + shine[:, None], 0, 255), np.uint8)


def draw_body(body: Body, lens: Lens, sun: Sun, scale: int = 4) -> Sprite:
    """The body as the camera sees it, far faces first."""
    quads = body.corners[body.faces]
    normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    flat = np.linalg.norm(normals, axis=1) < 1e-9
    normals[flat] = np.cross(quads[flat, 1] - quads[flat, 0], quads[flat, 2] - quads[flat, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    towards = lens.position_mm() - quads.mean(1)
    distance = np.linalg.norm(towards, axis=1)
    towards /= distance[:, None]
    facing = np.flatnonzero((normals * towards).sum(1) > 0)
    order = facing[np.argsort(-distance[facing])]
    shades = _shaded(body, normals, towards, sun)
    pixels = lens.project(quads)
    box = box_of(pixels.reshape(-1, 2))
    canvas = np.zeros((box[3] * scale, box[2] * scale, 4), np.uint8)
    local = np.rint(((pixels - (box[0] - 0.5, box[1] - 0.5)) * scale - 0.5) * 16).astype(np.int32)
    paints = np.column_stack([shades, np.full(len(shades), 255)]).tolist()
    for i in order:
        cv2.fillConvexPoly(canvas, local[i], paints[i], cv2.LINE_8, 4)
    small = np.asarray(cv2.resize(canvas, (box[2], box[3]), interpolation=cv2.INTER_AREA), np.uint8)
    through = np.asarray(cv2.merge([cv2.bitwise_not(np.ascontiguousarray(small[..., 3]))] * 3), np.uint8)
    return Sprite(box[0], box[1], np.ascontiguousarray(small[..., :3]), through)


def shadow_outline(body: Body, sun: Sun, ground_mm: float) -> Array:
    """The hull of the body's shadow on a horizontal plane, as points in millimetres."""
    light = sun.unit()
    rise = np.clip(body.corners[:, 2] - ground_mm, 0, None)
    points = body.corners[:, :2] - rise[:, None] * (light[:2] / light[2])
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    return np.column_stack([hull, np.full(len(hull), ground_mm)]).astype(np.float64)
