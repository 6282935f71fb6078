"""Where hands put things: on what can be seen of a place, apart from one another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.games.ice.board import make_layout
from engine.spots import Place, Spot
from vision.looks.conditions import CONDITIONS
from vision.looks.ice.deals import deal_tiles, dig
from vision.looks.ice.pieces import make_piece_set, radius_mm
from vision.looks.placing import arrange, put_pieces

LAYOUT = make_layout(42.0, {"snow": 9.0, "surface": 6.0, "deep": 3.0, "azulia": 0.0})
MAKE = make_piece_set(0)


def depth(place: Place, point: np.ndarray) -> float:
    outline = np.array(place.outline_mm, np.float32)
    return cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), True)


@pytest.mark.parametrize("crowd", [1, 4, 7])
def test_a_crowd_on_one_tile_stands_apart_and_on_it(crowd: int) -> None:
    place = LAYOUT.places[Spot("snow:4,3,3")]
    for seed in range(10):
        rng = np.random.default_rng(seed)
        pieces = put_pieces(["archaeologist"] * (crowd - 1) + ["leader.red"], place, LAYOUT, [], MAKE, rng)
        assert pieces[0].label == "leader.red"
        for i, piece in enumerate(pieces):
            assert depth(place, np.add(place.centre_mm, piece.shift_mm)) > 0
            for other in pieces[:i]:
                apart = np.hypot(*np.subtract(piece.shift_mm, other.shift_mm))
                assert apart > 0.8 * (radius_mm(piece.label, MAKE) + radius_mm(other.label, MAKE))


def test_nobody_stands_under_a_tile_or_inside_the_frame() -> None:
    rng = np.random.default_rng(3)
    tiles = dig(LAYOUT, deal_tiles(LAYOUT, rng), 30, rng)
    tried = 0
    for place in LAYOUT.places.values():
        open_covers = [LAYOUT.places[c] for c in place.covers if c not in tiles]
        if not open_covers or (place.takes_tile and place.spot not in tiles):
            continue
        tried += 1
        (piece,) = put_pieces(["archaeologist"], place, LAYOUT, tiles, MAKE, rng)
        at = np.add(place.centre_mm, piece.shift_mm)
        assert all(depth(LAYOUT.places[c], at) < 0 for c in place.covers if c in tiles)
        assert max(depth(cover, at) for cover in open_covers) > -0.5
    assert tried > 20


def test_carelessness_stays_within_the_condition_and_follows_the_seed() -> None:
    dealt = deal_tiles(LAYOUT, np.random.default_rng(0))
    for condition in CONDITIONS.values():
        laid, _ = arrange(LAYOUT, dealt, {}, condition, MAKE, 4)
        assert max(abs(v) for tile in laid.values() for v in tile.shift_mm) <= condition.jitter_mm
        assert max(abs(tile.twist_deg) for tile in laid.values()) <= condition.twist_deg
        assert len({tile.shift_mm for tile in laid.values()}) == len(laid)
        assert arrange(LAYOUT, dealt, {}, condition, MAKE, 4)[0] == laid
        assert arrange(LAYOUT, dealt, {}, condition, MAKE, 5)[0] != laid
