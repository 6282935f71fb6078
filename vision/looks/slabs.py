"""Flat tiles in any position: the face in perspective and the card edge that the camera sees of it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks.bodies import Sun
from vision.looks.lens import Lens
from vision.looks.sprites import Picture, Sprite, box_of, fill, make_sprite, polygon_mask, warped_sprite

Array = NDArray[np.float64]


def draw_slab(
    lens: Lens, sun: Sun, top: Array, down: Array, face: Picture, centre: Array, across: Array, along: Array
) -> Sprite:
    """A tile in any position: its face, and of its card edge what the camera sees."""
    upper, lower = lens.project(top), lens.project(top + down)
    box = box_of(np.concatenate([upper, lower]))
    corner = np.array([box[0], box[1]])
    canvas = np.zeros((box[3], box[2], 3), np.uint8)
    light = sun.unit()
    for k in range(len(top)):
        after = (k + 1) % len(top)
        outward = (top[k] + top[after]) / 2 - top.mean(0)
        tone = 0.5 + 0.35 * float(outward @ light) / max(float(np.linalg.norm(outward)), 1e-9)
        quad = np.array([upper[k], upper[after], lower[after], lower[k]])
        fill(canvas, quad - corner, tuple(int(c * tone) for c in (150, 165, 175)), smooth=False)
    hull = cv2.convexHull(np.concatenate([upper, lower]).astype(np.float32)).reshape(-1, 2)
    cover = polygon_mask(hull, box)
    size = face.shape[0]
    source = [(-0.5, -0.5), (size - 0.5, -0.5), (size - 0.5, size - 0.5), (-0.5, size - 0.5)]
    target = lens.project(np.stack([centre + a * across + b * along for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]))
    shown = warped_sprite(face, source, target, upper)
    Sprite(shown.x - box[0], shown.y - box[1], shown.colour, shown.through).lay(canvas)
    return make_sprite(box[0], box[1], canvas, cover)
