"""The whole eye: one camera picture in; tiles, pieces and honest doubt out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.sighting import Sighting
from engine.spots import Layout, Spot
from vision.classify import TileOdds
from vision.enrolment import Enrolment
from vision.mosaic import Mosaic, Mosaics, Plan
from vision.piece_net import MASKS, STRIDE, PieceNet, stack
from vision.pieces import Candidate, Found, chances, find_pieces, piece_odds, rows_under, share_out, stirred_rows
from vision.reader import Bare, Reader, Reading
from vision.rectify import Cutter, Grid
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Sight:
    """What one picture says of tiles and pieces."""

    reading: Reading
    candidates: tuple[Candidate, ...]
    """Everything that may be a piece, with its odds."""
    pieces: Mapping[Spot, list[str]]
    """The likeliest pieces at each spot, as labels."""
    sighting: Sighting

    @property
    def unsure(self) -> frozenset[Spot]:
        """Spots that cannot be read now."""
        return self.sighting.unsure


class Eye:
    """Reads pictures of one table: layout, markers and the owner's enrolled tiles are fixed."""

    def __init__(
        self,
        layout: Layout,
        markers: Markers,
        enrolment: Enrolment,
        tuning: Tuning | None = None,
        net: PieceNet | None = None,
    ) -> None:
        self.reader = Reader(layout, markers, enrolment, tuning)
        self.tuning = self.reader.tuning
        self.plan = Plan(self.reader.board)
        self.mosaics = Mosaics(self.plan, self.reader.prints, enrolment)
        self.net = net or PieceNet()
        self._kept: dict[Grid, npt.NDArray[np.intp]] = {}
        self._found: dict[int, Found | None] = {}
        """What was found on each place; None on places that cannot be seen."""

    def read(self, image: Image, view: View | None = None, lens: Lens | None = None) -> Sight:
        """Everything that one picture shows; without a view it is found first."""
        reading = self.reader.read(image, view, lens)
        self._found.clear()
        return self._read_pieces(image, range(len(self.reader.board.places)), reading)

    def read_changes(self, image: Image, cells: Collection[Spot]) -> Sight:
        """The same after something changed in some cells of the top layer's plan; the rest is kept from before."""
        if not self._found:
            return self.read(image)
        reading = self.reader.read_changes(image, cells)
        return self._read_pieces(image, self.reader.affected(cells), reading)

    def _read_pieces(self, image: Image, rows: Sequence[int], reading: Reading) -> Sight:
        """Look for pieces on some places, read the tiles under them again, and look once more where one changed."""
        known = self.reader.known
        mosaic, outputs = self._look(image, rows)
        covered = self._covered(mosaic, outputs)
        under = rows_under(mosaic, covered, self.tuning.worth_second_look, self.reader.board.tile_count)
        if under:
            reading = self.reader.look_again(image, under, self._bare(mosaic, covered))
            now = self.reader.known.tiles
            changed = [r for r in under if r in now and r in known.tiles and _look(now[r]) != _look(known.tiles[r])]
            if changed:
                self._look(image, changed)
        return self._sight(reading)

    def _look(self, image: Image, rows: Sequence[int]) -> tuple[Mosaic, dict[int, Floats]]:
        """The mosaic around some places, and the network's outputs in the windows of those where something stands."""
        mosaic = self.mosaics.read(image, self.reader, self.plan.around(rows))
        shown = set(np.unique(mosaic.rows).tolist())
        stirred = stirred_rows(mosaic, self.tuning)
        chosen = [row for row in rows if row in stirred]
        for row in rows:
            self._found[row] = Found(()) if row in shown else None
        if not chosen:
            return mosaic, {}
        windows = [mosaic.part(self.plan.windows[row]) for row in chosen]
        made = self.net.run(np.stack([stack(w.seen, w.bare, w.lean, w.rise) for w in windows]))
        outputs = dict(zip(chosen, made, strict=True))
        for row, window in zip(chosen, windows, strict=True):
            self._found[row] = find_pieces(row, outputs[row], window, self.plan, self.tuning)
        return mosaic, outputs

    def _covered(self, mosaic: Mosaic, outputs: Mapping[int, Floats]) -> Mask:
        """Which samples of a mosaic something stands on or reaches over."""
        covered = np.zeros(mosaic.rows.shape, bool)
        top, left = mosaic.box[0].start, mosaic.box[1].start
        for row, output in outputs.items():
            box = self.plan.windows[row]
            here = (slice(box[0].start - top, box[0].stop - top), slice(box[1].start - left, box[1].stop - left))
            hides = chances(output[MASKS].max(axis=0)) > self.tuning.covered
            covered[here] |= np.repeat(np.repeat(hides, STRIDE, axis=0), STRIDE, axis=1) & (mosaic.rows[here] == row)
        return covered

    def _bare(self, mosaic: Mosaic, covered: Mask) -> Bare:
        """Where nothing stands, for the raster of any cutter."""
        bare = np.ones(self.plan.shape, bool)
        bare[mosaic.box] = ~covered

        def of(cutter: Cutter) -> Mask:
            return np.asarray(bare.ravel()[self._samples(cutter.grid)])

        return of

    def _samples(self, grid: Grid) -> npt.NDArray[np.intp]:
        """Which sample of the plan (places, side, side) each sample of a raster falls on; worked out once."""
        if grid not in self._kept:
            high, wide = self.plan.shape
            where = self.reader.centres_mm[:, None, None] + grid.points()
            at = np.rint(self.plan.sample(where)).astype(np.intp)
            self._kept[grid] = np.clip(at[..., 1], 0, high - 1) * wide + np.clip(at[..., 0], 0, wide - 1)
        return self._kept[grid]

    def _sight(self, reading: Reading) -> Sight:
        """Everything in words of the board."""
        found = {row: f for row, f in self._found.items() if f is not None}
        spots = {row: self.reader.board.places[row].spot for row in found}
        candidates = share_out([c for f in found.values() for c in f.candidates])
        hidden = {spots[row] for row, f in found.items() if f.is_hidden}
        odds = piece_odds(spots, candidates)
        doubtful = {cue.spot for cue, labels in odds.items() if max(labels.values()) < self.tuning.sure_pieces}
        pieces: dict[Spot, list[str]] = {}
        for candidate in candidates:
            if candidate.chance > 0.5:
                pieces.setdefault(spots[candidate.row], []).append(candidate.label)
        whole = {**reading.sighting.odds, **odds}
        return Sight(
            reading,
            tuple(candidates),
            {spot: sorted(labels) for spot, labels in pieces.items()},
            Sighting(
                {cue: o for cue, o in whole.items() if cue.spot not in hidden},
                frozenset(reading.unsure | hidden | doubtful),
            ),
        )


def _look(tile: TileOdds) -> tuple[str, int]:
    return tile.kind, tile.turn
