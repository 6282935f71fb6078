"""The pretend table: nothing gets lost, what is lifted is nowhere on the board, hands come and go."""

from __future__ import annotations

import contextlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.picture_sets import table_layout
from companion.virtual_stock import HandsCannot, position_pieces, position_tiles, visible_pieces, visible_tiles
from companion.virtual_table import VirtualTable
from engine.spots import Cue, Spot
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import PIECE_COUNTS, TILE_COUNTS, deal_tiles, dig, scatter
from vision.render import Renderer

LAYOUT = table_layout()
RENDERER = Renderer(LAYOUT, ArtSet(2), "mild", 4, size=(320, 240))
BOX_TILES = Counter({(layer, kind): n for layer, counts in TILE_COUNTS.items() for kind, n in counts.items()})
BOX_PIECES = Counter(PIECE_COUNTS)
A, B = Spot("snow:4,3,3"), Spot("snow:3,4,3")


def made_table(seed: int = 1, digs: int = 20, renderer: Renderer = RENDERER) -> VirtualTable:
    rng = np.random.default_rng(seed)
    tiles = dig(LAYOUT, deal_tiles(LAYOUT, rng), digs, rng)
    table = VirtualTable(LAYOUT, renderer, seed)
    table.arrange(tiles, scatter(LAYOUT, tiles, rng))
    return table


def full_table(pieces: dict[Spot, list[str]], renderer: Renderer = RENDERER) -> VirtualTable:
    table = VirtualTable(LAYOUT, renderer, 3)
    table.arrange(deal_tiles(LAYOUT, np.random.default_rng(0)), pieces)
    return table


def test_the_box_holds_what_the_rules_say() -> None:
    assert BOX_TILES.total() == 112
    assert BOX_PIECES["archaeologist"] == 45
    assert sum(n for label, n in BOX_PIECES.items() if label.startswith("camp")) == 7
    assert sum(n for label, n in BOX_PIECES.items() if label.startswith("leader")) == 5
    assert VirtualTable(LAYOUT, RENDERER).inventory() == (BOX_TILES, BOX_PIECES)


VERBS = [
    "lift_tile",
    "put_tile",
    "turn_tile",
    "fetch_tile",
    "dig",
    "lift_pieces",
    "put_pieces",
    "fetch_pieces",
    "move_pieces",
    "add_pieces",
    "remove_pieces",
    "knock_over",
    "set_upright",
    "turn_camp",
    "reach",
    "withdraw",
    "rest",
]


def try_verb(table: VirtualTable, verb: str, rng: np.random.Generator) -> None:
    spots = list(LAYOUT.places)
    tops = [s for s in table.tiles if not any(c in table.tiles for c in LAYOUT.places[s].covers)]
    a, b = (group[int(rng.integers(len(group)))] for group in (tops or spots, spots))
    standing = list(table.pieces) or spots
    c = standing[int(rng.integers(len(standing)))]
    here = [piece.label for piece in table.pieces.get(c, ())][: int(rng.integers(1, 3))]
    label = list(PIECE_COUNTS)[int(rng.integers(len(PIECE_COUNTS)))]
    arguments = {
        "lift_tile": (a,),
        "put_tile": (b, int(rng.integers(6))),
        "turn_tile": (a, int(rng.integers(6))),
        "fetch_tile": ("surface", "harmony", a),
        "dig": (a,),
        "lift_pieces": (c, here),
        "put_pieces": (a,),
        "fetch_pieces": ([label], a),
        "move_pieces": (here, c, a),
        "add_pieces": ([label], b),
        "remove_pieces": (here, c),
        "knock_over": (c,),
        "set_upright": (c,),
        "turn_camp": (c, "camp.blue", True),
        "reach": (b,),
        "withdraw": (),
        "rest": (2,),
    }[verb]
    getattr(table, verb)(*arguments)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 9), st.lists(st.sampled_from(VERBS), max_size=40), st.integers(0, 2**32 - 1))
def test_nothing_gets_lost_whatever_hands_do(start: int, verbs: list[str], luck: int) -> None:
    table, rng = made_table(start), np.random.default_rng(luck)
    for verb in verbs:
        with contextlib.suppress(HandsCannot):
            try_verb(table, verb, rng)
        assert table.inventory() == (BOX_TILES, BOX_PIECES)
        for spot in table.tiles:
            for below in LAYOUT.places[spot].rests_on:
                assert below in table.tiles or not LAYOUT.places[below].takes_tile
        for spot in table.pieces:
            place = LAYOUT.places[spot]
            assert spot in table.tiles or not place.takes_tile
            assert not place.covers or not all(cover in table.tiles for cover in place.covers)
    table.settle()
    assert table.shown() == table.scene()


def test_a_lifted_tile_is_nowhere_on_the_board_and_comes_back_turned() -> None:
    table = full_table({})
    kind = table.tiles[A].kind
    table.lift_tile(A)
    assert A not in table.tiles
    assert table.hand is not None
    assert table.hand.tile is not None
    assert table.hand.tile[1].kind == kind
    table.put_tile(A, 4)
    assert (table.tiles[A].kind, table.tiles[A].rotation) == (kind, 4)
    assert table.hand.tile is None


