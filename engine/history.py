"""A game so far: its start and the actions since, with undo and redo; every change gives a new value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engine.game import Game

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class History(Generic[S, A]):
    """Where the game began, what happened since, and what was taken back and may come again."""

    start: S
    actions: tuple[A, ...] = ()
    undone: tuple[A, ...] = ()
    """Actions taken back, the one to redo first at the end."""

    def take(self, action: A) -> History[S, A]:
        """The history with one more action; what was undone is forgotten."""
        return replace(self, actions=(*self.actions, action), undone=())

    def undo(self) -> History[S, A]:
        """The history without its last action; unchanged when there is none."""
        if not self.actions:
            return self
        return replace(self, actions=self.actions[:-1], undone=(*self.undone, self.actions[-1]))

    def redo(self) -> History[S, A]:
        """The history with the last undone action again; unchanged when there is none."""
        if not self.undone:
            return self
        return replace(self, actions=(*self.actions, self.undone[-1]), undone=self.undone[:-1])


def states(game: Game[S, A], start: S, actions: Iterable[A]) -> Iterator[S]:
    """The start and the state after each action; legality is not asked, as the table may have insisted."""
    state = start
    yield state
    for action in actions:
        state = game.apply(state, action)
        yield state


def replay(game: Game[S, A], history: History[S, Any]) -> S:
    """The state that the history leads to."""
    state = history.start
    for action in history.actions:
        state = game.apply(state, action)
    return state
