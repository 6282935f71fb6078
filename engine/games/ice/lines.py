"""The notation of I C E: verbs, and how places, guilds, types and boards are written."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from engine.documents import DataError, Node
from engine.game import TABLE
from engine.games.ice import actions as act
from engine.games.ice.board import INDEX
from engine.games.ice.cards import TYPES
from engine.games.ice.position_board import read_board, write_pieces, write_tiles
from engine.games.ice.state import KIND_NAMES, OFF, Board
from engine.notation import INT, TEXT, Codec, Notation, NotationError, list_codec, pair_codec, word_codec
from engine.strict_json import BadJson, decode

VERBS: Final = {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower(): kind for kind in act.ACTIONS}
"""`BuildCamp` is written `build-camp`."""

_TYPE: Final = word_codec({name: number for number, name in enumerate(TYPES)}, f"one of {', '.join(TYPES)}")
_KIND: Final = word_codec(
    {name or "none": code for code, name in enumerate(KIND_NAMES)}, f"one of {', '.join(KIND_NAMES[1:])}"
)
_PLACE: Final = word_codec({**{str(spot): i for spot, i in INDEX.items()}, "off": OFF}, "a spot such as snow:4,3,3")
_TRIPLE: Final = list_codec(INT, "/")


def make_notation(guilds: Sequence[str]) -> Notation[act.Action]:
    """The notation of a table where these guilds play, by seat."""
    numbers = {guild: number for number, guild in enumerate(guilds)}
    named = f"one of {', '.join(guilds)}"
    seat = word_codec(numbers | {"none": OFF}, named)
    return Notation(
        verbs=VERBS,
        actor=word_codec(numbers | {"table": TABLE}, f"{named}, table"),
        codecs={
            "place": _PLACE,
            "start": _PLACE,
            "via": _PLACE,
            "places": list_codec(_PLACE),
            "type": _TYPE,
            "slot": _TYPE,
            "kind": _KIND,
            "seat": seat,
            "leader": seat,
            "leaders": list_codec(pair_codec(seat, INT, ":")),
            "artifacts": list_codec(pair_codec(_TYPE, INT, ":")),
            "cards": list_codec(TEXT),
            "study": Codec(_write_bits, _read_bits),
            "board": _board_codec(guilds),
            "means": word_codec({name: name for name in act.MEANS}, f"one of {', '.join(act.MEANS)}"),
            (act.MovePrismatic, "start"): _TYPE,
            (act.Allocate, "archaeologists"): Codec(_TRIPLE.write, _read_triple),
            **dict.fromkeys(("card", "front", "icon"), TEXT),
            **dict.fromkeys(
                ("archaeologists", "followers", "half_way", "termites", "shape", "found", "anima", "turn"), INT
            ),
            **dict.fromkeys(("neutral", "talisman", "discount"), word_codec({"yes": True, "no": False}, "yes or no")),
        },
    )


def _write_bits(bits: int) -> str:
    return "+".join(name for number, name in enumerate(TYPES) if bits >> number & 1) or "none"


def _read_bits(text: str) -> int:
    numbers = () if text == "none" else map(_TYPE.read, text.split("+"))
    return sum({1 << number for number in numbers})


def _read_triple(text: str) -> tuple[Any, ...]:
    numbers = _TRIPLE.read(text)
    if len(numbers) != 3:
        raise NotationError(f"expected three numbers such as 1/0/2, got {text[:60]!r}")
    return tuple(numbers)


def _board_codec(guilds: Sequence[str]) -> Codec:
    """A board as compact JSON without spaces; `same` = it has not changed."""

    def write(board: Board | None) -> str:
        if board is None:
            return "same"
        value = {"tiles": write_tiles(board), "pieces": write_pieces(board, guilds)}
        return json.dumps(value, separators=(",", ":"))

    def read(text: str) -> Board | None:
        if text == "same":
            return None
        try:
            node = Node(decode(text), "board")
            return read_board(node.need("tiles"), node.need("pieces"), guilds)
        except (BadJson, DataError) as error:
            raise NotationError(str(error)) from None

    return Codec(write, read)
