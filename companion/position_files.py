"""Reads positions that others wrote, from a file or line by line from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.cli import UserError
from engine.documents import DataError
from engine.games.ice.options import Options
from engine.games.ice.position import read_position
from engine.games.ice.state import State
from engine.strict_json import LARGEST_CHARS, BadJson, decode

_LARGEST_BYTES: Final = 4 * LARGEST_CHARS


def read_position_file(name: str) -> tuple[State, Options]:
    """The position in a file; UserError says what is wrong with it."""
    try:
        with Path(name).open("rb") as file:
            raw = file.read(_LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise UserError(f"{name}: there is no such file; give the path of a position, or - to read lines") from None
    except IsADirectoryError:
        raise UserError(f"{name}: this is a directory; give the path of one position") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{name[:200]!r}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    return decode_position(raw, name)


def decode_position(raw: bytes, where: str) -> tuple[State, Options]:
    """The position in some bytes; UserError begins with where they came from."""
    try:
        return read_position(decode(raw.decode("utf-8-sig")), where)
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: not text in UTF-8 (byte {error.start}); a position is JSON text") from None
    except BadJson as error:
        raise UserError(f"{where}: {error}") from None
    except DataError as error:
        raise UserError(str(error)) from None


def read_lines() -> Iterator[tuple[str, bytes]]:
    """Every line of standard input that is not blank, with its name for error messages."""
    number = 0
    while raw := sys.stdin.buffer.readline(_LARGEST_BYTES + 1):
        number += 1
        part = raw
        while len(part) > _LARGEST_BYTES and not part.endswith(b"\n"):  # too long to keep: skim over the rest
            part = sys.stdin.buffer.readline(_LARGEST_BYTES + 1)
        if raw.strip():
            yield f"line {number}", raw
