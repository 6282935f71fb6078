"""What the last steps may have been instead, now that more has been seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.belief import A, S
from companion.comparison import Comparison
from companion.journal import ActionTaken
from engine.explain import Ambiguous, Explained, Forbidden, Reading, explain
from engine.sighting import Sighting

MOST_REVISED = 6
"""How many steps back a new picture may change the understanding of what was done."""
MOST_OPTIONS = 8


@dataclass(slots=True)
class Hindsight(Comparison[S, A]):
    """A belief whose last steps may be understood anew."""

    end_turn_pressed: bool = True
    _denied: frozenset[S] = frozenset()
    """What the players said they have not done; it is not asked again."""

    def _explain(self, state: S, sighting: Sighting, only_upto: float | None = None) -> Any:
        pressed = self.end_turn_pressed
        return explain(
            self.game,
            state,
            sighting,
            self.weights,
            lambda action: pressed and self.game.ends_turn(action),
            self._denied,
            only_upto,
        )

    def _steps_back(self, *, past_ends: bool = False) -> Iterator[int]:
        """How far back the eye may understand steps anew, 1, 2, …: to the start of the turn, or past it."""
        for back in range(1, min(MOST_REVISED, len(self.steps)) + 1):
            step = self.steps[-back]
            if not isinstance(step, ActionTaken):
                return
            if not past_ends and self.game.ends_turn(self.game.parse(step.line)):
                return
            yield back

    def _made(self, back: int) -> list[A]:
        """The last steps, as actions."""
        return [self.game.parse(step.line) for step in self.steps[-back:] if isinstance(step, ActionTaken)]

    def _was_said(self, back: int) -> bool:
        """Whether a step is something that nobody saw and that does not go without saying: it stands."""
        step, before = self.steps[-back], self.states[-1 - back]
        if not isinstance(step, ActionTaken) or self.game.changed(before, self.states[-back]):
            return False
        action = self.game.parse(step.line)
        return action != self._default(before) and not self.game.ends_turn(action)

    def _alike(self, before: S, taken: A) -> Iterator[list[A]]:
        """What leaves the same board as an action: a turn that had ended unseen, or another action."""
        end = None if self.end_turn_pressed else self.game.end_turn(before)
        if end is not None:
            yield [end, taken]
        after = self.game.apply(before, taken)
        for other in self.game.legal_actions(before):
            if other != taken and not self.game.changed(self.game.apply(before, other), after):
                yield [other]

    def _ways_to_play_on(self, sighting: Sighting) -> tuple[Reading[S, A], ...]:
        """Readings of a board that looks as before, if it may as well have come about by going on.

        That is not asked of everybody who takes something back: only where no button ends a turn and nobody else is
        left to act, so that a new turn may have begun unseen.
        """
        end = self.game.end_turn(self.state)
        if self.end_turn_pressed or end is None or self.game.why_illegal(self.state, end) is not None:
            return ()
        state = self.game.apply(self.state, end)
        while (default := self._default(state)) is not None:
            state = self.game.apply(state, default)
        if self.game.to_act(state) != self.game.to_act(self.state):
            return ()
        return tuple(readings_of(self._explain(self.state, sighting, self.weights.usual)))[: MOST_OPTIONS - 1]


def readings_of(found: Any) -> Iterable[Reading[Any, Any]]:
    """The readings that would be taken, asked about or refused."""
    if isinstance(found, Explained | Forbidden):
        return (found.reading,)
    return found.readings if isinstance(found, Ambiguous) else ()


def after_all(made: Iterable[A], found: Explained[S, A] | Ambiguous[S, A]) -> Explained[S, A] | Ambiguous[S, A]:
    """The same account, told from before some actions."""
    told = tuple(replace(reading, actions=(*made, *reading.actions)) for reading in readings_of(found))
    return Explained(told[0]) if isinstance(found, Explained) else Ambiguous(told)
