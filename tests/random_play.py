"""Random but lively play: a kind of action is drawn first, so that rare kinds come up as often as common ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from engine.game import Game
from engine.games.ice import Ice
from engine.games.ice.actions import FluidMove, Move
from engine.games.ice.board import INDEX, TILE_COUNT
from engine.games.ice.state import KIND, NO_TURNS, UNKNOWN_TURN, State
from engine.spots import Spot
from tests.reference.random_positions import full_board

MOST_ACTIONS = 20_000
"""A game that is longer than this does not end."""

WEIGHTS = {"Excavate": 30.0, "Move": 4.0, "FluidMove": 4.0, "ValidateRequest": 8.0, "UsePhilosophical": 8.0}
"""How often a kind is drawn compared with others (1): games should dig deep and use what they find."""
RELUCTANT = {"EndTurn": 0.3, "EndSunset": 0.3, "Sail": 0.5}


def choose(actions: Sequence[Any], rng: random.Random) -> Any:
    """One of the actions; whoever walks likes company, because crowds dig for nothing."""
    kinds: dict[str, list[Any]] = {}
    for action in actions:
        kinds.setdefault(type(action).__name__, []).append(action)
    weights = [(WEIGHTS | RELUCTANT).get(kind, 1.0) for kind in kinds]
    drawn = kinds[rng.choices(list(kinds), weights)[0]]
    if isinstance(drawn[0], Move | FluidMove):
        return rng.choices(drawn, [1 + 3 * action.archaeologists for action in drawn])[0]
    return rng.choice(drawn)


def laid_out(game: Ice, rng: random.Random, first: int = 0) -> State:
    """The start of a game with shuffled tiles, all of known kind; most rotations are told."""
    tiles, turns = bytearray(TILE_COUNT), bytearray(NO_TURNS)
    for spot, tile in full_board(rng).items():
        tiles[INDEX[Spot(spot)]] = KIND[str(tile["kind"])]
        turns[INDEX[Spot(spot)]] = int(str(tile.get("rotation", UNKNOWN_TURN)))
    return game.start(bytes(tiles), bytes(turns), first)


def random_game(game: Game[Any, Any], start: Any, rng: random.Random) -> Iterator[tuple[Any, Any, Any]]:
    """State, action and next state, until the game is over."""
    state = start
    for _ in range(MOST_ACTIONS):
        actions = game.legal_actions(state)
        if not actions:
            return
        action = choose(actions, rng)
        after = game.apply(state, action)
        yield state, action, after
        state = after
    raise AssertionError(f"the game did not end within {MOST_ACTIONS} actions")
