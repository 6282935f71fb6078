"""`companion simulate ice`: plays whole games on the simulated table and counts how well they were followed."""

from __future__ import annotations

import argparse
import json
import sys

from companion.cli import UserError, picture_size
from companion.simulation import Outcome, play_drawn

HELP = "play whole games on the simulated table, through the synthetic camera, and count how well they are followed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which games, in which light, how well-behaved, and how turns end."""
    parser.add_argument("game", choices=("ice",), help="the game on the table")
    parser.add_argument("--players", type=int, default=3, metavar="N", help="2 to 5 (default: 3)")
    parser.add_argument("--games", type=int, default=1, metavar="G", help="how many games (default: 1)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the first game (default: 1)")
    parser.add_argument("--condition", choices=("mild", "medium", "harsh"), default="medium", help="light on the table")
    parser.add_argument("--illegal", type=float, default=0.0, metavar="P", help="how often hands try something illegal")
    parser.add_argument("--end-turn", choices=("pressed", "inferred"), default="pressed", help="how a turn ends")
    parser.add_argument("--size", default="1920x1080", metavar="WxH", help="size of the pictures (1920x1080)")
    parser.add_argument("--troubles", action="store_true", help="tell every gesture that was not followed, as it comes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play the games one after the other."""
    _check(args)
    size = picture_size(args.size)
    total = Outcome()
    for number in range(args.games):
        seed = args.seed + number
        print(f"game {number + 1} of {args.games} (seed {seed}) …", file=sys.stderr, flush=True)
        pressed = args.end_turn == "pressed"
        found = play_drawn(args.players, args.condition, seed, size, pressed=pressed, illegal=args.illegal)
        total.add(found)
        for trouble in found.troubles if args.troubles else ():
            print(f"  {trouble}", file=sys.stderr, flush=True)
    answer = total.document()
    print(json.dumps(answer) if args.json else "\n".join(f"{name:20} {value}" for name, value in answer.items()))
    return 0


def _check(args: argparse.Namespace) -> None:
    if not 2 <= args.players <= 5:
        raise UserError(f"--players: expected 2 to 5, got {args.players}")
    if args.games < 1:
        raise UserError(f"--games: expected at least 1, got {args.games}")
    if not 0 <= args.illegal <= 1:
        raise UserError(f"--illegal: expected a probability from 0 to 1, got {args.illegal}")
