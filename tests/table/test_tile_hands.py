"""Hands that take tiles off, put them back, and lay them elsewhere, rightly or wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.spots import Spot
from tests.table.tables import PlainTable

TILE, OTHER = Spot("snow:5,3,2"), Spot("snow:5,2,3")


@pytest.fixture
def table(tmp_path: Path) -> PlainTable:
    found = PlainTable(tmp_path)
    found.settle()
    return found


def test_a_tile_that_was_taken_off_is_put_back_as_it_lay(table: PlainTable) -> None:
    before = table.table.table.tiles[TILE]
    table.hands("dig", spot=str(TILE))
    table.pass_s(2)
    assert TILE not in table.table.table.tiles
    assert table.public["refusal"] is not None
    table.hands("put_tile", spot=str(TILE))
    table.pass_s(2)
    after = table.table.table.tiles[TILE]
    assert (after.kind, after.rotation) == (before.kind, before.rotation)
    table.hands("put_tile", spot=str(TILE))
    assert table.public["note"].text == "No tile was taken from {place}."


def test_a_tile_is_carried_to_a_free_place_of_its_layer_only(table: PlainTable) -> None:
    lying = dict(table.table.table.tiles)
    table.hands("move_tile", start=str(TILE), end=str(OTHER))
    assert table.public["note"].text == "The tile in the hand does not fit on {place}."
    assert table.table.table.tiles.keys() == lying.keys()
    assert table.table.table.hand is None
    table.hands("dig", spot=str(OTHER))
    table.hands("move_tile", start=str(TILE), end=str(OTHER))
    assert table.table.table.tiles[OTHER].kind == lying[TILE].kind
    assert TILE not in table.table.table.tiles
