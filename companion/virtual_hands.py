"""What hands do to make the pretend table look like another position: the shortest sensible order of gestures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.virtual_table import VirtualTable
from engine.spots import Spot

Tiles = Mapping[Spot, tuple[str, int]]
Pieces = Mapping[Spot, Sequence[str]]


def carry_out(table: VirtualTable, tiles: Tiles, pieces: Pieces) -> None:
    """Queue the gestures that lead from the table as it is to the wanted kinds, rotations and pieces.

    Pieces that can go straight to their new place do; those that wait for a dig are set aside until it is done. Pieces
    wanted where nothing lies any more, as between a dig and their allocation, wait beside the board.
    """
    leaving = _leaving(table, tiles)
    _move_pieces(table, pieces, leaving)
    for spot in leaving:
        table.lift_tile(spot)
        table.withdraw()
    for spot in _low_first(table, [spot for spot in tiles if spot not in table.tiles]):
        kind, rotation = tiles[spot]
        table.fetch_tile(table.layout.places[spot].layer, kind, spot)
        table.put_tile(spot, rotation)
    for spot in _turned(table, tiles):
        table.turn_tile(spot, tiles[spot][1])
    for spot, missing in _missing(table, pieces).items():
        if not table.is_open(spot):
            continue
        table.fetch_pieces(list(missing.elements()), spot)
        table.put_pieces(spot)
    table.withdraw()


def _labels(table: VirtualTable, spot: Spot) -> Counter[str]:
    return Counter(piece.label for piece in table.pieces.get(spot, ()))


def _leaving(table: VirtualTable, tiles: Tiles) -> list[Spot]:
    """Tiles to take away, high ones first: the wrong ones, and for a while those that lie on them."""
    going = {spot for spot, tile in table.tiles.items() if spot not in tiles or tiles[spot][0] != tile.kind}
    for spot in sorted(table.tiles, key=lambda s: table.layout.places[s].top_mm):
        if any(below in going for below in table.layout.places[spot].rests_on):
            going.add(spot)
    return sorted(going, key=lambda s: -table.layout.places[s].top_mm)


def _turned(table: VirtualTable, tiles: Tiles) -> list[Spot]:
    """Tiles that lie free and are turned wrongly; one under others is left as it is."""
    return [
        spot
        for spot, (_, rotation) in tiles.items()
        if table.tiles[spot].rotation != rotation
        and not table.pieces.get(spot)
        and not any(cover in table.tiles for cover in table.layout.places[spot].covers)
    ]


def _low_first(table: VirtualTable, spots: list[Spot]) -> list[Spot]:
    return sorted(spots, key=lambda s: table.layout.places[s].top_mm)


def _missing(table: VirtualTable, pieces: Pieces) -> dict[Spot, Counter[str]]:
    lacks = {spot: Counter(labels) - _labels(table, spot) for spot, labels in pieces.items()}
    return {spot: lack for spot, lack in lacks.items() if lack}


def _move_pieces(table: VirtualTable, pieces: Pieces, leaving: Sequence[Spot]) -> None:
    """Carry pieces that have somewhere to go already; take the others off the board."""
    for spot in list(table.pieces):
        spare = _labels(table, spot) - Counter(pieces.get(spot, ()))
        if spot in leaving:
            spare = _labels(table, spot)
        for end, lack in _missing(table, pieces).items():
            both = spare & lack
            if both and end not in leaving and table.is_open(end):
                table.lift_pieces(spot, both.elements())
                table.put_pieces(end)
                spare -= both
        if spare:
            table.lift_pieces(spot, spare.elements())
            table.withdraw()
    table.withdraw()
