"""The eye as one object: a camera picture in, a reading of the whole board out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.sighting import Sighting
from engine.spots import Cue, Layout, Spot
from vision.classify import TileOdds, read_tile
from vision.compare import Moments, make_bank, make_ground_bank, measure, measure_ground
from vision.enrolment import Enrolment, representatives
from vision.light import LightField, paper_field, smooth_light
from vision.locate import locate
from vision.occupancy import Explanation, Stacks, explain
from vision.patches import Board
from vision.rectify import DETAIL, Cutter, Grid
from vision.sharpness import TYPICAL_BLUR_MM, blur_mm
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
ABSENT = "absent"
Bare = Callable[[Cutter], npt.NDArray[np.bool_]]
"""Which samples (places, side, side) of a cutter's patches neither a piece nor a hand hides."""
Groups = list[tuple[Sequence[int], Moments]]
"""Rows of places that are compared with the same looks, and how they compare."""
BLUR_STEP_MM = 0.2
"""Enrolled looks are kept for one blur at a time, in steps of this."""


@dataclass(frozen=True)
class Reading:
    """What one picture says of the tiles."""

    view: View
    light: LightField
    tiles: Mapping[Spot, TileOdds]
    """Every tile of which something can be seen."""
    present: frozenset[Spot]
    """Every tile that is believed to lie there, hidden ones included."""
    covered: Mapping[Spot, int]
    """How many tiles lie on each present tile."""
    unsure: frozenset[Spot]
    sighting: Sighting = field(default_factory=lambda: Sighting({}))


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
        self._cut: tuple[Cutter, Cutter] | None = None
        self.sharpen(TYPICAL_BLUR_MM)

    def sharpen(self, camera_blur_mm: float) -> None:
        """Make the enrolled looks as blurred as the camera's pictures are; only when that changed."""
        level = round(camera_blur_mm / BLUR_STEP_MM)
        if level == getattr(self, "_level", None):
            return
        self._level = level
        camera = level * BLUR_STEP_MM
        blur = float(np.hypot(camera, DETAIL * self.tuning.patch_step_mm))
        coarse_blur = float(np.hypot(camera, DETAIL * self.tuning.coarse_step_mm))
        layers = self.prints.items()
        self.banks = {layer: make_bank(prints, self.board, self.tuning, blur) for layer, prints in layers}
        self.coarse = {
            layer: make_bank(prints, self.coarse_board, self.tuning, coarse_blur) for layer, prints in layers
        }
        self.ground = make_ground_bank(self.enrolment, self.coarse_board, self.tuning, coarse_blur)

    @cached_property
    def centres_mm(self) -> npt.NDArray[np.float64]:
        """Plan centre (places, 2) of every place."""
        return self.board.centres()[:, :2]

    def read(
        self, image: Image, view: View | None = None, lens: Lens | None = None, bare: Bare | None = None
    ) -> Reading:
        """The reading of one picture; without a view it is found first. `bare` says where pieces and hands are not."""
        view = view or locate(image, self.markers, lens)
        self.sharpen(blur_mm(image, view, self.markers) or TYPICAL_BLUR_MM)
        coarse_cutter, cutter = self._cutters(view)
        coarse = cut_faces(image, self.coarse_board, coarse_cutter)
        patches = cut_faces(image, self.board, cutter)
        light = paper_field(image, view, self.markers)
        shown = None if bare is None else faces_of(bare(coarse_cutter), self.coarse_board)
        fine_shown = None if bare is None else faces_of(bare(cutter), self.board)
        moments = self._measure(coarse, shown)
        expected = light.gain(self.centres_mm).astype(np.float32)
        costs = self._costs(moments, expected, self.tuning.first_gain_sd)
        found = explain(self.stacks, costs, self.tuning.absent_bias)
        expected = self._expect_light(moments, costs, found, expected)
        costs = self._costs(moments, expected, self.tuning.gain_sd)
        found = explain(self.stacks, costs, self.tuning.absent_bias, found.present)
        tiles = self._fine(patches, fine_shown, costs, found, expected)
        return self._report(view, light, found, tiles)

    def _cutters(self, view: View) -> tuple[Cutter, Cutter]:
        """Sampling maps of both rasters, kept while the view stays the same."""
        if self._cut is None or self._cut[0].view != view:
            self._cut = (self.coarse_board.cutter(view), self.board.cutter(view))
        return self._cut

    def _measure(self, patches: Floats, seen: Floats | None = None) -> Groups:
        """Moments with their rows: one group per tile layer, one of all places that take no tile."""
        groups: Groups = []
        for layer, rows in self.board.layer_rows.items():
            part = slice(rows.start, rows.stop)
            groups.append((rows, measure(patches[part], None if seen is None else seen[part], self.coarse[layer])))
        rest = list(self.ground.rows)
        if rest:
            groups.append((rest, measure_ground(patches[rest], None if seen is None else seen[rest], self.ground)))
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
            for i, row in enumerate(group):
                sides = sorted(found.visible.get(row, ()))
                if not sides:
                    continue
                table = costs[row][sides]
                best = int(table.sum(axis=0).argmin())
                good = table[:, best] < self.tuning.triangle_cap / 2
                if good.any():
                    chosen = np.array(sides)[good]
                    pr, rr = moments.pr[i, chosen, best].sum(axis=0), moments.rr[i, chosen, best].sum(axis=0)
                    rows.append(row)
                    gains.append(pr / np.maximum(rr, 1e-6))
                    trust.append(float(good.sum()))
        if len(rows) < 8:
            return first
        return np.asarray(smooth_light(self.centres_mm, rows, np.array(gains), np.array(trust)), dtype=np.float32)

    def _fine(
        self, patches: Floats, shown: Floats | None, costs: dict[int, Floats], found: Explanation, expected: Floats
    ) -> dict[int, TileOdds]:
        """Odds of every tile that can be seen, by row."""
        return {
            row: read_tile(
                patches[row],
                None if shown is None else shown[row],
                costs[row],
                self.banks[self.board.places[row].layer],
                sides,
                expected[row],
                self.tuning,
            )
            for row, sides in found.visible.items()
            if row < self.board.tile_count and sides
        }

    def _report(self, view: View, light: LightField, found: Explanation, tiles: dict[int, TileOdds]) -> Reading:
        spots = [p.spot for p in self.board.places]
        present = frozenset(spots[row] for row in range(self.board.tile_count) if found.present[row])
        covered = {spots[r]: sum(found.present[c] for c in self.board.covers[r]) for r in range(self.board.tile_count)}
        odds: dict[Cue, dict[str, float]] = {}
        unsure = set()
        for row in range(self.board.tile_count):
            spot = spots[row]
            if not found.present[row]:
                odds[Cue(spot, "tile")] = {ABSENT: 1.0}
            elif row in tiles:
                tile = tiles[row]
                odds[Cue(spot, "tile")] = dict(tile.kinds)
                odds[Cue(spot, "turn")] = {str(k): share for k, share in enumerate(tile.turns)}
                if tile.kinds[tile.kind] < self.tuning.sure or tile.fit < self.tuning.fit:
                    unsure.add(spot)
        return Reading(
            view,
            light,
            {spots[row]: tile for row, tile in tiles.items()},
            present,
            covered,
            frozenset(unsure),
            Sighting(odds, frozenset(unsure)),
        )


def cut_faces(image: Image, board: Board, cutter: Cutter) -> Floats:
    """The faces (places, samples, 3) of all places, triangle after triangle."""
    pieces = cutter.cut(cutter.smooth(image)).reshape(len(board.places), -1, 3)
    return np.asarray(pieces[:, board.face] / np.float32(255), dtype=np.float32)


def faces_of(samples: npt.NDArray[np.bool_], board: Board) -> Floats:
    """Flags (places, side, side) of patches as shares (places, samples) of the faces."""
    return np.asarray(samples.reshape(len(board.places), -1)[:, board.face], dtype=np.float32)
