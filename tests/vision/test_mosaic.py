"""The plan of the board: boxes that are looked at together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.vision.drawn import LAYOUT
from vision.mosaic import BOX_STEP, Box, Plan
from vision.patches import Board
from vision.rectify import Grid

PLAN = Plan(Board(LAYOUT, Grid(8, 4.0)))
BARE = [False] * len(PLAN.board.places)


def holds(outer: Box, inner: Box) -> bool:
    return all(o.start <= i.start and i.stop <= o.stop for o, i in zip(outer, inner, strict=True))


def apart(one: Box, other: Box) -> bool:
    return any(a.stop <= b.start or b.stop <= a.start for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("seed", range(8))
def test_boxes_hold_their_places_and_do_not_overlap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(PLAN.board.places), int(rng.integers(1, 12)), replace=False).tolist()
    present = (rng.uniform(size=len(PLAN.board.places)) < 0.5).tolist()
    shown = set(PLAN.rows_shown(present, PLAN.whole).ravel().tolist())
    groups = PLAN.boxes(rows, present)
    assert sorted(row for _, members in groups for row in members) == sorted(set(rows) & shown)
    for box, members in groups:
        assert all(holds(box, PLAN.windows[row]) for row in members)
        assert all(side.stop - side.start > 0 and (side.stop - side.start) % BOX_STEP == 0 for side in box)
        assert holds(PLAN.whole, box)
    assert all(apart(one, other) for (one, _), (other, _) in combinations(groups, 2))


def test_the_whole_board_is_one_box() -> None:
    every = range(len(PLAN.board.places))
    bare = [row for row in every if row >= PLAN.board.tile_count]
    assert PLAN.boxes(every, BARE) == [(PLAN.whole, bare)]


def test_far_places_are_looked_at_apart() -> None:
    ground = range(PLAN.board.tile_count, len(PLAN.board.places))
    left = min(ground, key=lambda r: PLAN.board.places[r].centre_mm[0])
    right = max(ground, key=lambda r: PLAN.board.places[r].centre_mm[0])
    assert len(PLAN.boxes([left, right], BARE)) == 2
