"""`python -m tests.perft` records the counts anew; review the difference before committing it."""

from __future__ import annotations

import json
import random
from typing import Any

from companion.answers import game_of
from engine.game import perft
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State
from tests.perft.positions import FILE
from tests.random_play import choose, laid_out
from tests.reference.random_positions import random_position

DEEPEST = 400_000
"""A depth is recorded while its count stays below this."""


def turn_on_day(seed: int, day: int, guilds: tuple[str, ...], **options: Any) -> Any:
    """The first whole turn of a day in a random game."""
    game = game_of(Options(players=len(guilds), **options), guilds)
    rng = random.Random(seed)
    state = laid_out(game, rng)
    while state.day < day or state.phase != "exploration" or state.asked or state.spent:
        state = game.apply(state, choose(sorted(game.legal_actions(state), key=game.format), rng))
    return write_position(state, game.box.options)


def positions() -> dict[str, Any]:
    return {
        "opening": turn_on_day(1, 1, ("navigators", "nurturers")),
        "two-players-day-3": turn_on_day(2, 3, ("icewalkers", "incandescents")),
        "three-players-day-2": turn_on_day(3, 2, ("incandescents", "navigators", "cryoarchitects"), fluid_move=True),
        "four-players-day-4": turn_on_day(4, 4, ("nurturers", "navigators", "icewalkers", "cryoarchitects")),
        "five-players-expert": turn_on_day(
            5, 3, ("navigators", "incandescents", "icewalkers", "nurturers", "cryoarchitects"), expert=True
        ),
        **{f"random-{seed}": random_position(seed) for seed in (17, 42, 99)},
    }


def count(game: Ice, state: State) -> list[tuple[int, int]]:
    rows: list[tuple[int, int]] = []
    for depth in range(1, 5):
        if rows and rows[-1][1] * rows[-1][1] ** (1 / max(1, depth - 1)) > DEEPEST:
            break
        rows.append((depth, perft(game, state, depth)))
    return rows


def main() -> None:
    lines = ["# Legal sequences of actions; `python -m tests.perft` records them anew."]
    for name, position in positions().items():
        state, options = read_position(position)
        game = game_of(options, tuple(seat.guild for seat in state.seats))
        lines.append(f"position {name} {json.dumps(position, separators=(',', ':'))}")
        for depth, number in count(game, state):
            lines.append(f"perft {name} {depth} {number}")
            print(lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
