"""What every game offers, and what can be derived from it alone: legal actions, checked play, perft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from engine.lights import Light
from engine.spots import Cue, Label, Layout, Spot

Actor = int
"""A seat number, or `TABLE` for what nobody chose: a revealed tile, a drawn card."""

TABLE: Actor = -1

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class RuleViolation:
    """Why an action is not allowed: a rule id of the game's specification, where, and facts for the sentence."""

    rule: str
    reason: str = ""
    """Key of the sentence in the game's catalogue; a rule can be broken in several ways."""
    spots: tuple[Spot, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.rule, self.reason, self.spots))


@dataclass(frozen=True, slots=True)
class Warned:
    """A doubt worth telling: the verdict rests on a stand-in or on something nobody has said."""

    rule: str
    reason: str = ""
    spots: tuple[Spot, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.rule, self.reason, self.spots))


class IllegalAction(ValueError):
    """An action was played the checked way although a rule forbids it."""

    def __init__(self, violation: RuleViolation) -> None:
        super().__init__(f"{violation.rule} forbids this: {dict(violation.facts)}")
        self.violation = violation


class Game(Protocol[S, A]):
    """A game with its options; every method is a pure function of its arguments."""

    name: str

    def to_act(self, state: S) -> Actor | None:
        """Who acts next; None when the game is over."""

    def plausible_actions(self, state: S) -> Iterable[A]:
        """What hands could do, legal or not; contains every legal action."""

    def why_illegal(self, state: S, action: A) -> RuleViolation | None:
        """The first rule that forbids the action, or None. Never raises."""

    def warnings(self, state: S, action: A) -> tuple[Warned, ...]:
        """Doubts about a legal action that rest on stand-ins or unknowns."""

    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Exactly the plausible actions without a violation, possibly found faster."""

    def apply(self, state: S, action: A) -> S:
        """The next state; does not ask about legality."""

    def touched(self, state: S, action: A) -> frozenset[Spot]:
        """Spots whose look the action may change."""

    def visible(self, state: S) -> Mapping[Cue, Label]:
        """What an ideal camera would read."""

    def layout(self) -> Layout:
        """Where everything lies."""

    def lights(self, state: S, focus: Spot | Cue | None = None) -> Mapping[Spot, Light]:
        """Role and strength per spot for the player to act."""

    def format(self, action: A) -> str:
        """One line of text."""

    def parse(self, line: str) -> A:
        """The action of a line; ValueError names what is wrong."""


def checked_legal_actions(game: Game[S, A], state: S) -> tuple[A, ...]:
    """The definition of legality that any faster generator must equal."""
    return tuple(a for a in game.plausible_actions(state) if game.why_illegal(state, a) is None)


def play(game: Game[S, A], state: S, action: A) -> S:
    """Apply an action the checked way."""
    violation = game.why_illegal(state, action)
    if violation is not None:
        raise IllegalAction(violation)
    return game.apply(state, action)


def perft(game: Game[S, A], state: S, depth: int) -> int:
    """The number of legal action sequences of the given length."""
    if depth == 0:
        return 1
    actions = game.legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(game, game.apply(state, action), depth - 1) for action in actions)
