"""The command `companion`: finds the sub-command, reports errors in one sentence."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Final

COMMANDS: Final[tuple[str, ...]] = (
    "run", "export", "replay", "simulate", "pin", "check", "rules", "lights", "perft", "cards", "eval", "make_dataset",
)  # fmt: skip
"""Modules of `companion.commands`, in the order of the help text; imported only when asked for."""


class UserError(Exception):
    """Something the person at the keyboard can put right: what happened, where, what to do next."""


def picture_size(text: str) -> tuple[int, int]:
    """Width and height from WxH."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise UserError(f"--size must be like 1280x720, got {text!r}") from None
    if not (320 <= width <= 4096 and 240 <= height <= 4096):
        raise UserError(f"--size must be from 320x240 to 4096x4096, got {text!r}")
    return width, height


def build_parser(argv: list[str]) -> argparse.ArgumentParser:
    """The argument parser: only with the sub-command that is asked for, with all of them when none is."""
    parser = argparse.ArgumentParser(prog="companion", description="A companion for a board-game table.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = argv[0].replace("-", "_") if argv else ""
    for name in (wanted,) if wanted in COMMANDS else COMMANDS:
        module = import_module(f"companion.commands.{name}")
        sub = commands.add_parser(name.replace("_", "-"), help=module.HELP, description=module.HELP)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a sub-command; errors go to standard error with exit status 2."""
    given = sys.argv[1:] if argv is None else argv
    args = build_parser(given).parse_args(given)
    try:
        return int(args.run(args))
    except UserError as error:
        print(f"companion {args.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
