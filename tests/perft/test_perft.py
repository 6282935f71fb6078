"""Recorded counts of legal sequences; a part is confirmed by the definition of legality instead of the fast lists."""

from __future__ import annotations

import pytest

from companion.answers import game_of
from engine.game import checked_legal_actions, perft
from engine.games.ice import Ice
from engine.games.ice.position import read_position
from engine.games.ice.state import State
from tests.perft.positions import SHALLOW, recorded

POSITIONS, COUNTS = recorded()
CONFIRMED = 1500
"""Counts up to this are also found by the definition."""


def situation(name: str) -> tuple[Ice, State]:
    state, options = read_position(POSITIONS[name])
    return game_of(options, tuple(seat.guild for seat in state.seats)), state


def checked_perft(game: Ice, state: State, depth: int) -> int:
    """Perft by the definition alone."""
    if depth == 0:
        return 1
    return sum(checked_perft(game, game.apply(state, x), depth - 1) for x in checked_legal_actions(game, state))


@pytest.mark.parametrize(("name", "depth", "count"), [row for row in COUNTS if row[2] <= SHALLOW])
def test_shallow_counts(name: str, depth: int, count: int) -> None:
    assert perft(*situation(name), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "count"), [row for row in COUNTS if row[2] > SHALLOW])
def test_deep_counts(name: str, depth: int, count: int) -> None:
    assert perft(*situation(name), depth) == count


@pytest.mark.parametrize(("name", "depth", "count"), [row for row in COUNTS if row[2] <= CONFIRMED])
def test_counts_by_the_definition(name: str, depth: int, count: int) -> None:
    assert checked_perft(*situation(name), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "count"), [row for row in COUNTS if CONFIRMED < row[2] <= SHALLOW])
def test_more_counts_by_the_definition(name: str, depth: int, count: int) -> None:
    assert checked_perft(*situation(name), depth) == count


def test_every_position_has_counts_up_to_depth_two() -> None:
    assert {(name, depth) for name, depth, _ in COUNTS} >= {(name, depth) for name in POSITIONS for depth in (1, 2)}
