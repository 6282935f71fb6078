"""What is believed of one game, and the one way to change it: an event is on disk before it is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.journal import ActionKept, ActionTaken, Corrected, Event, Redone, Step, Undone
from engine.explain import Watched

S = TypeVar("S")
A = TypeVar("A")


@dataclass(slots=True)
class Belief(Generic[S, A]):
    """All states from the start to now, with the steps between them."""

    game: Watched[S, A]
    start: S
    write: Callable[[Event], None]
    """Puts an event on disk; raises if it cannot."""
    read_position: Callable[[Mapping[str, Any]], S]
    states: list[S] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states = [self.start]

    @property
    def state(self) -> S:
        """The belief."""
        return self.states[-1]

    def _take(self, action: A) -> None:
        self._write(ActionTaken(self.game.format(action)))

    def _write(self, event: Event) -> None:
        """Disk first, then memory."""
        self.write(event)
        self.replay(event)

    def replay(self, event: Event) -> None:
        """Change the belief by an event that is on disk."""
        if isinstance(event, Undone):
            if self.steps:
                self.undone.append(self.steps.pop())
                self.states.pop()
        elif isinstance(event, Redone):
            if self.undone:
                self._stand(self.undone.pop())
        elif isinstance(event, ActionTaken | ActionKept | Corrected):
            self.undone.clear()
            self._stand(event)

    def _stand(self, step: Step) -> None:
        if isinstance(step, Corrected):
            state = self.read_position(step.position)
        else:
            state = self.game.apply(self.state, self.game.parse(step.line))
        self.steps.append(step)
        self.states.append(state)

    # ------------------------------------------------------------------ what would follow

    def _default(self, state: S) -> A | None:
        """The answer that goes without saying."""
        waiting = self.game.pending(state)
        return waiting.default if waiting is not None else None

    def _after(self, state: S, actions: Iterable[A]) -> S:
        for action in actions:
            state = self.game.apply(state, action)
        return state

    def _all_legal(self, state: S, actions: list[A]) -> bool:
        for action in actions:
            if self.game.why_illegal(state, action) is not None:
                return False
            state = self.game.apply(state, action)
        return True
