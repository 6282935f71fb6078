"""Which sides of which tiles can be seen, and what single changes cost: against a plain count."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from companion.picture_sets import table_layout
from vision.occupancy import EVERY_SIDE, SIDES, Explanation, Stacks, explain
from vision.patches import Board
from vision.rectify import Grid
from vision.tuning import Tuning


@pytest.fixture(scope="module")
def stacks() -> Stacks:
    tuning = Tuning()
    return Stacks(Board(table_layout(), Grid(tuning.coarse_side, tuning.coarse_step_mm)))


def dug(stacks: Stacks, rng: np.random.Generator, count: int) -> Explanation:
    """A board from which some tiles were taken, topmost first, with costs at random."""
    costs = {row: rng.uniform(0, 8, (6, 10)).astype(np.float32) for row in range(len(stacks.board.places))}
    found = Explanation(stacks, costs)
    for _ in range(count):
        free = [r for r in range(stacks.board.tile_count) if found.present[r] and found.is_uncovered(r)]
        found.flip(int(rng.choice(free)))
    return found


def total(found: Explanation) -> float:
    """The cost of the whole picture."""
    return sum(found.cost(row, sides) for row, sides in enumerate(found.visible))


@pytest.mark.parametrize("seed", range(3))
def test_what_shows_is_the_topmost_tile_of_every_triangle(stacks: Stacks, seed: int) -> None:
    found = dug(stacks, np.random.default_rng(seed), 40)
    count = stacks.board.tile_count
    plain: dict[int, set[int]] = {}
    for column in stacks.columns.values():
        row, side = next((e for e in column if e[0] >= count or found.present[e[0]]), column[-1])
        plain.setdefault(row, set()).add(side)
    assert {row: set(SIDES[sides]) for row, sides in enumerate(found.visible) if sides} == plain
    assert found.visible == stacks.visible(found.present)


@pytest.mark.parametrize("seed", range(3))
def test_taking_a_tile_saves_what_the_whole_picture_says(stacks: Stacks, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = dug(stacks, rng, 30)
    for row in range(stacks.board.tile_count):
        if found.present[row] and found.is_uncovered(row) and found.visible[row] == EVERY_SIDE:
            gain, before, kept = found.gain_of_removal(row), total(found), list(found.present)
            found.flip(row)
            assert before - total(found) == pytest.approx(gain, abs=1e-3)
            assert found.is_cheaper_than(Explanation(stacks, found.costs, kept)) == (gain > 0)
            found.flip(row)


def test_sums_are_kept_only_for_places_whose_costs_are_the_same(stacks: Stacks) -> None:
    rng = np.random.default_rng(5)
    before = dug(stacks, rng, 10)
    total(before)
    changed = {**before.costs, 3: rng.uniform(0, 8, (6, 10)).astype(np.float32)}
    after = Explanation(stacks, changed, before.present, before)
    fresh = Explanation(stacks, changed, before.present)
    assert total(after) == pytest.approx(total(fresh))


def test_layers_that_are_gone_together_are_taken_away_together(stacks: Stacks) -> None:
    board, count = stacks.board, stacks.board.tile_count
    surface = next(r for r in range(count) if board.places[r].layer == "surface" and len(board.covers[r]) == 3)
    gone = {surface, *board.covers[surface]}
    # What is gone fits badly; the tile under the others so badly that each of them seems better than what it hides.
    bad = dict.fromkeys(gone, 2.0) | {surface: 8.0}
    costs = {row: np.full((6, 1), bad.get(row, 0.0), np.float32) for row in range(len(board.places))}
    found = explain(stacks, costs, start=[True] * count, only=range(count))
    assert {row for row in range(count) if not found.present[row]} == gone


def plain_costs(stacks: Stacks, dear: dict[int, float]) -> dict[int, npt.NDArray[np.float32]]:
    """Every side of every place costs nothing, but for some."""
    return {row: np.full((6, 1), dear.get(row, 0.0), np.float32) for row in range(len(stacks.board.places))}


def test_a_tile_returns_with_what_carries_it(stacks: Stacks) -> None:
    """What shows of a carrier looks like none, since a piece hides it; but the tile on it is well seen."""
    board, count = stacks.board, stacks.board.tile_count
    snow = next(r for r in range(count) if board.places[r].layer == "snow" and max(board.below[r]) < count)
    carrier = min(board.below[snow])
    usual = dict.fromkeys(range(len(board.places)), 3.0)
    dug_too_deep = [row not in (snow, carrier, *(c for c in board.covers[carrier])) for row in range(count)]
    costs = plain_costs(stacks, usual | {carrier: 4.0, snow: 1.0})
    assert explain(stacks, costs, start=dug_too_deep).present[snow]


def test_a_tile_goes_with_what_it_lay_on(stacks: Stacks) -> None:
    board, count = stacks.board, stacks.board.tile_count
    carrier = next(r for r in range(count) if board.places[r].layer == "surface" and len(board.covers[r]) == 3)
    last, *gone = board.covers[carrier]
    present = [row not in gone for row in range(count)]
    costs = plain_costs(stacks, {last: 1.0, carrier: 8.0, **dict.fromkeys(gone, 8.0)})
    found = explain(stacks, costs, start=present)
    assert not found.present[last]
    assert not found.present[carrier]


@pytest.mark.parametrize("seed", range(3))
def test_looking_for_a_cheaper_account_never_ends_with_a_dearer_one(stacks: Stacks, seed: int) -> None:
    start = dug(stacks, np.random.default_rng(seed), 30)
    assert explain(stacks, start.costs, start=start.present).total <= start.total == pytest.approx(total(start))
