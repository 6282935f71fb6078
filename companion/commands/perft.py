"""`companion perft ice`: counts the legal sequences of actions from a position, to compare engines."""

from __future__ import annotations

import argparse

from companion.answers import game_of
from companion.cli import UserError
from companion.position_answers import Answer, add_position_arguments, answer_positions
from engine.game import perft
from engine.games.ice.options import Options
from engine.games.ice.state import State

HELP = "count the legal sequences of actions of a given length"
DEEPEST = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Position, depth, JSON or not, one count per first action or not."""
    add_position_arguments(parser)
    parser.add_argument(
        "--depth", type=int, required=True, metavar="N", help=f"length of the sequences, 0 to {DEEPEST}"
    )
    parser.add_argument("--divide", action="store_true", help="also print the count after each first action")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def run(args: argparse.Namespace) -> int:
    """Answer every position."""
    if not 0 <= args.depth <= DEEPEST:
        raise UserError(f"--depth: expected a number from 0 to {DEEPEST}, got {args.depth}")

    def answer(state: State, options: Options) -> Answer:
        game = game_of(options, tuple(seat.guild for seat in state.seats))
        if not args.divide or args.depth == 0:
            count = perft(game, state, args.depth)
            return Answer({"depth": args.depth, "count": count}, str(count))
        by_action = {
            game.format(action): perft(game, game.apply(state, action), args.depth - 1)
            for action in game.legal_actions(state)
        }
        count = sum(by_action.values())
        lines = [f"{number:12}  {line}" for line, number in by_action.items()]
        return Answer({"depth": args.depth, "count": count, "divide": by_action}, "\n".join([*lines, f"{count:12}"]))

    return answer_positions(args, answer)
