"""Journals with games in them, for the pages about the past."""

from __future__ import annotations

import random
from pathlib import Path

from companion.answers import game_of
from companion.journal import ActionTaken, GameClosed, GameStarted, Journal
from companion.pretend_players import PretendPlayers, shuffled_tiles
from engine.games.ice.cards import GUILDS
from engine.games.ice.options import Options
from engine.games.ice.position import write_position
from engine.games.ice.state import State

BEGAN = 1_800_000_000.0


def play_into(path: Path, *, seed: int = 1, players: int = 2, most: int = 5000) -> list[State]:
    """Play a first game with random legal actions and write it down; gives all its states."""
    game = game_of(Options(players=players, first_game=True), tuple(GUILDS)[:players])
    rng = random.Random(seed)
    state = game.start(*shuffled_tiles(rng))
    pretend = PretendPlayers(game, rng, state)
    journal = Journal(path)
    journal._db.execute("PRAGMA synchronous=OFF")
    number = journal.start(GameStarted("ice", write_position(state, game.box.options)), BEGAN).game
    states = [state]
    for step in range(most):
        if game.to_act(state) is None:
            journal.append(number, GameClosed("finished"), BEGAN + 10 * step)
            break
        action = pretend.choose(state)
        state = game.apply(state, action)
        states.append(state)
        journal.append(number, ActionTaken(game.format(action)), BEGAN + 10 * step)
    journal.close()
    return states
