"""A child process that plays by word and acknowledges every event after it was written; somebody will kill it."""

from __future__ import annotations

import random
from multiprocessing.connection import Connection
from pathlib import Path

from companion.bootstrap import open_games
from companion.game_desk import OFFER, GameDesk
from companion.journal import Entry, Event
from companion.messages import Answer, NewGame
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.settings import Settings
from engine.games.ice import Ice
from engine.games.ice.state import State


def open_desk(folder: Path, seed: int) -> GameDesk:
    """The desk of a table's folder; a game that was not finished is continued."""
    rng = random.Random(seed)

    def lay(game: Ice, first: int, guided: bool) -> tuple[State, tuple[str, ...]]:
        start = game.start(*shuffled_tiles(rng))
        return start, (game.format(PretendPlayers(game, rng, start).choose(start)),)

    desk = GameDesk(open_games(folder, Settings(), lay), NewGame({"players": 3}, ()))
    if desk.offers:
        desk.obey(Answer(OFFER, 0))
    return desk


def play(folder: Path, seed: int, told: Connection) -> None:
    """Play until killed, or until the game is over."""
    desk, rng = open_desk(folder, seed), random.Random(seed)
    journal = desk.games.journal
    append = journal.append

    def tell(game: int, event: Event, at: float) -> Entry:
        entry = append(game, event, at)
        told.send(entry.number)
        return entry

    journal.append = tell  # type: ignore[method-assign]
    told.send(0)
    while not desk.playing.is_over:
        referee = desk.referee
        if rng.random() < 0.1 and referee.steps:
            referee.undo()
            continue
        question = referee.question
        if question is not None:
            referee.answer(question.number, rng.randrange(len(question.options)))
        else:
            state = referee.state
            referee.declare(desk.playing.game.format(PretendPlayers(desk.playing.game, rng, state).choose(state)))
    told.send(-1)
