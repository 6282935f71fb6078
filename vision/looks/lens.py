"""The pretend camera: where a point of the table lands in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """A perspective camera with radial distortion, placed above the table."""

    width_px: int = 1280
    height_px: int = 720
    focal_px: float = 1000.0
    height_mm: float = 700.0
    """Distance from the point it looks at."""
    tilt_deg: float = 0.0
    """0 looks straight down; positive leans the camera back towards the viewer's side (-y)."""
    turn_deg: float = 0.0
    """How the camera is turned about the vertical, counter-clockwise seen from above."""
    roll_deg: float = 0.0
    aim_mm: tuple[float, float] = (0.0, 0.0)
    """The point of the table it looks at."""
    k1: float = 0.0
    k2: float = 0.0
    centre_off_px: tuple[float, float] = (0.0, 0.0)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        return (self.width_px, self.height_px)

    def rotation(self) -> Array:
        """World to camera axes: rows are right, down and forward."""
        return _rotation(self)

    def position_mm(self) -> Array:
        """Where the camera hangs."""
        return _position(self)

    def project(self, points_mm: ArrayLike) -> Array:
        """Picture coordinates of points `(..., 3)` in millimetres."""
        points = np.asarray(points_mm, np.float64)
        seen = (points - self.position_mm()) @ self.rotation().T
        flat = seen[..., :2] / seen[..., 2:]
        squared = (flat**2).sum(-1, keepdims=True)
        flat = flat * (1 + self.k1 * squared + self.k2 * squared**2)
        centre = (self.width_px / 2 + self.centre_off_px[0], self.height_px / 2 + self.centre_off_px[1])
        return np.asarray(flat * self.focal_px + centre, np.float64)

    def plane_map(self, z_mm: float, step_px: int = 8) -> NDArray[np.float32]:
        """For every pixel the point (x, y) of the horizontal plane z seen there; exact on a grid, linear between."""
        us = np.arange(0, self.width_px + step_px, step_px) - 0.5 + step_px / 2
        vs = np.arange(0, self.height_px + step_px, step_px) - 0.5 + step_px / 2
        grid = np.stack(np.meshgrid(us, vs), -1)
        flat = (grid - (self.width_px / 2, self.height_px / 2) - np.asarray(self.centre_off_px)) / self.focal_px
        bent = flat.copy()
        for _ in range(12):
            squared = (flat**2).sum(-1, keepdims=True)
            flat = bent / (1 + self.k1 * squared + self.k2 * squared**2)
        rays = np.concatenate([flat, np.ones_like(flat[..., :1])], -1) @ self.rotation()
        here = self.position_mm()
        hits = here[:2] + rays[..., :2] * ((z_mm - here[2]) / rays[..., 2:])
        full = cv2.resize(hits.astype(np.float32), None, fx=step_px, fy=step_px, interpolation=cv2.INTER_LINEAR)
        return np.asarray(full[: self.height_px, : self.width_px], np.float32)

    def px_per_mm(self) -> float:
        """Scale at the point it looks at."""
        return self.focal_px / self.height_mm

    def bumped(self, shift_mm: tuple[float, float], turn_deg: float = 0.0) -> Lens:
        """The same camera after somebody has knocked against its arm."""
        x, y = self.aim_mm
        return replace(self, aim_mm=(x + shift_mm[0], y + shift_mm[1]), turn_deg=self.turn_deg + turn_deg)


def fitted(width_px: int, height_px: int, span_mm: float, height_mm: float, tilt_deg: float, **more: float) -> Lens:
    """A lens whose picture is as high as `span_mm` on the table, so that the board with its markers fits."""
    return Lens(width_px, height_px, height_px / span_mm * height_mm, height_mm, tilt_deg, **more)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _rotation(lens: Lens) -> Array:
    tilt, turn, roll = (math.radians(d) for d in (lens.tilt_deg, lens.turn_deg, lens.roll_deg))
    look = np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), math.sin(tilt)], [0, -math.sin(tilt), math.cos(tilt)]])
    spin = np.array([[math.cos(turn), math.sin(turn), 0], [-math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    twist = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    return np.asarray(twist @ look @ lean @ spin, np.float64)


@lru_cache(maxsize=64)
def _position(lens: Lens) -> Array:
    aim = np.array([lens.aim_mm[0], lens.aim_mm[1], 0.0])
    return np.asarray(aim - lens.rotation()[2] * lens.height_mm, np.float64)
