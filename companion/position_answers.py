"""One answer for each position: a file gives one, standard input one line of JSON for each line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.cli import UserError
from companion.position_files import decode_position, read_lines, read_position_file
from engine.games.ice.options import Options
from engine.games.ice.state import State


@dataclass(frozen=True, slots=True)
class Answer:
    """What to print for a position."""

    data: dict[str, Any]
    text: str
    """For people."""
    status: int = 0
    """Exit status."""


Answering = Callable[[State, Options], Answer]


def add_position_arguments(parser: argparse.ArgumentParser) -> None:
    """The game and where its positions come from."""
    parser.add_argument("game", choices=["ice"], help="the game")
    parser.add_argument(
        "--position", required=True, metavar="FILE", help="a position in JSON; - reads one position per line"
    )


def answer_positions(args: argparse.Namespace, answer: Answering) -> int:
    """Print the answers; the exit status is the worst one."""
    if args.position == "-":
        return _answer_lines(answer)
    found = answer(*read_position_file(args.position))
    print(json.dumps(found.data) if args.json else found.text)
    return found.status


def _answer_lines(answer: Answering) -> int:
    """One line of JSON per position.

    A line that cannot be answered is told on standard error. So that later answers keep their places, an object with
    the key `error` stands in its place, written only when a later answer follows.
    """
    status = 0
    owed: list[str] = []
    for where, raw in read_lines():
        try:
            found = answer(*decode_position(raw, where))
        except UserError as error:
            print(f"companion: {error}", file=sys.stderr)
            owed.append(json.dumps({"error": str(error)}))
            status = 2
            continue
        status = max(status, found.status)
        sys.stdout.write("".join(f"{line}\n" for line in [*owed, json.dumps(found.data)]))
        sys.stdout.flush()
        owed.clear()
    return status
