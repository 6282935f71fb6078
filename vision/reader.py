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
from vision.compare import Bank, make_bank, make_ground_bank, triangle_costs
from vision.enrolment import Enrolment
from vision.light import LightField, paper_field
from vision.locate import locate
from vision.occupancy import Explanation, Stacks, explain
from vision.patches import Board
from vision.rectify import Grid
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
ABSENT = "absent"


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
        self.banks = {layer: make_bank(enrolment, layer, self.board, self.tuning) for layer in self.board.layer_rows}
        self.grounds = make_ground_bank(enrolment, self.board, self.tuning)

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
        cutter = self.board.cutter(view)
        raw = np.asarray(cutter.cut(cutter.smooth(image)) / np.float32(255), dtype=np.float32)
        light = paper_field(image, view, self.markers)
        patches = self._lit(raw, light)
        costs = self._coarse(patches)
        found = explain(self.stacks, costs, self.tuning.absent_bias)
        tiles = self._fine(patches, costs, found)
        return self._report(view, light, found, tiles)

    def _lit(self, raw: Floats, light: LightField) -> Floats:
        """Patches as they would look in the reference light."""
        gain = light.gain(self.centres_mm).astype(np.float32)
        return np.asarray(raw / gain[:, None, None], dtype=np.float32)

    def _coarse(self, patches: Floats) -> dict[int, Floats]:
        """Cost (6, looks) of every place's triangles, by row."""
        costs: dict[int, Floats] = {}
        for layer, rows in self.board.layer_rows.items():
            table, _ = triangle_costs(patches[rows.start : rows.stop], None, self.banks[layer], self.board, self.tuning)
            capped = np.minimum(table, self.tuning.triangle_cap)
            costs.update(zip(rows, capped, strict=True))
        for row, bank in self.grounds.items():
            table, _ = triangle_costs(patches[row : row + 1], None, bank, self.board, self.tuning)
            costs[row] = np.minimum(table[0], self.tuning.triangle_cap)
        return costs

    def _fine(self, patches: Floats, costs: dict[int, Floats], found: Explanation) -> dict[int, TileOdds]:
        """Odds of every tile that can be seen, by row."""
        return {
            row: read_tile(
                patches[row], costs[row], self.banks[self.board.places[row].layer], self.board, sides, self.tuning
            )
            for row, sides in found.visible.items()
            if row < self.board.tile_count
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
