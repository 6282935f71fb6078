"""The board flattened: what is seen of every topmost tile, and what the same tiles look like with nothing on them.

Each sample of the plan is taken at the height of the tile that shows there, so print lies where it was enrolled and
whatever stands on it sticks out as a difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.compare import missing_blur
from vision.enrolment import PRINT_GRID, WHITE, Enrolment, Ground, Print
from vision.occupancy import Stacks
from vision.patches import Board
from vision.reader import Reader
from vision.rectify import plane_map
from vision.view import Image, View

Floats = npt.NDArray[np.float32]
T = TypeVar("T", np.uint8, np.float32)
STEP_MM = 0.75
"""Distance of two samples."""
MARGIN_MM = 12.0
AROUND_MM = 8.0
"""How much is looked at around a place: bodies lean."""
BOX_STEP = 16
"""Sides of boxes are multiples of this, as the network that looks at them needs."""
NOWHERE = -1
"""Row of samples outside the board."""
SPARSE = 2
"""Every so many samples suffice to tell how a tile is lit and how it slipped."""
BESIDE = 4
"""So many samples around one count as beside it."""
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
    earlier: npt.NDArray[np.uint8] | None = None
    """What an earlier picture shows at the same samples, in the light of this one."""


class Plan:
    """Where samples lie and which place each may show; made once for a board."""

    def __init__(self, board: Board, step_mm: float = STEP_MM) -> None:
        self.board = board
        self.step_mm = step_mm
        self.stacks = Stacks(board)
        outlines = np.array([p.outline_mm for p in board.places]).reshape(-1, 2)
        self.low = outlines.min(axis=0) - MARGIN_MM
        self.high = outlines.max(axis=0) + MARGIN_MM
        high, wide = np.ceil((self.high - self.low)[::-1] / step_mm / BOX_STEP).astype(int).tolist()
        self.shape = (high * BOX_STEP, wide * BOX_STEP)

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
            near = self.near[row]
            offset = self.points[near] - self.board.places[row].centre_mm
            towards = offset @ ways
            inside = towards.max(axis=-1) <= apothem
            found[near][inside] = self.board.triangles[row][towards.argmax(axis=-1)][inside]
        return found

    @cached_property
    def near(self) -> list[Box]:
        """For each place the samples that it may show at."""
        span = self.board.radius_mm / self.step_mm
        boxes = []
        for place in self.board.places:
            x, y = self.sample(place.centre_mm).tolist()
            top, left = max(int(y - span), 0), max(int(x - span), 0)
            boxes.append((slice(top, int(y + span) + 2), slice(left, int(x + span) + 2)))
        return boxes

    @cached_property
    def edges(self) -> npt.NDArray[np.intp]:
        """The same as arrays (places, 2, 2): first row and column, and those after the last."""
        return np.array([[[side.start for side in box], [side.stop for side in box]] for box in self.near])

    @cached_property
    def windows(self) -> list[Box]:
        """For each place a box that holds it with something around."""
        place = self.board.places[0]
        reach = np.abs(np.subtract(place.outline_mm, place.centre_mm)).max(axis=0) + AROUND_MM
        wide, high = np.ceil(reach / self.step_mm).astype(int).tolist()
        middles = [np.rint(self.sample(place.centre_mm)).astype(int).tolist() for place in self.board.places]
        return [self._fitted((slice(y - high, y + high), slice(x - wide, x + wide))) for x, y in middles]

    def _fitted(self, box: Box) -> Box:
        """A box inside the plan that holds another, its sides a multiple of `BOX_STEP`."""
        fitted = []
        for side, most in zip(box, self.shape, strict=True):
            length = min(-(-(side.stop - side.start) // BOX_STEP) * BOX_STEP, most)
            start = min(max(side.start, 0), most - length)
            fitted.append(slice(start, start + length))
        return fitted[0], fitted[1]

    def boxes(self, rows: Sequence[int], present: Sequence[bool]) -> list[tuple[Box, list[int]]]:
        """Boxes around those of some places that show when these tiles lie there; overlapping ones made one."""
        tops = set(self._tops(present).tolist())
        showing = [row for row in rows if row in tops]
        if len(rows) == len(self.board.places):
            return [(self.whole, showing)]
        groups: list[tuple[Box, list[int]]] = []
        for row in showing:
            box, members = self.windows[row], [row]
            while near := [group for group in groups if _overlap(group[0], box)]:
                groups = [group for group in groups if group not in near]
                members += [m for group in near for m in group[1]]
                box = self._fitted(_around([box, *(group[0] for group in near)]))
            groups.append((box, members))
        return groups

    @property
    def whole(self) -> Box:
        """All of it."""
        return slice(0, self.shape[0]), slice(0, self.shape[1])

    @cached_property
    def _ground(self) -> npt.NDArray[np.int16]:
        """By triangle, the place without a tile that shows where no tile lies; `NOWHERE` comes last."""
        top = np.full(int(self.board.triangles.max()) + 2, NOWHERE, np.int16)
        for row in range(len(self.board.places) - 1, self.board.tile_count - 1, -1):
            top[self.board.triangles[row]] = row
        return top

    def rows_shown(self, present: Sequence[bool], box: Box) -> npt.NDArray[np.int16]:
        """The place that shows at each sample of a box when these tiles lie there."""
        return self._tops(present)[self.triangle[box]]

    def _tops(self, present: Sequence[bool]) -> npt.NDArray[np.int16]:
        """By triangle, the place that shows."""
        top, (rows, _) = self._ground.copy(), self.stacks.table
        top[list(self.stacks.columns)] = rows[np.arange(len(rows)), self.stacks.topmost(present)]
        return top


def places_in(rows: npt.NDArray[np.int16]) -> list[int]:
    """Rows of all places that show somewhere."""
    found: list[int] = np.flatnonzero(np.bincount(rows.ravel() + 1)[1:]).tolist()
    return found


def _by_level(values: npt.NDArray[np.float32], levels: npt.ArrayLike) -> Floats:
    """The value of each sample's level."""
    table = np.zeros(256, np.float32)
    table[: len(values)] = values
    return np.asarray(cv2.LUT(np.asarray(levels, np.uint8), table), np.float32)


