"""What lies beside the pretend board: dug tiles and pieces in reserve, never more than the box holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from companion.ice_pieces import COLOURS
from engine.games.ice.terms import term
from engine.sayings import Saying, english
from engine.spots import Cue, Layout, Point, Spot
from vision.looks.ice.deals import PIECE_COUNTS, TILE_COUNTS
from vision.render import Hand, Piece, Tile

UNKNOWN: Final = "unknown"
"""The kind of a tile that nobody was told."""


class HandsCannot(ValueError):
    """What was asked is not possible with hands and gravity: a sentence for players, with its facts."""

    def __init__(self, text: str, **facts: Any) -> None:
        self.say = Saying(text, facts)
        super().__init__(english(self.say))


def piece_name(label: str) -> Saying:
    """A piece as players call it."""
    name, _, colour = label.partition(".")
    owner = term(next((guild for guild, paint in COLOURS.items() if paint == colour), colour))
    if name == "archaeologist":
        return Saying("archaeologist")
    return (
        Saying("leader of {guild}", {"guild": owner}) if name == "leader" else Saying("camp: {owner}", {"owner": owner})
    )


class Stock:
    """Tiles and pieces that are not on the board."""

    def __init__(self, prints: int) -> None:
        self.tiles: list[tuple[str, Tile]] = [
            (layer, Tile(kind, 0, copy % max(prints, 1)))
            for layer, counts in TILE_COUNTS.items()
            for kind, count in counts.items()
            for copy in range(count)
        ]
        self.pieces: Counter[str] = Counter(PIECE_COUNTS)

    def take_tile(self, layer: str, kind: str) -> tuple[str, Tile]:
        """A tile of that kind, with its layer."""
        for i, (its_layer, tile) in enumerate(self.tiles):
            if its_layer == layer and tile.kind == kind:
                return self.tiles.pop(i)
        raise HandsCannot("No tile of the kind {kind} is left beside the board.", kind=term(kind))

    def take_pieces(self, labels: Iterable[str]) -> tuple[Piece, ...]:
        """Pieces with those labels, all or none."""
        wanted = Counter(labels)
        if missing := wanted - self.pieces:
            raise HandsCannot("Not beside the board: {pieces}.", pieces=[piece_name(label) for label in missing])
        self.pieces -= wanted
        return tuple(Piece(label) for label in wanted.elements())

    def rows(self, corner_mm: Point, seed: int) -> tuple[tuple[Point, Piece], ...]:
        """The pieces in rows of five on the table, as tidy as people are; each has its own spot there."""
        return tuple(
            ((corner_mm[0] + x, corner_mm[1] + y), piece)
            for (x, y), k, piece in _slots(seed)
            if k < self.pieces[piece.label]
        )

    def take_back(self, hand: Hand | None) -> None:
        """Everything that a hand holds."""
        if hand:
            self.tiles.extend([hand.tile] if hand.tile else [])
            self.pieces.update(piece.label for piece in hand.pieces)


def position_tiles(document: Mapping[str, Any]) -> dict[Spot, tuple[str, int]]:
    """Kind and rotation by spot of a position in its JSON form."""
    return {Spot(spot): (tile["kind"], int(tile.get("rotation") or 0)) for spot, tile in document["tiles"].items()}


def any_unknown(tiles: Mapping[Spot, tuple[str, int]], lying: Mapping[Spot, str]) -> dict[Spot, tuple[str, int]]:
    """The same tiles, those of an unknown kind being what lies there, or any that is left in the box."""
    left = {layer: Counter(counts) for layer, counts in TILE_COUNTS.items()}
    for spot, (kind, _) in tiles.items():
        left[spot.split(":")[0]][lying.get(spot, kind) if kind == UNKNOWN else kind] -= 1
    known = {}
    for spot, (kind, turn) in tiles.items():
        rest = left[spot.split(":")[0]]
        if kind == UNKNOWN and spot not in lying:
            kind = next(other for other, count in rest.items() if count > 0)
            rest[kind] -= 1
        known[spot] = (lying[spot] if kind == UNKNOWN else kind, turn)
    return known


def position_pieces(document: Mapping[str, Any], colours: Mapping[str, str] = COLOURS) -> dict[Spot, list[str]]:
    """Labels of the pieces by spot of a position in its JSON form."""
    pieces = {}
    for spot, group in document.get("pieces", {}).items():
        labels = ["archaeologist"] * int(group.get("archaeologists", 0))
        labels += [f"leader.{colours[guild]}" for guild in group.get("leaders", ())]
        labels += [f"camp.{colours[group['camp']]}"] if group.get("camp") else []
        pieces[Spot(spot)] = labels
    return pieces


def visible_tiles(seen: Mapping[Cue, str], layout: Layout) -> dict[Spot, tuple[str, int]]:
    """Kind and rotation by spot from what a camera would read; hidden tiles are any of those that are left."""
    tiles: dict[Spot, tuple[str, int]] = {}
    left = {layer: Counter(counts) for layer, counts in TILE_COUNTS.items()}
    for cue, label in seen.items():
        if cue.kind == "tile" and label != "absent":
            tiles[cue.spot] = (label, int(seen.get(Cue(cue.spot, "turn"), 0)))
            left[layout.places[cue.spot].layer][label] -= 1
    for place in layout.places.values():
        if place.takes_tile and Cue(place.spot, "tile") not in seen:
            kind = max(left[place.layer], key=left[place.layer].__getitem__)
            tiles[place.spot] = (kind, 0)
            left[place.layer][kind] -= 1
    return tiles


def visible_pieces(seen: Mapping[Cue, str], colours: Mapping[str, str] = COLOURS) -> dict[Spot, list[str]]:
    """Labels of the pieces by spot from what a camera would read."""
    pieces: dict[Spot, list[str]] = {}
    for cue, label in seen.items():
        here = pieces.setdefault(cue.spot, [])
        if cue.kind == "archaeologists":
            here += ["archaeologist"] * int(label)
        elif cue.kind == "leaders" and label != "none":
            here += [f"leader.{colours[guild]}" for guild in label.split("+")]
        elif cue.kind == "camp" and label != "none":
            here += [f"camp.{colours[guild]}" for guild in label.split("+")]
    return {spot: labels for spot, labels in pieces.items() if labels}


@lru_cache(maxsize=8)
def _slots(seed: int) -> tuple[tuple[Point, int, Piece], ...]:
    """A spot in the rows for the k-th piece of each label."""
    rng = np.random.default_rng([seed, 89])
    pairs = [(label, k) for label, most in PIECE_COUNTS.items() for k in range(most)]
    slots = []
    for slot, (label, k) in enumerate(pairs):
        row, column = divmod(slot, 5)
        x, y, turn = rng.uniform((-4, -4, 0), (4, 4, 360)).tolist()
        slots.append(((19 * column + x, y - 19 * row), k, Piece(label, turn_deg=turn)))
    return tuple(slots)
