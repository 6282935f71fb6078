"""`companion replay`: plays a recorded game again and says where it ends."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.cli import UserError
from companion.records import RecordError, replay, summary
from engine.games.ice.position import write_position
from engine.games.ice.tally import tally

HELP = "play a recorded game again, check every step, and print where it ends"
LARGEST_BYTES = 64 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record, and whether the final position is wanted."""
    parser.add_argument("record", type=Path, metavar="FILE", help="a text written by `companion export`")
    parser.add_argument("--json", action="store_true", help="print the final position as JSON")


def run(args: argparse.Namespace) -> int:
    """Replay; a step that cannot be made again is an error with its line."""
    try:
        with args.record.open("rb") as file:
            text = file.read(LARGEST_BYTES).decode("utf-8")
        played = replay(text.splitlines(), str(args.record))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{args.record}: cannot be read ({error})") from None
    except RecordError as error:
        raise UserError(str(error)) from None
    game, last = played.game, played.states[-1]
    if args.json:
        print(json.dumps(write_position(last, game.box.options)))
        return 0
    totals = [tally(last, seat, game.box.options, game.box.data.requests).total for seat in range(len(last.seats))]
    print(f"{len(played.steps)} steps; {summary(game, last)}")
    print(", ".join(f"{guild} {total}" for guild, total in zip(game.box.guilds, totals, strict=True)))
    return 0
