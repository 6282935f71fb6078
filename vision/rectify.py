"""Cut flat pieces out of a camera picture: sampling maps for places at their own height, made once per view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.view import Image, View

Floats = npt.NDArray[np.float32]

DETAIL = 0.42
"""Smoothing before sampling, in steps of the raster: less breaks fine print up, more loses it."""
KNOTS_MM = 10.0
"""Distance of the points that are really projected; samples between them are interpolated."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The raster of one flat piece: `side` x `side` samples, `step_mm` apart, row 0 furthest away (+y)."""

    side: int
    step_mm: float

    def points(self) -> npt.NDArray[np.float64]:
        """Offsets (side, side, 2) in millimetres from the centre of the piece."""
        steps = (np.arange(self.side) - (self.side - 1) / 2) * self.step_mm
        x, y = np.meshgrid(steps, -steps)
        return np.stack([x, y], axis=-1)


@dataclass(frozen=True)
class Cutter:
    """Sampling maps of many flat pieces for one view."""

    view: View
    grid: Grid
    maps: Floats
    """(pieces * side, side, 2) pixel coordinates."""
    blur_px: float
    """Smoothing that keeps fine print from breaking up when the picture is finer than the raster."""
    samples: npt.NDArray[np.intp] | None = None
    """Which samples of each piece are cut, as flat indexes; all of them if None."""

    @property
    def count(self) -> int:
        """How many pieces are cut."""
        return len(self.maps) // self.grid.side

    @property
    def shrink(self) -> int:
        """How much smaller the picture is made before sampling: rasters coarser than its pixels need no more."""
        return 2 if self.blur_px > 1.5 else 1

    @cached_property
    def _sampling(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16], Floats]:
        """The maps in the form that is fastest to use, and the corners (pieces, 2, 2) of the pixels that each needs."""
        whole = np.asarray((self.maps + 0.5) / self.shrink - 0.5, dtype=np.float32).reshape(-1, self.grid.side**2, 2)
        maps = whole if self.samples is None else whole[:, self.samples]
        places, fractions = cv2.convertMaps(maps[..., 0], maps[..., 1], cv2.CV_16SC2)
        boxes = np.stack([whole.min(axis=1), whole.max(axis=1)], axis=1)
        return (
            np.asarray(places, dtype=np.int16),
            np.asarray(fractions, dtype=np.uint16),
            np.asarray(boxes, dtype=np.float32),
        )

    def cut(self, image: Image, which: Sequence[int] | None = None) -> npt.NDArray[np.uint8]:
        """The pieces (n, side, side, 3) of a picture, or some of their samples (n, samples, 3).

        `which` limits the work to some pieces.
        """
        places, fractions, boxes = self._sampling
        if which is not None:
            chosen = list(which)
            places, fractions, boxes = places[chosen], fractions[chosen], boxes[chosen]
        shape = (len(places), *((self.grid.side,) * 2 if self.samples is None else (len(self.samples),)), 3)
        if not len(places):
            return np.zeros(shape, np.uint8)
        part, corner = self._prepare(image, boxes)
        border = cv2.BORDER_CONSTANT
        wide = shape[-2]
        places, fractions = places.reshape(-1, wide, 2) - corner, fractions.reshape(-1, wide)
        flat = cv2.remap(part, places, fractions, cv2.INTER_LINEAR, borderMode=border, borderValue=(0, 0, 0))
        return np.asarray(flat, dtype=np.uint8).reshape(shape)

    def _prepare(self, image: Image, boxes: Floats) -> tuple[Image, npt.NDArray[np.int16]]:
        """The needed part of the picture at the raster's resolution, and its corner."""
        blur, shrink = self.blur_px, self.shrink
        if shrink == 2:
            blur = float(np.sqrt(max(blur**2 - 0.25, 0.0))) / 2
        margin = 3 * blur + 2
        height, width = image.shape[0] // shrink, image.shape[1] // shrink
        low = np.clip(np.floor(boxes[:, 0].min(axis=0) - margin), 0, (width - 2, height - 2)).astype(int)
        high = np.clip(np.ceil(boxes[:, 1].max(axis=0) + margin), low + 2, (width, height)).astype(int)
        part = image[low[1] * shrink : high[1] * shrink, low[0] * shrink : high[0] * shrink]
        if shrink == 2:
            part = np.asarray(cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        if blur >= 0.35:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), blur), dtype=np.uint8)
        return part, low.astype(np.int16)


def make_cutter(
    view: View,
    centres_mm: npt.ArrayLike,
    grid: Grid,
    turns_deg: npt.ArrayLike = 0.0,
    samples: npt.NDArray[np.intp] | None = None,
) -> Cutter:
    """The cutter for pieces centred on points (N, 3), each turned counter-clockwise by its angle."""
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 3)
    angles = np.radians(np.broadcast_to(np.asarray(turns_deg, dtype=np.float64), len(centres)))
    half = (grid.side - 1) / 2 * grid.step_mm
    knots, weights = _between(grid.side, grid.step_mm)
    steps = knots * grid.step_mm - half
    offsets = np.stack(np.meshgrid(steps, -steps), axis=-1).reshape(-1, 2)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = centres[:, :1] + cos * offsets[:, 0] - sin * offsets[:, 1]
    y = centres[:, 1:2] + sin * offsets[:, 0] + cos * offsets[:, 1]
    z = np.broadcast_to(centres[:, 2:], x.shape)
    pixels = view.project(np.stack([x, y, z], axis=-1).reshape(-1, 3)).astype(np.float32)
    corners = pixels.reshape(len(centres), len(knots), len(knots), 2).transpose(0, 3, 1, 2)
    maps = (weights @ corners @ weights.T).transpose(0, 2, 3, 1).reshape(-1, grid.side, 2)
    blur = DETAIL * grid.step_mm * view.pixels_per_mm(float(centres[:, 2].mean()))
    return Cutter(view, grid, np.ascontiguousarray(maps), blur, samples)


def plane_map(view: View, points_mm: npt.NDArray[np.float64], z_mm: float) -> Floats:
    """Pixels (height, width, 2) of an even raster of plan points (height, width, 2) at a height."""
    high, wide = points_mm.shape[:2]
    step = float(points_mm[0, 1, 0] - points_mm[0, 0, 0])
    (rows, down), (columns, across) = _between(high, step), _between(wide, step)
    x = points_mm[0, 0, 0] + columns * step
    y = points_mm[0, 0, 1] - rows * step
    flat = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    pixels = view.project(np.column_stack([flat, np.full(len(flat), z_mm)])).astype(np.float32)
    corners = np.ascontiguousarray(pixels.reshape(len(rows), len(columns), 2).transpose(2, 0, 1))
    return np.ascontiguousarray((down @ corners @ across.T).transpose(1, 2, 0))


@cache
def _between(count: int, step_mm: float) -> tuple[npt.NDArray[np.float64], Floats]:
    """Knots along a line of samples, in steps, and the weights (count, knots) that lead from knots to samples.

    Perspective and lens bend so little between two knots that straight lines err by some hundredths of a pixel.
    """
    length = max(count - 1, 1)
    knots = max(int(np.ceil(length * step_mm / KNOTS_MM)), 1) + 1
    at = np.arange(count) * (knots - 1) / length
    weights = np.maximum(1 - np.abs(at[:, None] - np.arange(knots)), 0)
    return np.linspace(0, length, knots), weights.astype(np.float32)
