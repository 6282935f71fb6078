"""`companion pin`: set or remove the PIN of a table, on the machine itself."""

from __future__ import annotations

import argparse
import getpass
import time
from pathlib import Path

from companion.access import FILE, Access, AccessError
from companion.cli import UserError

HELP = "set or remove the PIN that guards the settings on the page"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table's folder, and whether to remove the PIN."""
    parser.add_argument("--data", type=Path, default=Path("var"), metavar="DIR", help="the table's folder")
    parser.add_argument("--clear", action="store_true", help="remove the PIN: everybody in the network is the owner")


def run(args: argparse.Namespace) -> int:
    """Change the lock; devices that gave the old PIN have to give the new one."""
    try:
        access = Access(args.data / FILE, time.monotonic)
        if args.clear:
            access.clear_pin()
            print("The PIN is removed. Restart the companion if it is running.")
        else:
            access.set_pin(getpass.getpass("New PIN: "))
            print("The PIN is set. Restart the companion if it is running.")
    except (AccessError, OSError) as error:
        raise UserError(str(error)) from None
    return 0
