"""What a position leaves open: questions to answer, a dig under way, tiles that have just fallen; read and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.documents import Node
from engine.game import TABLE
from engine.games.ice.board import INDEX, SPOTS, TILE_COUNT
from engine.games.ice.cards import TYPES
from engine.games.ice.state import KIND, KIND_NAMES, NEUTRAL, NO_TILE, OFF, Dig, Question
from engine.spots import Spot

QUESTIONS: Final = (
    *("reveal", "slot", "allocate", "camp", "icons", "study", "logbook"),
    *("deal", "keep", "decrees", "row", "setup"),
    *("card place", "card discard", "card return"),
)
_AMONG_PLACES: Final = frozenset(kind for kind in QUESTIONS if kind == "camp" or kind.startswith("card "))
"""Questions that are answered with a place: camps, and orders of logbook cards."""
_MOST_CHOICES: Final = 200


def read_asked(node: Node | None, guilds: Sequence[str]) -> tuple[Question, ...]:
    """The questions in the order in which they are answered."""
    return () if node is None else tuple(_read_question(item, guilds) for item in node.items(0, 100))


def write_asked(asked: Sequence[Question], guilds: Sequence[str]) -> list[dict[str, Any]]:
    """The questions with every field."""
    return [
        {
            "kind": question.kind,
            "by": "table" if question.by == TABLE else guilds[question.by],
            "place": _spot(question.place),
            "tile": KIND_NAMES[question.tile] or None,
            "seat": None if question.seat == NEUTRAL else guilds[question.seat],
            "choices": [_write_choice(question.kind, choice) for choice in question.choices],
        }
        for question in asked
    ]


def _read_question(node: Node, guilds: Sequence[str]) -> Question:
    kind = node.need("kind").choice(QUESTIONS)
    by = node.need("by").choice(("table", *guilds))
    seat = node.find("seat")
    choices = node.find("choices")
    return Question(
        kind=kind,
        by=TABLE if by == "table" else guilds.index(by),
        place=_read_place(node.find("place")),
        tile=_read_kind(node.find("tile")),
        seat=OFF if seat is None or seat.value is None else guilds.index(seat.choice(guilds)),
        choices=()
        if choices is None
        else tuple(_read_choice(kind, choice) for choice in choices.items(0, _MOST_CHOICES)),
    )


def _write_choice(kind: str, choice: int) -> str | int | None:
    """Places by name, study tokens by type."""
    if kind in _AMONG_PLACES:
        return _spot(choice)
    return TYPES[choice] if kind == "study" else choice


def _read_choice(kind: str, node: Node) -> int:
    if kind in _AMONG_PLACES:
        return _read_place(node)
    return TYPES.index(node.choice(TYPES)) if kind == "study" else node.integer(-1, 10**6)


def read_dig(node: Node | None) -> Dig | None:
    """The dig under way, if any."""
    if node is None or node.value is None:
        return None
    fresh = node.find("fresh")
    return Dig(
        place=_read_tile_place(node.need("place")),
        tile=_read_kind(node.need("tile")),
        threshold=node.need("threshold").integer(0, 9),
        fresh=OFF if fresh is None or fresh.value is None else TYPES.index(fresh.choice(TYPES)),
        rope=_flag(node, "rope"),
        hook=_flag(node, "hook"),
        allocated=_flag(node, "allocated"),
    )


def write_dig(dig: Dig | None) -> dict[str, Any] | None:
    """The dig under way with every field."""
    if dig is None:
        return None
    return {
        "place": _spot(dig.place),
        "tile": KIND_NAMES[dig.tile] or None,
        "threshold": dig.threshold,
        "fresh": None if dig.fresh == OFF else TYPES[dig.fresh],
        "rope": dig.rope,
        "hook": dig.hook,
        "allocated": dig.allocated,
    }


def read_lost(node: Node | None) -> tuple[tuple[int, int], ...]:
    """Tiles that collapsed or were destroyed just now, as (place, kind)."""
    if node is None:
        return ()
    return tuple((_read_tile_place(i.need("place")), _read_kind(i.need("tile"))) for i in node.items(0, TILE_COUNT))


def write_lost(lost: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Tiles that have just fallen."""
    return [{"place": _spot(place), "tile": KIND_NAMES[kind] or None} for place, kind in lost]


def _spot(place: int) -> str | None:
    return None if place == OFF else SPOTS[place]


def _read_place(node: Node | None) -> int:
    if node is None or node.value is None:
        return OFF
    place = INDEX.get(Spot(node.value)) if isinstance(node.value, str) else None
    return node.fail("a spot such as snow:4,3,3") if place is None else place


def _read_tile_place(node: Node) -> int:
    place = _read_place(node)
    return place if 0 <= place < TILE_COUNT else node.fail("a tile cell such as snow:4,3,3")


def _read_kind(node: Node | None) -> int:
    if node is None or node.value is None:
        return NO_TILE
    return KIND[node.choice(KIND_NAMES[1:])]


def _flag(node: Node, name: str) -> bool:
    child = node.find(name)
    return child is not None and child.flag()
