"""Pretend players of I C E: they know the truth, choose random legal play, and say what no camera can see.

A gesture is what hands do between two looks of the camera: a move, or a whole dig with its allocation.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.game import RuleViolation
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import CENTRAL, DEEP, SNOW, SURFACE
from engine.games.ice.cards import TYPES, UNKNOWN, Artifact
from engine.games.ice.following import ODD, PLAIN, USUAL, shape_matters
from engine.games.ice.position_board import NEUTRAL_CAMPS
from engine.games.ice.state import EXPLORATION, FIRST_TYPE, KIND, OVER, PRISMATIC_KIND, SUNSET, State, supply

Action = a.Action

EAGER: Final[dict[type[Action], float]] = {a.Move: 4.0, a.Excavate: 12.0, a.BuildCamp: 2.0}
"""How much more often some actions are chosen than others, so that games dig deep."""
SHOWN: Final = (
    a.BuildCamp, a.Recruit, a.Sail, a.Move, a.FluidMove, a.Excavate, a.Reveal, a.Allocate, a.PlaceCamp, a.UseHarmony,
    a.UseExalted, a.UseObliteration, a.PlaySmilodon, a.PlaySpiders, a.PlayManta, a.PlaySailship, a.PlayWhistle,
    a.PlayRune, a.Recall, a.Nurture,
)  # fmt: skip
"""What the board itself shows (§21), so that nobody needs to say it; the rest is said."""


CLEARLY: Final = 0.1
"""By how much less effort an action takes than another that looks the same, so that it would be understood instead."""


def shuffled_tiles(rng: random.Random) -> tuple[bytes, bytes]:
    """A full board and the rotation of every tile (R-SET-1 to R-SET-3)."""
    snow = ["tunnel"] * 12 + ["empty"] * 12 + ["crevasse"] * 12 + ["nunatak"] * 11
    rng.shuffle(snow)
    snow.insert(rng.choice(CENTRAL), "campsite")
    surface = [kind for kind in TYPES for _ in range(6)] + ["prismatic"] * 7
    deep = [kind for kind in TYPES for _ in range(5)] + ["prismatic"] * 2
    rng.shuffle(surface)
    rng.shuffle(deep)
    assert (len(snow), len(surface), len(deep)) == (len(SNOW), len(SURFACE), len(DEEP))
    kinds = bytes(KIND[kind] for kind in snow + surface + deep)
    return kinds, bytes(rng.randrange(6) for _ in kinds)


@dataclass(frozen=True, slots=True)
class Gesture:
    """Actions made in one go, and the truth afterwards."""

    actions: tuple[Action, ...]
    before: State
    after: State
    is_visible: bool
    misleads: bool = False
    """The board alone would be understood in a plainer way, so the players say what they do."""

    @property
    def said_first(self) -> tuple[Action, ...]:
        """The part that the players say before they show the rest: everything up to the last thing nobody can see."""
        unseen = [i for i, action in enumerate(self.actions) if _is_said(action)]
        if not self.is_visible or self.misleads:
            return self.actions
        return self.actions[: unseen[-1] + 1] if unseen else ()

    @property
    def ends_turn(self) -> bool:
        """Whether it is only the end of a turn or Sunset."""
        return isinstance(self.actions[0], a.EndTurn | a.EndSunset)


def _is_said(action: Action) -> bool:
    return not isinstance(action, SHOWN) or bool(getattr(action, "termites", 0) or getattr(action, "talisman", False))


@dataclass(slots=True)
class PretendPlayers:
    """Everybody at the table, with one mind and one die."""

    game: Ice
    rng: random.Random
    truth: State
    end_turn_pressed: bool = True
    """Whether the end of a turn is told by a button, so that nobody takes an action for the next player's."""
    turn: list[tuple[object, ...]] = field(default_factory=list)
    """What the board looked like at the start of this turn and after each gesture in it."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.to_act(self.truth) is None

    def gesture(self) -> Gesture:
        """Play until the board is in order again."""
        before, made = self.truth, []
        while True:
            action = self.choose(self.truth)
            made.append(action)
            self.truth = self.game.apply(self.truth, action)
            if not (self.game.is_midway(self.truth) or self._goes_by_itself(self.truth)):
                break
        visible = bool(self.game.changed(before, self.truth))
        misleads = visible and self._misleads(before, made)
        gesture = Gesture(tuple(made), before, self.truth, visible, misleads)
        self.turn = [] if gesture.ends_turn else self.turn or [self.looks(before)]
        self.turn.append(self.looks(self.truth))
        return gesture

    def _goes_by_itself(self, state: State) -> bool:
        """Whether the table does the next thing without a word, as laying out the requests."""
        waiting = self.game.pending(state)
        return waiting is not None and waiting.default is not None

    def _misleads(self, before: State, made: list[Action]) -> bool:
        """Whether a likelier action, or taking something back, would look the same."""
        look = self.looks(self.truth)
        if look in self.turn:
            return True
        known = public_facts(before)
        effort = (self.game.effort(known, made[0]) or 0.0) - CLEARLY
        alike = self.looks_of(known, effort)
        if not self.end_turn_pressed and (passed := self._passed(known)) is not None:
            alike |= self.looks_of(passed, effort - USUAL)
        return look in alike

    def looks_of(self, state: State, most: float) -> set[tuple[object, ...]]:
        """How the board may look after one action of little effort."""
        return {self.looks(after) for _, after in self._outcomes(state, most)}

    def _passed(self, state: State) -> State | None:
        """The state in which the next player acts; None when the turn cannot end yet."""
        end = self.game.end_turn(state)
        if end is None or self.game.why_illegal(state, end) is not None:
            return None
        state = self.game.apply(state, end)
        while (waiting := self.game.pending(state)) is not None and waiting.default is not None:
            state = self.game.apply(state, waiting.default)
        return state

    def choose(self, state: State) -> Action:
        """A random legal action; kinds of action first, so that a kind with many targets is not chosen more often."""
        legal = self.game.legal_actions(state)
        if isinstance(legal[0], a.Reveal):
            return self.rng.choice([x for x in legal if isinstance(x, a.Reveal) and _tells_all(x)])
        if isinstance(legal[0], a.DrawDecrees):
            return self.rng.choice([x for x in legal if isinstance(x, a.DrawDecrees) and UNKNOWN not in x.cards])
        groups: dict[type[Action], list[Action]] = defaultdict(list)
        for action in legal:
            groups[type(action)].append(action)
        kinds = list(groups)
        weights = [EAGER.get(kind, 1.0) for kind in kinds]
        return self.rng.choice(groups[self.rng.choices(kinds, weights)[0]])

    def mischief(self) -> tuple[Action, RuleViolation, State] | None:
        """An illegal thing that hands could do now, the rule it breaks, and the board it leads to.

        Boards that one or two legal actions lead to as well are left out: there it is legal.
        """
        state = self.truth
        if state.asked or state.phase != EXPLORATION or len(self.turn) > 1:
            return None  # later in a turn, a changed mind looks the same
        boards = self.looks_of(state, ODD)
        for _, half_way in self._outcomes(state, ODD):
            boards |= self.looks_of(half_way, ODD)
        wrong: dict[Any, tuple[Action, RuleViolation, State]] = {}
        for action, after in self._outcomes(state, PLAIN, self.game.plausible_actions(state)):
            if supply(after) < 0 or len(after.neutral_camps) > NEUTRAL_CAMPS:
                continue  # hands cannot put down what the box does not hold
            violation = self.game.why_illegal(state, action)
            look = self.looks(after)
            if violation is not None and look not in boards:
                wrong.setdefault(look, (action, violation, after))
        by_rule: dict[str, list[tuple[Action, RuleViolation, State]]] = defaultdict(list)
        for found in wrong.values():
            by_rule[found[1].rule].append(found)
        if not by_rule:
            return None
        return self.rng.choice(by_rule[self.rng.choice(sorted(by_rule))])

    def _outcomes(
        self, state: State, most: float = PLAIN, actions: Iterable[Action] | None = None
    ) -> Iterator[tuple[Action, State]]:
        """Actions of little effort that change the board, and the board after their dig is finished as it can be."""
        for action in self.game.legal_actions(state) if actions is None else actions:
            effort = self.game.effort(state, action)
            if effort is None or effort > most:
                continue
            after = self.game.apply(state, action)
            while self.game.is_midway(after):
                after = self.game.apply(after, self.game.legal_actions(after)[0])
            if self.game.changed(state, after):
                yield action, after

    def after(self, state: State, actions: Iterable[Action]) -> State:
        """The state after some actions."""
        for action in actions:
            state = self.game.apply(state, action)
        return state

    def looks(self, state: State) -> tuple[object, ...]:
        """What a camera can tell apart."""
        return (state.tiles, state.archaeologists, state.leaders, state.camps, state.neutral_camps)


def _tells_all(action: a.Reveal) -> bool:
    """Players look at what they gained."""
    if action.kind < FIRST_TYPE:
        return action.front != UNKNOWN
    return action.kind == PRISMATIC_KIND or action.shape > 0


def public_facts(state: State) -> State:
    """The state without what stays private: snow fronts, secret requests, and shapes that cannot score.

    After dark, nobody can tell which artifact of a slot has paid, and those face down are turned up before they count.
    """
    tells_shapes, is_dark = shape_matters(state), state.phase in (SUNSET, OVER)

    def face(tile: Artifact) -> Artifact:
        return tile if tells_shapes else replace(tile, shape=UNKNOWN)

    seats = tuple(
        replace(
            seat,
            hand=(UNKNOWN,) * len(seat.hand),
            requests=(UNKNOWN,) * len(seat.requests),
            slots=tuple(tuple(map(face, slot)) for slot in seat.slots),
            down=(0,) * len(seat.down) if is_dark else seat.down,
            hold=tuple(map(face, seat.hold)),
        )
        for seat in state.seats
    )
    return replace(state, seats=seats)
