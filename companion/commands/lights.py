"""`companion lights ice`: what the strip would show in a position."""

from __future__ import annotations

import argparse

from companion.answers import game_of, lights_answer
from companion.position_answers import Answer, add_position_arguments, answer_positions
from engine.games.ice.options import Options
from engine.games.ice.state import State

HELP = "say what the strip shows in a position, for the player to act"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Position, JSON or not."""
    add_position_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def run(args: argparse.Namespace) -> int:
    """Answer every position."""

    def answer(state: State, options: Options) -> Answer:
        found = lights_answer(game_of(options, tuple(seat.guild for seat in state.seats)), state)
        lines = [f"{light['colour']}  {light['role']:12}  {spot}" for spot, light in found.items()]
        return Answer(found, "\n".join(lines) or "No light is on.")

    return answer_positions(args, answer)
