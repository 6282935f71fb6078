"""The whole eye: one camera picture in; tiles, pieces and honest doubt out."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from engine.sighting import Sighting
from engine.spots import Layout, Point, Spot
from vision.beliefs import Agreed, Beliefs
from vision.classify import IN_SHADE
from vision.enrolment import WHITE, Enrolment
from vision.mosaic import Box, Mosaic, Mosaics, Plan, grown
from vision.piece_net import BODY, HAND, INPUTS, SHADE, STRIDE, PieceNet, mark_feet, stack
from vision.pieces import (
    FORGIVING,
    FORGIVING_MORE,
    Candidate,
    Found,
    apart,
    chances,
    find_pieces,
    hidden_rows,
    piece_odds,
    share_out,
)
from vision.reader import Bare, Reader
from vision.rectify import Grid
from vision.telling import Reading
from vision.tuning import Tuning
from vision.view import Image, Lens, Markers, View

Floats = npt.NDArray[np.float32]
EVERY = (slice(None, None, STRIDE), slice(None, None, STRIDE))
"""The samples of a mosaic that the network answers for."""
AGAINST = 8.0
"""What speaks against a tile that was found to be missing, as cost per sample: as much as can."""
MOST_DOUBTED = 2
"""So many tiles of a picture are supposed to be gone, one after the other, those that look least like their prints."""
ROUNDS = 3
"""So often tiles and pieces are looked at in turn, each in the light of the other."""


@dataclass(frozen=True)
class Sight:
    """What one picture says of tiles and pieces."""

    reading: Reading
    candidates: tuple[Candidate, ...]
    """Everything that may be a piece, with its odds."""
    pieces: Mapping[Spot, list[str]]
    """The likeliest pieces at each spot, as labels."""
    sighting: Sighting
    doubtful: frozenset[Spot] = frozenset()
    """Spots whose pieces are in doubt; what their odds say of tiles stands."""

    @property
    def unsure(self) -> frozenset[Spot]:
        """Spots that cannot be read now."""
        return self.sighting.unsure | self.doubtful


def _covered(output: Floats) -> Floats:
    """Chance that something covers or shades each sample of the network's output."""
    return np.asarray(np.minimum(chances(output[BODY:]).sum(axis=0), 1), np.float32)


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
        self._room = np.empty(INPUTS * math.prod(self.plan.shape), np.float32)
        """For the network's input."""
        self._hidden = np.zeros(self.plan.shape, bool)
        """Which samples of the plan something stands on or reaches over."""
        self._shaded = np.zeros(self.plan.shape, bool)
        """Which of the others lie in the shadow of a piece."""
        self._counts = np.ones(self.plan.shape, np.float32)
        """How much each sample tells of what lies there."""
        self._masks: dict[int, bytes] = {}
        """How much samples counted when a place under pieces was compared last."""
        self._unlike: dict[int, float] = {}
        """By row, how little what shows there, between the pieces, looks like what is supposed to lie there."""
        self._out: dict[int, float] = {}
        """By row, how many samples differ from that, by pieces, shadows or print."""
        self.gone: set[int] = set()
        """Rows of tiles that are not there, though at first sight they are."""
        self._beliefs = Beliefs()
        self._earlier: Image | None = None
        """How the board looked, from the same view, when it was last agreed on."""
        self._feet: tuple[tuple[str, Point], ...] = ()
        """What stood where then."""

    def read(self, image: Image, view: View | None = None, lens: Lens | None = None) -> Sight:
        """Everything that one picture shows; without a view it is found first."""
        self.reader.look(image, view, lens)
        self._earlier = None
        self._forget()
        self.gone.clear()
        self._hidden[:] = self._shaded[:] = False
        self._counts[:] = 1
        every = range(len(self.reader.board.places))
        anew = self._settle(image, every)
        if self._is_hard():
            self.reader.relight(image, self.bare)
            self._forget()
            self._settle(image, every)
        return self._look_closer(image, anew)

    def _is_hard(self) -> bool:
        """Whether much of the last picture is not understood, or a hand is in it: its light may have been mistaken."""
        hands = any(found is not None and found.is_hidden for found in self._found.values())
        return hands or self.reader.burden > self.tuning.hard

    def _forget(self) -> None:
        """What was found between and under pieces no longer counts."""
        for found in (self._found, self._masks, self._unlike, self._out):
            found.clear()

    def read_changes(self, image: Image, cells: Collection[Spot]) -> Sight:
        """The same after something changed in some cells of the top layer's plan; the rest is kept from before."""
        if not self._found:
            return self.read(image)
        rows = self.reader.affected(cells)
        self.gone.difference_update(rows)
        return self._read_again(image, rows)

    def trust(self, image: Image, agreed: Agreed) -> Sight | None:
        """Believe what lies and stands where in the last picture; a new reading if its tiles were read otherwise.

        What is believed of a place speaks for it in later readings too, until something else is believed.
        """
        self._earlier, self._feet = image if agreed.tiles else None, agreed.feet
        odd = self._beliefs.take(agreed, self.reader)
        if not odd:
            return None
        self.gone |= self._beliefs.ghosts.intersection(odd)
        lying = {row: -AGAINST for row in odd if self._beliefs.kinds[row]}
        return self._read_again(image, self.reader.sharing(odd), lying)

    def _read_again(self, image: Image, rows: Sequence[int], against: Mapping[int, float] | None = None) -> Sight:
        """Tiles and pieces of some places."""
        self._look_again(image, rows, None, against)
        for row in rows:
            self._masks.pop(row, None)
        return self._read_pieces(image, rows)

    def _look_again(
        self, image: Image, rows: Sequence[int], bare: Bare | None, against: Mapping[int, float] | None = None
    ) -> None:
        """Read some tiles once more, with what is believed of them."""
        gone = dict.fromkeys(self.gone.intersection(rows), AGAINST)
        self.reader.look_again(image, rows, bare, {**self._beliefs.against(rows), **gone, **(against or {})})
        clear = self.reader.shares(rows, bare) if bare else {}
        for row in rows:
            if clear.get(row, 1.0) < 1 - self.tuning.worth_second_look:
                self._soften(row)
            self._beliefs.lean(self.reader, row)

    def _soften(self, row: int) -> None:
        """Be less sure of a tile under pieces: what is left of a shadow or a body errs in many samples at once."""
        tile = self.reader.known.tiles.get(row)
        if tile is not None:
            softer = {kind: share**self.tuning.under_pieces for kind, share in tile.kinds.items()}
            self.reader.suppose(row, tile.weighed(softer))

    def _read_pieces(self, image: Image, rows: Sequence[int]) -> Sight:
        """Look for pieces on some places and at the tiles under them."""
        return self._look_closer(image, self._settle(image, rows))

    def _look_closer(self, image: Image, anew: set[int]) -> Sight:
        """Once more around holes that looked filled, and at what is in doubt, among some places that were read."""
        if holes := self.find_holes(image, anew):
            anew |= self._settle(image, self.reader.sharing(holes))
        self.weigh_tiles(image, anew)
        self.look_twice(image, anew)
        return self._sight(self.reader.reading())

    def _settle(self, image: Image, rows: Sequence[int]) -> set[int]:
        """Find pieces on some places, read the tiles under them again, and so on around what changed; what was read."""
        anew = set(rows)
        for _ in range(ROUNDS):
            before = self.reader.known.tiles
            self.look_for_pieces(image, rows)
            under = self._under(rows)
            if not under:
                break
            self._look_again(image, under, self.bare)
            anew.update(under)
            self._masks.update(self._masks_of(under))
            changed = self.reader.changed_since(before)
            if not changed:
                break
            rows = self.reader.sharing(changed)
        return anew

    def find_holes(self, image: Image, rows: Collection[int]) -> list[int]:
        """Tiles among some rows that are not there: without them less stands out, since a hole looks like no print."""
        tiles = [row for row in self._unlike if self.reader.is_top(row)]
        usual = float(np.median([self._unlike[row] for row in tiles])) if tiles else 0.0
        limit = max(self.tuning.unlike, usual * self.tuning.more_unlike)
        odd = sorted((r for r in tiles if r in rows and self._unlike[r] > limit), key=lambda row: -self._unlike[row])
        doubted = [row for row in odd[:MOST_DOUBTED] if self.reader.worth(row) < self.tuning.beyond_doubt]
        return [row for row in doubted if self._is_hole(image, row)]

    def _is_hole(self, image: Image, row: int) -> bool:
        """Whether the board looks more like it does without the tile of a place; then it is taken away."""
        near, before = self.reader.sharing([row]), self.reader.account
        self._look_again(image, near, None, {row: AGAINST})
        most = self._out[row] - self.tuning.hole
        if self.reader.is_top(row) or self._standing_out(image, row, most) > most:
            self.reader.account = before
            return False
        self.gone.add(row)
        for place in near:
            self._masks.pop(place, None)
        return True

    def weigh_tiles(self, image: Image, rows: Collection[int]) -> None:
        """Decide between kinds of tiles under pieces: the wrong one makes its print look like a piece.

        Shadows do not count: a dark mark that is supposed to lie in one would explain it away.
        """
        tiles = {row: tile for row, tile in self.reader.known.tiles.items() if row in rows}
        doubtful = [row for row, tile in tiles.items() if tile.kinds[tile.kind] < self.tuning.certain]
        clear = self.reader.shares(doubtful, self.bare)
        for row in doubtful:
            tile = tiles[row]
            if clear[row] > 1 - self.tuning.worth_second_look:
                continue
            odds = {}
            for kind, share in tile.kinds.items():
                if share > 1 - self.tuning.certain:
                    self.reader.suppose(row, tile.weighed({kind: 1.0}))
                    odds[kind] = share * math.exp(-self._against(image, row))
            weighed = tile.weighed(odds)
            self.reader.suppose(row, weighed)
            if weighed.kind != tile.kind:
                self.look_for_pieces(image, [row])

    def _against(self, image: Image, row: int) -> float:
        """What speaks against what is supposed to lie on a place, in nats: bodies there, and print that is missing."""
        mosaic = self.mosaics.read(image, self.reader, self.plan.windows[row])
        mine = mosaic.rows[EVERY] == row
        output = self.net.run(self._stack(mosaic))
        print_only = (1 - _covered(output)) * self._unlikeness(mosaic)
        odd = self.tuning.body_sample * chances(output[BODY]) + self.tuning.print_sample * print_only
        return float(odd[mine].sum()) * STRIDE**2

    def _standing_out(self, image: Image, row: int, most: float) -> float:
        """How many samples within a place's sides differ from what is supposed to lie there, whatever makes them.

        Whether more than `most` are pieces or shadows is not looked at.
        """
        box = self.plan.windows[row]
        mosaic = self.mosaics.read(image, self.reader, box)
        mine = np.isin(self.plan.triangle[box][EVERY], self.reader.board.triangles[row])
        unlike = self._unlikeness(mosaic)[mine]
        if (print_only := float(unlike.sum()) * STRIDE**2) > most:
            return print_only
        covered = _covered(self.net.run(self._stack(mosaic)))[mine]
        return float((covered + (1 - covered) * unlike).sum()) * STRIDE**2

    def _unlikeness(self, mosaic: Mosaic) -> Floats:
        """How unlike its print each sample of the output looks, 0 to 1."""
        gap = cv2.absdiff(mosaic.seen[EVERY], mosaic.bare[EVERY]).astype(np.float32)
        unlike: Floats = np.einsum("hwc,hwc->hw", gap, gap)
        unlike /= unlike + np.float32(3 * self.tuning.pixel_cap * (WHITE * self.tuning.noise) ** 2)
        return unlike

    def _stack(self, mosaic: Mosaic, before: tuple[Image, Floats] | None = None) -> Floats:
        return stack(mosaic.seen, mosaic.bare, mosaic.lean, mosaic.rise, self._room, before)

    def look_twice(self, image: Image, rows: Collection[int]) -> None:
        """Where pieces are in doubt look again, also at the mirror images of their places: what wavers evens out."""
        shown = {row: found for row in rows if (found := self._found[row]) is not None}
        spots = {row: self.reader.board.places[row].spot for row in shown}
        odds = piece_odds(spots, [c for found in shown.values() for c in found.candidates])
        doubtful = {cue.spot for cue, labels in odds.items() if max(labels.values()) < self.tuning.plain_pieces}
        for row, found in shown.items():
            if spots[row] in doubtful:
                mosaic = self.mosaics.read(image, self.reader, self.plan.windows[row], self._earlier)
                _, candidates = self._point(mosaic, mirrored=True)
                self._found[row] = replace(found, candidates=tuple(c for c in candidates if c.row == row))

    def _point(self, mosaic: Mosaic, *, mirrored: bool = False) -> tuple[Floats, list[Candidate]]:
        """What the network says of a part of the board, and what may stand there."""
        ask = self.net.run_mirrored if mirrored else self.net.run
        before, trust = None, self.tuning.pieces
        if mosaic.earlier is not None:
            before, trust = (mosaic.earlier, self._marks(mosaic.box)), self.tuning.pieces_again
        output = ask(self._stack(mosaic, before))
        return output, find_pieces(output, mosaic, self.plan, trust)

    def _marks(self, box: Box) -> Floats:
        """Marks where pieces of a part of the board stood."""
        (top, bottom), (left, right) = ((side.start, side.stop) for side in box)
        feet = [(label, *self.plan.sample(at).tolist()) for label, at in self._feet]
        inside = [(label, x - left, y - top) for label, x, y in feet if left <= x < right and top <= y < bottom]
        return mark_feet(inside, (bottom - top, right - left))

    def look_for_pieces(self, image: Image, rows: Sequence[int]) -> None:
        """Find what stands on some places, and which samples it hides; nothing is found where nothing of them shows."""
        self._found.update(dict.fromkeys(rows))
        for box, members in self.plan.boxes(rows, self.reader.known.present):
            mosaic = self.mosaics.read(image, self.reader, box, self._earlier)
            output, candidates = self._point(mosaic)
            hands = hidden_rows(output, mosaic, self.tuning)
            on: dict[int, list[Candidate]] = {row: [] for row in members}
            for candidate in candidates:
                on.get(candidate.row, []).append(candidate)
            self._found.update((row, Found(tuple(here), row in hands)) for row, here in on.items())
            mine = np.isin(mosaic.rows, members, kind="table")
            behind = chances(output[BODY]) + chances(output[HAND])
            for mask, found, least in (
                (self._hidden, behind, self.tuning.covered),
                (self._shaded, behind + chances(output[SHADE]), self.tuning.shaded),
            ):
                whole = cv2.resize((found > least).view(np.uint8), mine.shape[::-1], interpolation=cv2.INTER_NEAREST)
                np.copyto(mask[box], whole, where=mine, casting="unsafe")
            self._compare_with_prints(mosaic, output, members)
            self._count(grown(box, self.plan.shape, 1)[0])

    def _count(self, box: Box) -> None:
        """Find how much the samples of a part of the plan tell."""
        more, inside = grown(box, self.plan.shape, 1)
        # A little more is hidden than bodies cover, since they have soft edges.
        hidden = cv2.dilate(self._hidden[more].view(np.uint8), np.ones((3, 3), np.uint8))[inside]
        self._counts[box] = np.where(self._shaded[box], np.float32(IN_SHADE), np.float32(1)) * (hidden == 0)

    def _compare_with_prints(self, mosaic: Mosaic, output: Floats, rows: Sequence[int]) -> None:
        """Note how unlike its print each of some places looks where nothing covers it, and how much stands out."""
        covered, unlike = _covered(output), self._unlikeness(mosaic)
        whose, bare = mosaic.rows[EVERY].ravel() + 1, (1 - covered).ravel()
        odd = bare * unlike.ravel()
        count = len(self.reader.board.places) + 1
        sums, clear = np.bincount(whose, odd, count)[1:], np.bincount(whose, bare, count)[1:]
        out = np.bincount(whose, odd + covered.ravel(), count)[1:] * STRIDE**2
        shares = sums / np.maximum(clear, 1)
        self._unlike.update((row, float(shares[row])) for row in rows)
        self._out.update((row, float(out[row])) for row in rows)

    def _under(self, rows: Sequence[int]) -> list[int]:
        """Places around some that pieces cover in part: what shows there, and tiles that may be there unnoticed.

        Whatever lies over or under one of them is compared anew with it, so that all leave out the same samples; but
        not what was already compared without exactly these.
        """
        near = self.reader.sharing(rows)
        asked = self.reader.in_question(self.reader.sharing(near))
        bare = self.reader.shares(asked, self.bare)
        much = [r for r in near if bare.get(r, 1) < 1 - self.tuning.worth_second_look]
        around = set(self.reader.sharing(much))
        masks = self._masks_of([r for r in asked if r in around and bare[r] < 1])
        return [row for row, mask in masks.items() if self._masks.get(row) != mask]

    def _masks_of(self, rows: Sequence[int]) -> dict[int, bytes]:
        """By row of some places, how much each of its samples counts."""
        masks = self.bare(self.reader.coarse_board.grid, rows)
        return {row: mask.tobytes() for row, mask in zip(rows, masks, strict=True)}

    def bare(self, grid: Grid, rows: Sequence[int]) -> Floats:
        """How much samples of rasters on some places count."""
        return self._counts.ravel()[self._samples(grid)[rows]]

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
        forgiving = FORGIVING if self._earlier is None else FORGIVING_MORE
        candidates = share_out(apart(c for f in found.values() for c in f.candidates), forgiving)
        hidden = {spots[row] for row, f in found.items() if f.is_hidden}
        odds = piece_odds(spots, candidates)
        doubtful = {cue.spot for cue, labels in odds.items() if max(labels.values()) < self.tuning.sure_pieces}
        pieces: dict[Spot, list[str]] = {}
        for candidate in candidates:
            if candidate.chance > 0.5:
                pieces.setdefault(spots[candidate.row], []).append(candidate.label)
        whole = {**reading.sighting.odds, **odds}
        if hidden:
            whole = {cue: o for cue, o in whole.items() if cue.spot not in hidden}
        return Sight(
            reading,
            tuple(candidates),
            {spot: sorted(labels) for spot, labels in pieces.items()},
            Sighting(whole, frozenset(reading.unsure | hidden)),
            frozenset(doubtful),
        )
