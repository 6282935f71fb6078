"""State, options and actions are plain immutable values."""

import dataclasses

import pytest

from engine.game import TABLE
from engine.games.ice import actions, state
from engine.games.ice.options import DECISIONS, Options


def bare(**changes: object) -> state.State:
    empty = state.State(
        tiles=state.NO_TILES,
        turns=state.NO_TURNS,
        present=0,
        archaeologists=state.NO_ARCHAEOLOGISTS,
        leaders=(-1, -1),
        camps=(-1, -1),
        neutral_camps=(),
        seats=(state.Seat("navigators"), state.Seat("nurturers", tended=2)),
    )
    return dataclasses.replace(empty, **changes)  # type: ignore[arg-type]


def test_states_and_actions_are_hashable_and_frozen() -> None:
    assert hash(bare()) == hash(bare())
    with pytest.raises(dataclasses.FrozenInstanceError):
        bare().day = 2  # type: ignore[misc]
    assert actions.Recruit(0, 3) != actions.Sail(0, 3)


def test_r_cmp_6_the_supply_is_what_is_neither_on_the_board_nor_with_the_nurturers() -> None:
    counts = bytearray(state.NO_ARCHAEOLOGISTS)
    counts[5] = 3
    assert state.supply(bare(archaeologists=bytes(counts))) == 45 - 3 - 2


def test_the_actor_is_the_first_question_then_the_phase() -> None:
    assert bare(active=1).actor == 1
    assert bare(phase=state.SUNRISE).actor == TABLE
    assert bare(phase=state.OVER).actor is None
    assert bare(asked=(state.Question("reveal", TABLE),)).actor == TABLE


def test_every_decision_is_a_named_option() -> None:
    names = {field.name for field in dataclasses.fields(Options)}
    assert {name for group in DECISIONS.values() for name in group} <= names
    with pytest.raises(ValueError, match="1 to 5 players"):
        Options(players=6)


def test_every_action_class_is_listed() -> None:
    classes = {
        kind
        for kind in vars(actions).values()
        if isinstance(kind, type) and issubclass(kind, actions.Action) and kind is not actions.Action
    }
    assert classes == set(actions.ACTIONS)
