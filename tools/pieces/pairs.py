"""Boards before and after somebody's hands were there: what the network learns from that sees both.

`python -m tools.pieces.pairs OUT [--first SEED] [--copies N]` writes windows around what was done, each with both
looks, where the pieces stand now, and where they stood.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.picture_sets import some_hand, some_light
from engine.spots import Layout, Spot
from tools.pieces.boards import Copy, Feet, crowded, feet_of, make_copy, mask_of, packed, write_copy
from vision.locate import NotLocated
from vision.looks.ice.deals import deal_tiles, dig, scatter
from vision.looks.placing import arrange, put_pieces
from vision.looks.scene import Piece, Tile
from vision.mosaic import Plan
from vision.render import Renderer, Scene

TABLES_PER_COPY, MOMENTS = 8, 6
WINDOW = 128
"""Side of what is kept of a board, in samples."""
WINDOWS = 3
NEAR_MM = 110.0
MOST = 8
"""No more pieces stand on one place."""
SAME_MM = 0.01


@dataclass
class Table:
    """What lies and stands where, and hands that change it without any rule."""

    layout: Layout
    renderer: Renderer
    rng: np.random.Generator
    tiles: dict[Spot, Tile]
    pieces: dict[Spot, tuple[Piece, ...]] = field(default_factory=dict)

    def stir(self) -> None:
        """One gesture of somebody's hands, or a few."""
        for _ in range(int(self.rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
            gestures: list[Callable[[], None]] = [self.move, self.come, self.go, self.dig, self.jostle]
            gestures[int(self.rng.choice(len(gestures), p=[0.4, 0.22, 0.1, 0.2, 0.08]))]()

    def open_spots(self) -> list[Spot]:
        """Where a piece can stand."""
        places = self.layout.places
        return [
            spot
            for spot, place in places.items()
            if (spot in self.tiles or not place.takes_tile)
            and not (place.covers and all(cover in self.tiles for cover in place.covers))
            and len(self.pieces.get(spot, ())) < MOST
        ]

    def move(self) -> None:
        """Some pieces go to another place, mostly a near one."""
        start = self._some_spot(self.pieces)
        if start is None:
            return
        taken = [p for p in self.pieces[start] if self.rng.random() < 0.6] or [self.pieces[start][0]]
        centre = self.layout.places[start].centre_mm
        spots = [spot for spot in self.open_spots() if spot != start]
        near = [spot for spot in spots if math.dist(self.layout.places[spot].centre_mm, centre) < NEAR_MM]
        end = self._some_spot(near if near and self.rng.random() < 0.75 else spots)
        self._take(start, taken)
        if end is not None:
            self._stand(end, [p.label for p in taken])

    def come(self) -> None:
        """Pieces come from beside the board, mostly where others stand."""
        kinds = ["archaeologist", "leader", "camp"]
        kind = str(self.rng.choice(kinds, p=[0.6, 0.25, 0.15]))
        colours = ["blue", "red", "green", "yellow", "purple", *(["white"] if kind == "camp" else [])]
        label = kind if kind == "archaeologist" else f"{kind}.{self.rng.choice(colours)}"
        count = int(self.rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1])) if kind == "archaeologist" else 1
        spots = self.open_spots()
        busy = [spot for spot in spots if spot in self.pieces]
        end = self._some_spot(busy if busy and self.rng.random() < 0.65 else spots)
        if end is not None:
            self._stand(end, [label] * count)

    def go(self) -> None:
        """Pieces are taken off the board."""
        start = self._some_spot(self.pieces)
        if start is not None:
            gone = [p for p in self.pieces[start] if self.rng.random() < 0.5] or [self.pieces[start][-1]]
            self._take(start, gone)

    def dig(self) -> None:
        """A tile is taken away; what stood on it falls, or goes too."""
        tops = [s for s in self.tiles if not any(c in self.tiles for c in self.layout.places[s].covers)]
        near = [s for s in tops if any(self._is_beside(s, other) for other in self.pieces)]
        spot = self._some_spot(near if near and self.rng.random() < 0.8 else tops)
        if spot is None:
            return
        fallen = self.pieces.pop(spot, ())
        del self.tiles[spot]
        below = [s for s in self.open_spots() if s in self.layout.places[spot].rests_on]
        for piece in fallen:
            end = self._some_spot(below) if self.rng.random() < 0.85 else None
            if end is not None:
                self._stand(end, [piece.label])

    def jostle(self) -> None:
        """Pieces are touched, turned and shifted a little."""
        spot = self._some_spot(self.pieces)
        if spot is not None:
            self.pieces[spot] = tuple(self._nudged(p) if self.rng.random() < 0.6 else p for p in self.pieces[spot])

    def _nudged(self, piece: Piece) -> Piece:
        x, y = np.add(piece.shift_mm, self.rng.normal(0, 1.2, 2)).tolist()
        return replace(piece, shift_mm=(x, y), turn_deg=float(self.rng.uniform(0, 360)))

    def _is_beside(self, spot: Spot, other: Spot) -> bool:
        places = self.layout.places
        return math.dist(places[spot].centre_mm, places[other].centre_mm) < NEAR_MM / 2

    def _some_spot(self, spots: Any) -> Spot | None:
        among = list(spots)
        return among[int(self.rng.integers(len(among)))] if among else None

    def _take(self, spot: Spot, gone: list[Piece]) -> None:
        left = tuple(p for p in self.pieces[spot] if p not in gone)
        self.pieces[spot] = left
        if not left:
            del self.pieces[spot]

    def _stand(self, spot: Spot, labels: list[str]) -> None:
        here, place = self.pieces.get(spot, ()), self.layout.places[spot]
        labels = labels[: MOST - len(here)]
        if labels:
            new = put_pieces(labels, place, self.layout, self.tiles, self.renderer.make, self.rng, here)
            self.pieces[spot] = (*here, *new)


