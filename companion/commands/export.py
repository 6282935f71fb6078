"""`companion export`: writes a game of the journal as a text that `companion replay` plays again."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from companion.cli import UserError
from companion.gamedata import load
from companion.ice_games import IceGames
from companion.journal import Journal, JournalError
from companion.records import record
from companion.web.home import JOURNAL_FILE
from engine.documents import DataError
from engine.games.ice import Ice
from engine.games.ice.state import State

HELP = "write a game of the journal as text that can be replayed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table's folder, which game, and where to write it."""
    parser.add_argument("--data", type=Path, default=Path("var"), metavar="DIR", help="the table's folder")
    parser.add_argument("--game", type=int, metavar="N", help="number of the game (default: the newest)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Write what stands of the game: undone steps are left out, house rulings and corrections are marked."""
    path = args.data / JOURNAL_FILE
    if not path.exists():
        raise UserError(f"{path}: there is no journal; give the table's folder with --data")
    try:
        journal = Journal(path)
        numbers = journal.games()
        number = args.game or (numbers[-1] if numbers else 0)
        if number not in numbers:
            raise UserError(f"{path}: there is no game {number}; it has {', '.join(map(str, numbers)) or 'none'}")
        found = IceGames(journal, load(_cards(args.data)).data, _no_new_game, time.time).read(number)
    except (JournalError, DataError, ValueError) as error:
        raise UserError(str(error)) from error
    text = "\n".join(record(found.game, found.referee.states, found.referee.steps)) + "\n"
    if args.out is None:
        print(text, end="")
    else:
        args.out.write_text(text, encoding="utf-8")
    return 0


def _cards(data: Path) -> Path | None:
    folder = data / "cards"
    return folder if folder.is_dir() else None


def _no_new_game(game: Ice, first: int, guided: bool) -> tuple[State, tuple[str, ...]]:
    raise ValueError("an export starts no game")
