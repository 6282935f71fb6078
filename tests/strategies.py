"""Hypothesis strategies for I C E: games, reachable states, random positions, actions of any sense."""

from __future__ import annotations

import random
from dataclasses import MISSING, fields
from typing import Any

from hypothesis import strategies as some

from companion.answers import game_of
from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import PLACE_COUNT
from engine.games.ice.cards import FRONTS, GUILDS, SHAPES, TYPES, UNKNOWN, Artifact
from engine.games.ice.options import Options
from engine.games.ice.position import read_position
from engine.games.ice.state import KIND_NAMES, OFF, State
from tests.random_play import choose, laid_out
from tests.reference.random_positions import random_position

seeds = some.integers(0, 2**32 - 1)


@some.composite
def games(draw: some.DrawFn) -> Ice:
    """A table of one to five with any variants."""
    players = draw(some.integers(1, 5))
    names = ("expert", "blessing", "fluid_move", "first_game", "logbook_setup", "friendly_curse")
    options = Options(players=players, **{name: draw(some.booleans()) for name in names})
    guilds = draw(some.permutations(GUILDS))[:players]
    return game_of(options, tuple(guilds))


@some.composite
def reachable(draw: some.DrawFn, most_steps: int = 250) -> tuple[Ice, State]:
    """A game and a state that random play reaches from a shuffled start."""
    game = draw(games())
    rng = random.Random(draw(seeds))
    state = laid_out(game, rng, rng.randrange(game.box.options.players))
    for _ in range(draw(some.integers(0, most_steps))):
        actions = game.legal_actions(state)
        if not actions:
            break
        state = game.apply(state, choose(actions, rng))
    return game, state


@some.composite
def imported(draw: some.DrawFn) -> tuple[Ice, State]:
    """A game and a state that somebody put on the table, not played to."""
    state, options = read_position(random_position(draw(some.integers(0, 10**6))))
    return game_of(options, tuple(seat.guild for seat in state.seats)), state


situations = some.one_of(reachable(), imported())

_places = some.integers(0, PLACE_COUNT - 1)
_few = some.integers(-1, 5)
_cards = some.one_of(some.sampled_from([UNKNOWN, "A", "B", "C1"]), some.text(min_size=1, max_size=8))
_artifacts = some.builds(
    lambda kind, anima, shape: Artifact(kind, anima, shape),
    some.sampled_from(TYPES),
    some.integers(1, 2),
    some.sampled_from((*SHAPES, UNKNOWN)),
) | some.builds(lambda anima: Artifact("prismatic", anima, None), some.integers(1, 2))


def _values(kind: type[a.Action], name: str, players: int) -> some.SearchStrategy[Any]:
    """Values of a field that a line can carry, sensible or not."""
    seats = some.integers(0, players - 1)
    if kind is a.Allocate and name == "archaeologists":
        return some.tuples(_few, _few, _few)
    if kind is a.MovePrismatic and name == "start":
        return some.integers(0, 4)
    if name == "via" or (kind in (a.PlaceCamp, a.ChooseForCard) and name == "place"):
        return some.integers(OFF, PLACE_COUNT - 1)
    return {
        "by": some.integers(TABLE, players - 1),
        "place": _places,
        "start": _places,
        "via": _places,
        "places": some.lists(_places, max_size=4).map(tuple),
        "type": some.integers(0, 4),
        "slot": some.integers(0, 4),
        "kind": some.integers(0, len(KIND_NAMES) - 1),
        "seat": seats,
        "leader": some.integers(OFF, players - 1),
        "leaders": some.lists(some.tuples(seats, _few), max_size=5).map(tuple),
        "artifacts": some.lists(_artifacts, max_size=4).map(tuple),
        "cards": some.lists(_cards, max_size=6).map(tuple),
        "study": some.integers(0, 31),
        "board": some.none(),
        "means": some.sampled_from(a.MEANS),
        "card": _cards,
        "icon": _cards,
        "front": some.sampled_from((*FRONTS, UNKNOWN)),
        "neutral": some.booleans(),
        "talisman": some.booleans(),
        "discount": some.booleans(),
        "turn": some.sampled_from((0, 5, 6, 255)),
    }.get(name, _few)


@some.composite
def any_action(draw: some.DrawFn, players: int) -> a.Action:
    """An action of any kind with any values that can be written down; most of them make no sense."""
    kind = draw(some.sampled_from(a.ACTIONS))
    values = {}
    for field in fields(kind):
        if field.default is MISSING or draw(some.booleans()):
            values[field.name] = draw(_values(kind, field.name, players))
    return kind(**values)
