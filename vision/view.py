"""Where the camera stands and how its lens bends: millimetres on the table to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A camera picture, height x width x 3, blue-green-red."""

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """What stays the same while the camera stays the same: picture size, focal length, centre, radial distortion."""

    width: int
    height: int
    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0
    k2: float = 0.0

    @property
    def matrix(self) -> Points:
        """The 3x3 camera matrix; pixels are square."""
        cx, cy = self.centre_px
        return np.array([[self.focal_px, 0.0, cx], [0.0, self.focal_px, cy], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> Points:
        """Distortion coefficients in OpenCV's order."""
        return np.array([self.k1, self.k2, 0.0, 0.0, 0.0])


@dataclass(frozen=True, slots=True)
class Markers:
    """The printed markers beside the board: their dictionary, size of the black square, height and places."""

    dictionary: str
    size_mm: float
    z_mm: float
    centres_mm: dict[int, tuple[float, float]]

    def corners_mm(self, marker: int) -> Points:
        """The four corners of a marker in the order in which ArUco reports them: first the one at its top left."""
        x, y = self.centres_mm[marker]
        h = self.size_mm / 2
        return np.array(
            [(x - h, y + h, self.z_mm), (x + h, y + h, self.z_mm), (x + h, y - h, self.z_mm), (x - h, y - h, self.z_mm)]
        )


@dataclass(frozen=True)
class View:
    """A camera in its place: projects table millimetres (x right, y away, z up) to pixels of the picture."""

    lens: Lens
    rotation: tuple[float, float, float]
    """Rodrigues vector, table to camera."""
    translation: tuple[float, float, float]
    residual_px: float = 0.0
    """Root mean square error of the points that it was fitted to."""

    @cached_property
    def turn(self) -> Points:
        """The 3x3 rotation matrix, table to camera."""
        matrix: Points = np.asarray(cv2.Rodrigues(np.array(self.rotation))[0], dtype=np.float64)
        return matrix

    @cached_property
    def camera_mm(self) -> Points:
        """Where the camera is above the table."""
        place: Points = -self.turn.T @ np.array(self.translation)
        return place

    def project(self, points_mm: npt.ArrayLike) -> Points:
        """Pixels (N, 2) of table points (N, 3)."""
        local = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) @ self.turn.T + np.array(self.translation)
        flat = local[:, :2] / np.maximum(local[:, 2:], 1e-6)
        r2 = (flat**2).sum(axis=1, keepdims=True)
        bent = flat * (1 + r2 * (self.lens.k1 + r2 * self.lens.k2))
        pixels: Points = bent * self.lens.focal_px + np.array(self.lens.centre_px)
        return pixels

    def unproject(self, pixels: npt.ArrayLike, z_mm: float) -> Points:
        """Table points (N, 2) at height `z_mm` that are seen at the pixels (N, 2)."""
        bent = (
            np.asarray(pixels, dtype=np.float64).reshape(-1, 2) - np.array(self.lens.centre_px)
        ) / self.lens.focal_px
        flat = bent
        for _ in range(8):
            r2 = (flat**2).sum(axis=1, keepdims=True)
            flat = bent / (1 + r2 * (self.lens.k1 + r2 * self.lens.k2))
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.turn
        reach = (z_mm - self.camera_mm[2]) / rays[:, 2:]
        points: Points = self.camera_mm[:2] + reach * rays[:, :2]
        return points

    def homography(self, z_mm: float) -> Points:
        """Table plane at height `z_mm` to pixels as a 3x3 matrix; without lens distortion."""
        columns = np.column_stack([self.turn[:, :2], self.turn[:, 2] * z_mm + np.array(self.translation)])
        matrix: Points = self.lens.matrix @ columns
        return matrix

    def pixels_per_mm(self, z_mm: float = 0.0) -> float:
        """How many pixels a millimetre spans at the board's centre."""
        around = self.project([(-20, 0, z_mm), (20, 0, z_mm), (0, -20, z_mm), (0, 20, z_mm)])
        spans = np.linalg.norm([around[1] - around[0], around[3] - around[2]], axis=1)
        return float(spans.mean() / 40)
