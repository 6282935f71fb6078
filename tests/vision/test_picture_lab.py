"""The picture lab's truth must be right, or it would judge the recogniser wrongly."""

import random
from collections import Counter

from engine.games.ice.board import INDEX, LAYER, RIM, SPOTS
from engine.hexes import plan
from tools.picture_lab.truth import (
    COUNTS,
    Board,
    covers_present,
    deal,
    dig,
    hex_distance,
    is_possible,
    remove,
    stand_pieces,
    truth_of,
)

RADIUS = 24.0
CENTRES = {i: plan(tuple(map(int, s.split(":")[1].split(","))), RADIUS) for i, s in enumerate(SPOTS)}  # type: ignore[arg-type]
FOOT = {"archaeologist": 4.2, "leader": 5.8, "camp": 7.5}


def test_every_kind_is_dealt_as_often_as_the_box_has_it():
    tiles = deal(random.Random(1), prints=3)
    assert len(tiles) == 112
    for layer, counts in COUNTS.items():
        assert Counter(t.kind for p, t in tiles.items() if LAYER[p] == layer) == counts


def test_dug_boards_obey_gravity_and_the_chain_rule():
    for seed in range(20):
        rng = random.Random(seed)
        tiles = deal(rng, 1)
        dig(tiles, rng, rng.randint(5, 60))
        assert is_possible(tiles)


def test_removing_a_covered_tile_takes_its_covers():
    tiles = deal(random.Random(2), 1)
    remove(tiles, INDEX["surface:3,3,3"])
    assert not {INDEX["snow:4,3,3"], INDEX["snow:3,4,3"], INDEX["snow:3,3,4"], INDEX["surface:3,3,3"]} & set(tiles)
    assert is_possible(tiles)


def test_a_lonely_inner_tile_falls():
    tiles = {p: t for p, t in deal(random.Random(3), 1).items() if LAYER[p] != "snow" or p in RIM}
    inner, near = INDEX["snow:4,3,3"], INDEX["snow:3,4,3"]
    spare = next(iter(tiles.values()))
    tiles[inner] = tiles[near] = spare
    remove(tiles, near)
    assert inner not in tiles


def test_pieces_stand_on_the_open_part_of_their_tile_and_apart():
    for seed in range(10):
        rng = random.Random(seed)
        board = Board(deal(rng, 1))
        dig(board.tiles, rng, 30)
        stand_pieces(board, rng, CENTRES, RADIUS, FOOT, 12)
        assert board.pieces
        for k, piece in enumerate(board.pieces):
            place, foot = INDEX[piece.spot], FOOT[piece.label.split(".")[0]]
            x, y = CENTRES[place]
            assert hex_distance(piece.x_mm - x, piece.y_mm - y, RADIUS) <= -foot
            for above in covers_present(board.tiles, place):
                ax, ay = CENTRES[above]
                assert hex_distance(piece.x_mm - ax, piece.y_mm - ay, RADIUS) >= foot
            for other in board.pieces[:k]:
                gap = ((piece.x_mm - other.x_mm) ** 2 + (piece.y_mm - other.y_mm) ** 2) ** 0.5
                assert gap >= foot + FOOT[other.label.split(".")[0]]


def test_truth_names_covers_and_collects_pieces_by_spot():
    rng = random.Random(5)
    board = Board(deal(rng, 1))
    remove(board.tiles, INDEX["snow:4,3,3"])
    stand_pieces(board, rng, CENTRES, RADIUS, FOOT, 8)
    truth = truth_of(board, dict.fromkeys(board.tiles, 1.0))
    assert truth["tiles"]["surface:3,3,3"]["covered_by"] == 2
    assert truth["tiles"]["deep:3,3,2"]["covered_by"] == 3
    assert sum(len(labels) for labels in truth["pieces"].values()) == len(board.pieces)
