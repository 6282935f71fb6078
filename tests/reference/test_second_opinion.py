"""Engine and naive reference agree on thousands of random positions: digs, costs, collapses, allocations, steps."""

from __future__ import annotations

import pytest

from companion.answers import game_of, rules_answer
from engine.games.ice.board import INDEX, SPOTS
from engine.games.ice.position import read_position
from engine.spots import Spot
from tests.reference import ice
from tests.reference.random_positions import random_position

CHUNK = 100


def compare(seed: int) -> None:
    position = random_position(seed)
    state, options = read_position(position)
    game = game_of(options, tuple(seat.guild for seat in state.seats))
    answer = rules_answer(game, state)
    me = position["to_act"]
    assert answer["to_act"] == me
    assert set(answer["digs"]) == set(position["tiles"])
    for spot, dig in answer["digs"].items():
        where = f"seed {seed}, {spot}"
        rules = ice.dig_rules(position, spot)
        assert dig["rules"] == rules, where
        assert dig["legal"] == (not rules), where
        lines = {f"{me} dig {spot}", f"{me} dig {spot} discount"}
        assert bool(lines.intersection(answer["legal"])) == (not rules), where
        assert dig["cost"] == ice.dig_cost(position, spot), where
        assert {tuple(counts) for counts in dig["allocations"]} == ice.allocations(position, spot), where
        if "R-DIG-2" not in rules and "R-DIG-3" not in rules:
            fallen = ice.dig_collapses(position, spot)
            assert sorted(dig["collapses"]) == sorted(fallen), where
            covers = len(ice.covers(position, spot))
            assert dig["collapses"][:covers] == fallen[:covers], where
    start = ice.leader_place(position, me)
    steps = {line.split()[2] for line in answer["legal"] if line.startswith(f"{me} move ")}
    can_walk = start is not None and ice.can_spend(position) >= 1
    assert steps == (ice.walk_targets(position, start) if start and can_walk else set()), f"seed {seed}"


@pytest.mark.parametrize("chunk", range(20))
def test_two_thousand_positions(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20, 220))
def test_twenty_thousand_more_positions(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(seed)


def compare_steps(seed: int) -> None:
    """A leader put on every place in turn: where it may go, and which rule stops it (R-ADJ, R-GEO-9, R-CREV)."""
    from engine.games.ice.travel import why_no_step

    position = random_position(seed)
    state, options = read_position(position)
    game = game_of(options, tuple(seat.guild for seat in state.seats))
    open_places = [spot for spot in ice.PLACES if ice.is_place(position, spot)]
    for start in open_places:
        for goal in ice.PLACES:
            if goal == start:
                continue
            violation = why_no_step(game.box, state, INDEX[Spot(start)], INDEX[Spot(goal)])
            expected = ice.walk_rule(position, start, goal)
            where = f"seed {seed}, {start} to {goal}"
            assert (violation is None) == (expected is None), where
            if violation is not None and violation.rule != "R-MOVE-1":  # R-MOVE-1: no tile lies there any more
                assert violation.rule == expected, where


@pytest.mark.parametrize("chunk", range(6))
def test_steps_between_all_places(chunk: int) -> None:
    for seed in range(100_000 + chunk, 100_060 + chunk, 10):
        compare_steps(seed)


def test_all_spots_are_known_to_both() -> None:
    assert sorted(SPOTS) == sorted(ice.PLACES)
