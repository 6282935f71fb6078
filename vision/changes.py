"""What differs from the last agreed picture: which cells changed, and whether camera or board were moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Layout, Spot
from vision.patches import Board
from vision.rectify import Grid, make_cutter
from vision.view import Image, Markers, View

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]
Cells = npt.NDArray[np.uint8]
"""Fine samples (cells, side, side, 3) of a still board."""


@dataclass(frozen=True, slots=True)
class ChangeTuning:
    """Thresholds of change."""

    residual: float = 0.08
    """Share of the local brightness that the 88th percentile of a cell must differ by, after noise was evened out."""
    floor: float = 24.0
    """Grey levels added to brightness, so that noise in the dark is no change."""
    moved_px: float = 1.0
    """Markers that moved by more than this mean that camera or board were moved."""
    trace: float = 0.09
    """Least share of the local brightness by which the mean of 3 x 3 fine samples differs where something changed."""
    trace_noise: float = 11.0
    """And so many times what it usually differs by in the same cell."""
    reach_mm: float = 2.0
    """How far beside its place a change may be seen: places lie lower or higher than where the samples are taken."""


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


def _even_out(samples: npt.NDArray[Any], count: int) -> Floats:
    """Small pictures (cells, samples, 3), each sample the mean of 3 x 3: else a dark cell in bad light never rests."""
    side = samples.shape[1]
    # One by one: OpenCV 5 takes no more than 128 channels at once.
    cells = samples.reshape(count, side, side, 3).astype(np.float32)
    return np.stack([np.asarray(cv2.blur(cell, (3, 3)), np.float32) for cell in cells]).reshape(count, -1, 3)


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
        cells = _even_out(cv2.remap(source, self._cells[0], self._cells[1], cv2.INTER_LINEAR), len(self.spots))
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


FINE: Final = Grid(32, 1.5)
"""Samples of one cell for an imprint: a small piece covers some ten of them."""


class Printer:
    """Takes imprints of still boards seen from one view, to tell which places look as they did before."""

    def __init__(self, view: View, layout: Layout, tuning: ChangeTuning | None = None) -> None:
        self.tuning, self.view = tuning or ChangeTuning(), view
        board = Board(layout, FINE)
        top = layout.in_layer(layout.layers[0])
        self.level_mm = (top[0].top_mm + min(p.top_mm for p in layout.places.values())) / 2
        rows = _covering(board, [board.row[p.spot] for p in top])
        centres = board.centres()[rows, :2]
        self._cutter = make_cutter(view, [(x, y, self.level_mm) for x, y in centres.tolist()], FINE)
        self._points_mm = (centres[:, None] + FINE.points().reshape(-1, 2)).reshape(-1, 2)
        self._triangles = board.triangles[rows]
        self._sides = _six_sides(board.radius_mm, self.tuning.reach_mm)
        self.spots = tuple(p.spot for p in board.places)
        """The spot of each row of a reading."""
        self._places = [(p.spot, frozenset(row)) for p, row in zip(board.places, board.triangles.tolist(), strict=True)]

    def take(self, image: Image) -> Imprint:
        """What a still picture shows of every place."""
        return Imprint(self, self._cutter.cut(image))

    def compare(self, before: Cells, now: Cells) -> Traces:
        """Where two imprints differ; light that changes evenly over a cell is no change."""
        floor = np.float32(self.tuning.floor)
        ratio = (now + floor) / (before + floor)
        miss = ratio / np.median(ratio, axis=(1, 2), keepdims=True) - 1
        near = np.stack([cv2.blur(cell, (3, 3)) for cell in miss])
        far = np.abs(near).max(axis=3).reshape(len(near), -1)
        usual = np.median(far, axis=1, keepdims=True)
        least = np.clip(usual * self.tuning.trace_noise, self.tuning.trace, 2 * self.tuning.trace)
        strong, faint = far > least, far > least / 2
        touched = set(self._triangles[strong @ self._sides.T > 0].tolist())
        spots = frozenset(spot for spot, triangles in self._places if triangles & touched)
        return Traces(spots, self._points_mm[strong.ravel()], self._points_mm[faint.ravel()], self.level_mm, self.view)

    def everywhere(self) -> Traces:
        """What can be said when the board was seen from elsewhere before."""
        spots = frozenset(spot for spot, _ in self._places)
        return Traces(spots, self._points_mm, self._points_mm, self.level_mm, self.view)


@dataclass(frozen=True, eq=False)
class Imprint:
    """A still board as it was seen from one view."""

    printer: Printer
    cells: Cells

    def since(self, before: Imprint) -> Traces:
        """Where the board looks different from an earlier imprint."""
        if before.printer is not self.printer:
            return self.printer.everywhere()
        return self.printer.compare(before.cells, self.cells)


@dataclass(frozen=True, eq=False)
class Traces:
    """Where a board looks different from how it looked before."""

    spots: frozenset[Spot]
    """Places of which any part looks different."""
    points_mm: npt.NDArray[np.float64]
    """Samples (n, 2) that differ, in plan at one level."""
    faint_mm: npt.NDArray[np.float64]
    """Samples that differ by half as much: no evidence by themselves."""
    level_mm: float
    view: View

    def near(self, at_mm: tuple[float, float], height_mm: float, within_mm: float, *, faintly: bool = False) -> bool:
        """Whether anything differs where a point above the table is seen."""
        points = self.faint_mm if faintly else self.points_mm
        return bool((((points - self._seen(at_mm, height_mm)) ** 2).sum(axis=1) < within_mm**2).any())

    def away_from(
        self, points_mm: Points, at_mm: tuple[float, float], heights_mm: Sequence[float], within_mm: float
    ) -> Points:
        """Those of some samples that are not where a point of the plan is seen, at any of some heights, or near it."""
        for height in heights_mm:
            points_mm = points_mm[((points_mm - self._seen(at_mm, height)) ** 2).sum(axis=1) >= within_mm**2]
        return points_mm

    def _seen(self, at_mm: tuple[float, float], height_mm: float) -> npt.NDArray[np.float64]:
        """Where a point above the table is seen, in plan at the level of the samples."""
        camera = self.view.camera_mm
        reach = (camera[2] - self.level_mm) / (camera[2] - height_mm)
        return np.asarray(camera[:2] + (np.asarray(at_mm) - camera[:2]) * reach)


def _covering(board: Board, rows: list[int]) -> list[int]:
    """Some rows, and those of the places around them that reach further out: pieces stand on the rim as well."""
    seen = set(board.triangles[rows].ravel().tolist())
    rows = list(rows)
    for row, triangles in enumerate(board.triangles.tolist()):
        if not seen.issuperset(triangles):
            rows.append(row)
            seen.update(triangles)
    return rows


def _six_sides(radius_mm: float, reach_mm: float) -> Floats:
    """Which samples (6, samples) of a cell lie in the triangle on each side, or hardly beside it."""
    points = FINE.points().reshape(-1, 2)
    angles = np.radians(60 * np.arange(6))
    along = points @ np.stack([np.cos(angles), np.sin(angles)])
    inside = along.max(axis=1) <= radius_mm * np.sqrt(3) / 2 + reach_mm
    return np.asarray(((along.max(axis=1, keepdims=True) - along <= reach_mm) & inside[:, None]).T, dtype=np.float32)