def _overlap(one: Box, other: Box) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))


def _around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds some."""
    return (
        slice(min(b[0].start for b in boxes), max(b[0].stop for b in boxes)),
        slice(min(b[1].start for b in boxes), max(b[1].stop for b in boxes)),
    )


def grown(box: Box, shape: tuple[int, int], by: int) -> tuple[Box, Box]:
    """A box with so many samples more on every side where there are some, and where in it the box lies."""
    more = [slice(max(side.start - by, 0), min(side.stop + by, most)) for side, most in zip(box, shape, strict=True)]
    inside = [slice(a.start - b.start, a.stop - b.start) for a, b in zip(box, more, strict=True)]
    return (more[0], more[1]), (inside[0], inside[1])


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
        self._pictures: tuple[float, list[npt.NDArray[np.uint8]]] | None = None
        self._maps: tuple[View, Floats] | None = None
        tops = np.array([p.top_mm for p in self.board.places] + [0.0], np.float32)
        self._heights = np.unique(tops)
        self._level = np.searchsorted(self._heights, tops).astype(np.uint8)
        self._apothem = self.board.radius_mm * np.sqrt(3) / 2
        angles = np.radians(60 * np.arange(3))
        self._ways = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        self._centres = np.array([*(p.centre_mm for p in self.board.places), (0.0, 0.0)], np.float32).T.copy()

    def pictures(self, blur_mm: float) -> list[npt.NDArray[np.uint8]]:
        """All enrolled pictures, as blurred as the camera's."""
        if self._pictures is None or self._pictures[0] != blur_mm:
            made = []
            for item in self.items:
                sigma = missing_blur(item.blur_mm, blur_mm) / PRINT_GRID.step_mm
                soft = cv2.GaussianBlur(item.picture, (0, 0), sigma) if sigma > 0.2 else item.picture
                made.append(np.asarray(soft, np.uint8))
            self._pictures = (blur_mm, made)
        return self._pictures[1]

    def maps(self, view: View) -> Floats:
        """Pixel (levels, height, width, 2) of each sample at each height of a face; kept while the view stays."""
        if self._maps is None or self._maps[0] != view:
            self._maps = (view, np.stack([plane_map(view, self.plan.points, z) for z in self._heights.tolist()]))
        return self._maps[1]

    def levels(self, rows: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
        """The number of the height at which each sample lies."""
        return self._level[rows]

    def flatten(
        self, image: npt.NDArray[T], view: View, levels: npt.NDArray[np.uint8], box: Box, how: int = cv2.INTER_LINEAR
    ) -> npt.NDArray[T]:
        """A part of a picture in plan, each sample taken at the height of what shows there."""
        # Both coordinates of a sample as one number: they are chosen together.
        maps = self.maps(view).view(np.complex64)[:, box[0], box[1], 0]
        where = maps[0].copy()
        for number in range(1, len(maps)):
            np.copyto(where, maps[number], where=levels == number)
        both = where.view(np.float32).reshape(*where.shape, 2)
        flat = cv2.remap(image, both, None, how, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        return np.asarray(flat, dtype=image.dtype)

    def read(self, image: Image, reader: Reader, box: Box | None = None, earlier: Image | None = None) -> Mosaic:
        """The mosaic of a part of the picture that a reader has just read; an earlier one from the same view beside it.

        Both show the same pixels, so what nobody touched looks the same in both.
        """
        known, box = reader.known, box or self.plan.whole
        more, inside = grown(box, self.plan.shape, BESIDE)
        around = self.plan.rows_shown(known.present, more)
        rows, beside = around[inside], self.levels(around)
        levels = beside[inside]
        raw = self.flatten(image, known.view, levels, box)
        few = rows[::SPARSE, ::SPARSE]
        rough = self._bare(few, box, SPARSE, reader)
        unit = self._light(few, raw[::SPARSE, ::SPARSE], rough, known.expected)
        gain = (1 / unit).take(rows, axis=0, mode="wrap")
        seen = np.asarray(cv2.multiply(raw, gain, dtype=cv2.CV_8U), np.uint8)
        soft = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.uint8)[::SPARSE, ::SPARSE]
        slip = self._slip(few, self.plan.points[box][::SPARSE, ::SPARSE], soft, rough)
        highest = cv2.dilate(beside, np.ones((2 * BESIDE + 1, 2 * BESIDE + 1), np.uint8))[inside]
        rise = _by_level(self._heights, highest) - _by_level(self._heights, levels)
        bare = self._bare(rows, box, 1, reader, slip)
        before = None
        if earlier is not None:
            flat = self.flatten(earlier, known.view, levels, box)
            before = np.asarray(cv2.multiply(flat, gain, dtype=cv2.CV_8U), np.uint8)
        return Mosaic(box, rows, seen, bare, self._lean(box, levels, known.view), rise, before)

    def _lean(self, box: Box, levels: npt.NDArray[np.uint8], view: View) -> Floats:
        """How far a point of each sample shifts in plan for each millimetre that it is higher."""
        camera = view.camera_mm
        points = self.plan.points[box]
        lean = np.empty((*levels.shape, 2), np.float32)
        under = _by_level(1 / np.maximum(camera[2] - self._heights, 1.0), levels)
        np.multiply((points[0, :, 0] - camera[0]).astype(np.float32), under, out=lean[..., 0])
        np.multiply((camera[1] - points[:, :1, 1]).astype(np.float32), under, out=lean[..., 1])
        return lean

    def _bare(
        self,
        rows: npt.NDArray[np.int16],
        box: Box,
        every: int,
        reader: Reader,
        slip_mm: Floats | None = None,
    ) -> npt.NDArray[np.uint8]:
        """What lies at every so manieth sample of a box, from the enrolment; tiles may have slipped a little."""
        bare = np.full((*rows.shape, 3), WHITE, np.uint8)
        pictures, tiles = self.pictures(reader.blur_mm), reader.known.tiles
        laid: list[tuple[int, int, int]] = []
        for row in places_in(rows):
            if row in tiles:
                laid.append((row, self._first[self.board.places[row].layer] + tiles[row].look, tiles[row].turn))
            elif row in self._ground:
                laid.append((row, self._ground[row], 0))
        which, _, turns = np.array(laid, np.intp).reshape(-1, 3).T
        corner = np.array([side.start for side in box])
        edges = -(-(self.plan.edges[which] - corner) // every)
        low, high = np.clip(edges, 0, rows.shape).swapaxes(0, 1)
        slips = 0.0 if slip_mm is None else slip_mm[which].T
        ways = self._ways_to_prints(which, turns, slips, corner + low * every, every)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        boxes = np.concatenate([low, high], axis=1).tolist()
        for (row, number, _), way, (top, left, bottom, right) in zip(laid, ways, boxes, strict=True):
            if bottom > top and right > left:
                size, here = (right - left, bottom - top), (slice(top, bottom), slice(left, right))
                drawn = cv2.warpAffine(pictures[number], way, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
                cv2.copyTo(drawn, (rows[here] == row).view(np.uint8), bare[here])
        return bare

    def _ways_to_prints(
        self,
        rows: npt.NDArray[np.intp],
        turns: npt.NDArray[np.intp],
        slips_mm: float | Floats,
        corners: npt.NDArray[np.intp],
        every: int,
    ) -> npt.NDArray[np.float64]:
        """From samples right and down of corners (row, column) to the pixels of turned prints (n, 2, 3)."""
        plan, step, middle = self.plan, PRINT_GRID.step_mm, (PRINT_GRID.side - 1) / 2
        down, right = (corners.T + 0.5) * plan.step_mm
        x, y = np.array([plan.low[0] + right, plan.high[1] - down]) - self._centres[:, rows] - slips_mm
        cos, sin = np.cos(np.radians(60 * turns)), np.sin(np.radians(60 * turns))
        pace = plan.step_mm * every / step
        ways = [
            [cos * pace, -sin * pace, (cos * x + sin * y) / step + middle],
            [sin * pace, cos * pace, middle - (cos * y - sin * x) / step],
        ]
        return np.ascontiguousarray(np.array(ways).transpose(2, 0, 1))

    def _light(
        self,
        rows: npt.NDArray[np.int16],
        seen: npt.NDArray[np.uint8],
        bare: npt.NDArray[np.uint8],
        expected: Floats,
    ) -> Floats:
        """By row, what white paper's brightness was over `WHITE`: the middle of what its samples suggest."""
        unit = np.concatenate([expected, np.ones((1, 3), np.float32)]) * np.float32(255 / WHITE)
        few = slice(None, None, SPARSE)
        whose, part, look = (a[few, few].reshape(rows[few, few].size, -1) for a in (rows, seen, bare))
        usable = (whose[:, 0] >= 0) & (look > WHITE * 0.12).all(axis=1)
        ratio, whose = part[usable].astype(np.float32) / look[usable], whose[usable, 0]
        order = np.argsort(whose, kind="stable")
        ratio, whose = ratio[order], whose[order]
        starts = np.flatnonzero(np.diff(whose, prepend=-1))
        middle = unit.copy()
        for start, end in pairwise([*starts.tolist(), len(whose)]):
            if end - start > _FEWEST:
                half = (end - start) // 2
                middle[whose[start]] = np.partition(ratio[start:end], half, axis=0)[half]
        return np.asarray(np.clip(middle, unit * np.float32(0.87), unit * np.float32(1.15)), np.float32)

    def _slip(
        self,
        rows: npt.NDArray[np.int16],
        points: npt.NDArray[np.float64],
        seen: npt.NDArray[np.uint8],
        bare: npt.NDArray[np.uint8],
    ) -> Floats:
        """By row, how far (x, y in millimetres) a tile lies beside its place, as far as its print tells."""
        count = len(self.board.places) + 1
        step = float(points[0, 1, 0] - points[0, 0, 0])
        soft = [cv2.GaussianBlur(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), (0, 0), 0.7) for a in (seen, bare)]
        x = points[0, :, 0].astype(np.float32) - self._centres[0].take(rows, mode="wrap")
        y = points[:, :1, 1].astype(np.float32) - self._centres[1].take(rows, mode="wrap")
        # The rim shows gaps and neighbours, not print.
        reach = np.max([np.abs(x * across + y * up) for across, up in self._ways], axis=0)
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
