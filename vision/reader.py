"""The eye as one object: a camera picture in, a reading of the whole board out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.sighting import Sighting
from engine.spots import Cue, Layout, Spot
from vision.classify import TileOdds, read_plain, read_tile
from vision.compare import Bank, GroundBank, Moments, make_bank, make_ground_bank, measure, measure_ground
from vision.enrolment import Enrolment, EnrolmentError, representatives
from vision.lamplight import hide_lamplight
from vision.light import LightField, paper_field, smooth_light
from vision.locate import locate
from vision.occupancy import MEMBERS, SIDES, Explanation, Stacks, explain
from vision.patches import Board
from vision.rectify import DETAIL, Cutter, Grid
from vision.sharpness import TYPICAL_BLUR_MM, blur_mm
from vision.telling import Reading, Told, tell
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
Patches = npt.NDArray[np.uint8]
Bare = Callable[[Grid, Sequence[int]], Floats]
"""How much samples (rows, side, side) of patches of some places count: 0 behind a piece or hand, less in its shadow."""
Groups = list[tuple[Sequence[int], Moments]]
"""Rows of places that are compared with the same looks, and how they compare."""
BLUR_STEP_MM = 0.2
"""Enrolled looks are made for a blur in steps of this."""
LOOKS_KEPT = 2
"""For so many of them at a time: the blur of a still camera wavers between two steps."""


def _paper(pixels: npt.NDArray[Any]) -> Floats:
    """Pixels with the brightest being 1, in an array of their own."""
    return np.asarray(np.multiply(pixels, np.float32(1 / 255), order="C"), dtype=np.float32)


@dataclass(frozen=True)
class Known:
    """What a reader keeps of its last reading, so that only what changed is read again."""

    view: View
    light: LightField
    expected: Floats
    costs: Mapping[int, Floats]
    present: tuple[bool, ...]
    tiles: Mapping[int, TileOdds]


@dataclass(frozen=True)
class Whole:
    """One picture of the whole board, cut and compared with everything that was enrolled."""

    image: Image
    view: View
    light: LightField
    paper: Floats
    """The light on the markers, continued over all places."""
    bare: Bare | None
    faces: Floats
    shown: Floats
    groups: Groups


Account = tuple[Known, Explanation, dict[int, Told]]


class Reader:
    """Reads pictures of one table: layout, markers and the owner's enrolled tiles are fixed."""

    def __init__(self, layout: Layout, markers: Markers, enrolment: Enrolment, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()
        self.layout, self.markers = layout, markers
        self.board = Board(layout, Grid(self.tuning.patch_side, self.tuning.patch_step_mm))
        self.coarse_board = Board(layout, Grid(self.tuning.coarse_side, self.tuning.coarse_step_mm))
        self.stacks = Stacks(self.board)
        self.enrolment = enrolment
        self.prints = {
            layer: representatives(
                [p for p in enrolment.prints if p.layer == layer], self.tuning.prints_per_kind, self.tuning.print_gap
            )
            for layer in self.board.layer_rows
        }
        missing = [layer for layer, prints in self.prints.items() if not prints]
        if missing:
            raise EnrolmentError(
                f"no tile of the layer {', '.join(missing)} was enrolled; enrol the board layer by layer"
            )
        self._cut: tuple[Cutter, Cutter] | None = None
        self._known: Known | None = None
        self._found: Explanation | None = None
        self._told: dict[int, Told] = {}
        """By row of a tile place, what was said of it last."""
        self._looks: dict[int, tuple[dict[str, Bank], dict[str, Bank], GroundBank]] = {}
        """By blur, in steps, the last used last."""
        self.sharpen(TYPICAL_BLUR_MM)

    def sharpen(self, camera_blur_mm: float) -> None:
        """Make the enrolled looks as blurred as the camera's pictures are."""
        self._level = round(camera_blur_mm / BLUR_STEP_MM)
        kept = self._looks.pop(self._level, None) or self._make_looks(self.blur_mm)
        self._looks[self._level] = kept
        if len(self._looks) > LOOKS_KEPT:
            del self._looks[next(iter(self._looks))]
        self.banks, self.coarse, self.ground = kept

    def _make_looks(self, camera_blur_mm: float) -> tuple[dict[str, Bank], dict[str, Bank], GroundBank]:
        """Banks of the fine and of the coarse raster, and of places that take no tile."""
        blur = float(np.hypot(camera_blur_mm, DETAIL * self.tuning.patch_step_mm))
        coarse_blur = float(np.hypot(camera_blur_mm, DETAIL * self.tuning.coarse_step_mm))
        layers = self.prints.items()
        return (
            {layer: make_bank(prints, self.board, self.tuning, blur) for layer, prints in layers},
            {layer: make_bank(prints, self.coarse_board, self.tuning, coarse_blur) for layer, prints in layers},
            make_ground_bank(self.enrolment, self.coarse_board, self.tuning, coarse_blur),
        )

    @property
    def known(self) -> Known:
        """What was read last."""
        if self._known is None:
            raise ValueError("nothing was read yet; read a picture first")
        return self._known

    @property
    def _explained(self) -> Explanation:
        if self._found is None:
            raise ValueError("nothing was read yet; read a picture first")
        return self._found

    @property
    def blur_mm(self) -> float:
        """Blur of the pictures that the enrolled looks are made to match."""
        return self._level * BLUR_STEP_MM

    def _bank(self, row: int) -> Bank:
        """What a tile at a row may look like, in the fine raster."""
        return self.banks[self.board.places[row].layer]

    @cached_property
    def centres_mm(self) -> npt.NDArray[np.float64]:
        """Plan centre (places, 2) of every place."""
        return self.board.centres()[:, :2]

    def read(
        self, image: Image, view: View | None = None, lens: Lens | None = None, bare: Bare | None = None
    ) -> Reading:
        """The reading of one picture; without a view it is found first. `bare` says where pieces and hands are not."""
        self.look(image, view, lens, bare)
        return self.reading()

    def look(self, image: Image, view: View | None = None, lens: Lens | None = None, bare: Bare | None = None) -> None:
        """Read a picture, and leave it to `reading` to tell what was seen."""
        view = view or locate(image, self.markers, lens)
        self.sharpen(blur_mm(image, view, self.markers) or TYPICAL_BLUR_MM)
        board = self._whole(image, view, paper_field(image, view, self.markers), bare)
        costs = self._costs(board.groups, board.paper, self.tuning.first_gain_sd)
        found = explain(self.stacks, costs, self.tuning.absent_bias)
        self._explain(board, self._expect_light(board.groups, costs, found, board.paper), found.present)

    def relight(self, image: Image, bare: Bare) -> None:
        """Explain the last picture from the beginning in the light that it is in between pieces and hands."""
        known = self.known
        board = self._whole(image, known.view, known.light, bare)
        costs = self._costs(board.groups, known.expected, self.tuning.gain_sd)
        self._explain(board, self._expect_light(board.groups, costs, self._explained, board.paper))

    def _whole(self, image: Image, view: View, light: LightField, bare: Bare | None) -> Whole:
        rows = range(len(self.board.places))
        faces = self._coarse_faces(image, view, rows)
        shown = self._free(bare, rows, self.coarse_board)
        paper = light.gain(self.centres_mm).astype(np.float32)
        return Whole(image, view, light, paper, bare, faces, shown, self._measure(faces, shown, rows))

    def _explain(self, board: Whole, expected: Floats, start: Sequence[bool] | None = None) -> None:
        """Find what lies on the whole board if it is in some light, and keep that."""
        shown = board.shown.copy()
        lit = hide_lamplight(board.faces, shown, expected, self.coarse_board, self.tuning)
        costs = self._costs(board.groups, expected, self.tuning.gain_sd)
        anew = self._measure(board.faces[:, lit], shown[lit], lit)
        costs.update(self._costs(anew, expected, self.tuning.gain_sd))
        found = explain(self.stacks, costs, self.tuning.absent_bias, start)
        rows = range(len(self.board.places))
        tiles = self._fine(board.image, board.view, board.bare, costs, found, expected, rows)
        self._known = Known(board.view, board.light, expected, costs, tuple(found.present), tiles)
        self._found = found
        self._told.clear()

    def read_changes(self, image: Image, cells: Collection[Spot], bare: Bare | None = None) -> Reading:
        """The reading after something changed in some cells of the top layer's plan; the rest is kept from before."""
        if self._known is None:
            return self.read(image, bare=bare)
        self.look_again(image, self.affected(cells), bare)
        return self.reading()

    def look_again(
        self, image: Image, rows: Sequence[int], bare: Bare | None = None, against: Mapping[int, float] | None = None
    ) -> None:
        """Look once more at some places, for instance once it is known what stands on them.

        `against` says what else speaks against a tile on some of them, or for it, as cost per sample.
        """
        known = self.known
        faces = self._coarse_faces(image, known.view, rows)
        shown = self._free(bare, rows, self.coarse_board)
        hide_lamplight(faces, shown, known.expected[rows], self.coarse_board, self.tuning)
        costs = dict(known.costs)
        costs.update(self._costs(self._measure(faces, shown, rows), known.expected, self.tuning.gain_sd))
        costs.update({row: costs[row] + np.float32(more) for row, more in (against or {}).items()})
        found = explain(self.stacks, costs, self.tuning.absent_bias, known.present, only=rows, before=self._found)
        tiles = {row: tile for row, tile in known.tiles.items() if row not in rows and found.visible[row]}
        tiles.update(self._fine(image, known.view, bare, costs, found, known.expected, rows))
        self._known = replace(known, costs=costs, present=tuple(found.present), tiles=tiles)
        self._found = found
        # What can be said of a place rests on the places under it, and on what lies on those.
        touched = self.sharing(rows)
        for row in touched if tuple(found.present) == known.present else self.sharing(touched):
            self._told.pop(row, None)

    def affected(self, cells: Collection[Spot]) -> list[int]:
        """Rows of all places that share a triangle with some cells, whatever their layer."""
        return self.sharing([self.board.row[s] for s in cells])

    def sharing(self, rows: Sequence[int]) -> list[int]:
        """Rows of all places that share a triangle with some of them."""
        return sorted(set().union(*(self.stacks.shared[row] for row in rows)))

    def in_question(self, rows: Sequence[int]) -> list[int]:
        """Those of some rows of which something shows, or where a tile could lie on what is there."""
        found, count = self._explained, self.board.tile_count
        return [r for r in rows if found.visible[r] or (r < count and found.is_supported(r))]

    def changed_since(self, before: Mapping[int, TileOdds]) -> list[int]:
        """Rows where another tile shows than among those that were known before, or one that is turned otherwise."""
        now = self.known.tiles
        anew = [row for row in before.keys() | now.keys() if before.get(row) is not now.get(row)]
        return [row for row in anew if self._look_of(row, before.get(row)) != self._look_of(row, now.get(row))]

    def _look_of(self, row: int, tile: TileOdds | None) -> tuple[str, int] | None:
        """A tile's kind, and how it is turned where that can be seen."""
        if tile is None:
            return None
        bank = self._bank(row)
        return tile.kind, 0 if bank.symmetric[bank.kinds.index(tile.kind)] else tile.turn

    @property
    def account(self) -> Account:
        """What was read last, to come back to."""
        return self.known, self._explained, dict(self._told)

    @account.setter
    def account(self, account: Account) -> None:
        self._known, self._found, self._told = account

    def is_top(self, row: int) -> bool:
        """Whether a tile lies at a row and none on it."""
        found = self._explained
        return row < self.board.tile_count and found.present[row] and found.is_uncovered(row)

    @property
    def burden(self) -> float:
        """Mean cost of what shows, a side of a tile: high where much is not understood."""
        return self._explained.total / len(self.stacks.columns)

    def worth(self, row: int) -> float:
        """How much dearer what is seen would be without the uncovered tile of a row, as cost per sample of a side."""
        return -self._explained.gain_of_removal(row)

    def suppose(self, row: int, tile: TileOdds) -> None:
        """Take a tile for something else than was read."""
        self._known = replace(self.known, tiles={**self.known.tiles, row: tile})
        self._told.pop(row, None)

    def shares(self, rows: Sequence[int], bare: Bare) -> dict[int, float]:
        """By row of some places, how much of its face neither a piece nor a hand hides."""
        shares: list[float] = self._free(bare, rows, self.coarse_board).mean(axis=1).tolist()
        return dict(zip(rows, shares, strict=True))

    def _free(self, bare: Bare | None, rows: Sequence[int], board: Board) -> Floats:
        """How much (rows, samples) of each sample of some faces is not under a piece or a hand."""
        if bare is None:
            return np.ones((len(rows), len(board.face)), np.float32)
        samples = bare(board.grid, rows).reshape(len(rows), board.grid.side**2).take(board.face, axis=1)
        # Coarse sums cannot tell a shadow from a dark print; samples compared one by one can.
        return np.floor(samples) if board is self.coarse_board else samples

    def _coarse_faces(self, image: Image, view: View, rows: Sequence[int]) -> Floats:
        """Faces (3, rows, samples) in the coarse raster."""
        samples = self._cutters(view)[0].cut(image, None if len(rows) == len(self.board.places) else rows)
        return _paper(samples.transpose(2, 0, 1))

    def _fine_faces(self, image: Image, view: View, rows: Sequence[int]) -> tuple[Floats, Patches]:
        """Faces (3, rows, samples) in the fine raster, and the patches (rows, side, side, 3) that they are part of."""
        patches = self._cutters(view)[1].cut(image, rows)
        samples = patches.reshape(len(rows), -1, 3).take(self.board.face, axis=1)
        return _paper(samples.transpose(2, 0, 1)), patches

    def _cutters(self, view: View) -> tuple[Cutter, Cutter]:
        """Sampling maps of both rasters, kept while the view stays the same."""
        if self._cut is None or self._cut[0].view != view:
            self._cut = (self.coarse_board.cutter(view, faces_only=True), self.board.cutter(view))
        return self._cut

    def _measure(self, faces: Floats, shown: Floats, rows: Sequence[int]) -> Groups:
        """Moments with their rows, by layer; where nothing is hidden it takes less time."""
        groups: Groups = []
        at = {row: i for i, row in enumerate(rows)}
        for layer, whole in self.board.layer_rows.items():
            chosen = [row for row in whole if row in at]
            part = [at[row] for row in chosen]
            if chosen:
                seen = None if shown[part].all() else shown[part]
                groups.append((chosen, measure(faces[:, part], seen, self.coarse[layer])))
        chosen = [row for row in self.ground.rows if row in at]
        part = [at[row] for row in chosen]
        if chosen:
            groups.append((chosen, measure_ground(faces[:, part], shown[part], self.ground.only(chosen))))
        return groups

    def _costs(self, groups: Groups, expected: Floats, gain_sd: float) -> dict[int, Floats]:
        """Cost (6, looks) of every place's triangles, by row."""
        costs: dict[int, Floats] = {}
        for rows, moments in groups:
            table = moments.costs(expected[list(rows)], gain_sd, self.tuning.veil_sd)
            costs.update(zip(rows, np.minimum(table, self.tuning.triangle_cap), strict=True))
        return costs

    def _expect_light(self, groups: Groups, costs: dict[int, Floats], found: Explanation, first: Floats) -> Floats:
        """The light (places, 3) that the tiles around each place suggest, once they are roughly known."""
        rows, gains, trust = [], [], []
        for group, moments in groups:
            at = [i for i, row in enumerate(group) if found.visible[row]]
            if not at:
                continue
            here = [group[i] for i in at]
            tables = np.stack([costs[row] for row in here])
            seen = MEMBERS[[found.visible[row] for row in here]]
            best = np.matmul(seen[:, None], tables)[:, 0].argmin(axis=1)
            good = seen * (tables[np.arange(len(at)), :, best] < self.tuning.triangle_cap / 2)
            count = good.sum(axis=1)
            rows.append(np.array(here)[count > 0])
            gains.append(moments.light(at, good, best)[count > 0])
            trust.append(count[count > 0])
        if sum(map(len, rows)) < 8:
            return first
        measured = (np.concatenate(rows), np.concatenate(gains), np.concatenate(trust))
        return np.asarray(smooth_light(self.centres_mm, *measured), dtype=np.float32)

    def _fine(
        self,
        image: Image,
        view: View,
        bare: Bare | None,
        costs: Mapping[int, Floats],
        found: Explanation,
        expected: Floats,
        rows: Sequence[int],
    ) -> dict[int, TileOdds]:
        """Odds of every tile among some rows that can be seen; only doubtful ones get a close look."""
        tiles: dict[int, TileOdds] = {}
        doubtful: list[tuple[int, list[int]]] = []
        for row in rows:
            sides = list(SIDES[found.visible[row]]) if row < self.board.tile_count else []
            if not sides:
                continue
            plain = read_plain(costs[row], self.coarse[self.board.places[row].layer], sides, expected[row], self.tuning)
            if plain is None:
                doubtful.append((row, sides))
            else:
                tiles[row] = plain
        if not doubtful:
            return tiles
        chosen = [row for row, _ in doubtful]
        faces, patches = self._fine_faces(image, view, chosen)
        shown = self._free(bare, chosen, self.board)
        hide_lamplight(faces, shown, expected[chosen], self.board, self.tuning)
        for (row, sides), face, free, patch in zip(doubtful, faces.swapaxes(0, 1), shown, patches, strict=True):
            anew = partial(self._slipped, patch)
            tiles[row] = read_tile(face, free, costs[row], self._bank(row), sides, expected[row], self.tuning, anew)
        return tiles

    def _slipped(self, patch: Patches, slips: Floats) -> Floats:
        """Faces (n, 3, samples) of a tile that lies so many steps (n, 2) beside the place that a patch was cut for."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = np.empty((len(slips), *patch.shape), np.uint8)
        for (right, down), out in zip(slips.tolist(), moved, strict=True):
            way = np.array([[1, 0, right], [0, 1, down]], np.float32)
            cv2.warpAffine(patch, way, patch.shape[1::-1], out, flags, cv2.BORDER_REPLICATE)
        return _paper(moved.reshape(len(slips), -1, 3).take(self.board.face, axis=1).transpose(0, 2, 1))

    def reading(self) -> Reading:
        """What was seen last in words of the board: odds per cue, and where there is doubt."""
        known, found, count = self.known, self._explained, self.board.tile_count
        present = found.present
        spots = [p.spot for p in self.board.places]
        for row in range(count):
            if row not in self._told:
                self._told[row] = tell(found, row, known.tiles.get(row), self._bank(row), self.tuning)
        unsure = frozenset(spots[row] for row, (_, doubtful) in self._told.items() if doubtful)
        odds: dict[Cue, dict[str, float]] = {}
        for cues, _ in self._told.values():
            odds.update(cues)
        return Reading(
            known.view,
            known.light,
            {spots[row]: tile for row, tile in known.tiles.items()},
            frozenset(spots[row] for row in range(count) if present[row]),
            {spots[r]: sum(present[c] for c in self.board.covers[r]) for r in range(count)},
            unsure,
            Sighting(odds, unsure),
        )
