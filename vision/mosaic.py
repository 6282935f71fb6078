"""The board flattened: what is seen of every topmost tile, and what the same tiles look like with nothing on them.

Each sample of the plan is taken at the height of the tile that shows there, so print lies where it was enrolled and
whatever stands on it sticks out as a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.classify import TileOdds
from vision.compare import missing_blur
from vision.enrolment import PRINT_GRID, WHITE, Enrolment, Ground, Print
from vision.occupancy import Stacks
from vision.patches import Board
from vision.reader import Reader
from vision.view import Image, View

Floats = npt.NDArray[np.float32]
T = TypeVar("T", np.uint8, np.float32)
STEP_MM = 0.75
"""Distance of two samples."""
MARGIN_MM = 12.0
WINDOW_MARGIN_MM = 5.0
WINDOW_STEP = 4
"""Sides of windows are multiples of this, as the network that looks at them needs."""
NOWHERE = -1
"""Row of samples outside the board."""
_SPARSE = 2
"""Every so many samples suffice to tell which copy of a tile it is and how it is lit."""
_FEWEST = 12
_RIM_MM = 2.2
_SLIP_MOST = 1.6
"""Tiles lie at most so many millimetres beside their places."""
_SLIP_STIFF = 800.0
"""How much print is needed to tell."""


Box = tuple[slice, slice]
"""A part of the plan's raster: rows and columns of samples."""


@dataclass(frozen=True)
class Mosaic:
    """One picture of the board, or of a part of it, in plan; all arrays (height, width, ...), row 0 furthest away."""

    box: Box
    """Which part of the plan it shows."""
    rows: npt.NDArray[np.int16]
    """Which place shows at each sample."""
    seen: npt.NDArray[np.uint8]
    """In the light of white paper, which is `WHITE`."""
    bare: npt.NDArray[np.uint8]
    """What lies there, from the enrolment."""
    lean: Floats
    """(height, width, 2): how far, in plan, a point shifts for each millimetre it is higher; x right, y down."""
    rise: Floats
    """How much higher than the sample something beside it is, in millimetres."""

    def part(self, box: Box) -> Mosaic:
        """The part of it in another box of the plan, which it must hold."""
        top, left = self.box[0].start, self.box[1].start
        inner = (slice(box[0].start - top, box[0].stop - top), slice(box[1].start - left, box[1].stop - left))
        rows, lean, rise = self.rows[inner], self.lean[inner], self.rise[inner]
        return Mosaic(box, rows, self.seen[inner], self.bare[inner], lean, rise)


