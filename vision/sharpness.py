"""How sharp a picture is: the width of the step from paper to ink at the markers' sides."""

from __future__ import annotations

import cv2
import numpy as np

from vision.view import Image, Markers, View

TYPICAL_BLUR_MM = 0.5
"""What is assumed where no marker shows it."""


def blur_mm(image: Image, view: View, markers: Markers) -> float | None:
    """Standard deviation of the blur on the table, or None when no marker shows it."""
    half, cell = markers.size_mm / 2, markers.size_mm / 6
    steps = np.linspace(-0.85 * cell, 0.85 * cell, 49)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sides = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
    along = np.linspace(-0.8 * half, 0.8 * half, 9)
    # (9, 4, 49, 2): points across the four sides of a marker at the origin, at nine places along each side.
    across = along[:, None, None, None] * sides[:, None, ::-1] + (half + steps)[:, None] * sides[:, None]
    points = np.concatenate([(across + np.array(centre)).reshape(-1, 2) for centre in markers.centres_mm.values()])
    pixels = view.project(np.column_stack([points, np.full(len(points), markers.z_mm)])).reshape(-1, len(steps), 2)
    inside = ((pixels >= 1) & (pixels < (view.lens.width - 2, view.lens.height - 2))).all(axis=(1, 2))
    maps = pixels.astype(np.float32)
    seen = np.asarray(cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), dtype=np.float64)
    ink, paper = seen[:, :10].mean(axis=1), seen[:, -10:].mean(axis=1)
    usable = inside & (paper - ink > 25)
    scaled = (seen - ink[:, None]) / np.maximum(paper - ink, 1)[:, None]
    faces = np.arange(len(seen)) % 4
    chosen = [scaled[usable & (faces == k)] for k in range(4)]
    if min(len(c) for c in chosen) < 3:
        return None
    return float(np.mean([_step_width(np.median(c, axis=0), steps) for c in chosen]))


def _step_width(
    profile: np.ndarray[tuple[int], np.dtype[np.float64]], steps: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> float:
    """Half the distance between 16 % and 84 % of a rising step."""
    rising = np.maximum.accumulate(np.clip(profile, 0, 1)) + np.arange(len(profile)) * 1e-9
    return float(np.interp(0.84, rising, steps) - np.interp(0.16, rising, steps)) / 2
