"""The notation of I C E: verbs, and how places, guilds, types and boards are written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from engine.documents import DataError, Node
from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX
from engine.games.ice.cards import PRISMATIC, SHAPES, TYPES, UNKNOWN, Artifact
from engine.games.ice.position_board import read_board, write_pieces, write_tiles
from engine.games.ice.state import KIND_NAMES, OFF, Board
from engine.notation import INT, TEXT, Codec, Notation, NotationError, list_codec, pair_codec, word_codec
from engine.strict_json import BadJson, decode

VERBS: Final[dict[str, type[a.Action]]] = {
    "camp": a.BuildCamp, "recruit": a.Recruit, "sail": a.Sail, "study": a.Study, "plan": a.Plan, "move": a.Move,
    "fluid": a.FluidMove, "overwork": a.Overwork, "dig": a.Excavate, "reveal": a.Reveal, "slot": a.ChooseSlot,
    "allocate": a.Allocate, "settle": a.PlaceCamp, "icons": a.CountIcons, "harmony": a.UseHarmony,
    "obliterate": a.UseObliteration, "salvage": a.UsePhilosophical, "gather": a.UseExalted, "achieve": a.UseAchievement,
    "smilodon": a.PlaySmilodon, "spiders": a.PlaySpiders, "manta": a.PlayManta, "rope": a.PlayRope,
    "sailship": a.PlaySailship, "wreck": a.PlayWreck, "survivors": a.PlaySurvivors, "whistle": a.PlayWhistle,
    "rune": a.PlayRune, "recall": a.Recall, "activate": a.Activate, "hook": a.UseHook, "nurture": a.Nurture,
    "discard": a.DiscardSnow, "blocked": a.LoseBlockedPoint, "end": a.EndTurn, "row": a.LayRequests,
    "request": a.TakeRequest, "validate": a.ValidateRequest, "drop": a.DiscardRequest, "rest": a.EndSunset,
    "prismatic": a.MovePrismatic, "learn": a.TakeStudy, "day": a.StartDay, "logbook": a.DrawLogbook,
    "confirm": a.ConfirmBoard, "card": a.ChooseForCard, "deal": a.DealRequests, "keep": a.KeepRequests,
    "decrees": a.DrawDecrees, "show": a.ShowTile,
}  # fmt: skip
"""How each kind of action is called in a line."""

assert set(VERBS.values()) == set(a.ACTIONS)

_TYPE: Final = word_codec({name: number for number, name in enumerate(TYPES)}, f"one of {', '.join(TYPES)}")
_KIND: Final = word_codec(
    {name or "none": code for code, name in enumerate(KIND_NAMES)}, f"one of {', '.join(KIND_NAMES[1:])}"
)
_ARTIFACTS: Final = {
    f"{kind}.{anima}.{shape}": Artifact(kind, anima, shape)
    for kind in TYPES
    for anima in (1, 2)
    for shape in (*SHAPES, UNKNOWN)
} | {f"{PRISMATIC}.{anima}": Artifact(PRISMATIC, anima, None) for anima in (1, 2)}
_SPOTS: Final = {str(spot): place for spot, place in INDEX.items()}
_PLACE: Final = word_codec(_SPOTS, "a spot such as snow:4,3,3")
_PLACE_OR_NONE: Final = word_codec(_SPOTS | {"reserve": OFF}, "a spot such as snow:4,3,3, or reserve")
_TRIPLE: Final = list_codec(INT, "/")


def make_notation(guilds: Sequence[str]) -> Notation[a.Action]:
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
            "via": _PLACE_OR_NONE,
            "places": list_codec(_PLACE),
            "type": _TYPE,
            "slot": _TYPE,
            "kind": _KIND,
            "seat": seat,
            "leader": seat,
            "leaders": list_codec(pair_codec(seat, INT, ":")),
            "artifacts": list_codec(Codec(_write_artifact, _read_artifact)),
            "cards": list_codec(TEXT),
            "study": Codec(_write_bits, _read_bits),
            "board": _board_codec(guilds),
            "means": word_codec({name: name for name in a.MEANS}, f"one of {', '.join(a.MEANS)}"),
            (a.PlaceCamp, "place"): _PLACE_OR_NONE,
            (a.ChooseForCard, "place"): _PLACE_OR_NONE,
            (a.MovePrismatic, "start"): _TYPE,
            (a.Allocate, "archaeologists"): Codec(_TRIPLE.write, _read_triple),
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


def _write_artifact(artifact: Artifact) -> str:
    """Kind, anima and shape: `harmony.1.3`, `harmony.1.unknown`, `prismatic.2`."""
    shape = "" if artifact.shape is None else f".{artifact.shape}"
    return f"{artifact.kind}.{artifact.anima}{shape}"


def _read_artifact(text: str) -> Artifact:
    if text not in _ARTIFACTS:
        raise NotationError(f"expected artifacts such as harmony.1.3 or prismatic.2, got {text[:60]!r}")
    return _ARTIFACTS[text]


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