def test_a_move_shows_the_hand_the_lifted_piece_and_then_the_piece_in_its_new_place() -> None:
    table = full_table({A: ["leader.red", "archaeologist"]})
    table.move_pieces(["leader.red"], A, B)
    seen = []
    while table.beat():
        scene = table.shown()
        at = [spot for spot, group in scene.pieces.items() if any(p.label == "leader.red" for p in group)]
        held = [p.label for hand in scene.hands for p in hand.pieces]
        assert len(at) + held.count("leader.red") == 1
        seen.append((len(scene.hands), at[0] if at else "held"))
    assert seen[0] == (1, A)
    assert seen[-1] == (0, B)
    assert (1, "held") in seen
    assert [p.label for p in table.pieces[A]] == ["archaeologist"]
    assert not table.busy


@pytest.mark.parametrize("from_deg", [0.0, 90.0, 270.0])
def test_hands_come_into_the_picture_and_leave_it(from_deg: float) -> None:
    table = full_table({})
    table.sit(from_deg)
    before = table.renderer.drawing(table.shown()).copy()
    table.reach(A)
    changed = []
    while table.beat():
        drawing = table.renderer.drawing(table.shown())
        changed.append(int((drawing != before).any(-1).sum()))
    assert changed[0] < changed[-1]
    table.withdraw()
    table.settle()
    assert np.array_equal(table.renderer.drawing(table.shown()), before)


def test_pictures_play_the_queue_and_then_stay() -> None:
    table = full_table({A: ["archaeologist"]})
    table.remove_pieces(["archaeologist"], A)
    frames = 0
    while table.busy:
        table.live_picture()
        frames += 1
    assert frames >= 4
    still = table.live_picture()
    again = table.live_picture()
    assert still.shape == (240, 320, 3)
    assert not np.array_equal(still, again)  # another exposure
    assert np.abs(still.astype(int) - again).mean() < 6


def test_a_bumped_camera_and_a_dark_room_show_in_the_picture() -> None:
    table = full_table({}, Renderer(LAYOUT, ArtSet(2), "mild", 4, size=(320, 240)))
    first = table.picture().astype(int)
    table.switch_light(False)
    dark = table.live_picture()
    assert dark.mean() < 12
    table.switch_light(True)
    assert np.abs(table.live_picture().astype(int) - first).mean() < 6
    table.bump_camera((12.0, -6.0), 3.0)
    assert np.abs(table.live_picture().astype(int) - first).mean() > 8


def test_knocked_over_pawns_lie_until_they_are_set_up() -> None:
    table = full_table({A: ["leader.blue", "archaeologist", "camp.red"]})
    upright = table.renderer.drawing(table.shown()).copy()
    table.knock_over(A)
    table.settle()
    assert [(p.label.partition(".")[0], p.lying) for p in table.pieces[A]] == [
        ("camp", False),
        ("leader", True),
        ("archaeologist", True),
    ]
    assert not np.array_equal(table.renderer.drawing(table.shown()), upright)
    table.set_upright(A)
    assert not any(p.lying for p in table.pieces[A])


def test_what_hands_cannot_do_is_said_and_changes_nothing() -> None:
    table = full_table({A: ["archaeologist"]})
    surface = next(s for s in LAYOUT.places[A].rests_on if s.startswith("surface"))
    before = table.scene()
    refused = [
        (lambda: table.lift_tile(A), "Pieces stand on"),
        (lambda: table.lift_tile(surface), "lies under"),
        (lambda: table.lift_tile(Spot("snow:9,9,9")), "no place"),
        (lambda: table.lift_pieces(A, ["leader.red"]), "no such piece: leader of Incandescents"),
        (lambda: table.add_pieces(["archaeologist"], surface), "hidden under tiles"),
        (lambda: table.add_pieces(["archaeologist"] * 45, B), "Not beside the board: archaeologist"),
        (lambda: table.put_tile(B), "holds no tile"),
        (lambda: table.fetch_tile("snow", "tunnel", B), "No tile of the kind tunnel"),
    ]
    for attempt, words in refused:
        with pytest.raises(HandsCannot, match=words):
            attempt()
        assert table.scene() == before


def test_a_tile_is_not_put_on_pieces_that_would_vanish_under_it() -> None:
    table = full_table({})
    table.dig(A)
    table.add_pieces(["archaeologist"], LAYOUT.places[A].rests_on[0])  # only that third is open
    table.fetch_tile("snow", table.stock.tiles[0][1].kind, A)
    with pytest.raises(HandsCannot, match="would be covered"):
        table.put_tile(A)


def test_pieces_make_room_for_a_tile_that_is_put_back() -> None:
    table = full_table({})
    table.dig(A)
    table.lift_tile(B)
    table.withdraw()
    (shared,) = set(LAYOUT.places[A].rests_on) & set(LAYOUT.places[B].rests_on)
    table.add_pieces(["archaeologist"] * 3, shared)
    layer, tile = table.stock.tiles[-1]
    assert layer == "snow"
    table.fetch_tile(layer, tile.kind, B)
    table.put_tile(B)
    centre = np.array(LAYOUT.places[shared].centre_mm)
    for piece in table.pieces[shared]:
        assert (
            np.linalg.norm(centre + piece.shift_mm - LAYOUT.places[B].centre_mm) > 21.0
        )  # half the tile, side to side


