"""`companion cards`: check an owner's card data and say what is still a stand-in."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.cli import UserError
from companion.gamedata import PARTS, Loaded, load
from engine.documents import DataError

HELP = "check your card data (docs/data.md) and say what is still a stand-in"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the owner's folder, the form of the answer."""
    parser.add_argument("game", choices=["ice"], metavar="GAME", help="ice")
    parser.add_argument("--owner", type=Path, metavar="FOLDER", help="folder with your data files")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def run(args: argparse.Namespace) -> int:
    """Read the data and report on every part."""
    try:
        loaded = load(args.owner)
    except DataError as error:
        raise UserError(f"{error}. Correct the file as docs/data.md says, then try again.") from None
    parts = {part: _describe(loaded, part) for part in PARTS}
    if args.json:
        print(json.dumps({"parts": parts, "warnings": list(loaded.warnings)}))
        return 0
    for part, description in parts.items():
        state = "stand-in or incomplete" if description["stand_in"] else "told"
        print(f"{part:12} {description['source']:8} {state}")
    for warning in loaded.warnings:
        print(f"warning: {warning}")
    return 0


def _describe(loaded: Loaded, part: str) -> dict[str, str | bool]:
    source = "yours" if part in loaded.from_owner else "shipped"
    return {"source": source, "stand_in": part in loaded.stand_ins}
