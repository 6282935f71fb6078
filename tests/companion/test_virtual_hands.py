"""Hands that follow a position: afterwards the table shows it, and nothing was lost on the way."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.picture_sets import table_layout
from companion.virtual_hands import carry_out
from companion.virtual_table import VirtualTable
from engine.spots import Spot
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import Deal, deal_tiles, dig, scatter
from vision.render import Renderer

LAYOUT = table_layout()
RENDERER = Renderer(LAYOUT, ArtSet(2), "mild", 4, size=(320, 240))


def kinds(table: VirtualTable) -> dict[Spot, str]:
    return {spot: tile.kind for spot, tile in table.tiles.items()}


def labels(table: VirtualTable) -> dict[Spot, Counter[str]]:
    return {spot: Counter(piece.label for piece in group) for spot, group in table.pieces.items()}


def shows(table: VirtualTable, tiles: Deal, pieces: dict[Spot, list[str]]) -> bool:
    return kinds(table) == {s: kind for s, (kind, _) in tiles.items()} and labels(table) == {
        s: Counter(group) for s, group in pieces.items()
    }


@pytest.mark.parametrize("seed", range(12))
def test_digs_and_moves_between_two_positions_of_a_game_are_carried_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = dig(LAYOUT, deal_tiles(LAYOUT, rng), 15, rng)
    table = VirtualTable(LAYOUT, RENDERER, seed)
    table.arrange(before, scatter(LAYOUT, before, rng))
    box = table.inventory()
    after = dig(LAYOUT, before, int(rng.integers(0, 6)), rng)
    pieces = scatter(LAYOUT, after, rng)
    carry_out(table, after, pieces)
    assert shows(table, after, pieces)
    assert table.hand is None
    assert table.inventory() == box
    frames = 0
    while table.beat():
        frames += 1
    assert frames
    assert table.shown() == table.scene()


def test_a_dug_tile_can_be_put_back_and_a_tile_turned() -> None:
    rng = np.random.default_rng(1)
    start = deal_tiles(LAYOUT, rng)
    table = VirtualTable(LAYOUT, RENDERER, 1)
    table.arrange(start, {})
    carry_out(table, dig(LAYOUT, start, 4, rng), {})
    assert len(table.tiles) == 108
    top = Spot("snow:4,3,3")
    turned = {**start, top: (start[top][0], (start[top][1] + 2) % 6)}
    carry_out(table, turned, {})
    assert shows(table, turned, {})
    assert {s: t.rotation for s, t in table.tiles.items()} == {s: turn for s, (_, turn) in turned.items()}


def test_nothing_to_do_needs_no_hand() -> None:
    start = deal_tiles(LAYOUT, np.random.default_rng(2))
    table = VirtualTable(LAYOUT, RENDERER, 2)
    table.arrange(start, {Spot("snow:4,3,3"): ["leader.red"]})
    carry_out(table, start, {Spot("snow:4,3,3"): ["leader.red"]})
    assert not table.busy
