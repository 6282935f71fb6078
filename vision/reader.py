"""The eye as one object: a camera picture in, a reading of the whole board out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.sighting import Sighting
from engine.spots import Cue, Layout, Spot
from vision.classify import TileOdds, read_tile
from vision.compare import Bank, Moments, make_bank, make_ground_banks, measure
from vision.enrolment import Enrolment
from vision.light import LightField, paper_field, smooth_light
from vision.locate import locate
from vision.occupancy import Explanation, Stacks, explain
from vision.patches import Board
from vision.rectify import DETAIL, Grid
from vision.sharpness import TYPICAL_BLUR_MM, blur_mm
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
ABSENT = "absent"
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
        self.stacks = Stacks(self.board)
        self.enrolment = enrolment
        self.sharpen(TYPICAL_BLUR_MM)

    def sharpen(self, camera_blur_mm: float) -> None:
        """Make the enrolled looks as blurred as the camera's pictures are; only when that changed."""
        level = round(camera_blur_mm / BLUR_STEP_MM)
        if level == getattr(self, "_level", None):
            return
        self._level = level
        blur = float(np.hypot(level * BLUR_STEP_MM, DETAIL * self.tuning.patch_step_mm))
        self.banks = {
            layer: make_bank(self.enrolment, layer, self.board, self.tuning, blur) for layer in self.board.layer_rows
        }
        self.grounds = make_ground_banks(self.enrolment, self.board, self.tuning, blur)

    @cached_property
    def centres_mm(self) -> npt.NDArray[np.float64]:
        """Plan centre (places, 2) of every place."""
        return self.board.centres()[:, :2]

    def bank_of(self, row: int) -> Bank | None:
        """What a place may look like."""
        if row < self.board.tile_count:
            return self.banks[self.board.places[row].layer]
        return self.grounds.get(row)

    def read(self, image: Image, view: View | None = None, lens: Lens | None = None) -> Reading:
        """The reading of one picture; without a view it is found first."""
        view = view or locate(image, self.markers, lens)
        self.sharpen(blur_mm(image, view, self.markers) or TYPICAL_BLUR_MM)
        cutter = self.board.cutter(view)
        raw = cutter.cut(cutter.smooth(image)).reshape(len(self.board.places), -1, 3)[:, self.board.face]
        patches = np.asarray(raw / np.float32(255), dtype=np.float32)
        light = paper_field(image, view, self.markers)
        moments = self._measure(patches)
        expected = light.gain(self.centres_mm).astype(np.float32)
        costs = self._costs(moments, expected, self.tuning.first_gain_sd)
        found = explain(self.stacks, costs, self.tuning.absent_bias)
        expected = self._expect_light(moments, costs, found, expected)
        costs = self._costs(moments, expected, self.tuning.gain_sd)
        found = explain(self.stacks, costs, self.tuning.absent_bias)
        tiles = self._fine(patches, costs, found, expected)
        return self._report(view, light, found, tiles)

    def _measure(self, patches: Floats, seen: Floats | None = None) -> dict[int, Moments]:
        """Moments by first row: one group per tile layer, one per place that takes no tile."""
        groups = {rows.start: (rows, self.banks[layer]) for layer, rows in self.board.layer_rows.items()}
        groups.update({row: (range(row, row + 1), bank) for row, bank in self.grounds.items()})
        return {
            first: measure(
                patches[rows.start : rows.stop], None if seen is None else seen[rows.start : rows.stop], bank
            )
            for first, (rows, bank) in groups.items()
        }

    def _costs(self, moments: dict[int, Moments], expected: Floats, gain_sd: float) -> dict[int, Floats]:
        """Cost (6, looks) of every place's triangles, by row."""
        costs: dict[int, Floats] = {}
        for first, group in moments.items():
            rows = range(first, first + len(group.count))
            table = np.minimum(
                group.costs(expected[rows.start : rows.stop], gain_sd, self.tuning.veil_sd), self.tuning.triangle_cap
            )
            costs.update(zip(rows, table, strict=True))
        return costs

    def _expect_light(
        self, moments: dict[int, Moments], costs: dict[int, Floats], found: Explanation, first: Floats
    ) -> Floats:
        """The light (places, 3) that the tiles around each place suggest, once they are roughly known."""
        rows, gains, trust = [], [], []
        for start, group in moments.items():
            for i in range(len(group.count)):
                sides = sorted(found.visible.get(start + i, ()))
                if not sides:
                    continue
                table = costs[start + i][sides]
                best = int(table.sum(axis=0).argmin())
                good = table[:, best] < self.tuning.triangle_cap / 2
                if good.any():
                    chosen = np.array(sides)[good]
                    pr, rr = group.pr[i, chosen, best].sum(axis=0), group.rr[i, chosen, best].sum(axis=0)
                    rows.append(start + i)
                    gains.append(pr / np.maximum(rr, 1e-6))
                    trust.append(float(good.sum()))
        if len(rows) < 8:
            return first
        return np.asarray(smooth_light(self.centres_mm, rows, np.array(gains), np.array(trust)), dtype=np.float32)

    def _fine(
        self, patches: Floats, costs: dict[int, Floats], found: Explanation, expected: Floats
    ) -> dict[int, TileOdds]:
        """Odds of every tile that can be seen, by row."""
        return {
            row: read_tile(
                patches[row],
                None,
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
