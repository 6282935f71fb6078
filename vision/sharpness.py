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
    profiles = []
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    for x, y in markers.centres_mm.values():
        for along in np.linspace(-0.8 * half, 0.8 * half, 9):
            for side in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                feet = (
                    np.array([x, y]) + (half + steps)[:, None] * np.array(side) + along * np.array([side[1], side[0]])
                )
                pixels = view.project(np.column_stack([feet, np.full(len(feet), markers.z_mm)]))
                if (pixels >= 1).all() and (pixels < (view.lens.width - 2, view.lens.height - 2)).all():
                    spots = pixels.astype(np.float32)[None]
                    seen = cv2.remap(grey, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)[0].astype(np.float64)
                    ink, paper = seen[:10].mean(), seen[-10:].mean()
                    if paper - ink > 25:
                        profiles.append((seen - ink) / (paper - ink))
    if len(profiles) < 12:
        return None
    widths = [_step_width(np.median(profiles[k::4], axis=0), steps) for k in range(4)]
    return float(np.mean(widths))


def _step_width(
    profile: np.ndarray[tuple[int], np.dtype[np.float64]], steps: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> float:
    """Half the distance between 16 % and 84 % of a rising step."""
    rising = np.maximum.accumulate(np.clip(profile, 0, 1)) + np.arange(len(profile)) * 1e-9
    return float(np.interp(0.84, rising, steps) - np.interp(0.16, rising, steps)) / 2
