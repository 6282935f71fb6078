"""The golden games: which tables are played, and what one line of their record says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.answers import game_of
from companion.journal import ActionTaken
from companion.records import record
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State
from tests.random_play import choose, laid_out
from tests.reference.random_positions import add_pieces, full_board, random_position, remove_some


@dataclass(frozen=True)
class Table:
    """One golden game: who plays, with which options, and the seed of the play."""

    guilds: tuple[str, ...]
    seed: int
    options: dict[str, Any] = field(default_factory=dict)
    pit: bool = False
    """Begin on day 3 above a deep pit instead of a full board."""

    def game(self) -> Ice:
        return game_of(Options(players=len(self.guilds), **self.options), self.guilds)


TABLES = {
    "two-players": Table(("navigators", "icewalkers"), 2),
    "three-players": Table(("incandescents", "nurturers", "cryoarchitects"), 3),
    "four-players": Table(("icewalkers", "cryoarchitects", "navigators", "nurturers"), 4),
    "five-players": Table(("navigators", "incandescents", "icewalkers", "nurturers", "cryoarchitects"), 5),
    "navigators": Table(("navigators", "nurturers"), 11),
    "incandescents": Table(("incandescents", "icewalkers"), 12),
    "icewalkers": Table(("icewalkers", "cryoarchitects"), 13),
    "nurturers": Table(("nurturers", "incandescents"), 14),
    "cryoarchitects": Table(("cryoarchitects", "navigators"), 15),
    "expert": Table(("navigators", "incandescents", "nurturers"), 21, {"expert": True}),
    "friendly-curse": Table(("icewalkers", "nurturers"), 22, {"expert": True, "friendly_curse": True}),
    "blessing": Table(("cryoarchitects", "incandescents"), 23, {"blessing": True}),
    "fluid-move": Table(("nurturers", "navigators", "icewalkers"), 24, {"fluid_move": True}),
    "first-game": Table(("navigators", "cryoarchitects", "nurturers"), 25, {"first_game": True}),
    "logbook-setup": Table(("incandescents", "navigators"), 26, {"logbook_setup": True}),
    "practice": Table(("icewalkers",), 27),
    "deep-pit": Table(("cryoarchitects", "icewalkers", "incandescents"), 28, pit=True),
    "deep-pit-expert": Table(("navigators", "nurturers", "incandescents"), 29, {"expert": True}, pit=True),
}


def pit_state(game: Ice, rng: random.Random) -> State:
    """A random position of this table in which much of the snow is gone."""
    position = {
        **random_position(rng.randrange(10**6)),
        "options": write_position(laid_out(game, rng), game.box.options)["options"],
        "tiles": full_board(rng),
        "pieces": {},
        "day": 3,
        "seats": [{"guild": guild, "ep": 5, "rp": 3} for guild in game.box.guilds],
        "first_player": game.box.guilds[0],
        "to_act": game.box.guilds[0],
        "turn": {"spent": 0, "overwork": False},
    }
    remove_some(position, rng, 45)
    add_pieces(position, rng, list(game.box.guilds))
    return read_position(position)[0]


def play(table: Table) -> Iterator[str]:
    """The record of a table played at random."""
    game, rng = table.game(), random.Random(table.seed)
    states = [pit_state(game, rng) if table.pit else laid_out(game, rng)]
    steps = []
    while actions := game.legal_actions(states[-1]):
        action = choose(sorted(actions, key=game.format), rng)
        steps.append(ActionTaken(game.format(action)))
        states.append(game.apply(states[-1], action))
    yield from record(game, states, steps)