def windows_of(seed: int) -> Iterator[dict[str, Any]]:
    """Windows of boards of one copy of the game, before and after."""
    rng = np.random.default_rng([seed, 101])
    copy = make_copy(seed, rng)
    for number in range(TABLES_PER_COPY):
        try:
            yield from _table_windows(copy, number, rng)
        except NotLocated as problem:
            print(f"copy {seed}, table {number}: {problem}", file=sys.stderr)


def _table_windows(copy: Copy, number: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    renderer, layout = copy.camera(number, rng, worst=1.1), copy.layout
    tiles = dig(layout, deal_tiles(layout, rng), int(rng.integers(3, 50)), rng)
    pieces = scatter(layout, tiles, rng)
    if rng.random() < 0.5:
        pieces = crowded(layout, tiles, pieces, rng)
    mark = copy.seed * 100 + number
    laid, stood = arrange(layout, tiles, pieces, renderer.condition, renderer.make, mark, copy.art.prints)
    table = Table(layout, renderer, rng, laid, stood)
    before: tuple[NDArray[np.uint8], Scene] | None = None
    for moment in range(MOMENTS):
        scene = Scene(dict(table.tiles), dict(table.pieces))
        deal = {spot: (tile.kind, tile.rotation) for spot, tile in table.tiles.items()}
        shown = scene
        if rng.random() < 0.15:
            shown = replace(shown, leds=some_light(layout, deal, rng))
        image = renderer.picture(shown, moment)
        if before is not None:
            now, seen = shown, image
            if rng.random() < 0.1:
                now = replace(shown, hands=(some_hand(layout, deal, rng),))
                seen = renderer.picture(now, MOMENTS)
            yield from _windows(copy, renderer, before, (seen, now), rng)
            yield from _windows(copy, renderer, (image, scene), before, rng)
        before = (image, scene)
        table.stir()


def _windows(
    copy: Copy,
    renderer: Renderer,
    before: tuple[NDArray[np.uint8], Scene],
    now: tuple[NDArray[np.uint8], Scene],
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Windows of one board, around what was done and elsewhere."""
    image, scene = now
    copy.reader.read(image)
    mosaic = copy.mosaics.read(image, copy.reader, earlier=before[0])
    plan = copy.mosaics.plan
    feet, stood = feet_of(copy.layout, scene.pieces), feet_of(copy.layout, before[1].pieces)
    board = packed(plan, mosaic, mask_of(renderer, scene, copy, mosaic), feet)
    board["earlier"] = mosaic.earlier
    known = _on_plan(plan, stood)
    changed = np.concatenate([_not_among(feet, stood, plan), _not_among(stood, feet, plan)])
    for number in range(WINDOWS):
        if number and len(board["where"]) and rng.random() < 0.6:
            x, y = board["where"][int(rng.integers(len(board["where"])))]
        elif len(changed) and rng.random() < 0.95:
            x, y = changed[int(rng.integers(len(changed)))]
        else:
            x, y = rng.uniform((0, 0), plan.shape[::-1])
        yield _window(board, known, [label for label, _ in stood], (float(x), float(y)), changed, rng)


def _window(
    board: dict[str, Any],
    known: NDArray[np.float32],
    names: list[str],
    at: tuple[float, float],
    changed: NDArray[np.float32],
    rng: np.random.Generator,
) -> dict[str, Any]:
    high, wide = board["rise"].shape
    x, y = np.add(at, rng.uniform(-30, 30, 2)).tolist()
    left, top = int(np.clip(x - WINDOW / 2, 0, wide - WINDOW)), int(np.clip(y - WINDOW / 2, 0, high - WINDOW))
    part = (slice(top, top + WINDOW), slice(left, left + WINDOW))
    made = {
        name: np.ascontiguousarray(board[name][part])
        for name in ("seen", "bare", "earlier", "rise", "lean", "mask", "inside")
    }
    mine, others = (_within(points, left, top) for points in (board["where"], known))
    made |= {"where": board["where"][mine] - (left, top), "labels": board["labels"][mine]}
    made |= {"known": known[others] - (left, top), "names": np.array(names)[others]}
    made["changed"] = changed[_within(changed, left, top)] - (left, top)
    return {name: value.astype(np.float32) if value.dtype == np.float64 else value for name, value in made.items()}


def _within(points: NDArray[np.float32], left: int, top: int) -> NDArray[np.bool_]:
    near = points - (left, top)
    return np.asarray(((near > -8) & (near < WINDOW + 8)).all(axis=1))


def _on_plan(plan: Plan, feet: Feet) -> NDArray[np.float32]:
    return np.array([plan.sample(point) for _, point in feet], np.float32).reshape(-1, 2)


def _not_among(feet: Feet, others: Feet, plan: Plan) -> NDArray[np.float32]:
    """Where those of some pieces stand that are not among others."""
    new = [
        (label, at)
        for label, at in feet
        if not any(label == name and np.abs(np.subtract(at, place)).max() < SAME_MM for name, place in others)
    ]
    return _on_plan(plan, new)


def main() -> None:
    """Write the windows of some copies into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=2000)
    parser.add_argument("--copies", type=int, default=20)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for seed in range(args.first, args.first + args.copies):
        write_copy(args.out, str(seed), windows_of(seed))


if __name__ == "__main__":
    main()