class Plan:
    """Where samples lie and which place each may show; made once for a board."""

    def __init__(self, board: Board, step_mm: float = STEP_MM) -> None:
        self.board = board
        self.step_mm = step_mm
        self.columns = Stacks(board).columns
        outlines = np.array([p.outline_mm for p in board.places]).reshape(-1, 2)
        self.low = outlines.min(axis=0) - MARGIN_MM
        self.high = outlines.max(axis=0) + MARGIN_MM
        self.shape = (
            int(np.ceil((self.high[1] - self.low[1]) / step_mm)),
            int(np.ceil((self.high[0] - self.low[0]) / step_mm)),
        )

    @cached_property
    def points(self) -> npt.NDArray[np.float64]:
        """Plan point (height, width, 2) of each sample."""
        x = self.low[0] + (np.arange(self.shape[1]) + 0.5) * self.step_mm
        y = self.high[1] - (np.arange(self.shape[0]) + 0.5) * self.step_mm
        return np.stack(np.meshgrid(x, y), axis=-1)

    def sample(self, point_mm: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Sample coordinates (x right, y down) of plan points (..., 2)."""
        point = np.asarray(point_mm, dtype=np.float64)
        spots: npt.NDArray[np.float64] = (point - (self.low[0], self.high[1])) / (self.step_mm, -self.step_mm) - 0.5
        return spots

    @cached_property
    def triangle(self) -> npt.NDArray[np.int16]:
        """The plan triangle of each sample; `NOWHERE` where no tile can lie."""
        found = np.full(self.shape, NOWHERE, np.int16)
        apothem = self.board.radius_mm * np.sqrt(3) / 2
        angles = np.radians(60 * np.arange(6))
        ways = np.stack([np.cos(angles), np.sin(angles)])
        for row in range(len(self.board.places)):
            near = self.box(row)
            offset = self.points[near] - self.board.places[row].centre_mm
            towards = offset @ ways
            inside = towards.max(axis=-1) <= apothem
            found[near][inside] = self.board.triangles[row][towards.argmax(axis=-1)][inside]
        return found

    def box(self, row: int) -> Box:
        """The samples around a place."""
        x, y = self.sample(self.board.places[row].centre_mm)
        span = self.board.radius_mm / self.step_mm
        top, left = max(int(y - span), 0), max(int(x - span), 0)
        return slice(top, int(y + span) + 2), slice(left, int(x + span) + 2)

    @cached_property
    def windows(self) -> list[Box]:
        """For each place a square that holds it with something around, as large for all."""
        side = int(np.ceil((2 * self.board.radius_mm + WINDOW_MARGIN_MM) / self.step_mm / WINDOW_STEP)) * WINDOW_STEP
        found = []
        for place in self.board.places:
            x, y = np.rint(self.sample(place.centre_mm)).astype(int).tolist()
            top = min(max(y - side // 2, 0), self.shape[0] - side)
            left = min(max(x - side // 2, 0), self.shape[1] - side)
            found.append((slice(top, top + side), slice(left, left + side)))
        return found

    def around(self, rows: Iterable[int]) -> Box:
        """The smallest box that holds the windows of some places."""
        boxes = [self.windows[row] for row in rows]
        return (
            slice(min(b[0].start for b in boxes), max(b[0].stop for b in boxes)),
            slice(min(b[1].start for b in boxes), max(b[1].stop for b in boxes)),
        )

    @property
    def whole(self) -> Box:
        """All of it."""
        return slice(0, self.shape[0]), slice(0, self.shape[1])

    def rows_shown(self, present: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
        """The place that shows at each sample when these tiles lie there."""
        top = np.full(int(self.board.triangles.max()) + 2, NOWHERE, np.int16)
        for row in range(len(self.board.places) - 1, self.board.tile_count - 1, -1):
            top[self.board.triangles[row]] = row
        for number, column in self.columns.items():
            shown = next((row for row, _ in column if row >= self.board.tile_count or present[row]), column[-1][0])
            top[number] = shown
        return top[self.triangle]


class Mosaics:
    """Makes mosaics of one table: the owner's prints are fixed."""

    def __init__(self, plan: Plan, prints: Mapping[str, tuple[Print, ...]], enrolment: Enrolment) -> None:
        self.plan = plan
        self.board = plan.board
        self.items: list[Print | Ground] = []
        self._first: dict[str, int] = {}
        for layer, group in prints.items():
            self._first[layer] = len(self.items)
            self.items.extend(group)
        self._ground: dict[int, int] = {}
        for ground in enrolment.grounds:
            self._ground[self.board.row[ground.spot]] = len(self.items)
            self.items.append(ground)
        self._atlas: tuple[float, npt.NDArray[np.uint8]] | None = None
        self._maps: tuple[View, Floats] | None = None
        tops = np.array([p.top_mm for p in self.board.places] + [0.0], np.float32)
        self._heights = np.unique(tops)
        self._level = np.searchsorted(self._heights, tops).astype(np.uint8)
        self._apothem = self.board.radius_mm * np.sqrt(3) / 2
        angles = np.radians(60 * np.arange(3))
        self._ways = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        self._centres = np.array([*(p.centre_mm for p in self.board.places), (0.0, 0.0)], np.float32)

    def atlas(self, blur_mm: float) -> npt.NDArray[np.uint8]:
        """All enrolled pictures one under the other, as blurred as the camera's; last a white one."""
        if self._atlas is None or self._atlas[0] != blur_mm:
            pictures = []
            for item in self.items:
                sigma = missing_blur(item.blur_mm, blur_mm) / PRINT_GRID.step_mm
                pictures.append(cv2.GaussianBlur(item.picture, (0, 0), sigma) if sigma > 0.2 else item.picture)
            pictures.append(np.full((PRINT_GRID.side, PRINT_GRID.side, 3), WHITE, np.uint8))
            self._atlas = (blur_mm, np.concatenate(pictures))
        return self._atlas[1]

    def maps(self, view: View) -> Floats:
        """Pixel (levels, height, width, 2) of each sample at each height of a face; kept while the view stays."""
        if self._maps is None or self._maps[0] != view:
            flat = self.plan.points.reshape(-1, 2)
            made = [view.project(np.column_stack([flat, np.full(len(flat), z)])) for z in self._heights.tolist()]
            self._maps = (view, np.stack(made).astype(np.float32).reshape(len(made), *self.plan.shape, 2))
        return self._maps[1]

    def levels(self, rows: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
        """The number of the height at which each sample lies."""
        return self._level[rows]

    def flatten(
        self, image: npt.NDArray[T], view: View, levels: npt.NDArray[np.uint8], box: Box, how: int = cv2.INTER_LINEAR
    ) -> npt.NDArray[T]:
        """A part of a picture in plan, each sample taken at the height of what shows there."""
        maps = self.maps(view)[:, box[0], box[1]]
        where = maps[0].copy()
        for number in range(1, len(maps)):
            np.copyto(where, maps[number], where=(levels == number)[..., None])
        flat = cv2.remap(image, where[..., 0], where[..., 1], how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=image.dtype)

    def read(self, image: Image, reader: Reader, box: Box | None = None) -> Mosaic:
        """The mosaic of the picture that a reader has just read."""
        known, box = reader.known, box or self.plan.whole
        everywhere = self.plan.rows_shown(np.array(known.present))
        rows, levels = everywhere[box], self.levels(everywhere)
        height = self._heights[levels[box]]
        points = self.plan.points[box].astype(np.float32)
        seen = self.flatten(image, known.view, levels[box], box)
        # A first, coarse twin tells how each tile is lit and how it slipped.
        few = (slice(None, None, 2), slice(None, None, 2))
        coarse = self._bare(rows[few], points[few], known.tiles, reader.blur_mm)
        unit = self._light(rows[few], seen[few], coarse, known.expected)
        scaled = np.asarray(cv2.multiply(seen, (1 / unit)[rows], dtype=cv2.CV_8U), np.uint8)
        soft = np.asarray(cv2.GaussianBlur(scaled, (0, 0), 1.0), np.uint8)
        slip = self._slip(rows[few], points[few], soft[few], coarse)
        bare = self._bare(rows, points, known.tiles, reader.blur_mm, slip)
        camera = known.view.camera_mm.astype(np.float32)
        lean = (points - camera[:2]) * np.array([1, -1], np.float32)
        lean /= np.maximum(camera[2] - height, 1.0)[..., None]
        around = cv2.dilate(levels, np.ones((9, 9), np.uint8))[box]
        return Mosaic(box, rows, scaled, bare, lean, self._heights[around] - height)

    def _bare(
        self,
        rows: npt.NDArray[np.int16],
        points: Floats,
        tiles: Mapping[int, TileOdds],
        blur_mm: float,
        slip_mm: Floats | float = 0.0,
    ) -> npt.NDArray[np.uint8]:
        """What lies at each sample, from the enrolment; by row, tiles lie a little beside their places."""
        count = len(self.board.places)
        number, turn = np.full(count + 1, len(self.items), np.float32), np.zeros(count + 1)
        for row in np.unique(rows[rows >= 0]).tolist():
            if row in tiles:
                number[row] = self._first[self.board.places[row].layer] + tiles[row].look
                turn[row] = tiles[row].turn
            else:
                number[row] = self._ground.get(row, len(self.items))
        cos = np.cos(np.radians(60 * turn)).astype(np.float32)[rows]
        sin = np.sin(np.radians(60 * turn)).astype(np.float32)[rows]
        offset = points - (self._centres + np.asarray(slip_mm, np.float32))[rows]
        step, last = np.float32(PRINT_GRID.step_mm), np.float32(PRINT_GRID.side - 1)
        x = (cos * offset[..., 0] + sin * offset[..., 1]) / step + last / 2
        y = last / 2 - (cos * offset[..., 1] - sin * offset[..., 0]) / step
        down = np.clip(y, 0, last) + (number * PRINT_GRID.side).astype(np.float32)[rows]
        bare = cv2.remap(self.atlas(blur_mm), np.clip(x, 0, last), down, cv2.INTER_LINEAR)
        return np.asarray(bare, dtype=np.uint8)

    def _light(
        self,
        rows: npt.NDArray[np.int16],
        seen: npt.NDArray[np.uint8],
        bare: npt.NDArray[np.uint8],
        expected: Floats,
    ) -> Floats:
        """By row, what white paper's brightness was over `WHITE`: the middle of what its samples suggest."""
        unit = np.concatenate([expected, np.ones((1, 3), np.float32)]) * np.float32(255 / WHITE)
        few = slice(None, None, _SPARSE)
        whose, part, look = (a[few, few].reshape(rows[few, few].size, -1) for a in (rows, seen, bare))
        usable = (whose[:, 0] >= 0) & (look.min(axis=1) > WHITE * 0.12)
        whose, part, look = whose[usable, 0], part[usable].astype(np.float32), look[usable].astype(np.float32)
        order = np.argsort(whose, kind="stable")
        ratio, whose = (part / look)[order], whose[order]
        starts = np.flatnonzero(np.diff(whose, prepend=-1))
        for start, end in pairwise([*starts.tolist(), len(whose)]):
            row = int(whose[start])
            if end - start > _FEWEST:
                unit[row] = np.clip(np.median(ratio[start:end], axis=0), unit[row] * 0.75, unit[row] * 1.3)
        return unit

    def _slip(
        self, rows: npt.NDArray[np.int16], points: Floats, seen: npt.NDArray[np.uint8], bare: npt.NDArray[np.uint8]
    ) -> Floats:
        """By row, how far (x, y in millimetres) a tile lies beside its place, as far as its print tells."""
        count = len(self.board.places) + 1
        step = float(points[0, 1, 0] - points[0, 0, 0])
        soft = [cv2.GaussianBlur(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), (0, 0), 0.7) for a in (seen, bare)]
        off = points - self._centres[rows]
        # The rim shows gaps and neighbours, not print.
        reach = np.max([np.abs(off @ way) for way in self._ways], axis=0)
        gap = cv2.subtract(soft[0], soft[1], dtype=cv2.CV_32F)
        gx, gy = (cv2.Sobel(soft[1], cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        # Pieces and light are no slip: what differs much more than the print's edges explain does not count.
        likely = np.abs(gap) < _SLIP_MOST / step * np.hypot(gx, gy) + 6
        usable = (rows >= 0) & (reach < self._apothem - _RIM_MM) & likely
        whose, gap, gx, gy = rows[usable], gap[usable], gx[usable], gy[usable]

        def add(values: Floats) -> npt.NDArray[np.float64]:
            return np.asarray(np.bincount(whose, values, count), np.float64)

        a, b, c = add(gx * gx) + _SLIP_STIFF, add(gx * gy), add(gy * gy) + _SLIP_STIFF
        u, v = -add(gx * gap), -add(gy * gap)
        # seen(p) = bare(p - slip), x to the right and y down the raster.
        moved = np.stack([c * u - b * v, b * u - a * v], axis=1) / (a * c - b * b)[:, None] * step
        moved[self.board.tile_count :] = 0
        return np.clip(moved, -_SLIP_MOST, _SLIP_MOST).astype(np.float32)
