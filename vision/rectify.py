"""Cut flat pieces out of a camera picture: sampling maps for places at their own height, made once per view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.view import Image, View

Floats = npt.NDArray[np.float32]

DETAIL = 0.42
"""Smoothing before sampling, in steps of the raster: less breaks fine print up, more loses it."""


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

    @property
    def count(self) -> int:
        """How many pieces are cut."""
        return len(self.maps) // self.grid.side

    def smooth(self, image: Image) -> Image:
        """The picture at the raster's resolution."""
        if self.blur_px < 0.35:
            return image
        return np.asarray(cv2.GaussianBlur(image, (0, 0), self.blur_px), dtype=np.uint8)

    def cut(self, smoothed: npt.NDArray[np.uint8], which: Sequence[int] | None = None) -> npt.NDArray[np.uint8]:
        """The pieces (n, side, side, channels) of an already smoothed picture; `which` limits the work to some."""
        side = self.grid.side
        maps = self.maps
        if which is not None:
            maps = maps.reshape(-1, side, side, 2)[list(which)].reshape(-1, side, 2)
        flat = cv2.remap(
            smoothed,
            maps[..., 0],
            maps[..., 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(0, 0, 0),
        )
        return np.asarray(flat, dtype=np.uint8).reshape(-1, side, side, *smoothed.shape[2:])


def make_cutter(view: View, centres_mm: npt.ArrayLike, grid: Grid, turns_deg: npt.ArrayLike = 0.0) -> Cutter:
    """The cutter for pieces centred on points (N, 3), each turned counter-clockwise by its angle."""
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 3)
    angles = np.radians(np.broadcast_to(np.asarray(turns_deg, dtype=np.float64), len(centres)))
    offsets = grid.points().reshape(-1, 2)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = centres[:, :1] + cos * offsets[:, 0] - sin * offsets[:, 1]
    y = centres[:, 1:2] + sin * offsets[:, 0] + cos * offsets[:, 1]
    z = np.broadcast_to(centres[:, 2:], x.shape)
    pixels = view.project(np.stack([x, y, z], axis=-1).reshape(-1, 3))
    maps = pixels.astype(np.float32).reshape(len(centres) * grid.side, grid.side, 2)
    blur = DETAIL * grid.step_mm * view.pixels_per_mm(float(centres[:, 2].mean()))
    return Cutter(view, grid, maps, blur)
