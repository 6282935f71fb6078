"""Start plus actions: replay, undo and redo on a counting game."""

from typing import Any, cast

from engine.game import Game
from engine.history import History, replay, states


class Counting:
    """Each action is a number to add."""

    name = "counting"

    def apply(self, state: int, action: int) -> int:
        return state + action


COUNTING = cast("Game[int, int]", cast(Any, Counting()))


def test_replay_applies_every_action_in_order() -> None:
    history: History[int, int] = History(10).take(1).take(2)
    assert replay(COUNTING, history) == 13
    assert list(states(COUNTING, history.start, history.actions)) == [10, 11, 13]


def test_undo_then_redo_changes_nothing() -> None:
    history: History[int, int] = History(0).take(1).take(2).take(3)
    back = history.undo().undo()
    assert replay(COUNTING, back) == 1
    assert back.redo().redo() == history
    assert history.actions == (1, 2, 3)


def test_undo_at_the_start_and_redo_at_the_end_do_nothing() -> None:
    history: History[int, int] = History(0)
    assert history.undo() is history
    assert history.redo() is history


def test_a_new_action_forgets_what_was_undone() -> None:
    history: History[int, int] = History(0).take(1).take(2).undo().take(5)
    assert history.redo() is history
    assert replay(COUNTING, history) == 6
