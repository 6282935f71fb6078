"""What differs from the last agreed picture: which cells changed, and whether camera or board were moved."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Layout, Spot
from vision.rectify import Grid, make_cutter
from vision.view import Image, Markers, View

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ChangeTuning:
    """Thresholds of change."""

    residual: float = 0.10
    """Share of the local brightness that the 88th percentile of a cell must differ by."""
    floor: float = 24.0
    """Grey levels added to brightness, so that noise in the dark is no change."""
    moved_px: float = 1.0
    """Markers that moved by more than this mean that camera or board were moved."""


@dataclass(frozen=True)
class Memory:
    """Small pictures of all cells and markers in the last agreed picture."""

    cells: Floats
    """(cells, samples, 3)."""
    marks: Floats
    """(markers, side, side)."""


@dataclass(frozen=True, slots=True)
class Change:
    """How a picture differs from the memory."""

    cells: frozenset[Spot]
    """Cells of the top layer's plan in which something changed."""
    moved_px: float
    """How far the markers moved; 0 when none can be compared."""
    scores: npt.NDArray[np.float32]


def _fixed(maps: Floats) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Sampling maps in the form that is fastest to use."""
    places, fractions = cv2.convertMaps(maps[..., 0], maps[..., 1], cv2.CV_16SC2)
    return np.asarray(places, dtype=np.int16), np.asarray(fractions, dtype=np.uint16)


class Watch:
    """A cheap look at a still board: made once per view."""

    def __init__(self, view: View, layout: Layout, markers: Markers, tuning: ChangeTuning | None = None) -> None:
        self.tuning = tuning or ChangeTuning()
        self.view = view
        top = layout.in_layer(layout.layers[0])
        lowest = min(p.top_mm for p in layout.places.values())
        # Between the layers: wherever the surface is, it is off by half the board's depth at most.
        middle = (top[0].top_mm + lowest) / 2
        self.spots = tuple(p.spot for p in top)
        side = 14
        width = 2 * max(abs(x - top[0].centre_mm[0]) for x, _ in top[0].outline_mm)
        cutter = make_cutter(view, [(*p.centre_mm, middle) for p in top], Grid(side, width / side))
        self._shrink = 2 if cutter.blur_px > 0.9 else 1
        self._cells = _fixed(np.asarray((cutter.maps + 0.5) / self._shrink - 0.5, dtype=np.float32))
        centres = [(x, y, markers.z_mm) for x, y in markers.centres_mm.values()]
        span = markers.size_mm * 1.3
        marks = make_cutter(view, centres, Grid(28, span / 28))
        self._marks = _fixed(marks.maps)
        self._mark_px = span / 28 * view.pixels_per_mm(markers.z_mm)
        pixels = view.project(centres)
        self._inside = [bool((p > 0).all() and p[0] < view.lens.width and p[1] < view.lens.height) for p in pixels]

    def remember(self, image: Image) -> Memory:
        """The picture's cells and markers."""
        source = image if self._shrink == 1 else cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        cells = cv2.remap(source, self._cells[0], self._cells[1], cv2.INTER_LINEAR).reshape(len(self.spots), -1, 3)
        marks = cv2.remap(image, self._marks[0], self._marks[1], cv2.INTER_LINEAR)
        grey = cv2.cvtColor(marks, cv2.COLOR_BGR2GRAY)
        return Memory(np.asarray(cells, dtype=np.float32), np.asarray(grey, dtype=np.float32).reshape(-1, 28, 28))

    def compare(self, before: Memory, now: Memory) -> Change:
        """What changed between two memories of the same view."""
        a, b = before.cells + self.tuning.floor, now.cells + self.tuning.floor
        ratio = b / a
        # A gain per channel: light that changes evenly over a cell is no change.
        gain = np.median(ratio, axis=1, keepdims=True)
        miss = np.abs(ratio / gain - 1).max(axis=2)
        part = int(0.88 * miss.shape[1])
        scores = np.partition(miss, part, axis=1)[:, part]
        changed = frozenset(s for s, score in zip(self.spots, scores, strict=True) if score > self.tuning.residual)
        return Change(changed, self._moved(before.marks, now.marks), np.asarray(scores, dtype=np.float32))

    def _moved(self, before: Floats, now: Floats) -> float:
        """The median shift of the markers in pixels, by one step of least squares each."""
        shifts = []
        for a, b, inside in zip(before, now, self._inside, strict=True):
            if not inside or a.std() < 8:
                continue
            if b.std() < 8:  # nothing printed is left where the marker was
                shifts.append(float("nan"))
                continue
            b = (b - b.mean()) * (a.std() / b.std()) + a.mean()
            gy, gx = np.gradient((a + b) / 2)
            error = b - a
            matrix = np.array([[(gx * gx).sum(), (gx * gy).sum()], [(gx * gy).sum(), (gy * gy).sum()]])
            shift = np.linalg.solve(matrix + np.eye(2), [(gx * error).sum(), (gy * error).sum()])
            # A hand over a marker is no shift: what is left after the shift must be small.
            left = error - shift[0] * gx - shift[1] * gy
            if np.abs(left).mean() < 0.6 * np.abs(error).mean() or np.abs(error).mean() < 4:
                shifts.append(float(np.linalg.norm(shift)) * self._mark_px)
            elif np.abs(error).mean() > 25:
                shifts.append(float("nan"))
        known = [s for s in shifts if not np.isnan(s)]
        if known:
            return float(np.median(known))
        return float("inf") if shifts and len(shifts) > 1 else 0.0

    def is_moved(self, change: Change) -> bool:
        """Whether camera or board must be located anew."""
        return change.moved_px > self.tuning.moved_px