def test_a_position_file_can_be_laid_out() -> None:
    document = {
        "tiles": {"deep:3,3,2": {"kind": "harmony", "rotation": 2}, "deep:3,2,3": {"kind": "exalted"}},
        "pieces": {"deep:3,3,2": {"archaeologists": 2, "leaders": ["navigators"], "camp": "neutral"}},
    }
    table = VirtualTable(LAYOUT, RENDERER)
    table.arrange(position_tiles(document), position_pieces(document))
    assert {s: (t.kind, t.rotation) for s, t in table.tiles.items()} == {
        "deep:3,3,2": ("harmony", 2),
        "deep:3,2,3": ("exalted", 0),
    }
    labels = sorted(p.label for p in table.pieces[Spot("deep:3,3,2")])
    assert labels == ["archaeologist", "archaeologist", "camp.white", "leader.blue"]
    assert table.inventory() == (BOX_TILES, BOX_PIECES)


def test_tidying_the_supply_changes_nothing_on_the_board() -> None:
    table = full_table({A: ["archaeologist"]})
    before = table.scene()
    table.tidy_supply()
    assert table.busy
    table.settle()
    after = table.scene()
    assert (after.tiles, after.pieces, after.hands) == (before.tiles, before.pieces, ())
    assert after.beside != before.beside
    assert sorted(p.label for _, p in after.beside) == sorted(p.label for _, p in before.beside)


def test_the_strip_lights_rims_where_tiles_lie_and_shows_itself_where_none_does() -> None:
    table = full_table({})
    strip = table.strip
    led = strip.leds_of[A][0]
    frame = [(0, 0, 0)] * len(strip.points_mm)
    frame[led] = (0, 200, 90)
    table.light_strip(frame)
    assert (table.leds, table.lamps) == ({A: (0, 200, 90)}, ())
    empty = VirtualTable(LAYOUT, RENDERER)
    dark = empty.renderer.drawing(empty.shown()).astype(int)
    empty.light_strip(frame)
    assert empty.leds == {}
    glow = empty.renderer.drawing(empty.shown()).astype(int) - dark
    v, u = np.unravel_index(glow[..., 1].argmax(), glow.shape[:2])
    expected = RENDERER.lens.project((*strip.points_mm[led], 0.0))
    assert np.hypot(u - expected[0], v - expected[1]) < 8
    empty.light_strip([(0, 0, 0)] * len(frame))
    assert np.array_equal(empty.renderer.drawing(empty.shown()), dark)


def test_a_glowing_rim_is_hidden_by_the_tiles_above_it() -> None:
    table = full_table({})
    dark = table.renderer.drawing(table.shown()).copy()
    surface = LAYOUT.places[A].rests_on[0]
    table.leds = {surface: (255, 255, 255)}
    assert np.array_equal(table.renderer.drawing(table.shown()), dark)


def test_what_is_kept_between_pictures_never_shows() -> None:
    table = made_table(5)
    spot = next(iter(table.pieces))
    table.knock_over(spot)
    table.remove_pieces([table.pieces[spot][0].label], spot)
    table.leds = {spot: (200, 0, 0)}
    checked = 0
    while table.beat():
        scene = table.shown()
        warm = table.renderer.drawing(scene)
        fresh = Renderer(LAYOUT, ArtSet(2), "mild", 4, size=(320, 240)).drawing(scene)
        assert np.array_equal(warm, fresh)
        checked += 1
    assert checked > 5


def test_what_a_camera_should_read_can_be_laid_out() -> None:
    dealt = deal_tiles(LAYOUT, np.random.default_rng(8))
    seen = {Cue(s, "tile"): kind for s, (kind, _) in dealt.items() if s.startswith("snow")}
    seen |= {Cue(s, "turn"): str(turn) for s, (_, turn) in dealt.items() if s.startswith("snow")}
    seen[Cue(B, "tile")] = "absent"
    del seen[Cue(B, "turn")]
    seen |= {Cue(A, "archaeologists"): "2", Cue(A, "leaders"): "icewalkers+navigators", Cue(A, "camp"): "neutral"}
    seen |= {Cue(Spot("snow:3,3,4"), "archaeologists"): "0", Cue(Spot("snow:3,3,4"), "camp"): "none"}
    table = VirtualTable(LAYOUT, RENDERER)
    table.arrange(visible_tiles(seen, LAYOUT), visible_pieces(seen))
    assert len(table.tiles) == 111
    assert B not in table.tiles
    assert all((t.kind, t.rotation) == dealt[s] for s, t in table.tiles.items() if s.startswith("snow"))
    assert list(table.pieces) == [A]
    labels = sorted(p.label for p in table.pieces[A])
    assert labels == ["archaeologist", "archaeologist", "camp.white", "leader.blue", "leader.purple"]
    assert table.inventory() == (BOX_TILES, BOX_PIECES)
