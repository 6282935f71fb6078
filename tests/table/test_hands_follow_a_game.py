"""A random legal game on the pretend table: after every action hands bring the table to what the state shows."""

from __future__ import annotations

import pytest

from companion.picture_sets import table_layout
from companion.virtual_hands import carry_out
from companion.virtual_stock import position_pieces, position_tiles, visible_pieces
from companion.virtual_table import VirtualTable
from engine.games.ice.position import write_position
from tests.engine.ice.table import choose, random_game
from vision.looks.ice.art import ArtSet
from vision.render import Renderer

LAYOUT = table_layout()
RENDERER = Renderer(LAYOUT, ArtSet(1), "mild", 2, size=(320, 240))


@pytest.mark.parametrize("seed", [1, 3])
def test_hands_can_show_every_state_of_a_game(seed: int) -> None:
    game, state, rng = random_game(seed, players=2 + seed)
    table = VirtualTable(LAYOUT, RENDERER, seed, beats=1)
    document = write_position(state, game.box.options)
    table.arrange(position_tiles(document), position_pieces(document))
    box = table.inventory()
    digs = 0
    for _ in range(400):
        if game.to_act(state) is None:
            break
        state = game.apply(state, choose(rng, game.legal_actions(state)))
        document = write_position(state, game.box.options)
        wanted = position_tiles(document)
        digs += len(table.tiles) - len(wanted)
        carry_out(table, wanted, position_pieces(document))
        table.settle()
        shown = {spot: sorted(piece.label for piece in group) for spot, group in table.pieces.items()}
        assert shown == {spot: sorted(group) for spot, group in visible_pieces(game.visible(state)).items()}
        assert {spot: tile.kind for spot, tile in table.tiles.items()} == {s: kind for s, (kind, _) in wanted.items()}
        assert table.inventory() == box
    assert digs > 3
