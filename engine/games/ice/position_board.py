"""The board of a position: tiles and pieces as plain JSON values, read as far as they are possible, and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.documents import DataError, Node, show
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, COVER_MASK, INDEX, LAYER, SPOTS, TILE_COUNT
from engine.games.ice.cards import ARTIFACT_KINDS, ARTIFACT_LAYERS, GUILDS, SNOW_BACKS, UNKNOWN
from engine.games.ice.state import KIND, KIND_NAMES, OFF, TOTAL_ARCHAEOLOGISTS, Board, present_mask
from engine.spots import Spot

NEUTRAL_CAMPS: Final = 2  # R-CMP-9
MANY: Final = 10**6
"""A bound that only stops numbers which cannot be counted on a table; the error then tells the real limit."""
_KINDS: Final = {
    "snow": (*SNOW_BACKS, UNKNOWN),
    **dict.fromkeys(ARTIFACT_LAYERS, (*ARTIFACT_KINDS, UNKNOWN)),
}


def read_board(tiles: Node, pieces: Node, guilds: Sequence[str], digging: int = OFF) -> Board:
    """What lies and stands on the board; the place of a dig under way may hold explorers without a tile."""
    kinds, turns = _read_tiles(tiles)
    people = _Pieces(guilds, present_mask(kinds), digging)
    for spot, here in pieces.entries():
        people.read(pieces, spot, here)
    return Board(
        tiles=kinds,
        turns=turns,
        archaeologists=bytes(people.archaeologists),
        leaders=tuple(people.leaders),
        camps=tuple(people.camps),
        neutral_camps=tuple(sorted(people.neutral)),
    )


def _read_tiles(node: Node) -> tuple[bytes, bytes]:
    """Kinds and rotations; every tile must rest on tiles or edges (R-GEO-7)."""
    kinds, turns = bytearray(TILE_COUNT), bytearray(st.NO_TURNS)
    if not isinstance(node.value, dict):
        node.fail("an object of spots")
    for spot, tile in node.value.items():
        place = INDEX.get(spot)
        if place is None or place >= TILE_COUNT:
            raise DataError(node.file, node.field, f"expected tile cells such as snow:4,3,3, got {show(spot)}")
        kind = tile.get("kind") if isinstance(tile, dict) else None
        if not isinstance(kind, str) or kind not in _KINDS[LAYER[place]]:
            node.need(spot).need("kind").choice(_KINDS[LAYER[place]])
        kinds[place] = KIND[str(kind)]
        turn = tile.get("rotation")
        if turn is not None:
            turns[place] = (
                turn if turn.__class__ is int and 0 <= turn <= 5 else node.need(spot).need("rotation").integer(0, 5)
            )
    for spot in node.value:
        for below in BELOW[INDEX[spot]]:
            if below < TILE_COUNT and not kinds[below]:
                node.need(spot).refuse(f"the tile hangs in the air: none lies under it at {SPOTS[below]} (R-GEO-7)")
    return bytes(kinds), bytes(turns)


class _Pieces:
    """Pieces being read, checked one place at a time."""

    def __init__(self, guilds: Sequence[str], present: int, digging: int) -> None:
        self.guilds = list(guilds)
        self.present = present
        self.digging = digging
        self.archaeologists = bytearray(st.NO_ARCHAEOLOGISTS)
        self.total = 0
        self.leaders = [OFF] * len(guilds)
        self.camps = [OFF] * len(guilds)
        self.neutral: list[int] = []

    def read(self, parent: Node, spot: str, here: Node) -> None:
        """The pieces on one place."""
        place = INDEX.get(Spot(spot))
        if place is None:
            example = "places such as snow:4,3,3, azulia:2,2,3 or edge.deep:6,1,1"
            raise DataError(parent.file, parent.field, f"expected {example}, got {show(spot)}")
        number, leaders, camp = here.find("archaeologists"), here.find("leaders"), here.find("camp")
        count = 0 if number is None else number.integer(0, MANY)
        names = [] if leaders is None else leaders.items(0, len(GUILDS))
        if camp is not None and camp.value is None:
            camp = None
        if not count and not names and camp is None:
            return
        if place != self.digging:
            self._check_place(here, place)
        self._add_archaeologists(number or here, place, count)
        for node in names:
            seat = self._seat(node)
            if self.leaders[seat] != OFF:
                node.refuse(f"the leader of {node.value} stands at {SPOTS[self.leaders[seat]]} already")
            self.leaders[seat] = place
        if camp is not None:
            self._add_camp(camp, place)

    def _check_place(self, node: Node, place: int) -> None:
        """Pieces stand on something, and not under three tiles (R-GEO-9)."""
        if place < TILE_COUNT and not self.present >> place & 1:
            node.refuse("pieces stand here, but no tile lies here")
        cover = COVER_MASK[place]
        if cover and self.present & cover == cover:
            node.refuse("pieces stand here, but the place is hidden under other tiles (R-GEO-9)")

    def _add_archaeologists(self, node: Node, place: int, count: int) -> None:
        self.total += count
        if self.total > TOTAL_ARCHAEOLOGISTS:
            node.refuse(
                f"makes {self.total} archaeologists on the board, the game has {TOTAL_ARCHAEOLOGISTS} (R-CMP-6)"
            )
        self.archaeologists[place] = count

    def _add_camp(self, node: Node, place: int) -> None:
        if isinstance(node.value, list):
            node.refuse("a tile never holds two camps (R-CAMP-3); expected one name")
        owner = node.choice(("neutral", *GUILDS))
        if place >= TILE_COUNT:
            node.refuse("camps stand on tiles only (R-CAMP-4)")
        if owner == "neutral":
            if len(self.neutral) == NEUTRAL_CAMPS:
                node.refuse(f"a third neutral camp, the game has {NEUTRAL_CAMPS} (R-CMP-9)")
            self.neutral.append(place)
            return
        seat = self._seat(node)
        if self.camps[seat] != OFF:
            node.refuse(f"the camp of {owner} stands at {SPOTS[self.camps[seat]]} already")
        self.camps[seat] = place

    def _seat(self, node: Node) -> int:
        if node.choice(GUILDS) not in self.guilds:
            node.refuse(f"{node.value} has no seat in this game")
        return self.guilds.index(node.value)


def write_tiles(board: Board | st.State) -> dict[str, Any]:
    """Kind and rotation by spot; a rotation that nobody has told is left out."""
    tiles: dict[str, Any] = {}
    for place, kind in enumerate(board.tiles):
        if kind:
            tile: dict[str, Any] = {"kind": KIND_NAMES[kind]}
            if board.turns[place] != st.UNKNOWN_TURN:
                tile["rotation"] = board.turns[place]
            tiles[SPOTS[place]] = tile
    return tiles


def write_pieces(board: Board | st.State, guilds: Sequence[str]) -> dict[str, Any]:
    """Archaeologists, leaders and camp by spot."""
    pieces: dict[str, Any] = {}
    for place, number in enumerate(board.archaeologists):
        if number:
            pieces[SPOTS[place]] = {"archaeologists": number}
    for guild, place in zip(guilds, board.leaders, strict=True):
        if place != OFF:
            pieces.setdefault(SPOTS[place], {}).setdefault("leaders", []).append(guild)
    camps = [*zip(guilds, board.camps, strict=True), *(("neutral", place) for place in board.neutral_camps)]
    for owner, place in camps:
        if place != OFF:
            pieces.setdefault(SPOTS[place], {})["camp"] = owner
    return pieces
