"""I C E, second edition: rules of `rules/ice.md` as pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from engine.explain import Pending
from engine.game import Actor, RuleViolation, Warned
from engine.games.ice import doubts, following, generate, lighting, plausible, rules, setup, sights
from engine.games.ice.actions import Action
from engine.games.ice.board import make_layout
from engine.games.ice.box import Box, make_box
from engine.games.ice.cards import GUILDS, GameData
from engine.games.ice.lines import make_notation
from engine.games.ice.options import Options
from engine.games.ice.state import State
from engine.lights import Light
from engine.notation import Notation
from engine.spots import Cue, Label, Layout, Spot

TILE_FLAT_MM = 42.0
LAYER_TOP_MM = {"snow": 9.0, "surface": 6.0, "deep": 3.0, "azulia": 0.0}
"""Sizes until a table is measured (Q-18)."""


class Ice:
    """The game with its options, guilds and data; every method is a pure function of its arguments."""

    name = "ice"

    def __init__(self, options: Options, data: GameData, guilds: tuple[str, ...] | None = None) -> None:
        self.box: Box = make_box(options, GUILDS[: options.players] if guilds is None else guilds, data)

    @cached_property
    def notation(self) -> Notation[Action]:
        """How actions are written at this table."""
        return make_notation(self.box.guilds)

    def start(self, tiles: bytes | None = None, turns: bytes | None = None, first: int = 0) -> State:
        """The state before the first turn."""
        return setup.start(self.box, tiles, turns, first)

    def to_act(self, state: State) -> Actor | None:
        """Who acts next; None when the game is over."""
        return state.actor

    def plausible_actions(self, state: State) -> Iterable[Action]:
        """What hands could do, legal or not."""
        return plausible.plausible_actions(self.box, state)

    def why_illegal(self, state: State, action: Action) -> RuleViolation | None:
        """The first rule that forbids the action, or None."""
        return rules.why_illegal(self.box, state, action)

    def warnings(self, state: State, action: Action) -> tuple[Warned, ...]:
        """Doubts about a legal action that rest on stand-ins or unknowns."""
        return doubts.warnings(self.box, state, action)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Exactly the plausible actions without a violation."""
        return generate.legal_actions(self.box, state)

    def apply(self, state: State, action: Action) -> State:
        """The next state; does not ask about legality."""
        return rules.apply(self.box, state, action)

    def format(self, action: Action) -> str:
        """One line of text."""
        return self.notation.format(action)

    def parse(self, line: str) -> Action:
        """The action of a line; ValueError names what is wrong."""
        return self.notation.parse(line)

    def touched(self, state: State, action: Action) -> frozenset[Spot]:
        """Spots whose look the action may change."""
        return sights.changed_spots(state, self.apply(state, action))

    def visible(self, state: State) -> Mapping[Cue, Label]:
        """What an ideal camera would read."""
        return sights.visible(self.box, state)

    def layout(self) -> Layout:
        """Where everything lies, in the sizes assumed until the table is measured."""
        return make_layout(TILE_FLAT_MM, LAYER_TOP_MM)

    def lights(self, state: State, focus: Spot | Cue | None = None) -> Mapping[Spot, Light]:
        """Role per spot for the player to act; a lifted piece or tile shows where it leads."""
        return lighting.lights(self.box, state, focus)

    def changed(self, before: State, after: State) -> frozenset[Spot]:
        """Spots that look different in two states."""
        return sights.changed_spots(before, after)

    def is_midway(self, state: State) -> bool:
        """Whether a dig is under way."""
        return following.is_midway(state)

    def seen_at(self, state: State, spot: Spot) -> Mapping[str, Label]:
        """What an ideal camera reads at one spot, by kind of cue."""
        return following.seen_at(state, spot)

    def aims(self, state: State, action: Action) -> frozenset[Spot]:
        """Spots of which at least one must look different if the action was made."""
        return following.aims(state, action)

    def least_effort(self, state: State, kind: type[Action]) -> float | None:
        """The least effort that an action of a kind may take; None = only ever declared."""
        return following.least_effort(state, kind)

    def effort(self, state: State, action: Action) -> float | None:
        """How unlikely an action is before anything is seen; None = only ever declared."""
        return following.effort(self.box, state, action)

    def pending(self, state: State) -> Pending[Action] | None:
        """What the game waits for that no camera sees."""
        return following.pending(state, self.legal_actions)

    def end_turn(self, state: State) -> Action | None:
        """What the button `end turn` means."""
        return following.end_turn(state)

    def ends_turn(self, action: Action) -> bool:
        """Whether an action is what that button means."""
        return following.ends_turn(action)
