"""A printed marker sheet as a known camera would see it: the ground truth of the registration tests."""

from __future__ import annotations

import cv2
import numpy as np

from vision.view import Image, Lens, Markers, View

MARKERS = Markers(
    "DICT_4X4_50", 40.0, 0.0, {0: (-205.0, 205.0), 1: (205.0, 205.0), 2: (205.0, -205.0), 3: (-205.0, -205.0)}
)


def make_view(
    width: int = 1280,
    height: int = 960,
    focal: float = 1000.0,
    k1: float = -0.06,
    tilt_deg: float = 10.0,
    turn_deg: float = 15.0,
    distance_mm: float = 680.0,
) -> View:
    """A camera above the board's centre, tilted and turned."""
    lens = Lens(width, height, focal, ((width - 1) / 2, (height - 1) / 2), k1)
    down = np.diag([1.0, -1.0, -1.0])
    tilt = cv2.Rodrigues(np.array([np.radians(tilt_deg), 0.0, 0.0]))[0]
    turn = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn_deg)]))[0]
    rotation = np.ravel(cv2.Rodrigues(tilt @ down @ turn)[0])
    return View(lens, tuple(rotation.tolist()), (0.0, 0.0, distance_mm))


def draw_sheet(view: View, hidden: tuple[int, ...] = (), markers: Markers = MARKERS) -> Image:
    """The sheet with its markers in the picture of that camera."""
    scale, half = 4, 300
    flat = np.full((2 * half * scale, 2 * half * scale), 150, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    side = int(markers.size_mm * scale)
    for marker, (x, y) in markers.centres_mm.items():
        if marker in hidden:
            continue
        left, top = int((x + half) * scale) - side // 2, int((half - y) * scale) - side // 2
        flat[top - 24 : top + side + 24, left - 24 : left + side + 24] = 235
        flat[top : top + side, left : left + side] = (
            cv2.aruco.generateImageMarker(dictionary, marker, side) // 4 * 3 + 25
        )
    flat = cv2.GaussianBlur(flat, (0, 0), 2.0)
    lens = view.lens
    pixels = np.stack(np.meshgrid(np.arange(lens.width), np.arange(lens.height)), axis=-1).reshape(-1, 2)
    table = view.unproject(pixels, markers.z_mm)
    # Pixel k of the flat picture covers [k, k+1), so its centre lies half a pixel further on.
    maps = np.stack([(table[:, 0] + half) * scale - 0.5, (half - table[:, 1]) * scale - 0.5], axis=-1)
    grid = maps.reshape(lens.height, lens.width, 2).astype(np.float32)
    grey = cv2.remap(flat, grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=120)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
