"""What is in the box, and FAQ rulings that no other test names (R-CMP, R-SNOW-1 to R-SNOW-5, R-FAQ, R-GEO, R-ADJ)."""

from __future__ import annotations

import pytest

from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, CELL, CENTRAL, COVERS, EDGE, INDEX, NEIGHBOURS, RIM, SNOW, SPOTS, TILE_COUNT
from engine.games.ice.cards import DECREES, GUILDS, LOGBOOK_CARDS, SNOW_BACK_COUNTS, TYPES
from engine.games.ice.options import Options
from engine.games.ice.terrain import are_adjacent
from engine.games.ice.work import study_supply

from .table import DATA, allow, at, begin, change, make_game, plain_tiles, refused, seat

HERE, SITE = "snow:5,2,3", "snow:4,3,3"


def test_r_cmp_1_r_cmp_5_three_layers_of_112_tiles() -> None:
    assert TILE_COUNT == 48 + 37 + 27 == 112


def test_r_cmp_2_r_snow_1_r_snow_2_r_snow_3_r_snow_4_r_snow_5_snow_backs() -> None:
    assert SNOW_BACK_COUNTS == {"empty": 12, "tunnel": 12, "crevasse": 12, "nunatak": 11, "campsite": 1}
    assert sum(SNOW_BACK_COUNTS.values()) == len(SNOW) == len(DATA.fronts.tiles())


@pytest.mark.parametrize(("layer", "typed", "prismatic", "anima"), [("surface", 30, 7, 1), ("deep", 25, 2, 2)])
def test_r_cmp_3_r_cmp_4_artifacts(layer: str, typed: int, prismatic: int, anima: int) -> None:
    tiles = DATA.artifacts.tiles(layer)
    assert sum(tile.kind in TYPES for tile in tiles) == typed
    assert sum(tile.kind == "prismatic" for tile in tiles) == prismatic
    assert {tile.anima for tile in tiles} == {anima}


def test_r_cmp_7_r_cmp_8_r_cmp_10_one_leader_camp_and_board_per_guild() -> None:
    state = Ice(Options(players=5), DATA).start(plain_tiles())
    assert len(state.leaders) == len(state.camps) == len(state.seats) == len(GUILDS) == 5


def test_r_cmp_9_r_faq_2_two_neutral_camps_at_most() -> None:
    assert max(Options(players=n).neutral_camps for n in range(1, 6)) == 2


def test_r_cmp_12_r_cmp_13_activation_and_hook_tokens() -> None:
    state = Ice(Options(players=5), DATA).start(plain_tiles())
    assert sum(board.hooks for board in state.seats) == 2


def test_r_cmp_15_five_study_tokens_of_each_type() -> None:
    game = make_game("icewalkers", "nurturers")
    spot = "surface:3,3,3"
    state = change(begin(game), gone=(SITE,), leaders=(spot, st.OFF), kinds={spot: "harmony"})
    assert study_supply(state, st.HARMONY) == 5
    assert study_supply(allow(game, state, a.Study(0, st.HARMONY)), st.HARMONY) == 4


def test_r_cmp_17_r_faq_4_rp_tokens_never_run_out() -> None:
    game = make_game("icewalkers", "nurturers")
    state = seat(begin(game), 0, rp=35, hand=("wreck",))
    assert allow(game, state, a.PlayWreck(0)).seats[0].rp == 36


def test_r_cmp_18_four_fluid_move_tokens_are_enough() -> None:
    assert max(n * Options(players=n, fluid_move=True).fluid_tokens for n in range(1, 6)) == 4


def test_r_cmp_19_r_cmp_20_blessings_and_curses_for_five() -> None:
    state = Ice(Options(players=5, expert=True), DATA).start(plain_tiles())
    assert [board.trigger for board in state.seats] == [st.BLESSING] * 5
    assert len(state.light_tokens) + len(state.dark_tokens) == 10


def test_r_cmp_21_r_cmp_22_ten_logbook_cards_and_nine_decrees() -> None:
    assert len(DATA.logbook) == LOGBOOK_CARDS == 10
    assert len(DECREES) == 9


def test_r_set_10_r_cmp_23_the_deck_has_54_requests() -> None:
    game = make_game("icewalkers", "nurturers")
    assert game.start(plain_tiles()).requests_left == 54
    assert begin(game).requests_left == 54 - 2 * 5


def test_r_set_4_a_logbook_card_is_turned_up_from_day_2_on() -> None:
    assert begin(make_game()).logbook == ()


def test_r_geo_2_three_central_cells_touch_the_middle() -> None:
    assert {SPOTS[i] for i in CENTRAL} == {SPOTS[i] for i in COVERS[at("surface:3,3,3")]}


def test_r_geo_4_turning_the_labels_changes_nothing_but_the_city() -> None:
    turned = [INDEX[f"{SPOTS[i].split(':')[0]}:{c},{a_},{b}"] for i, (a_, b, c) in enumerate(CELL[:TILE_COUNT])]  # type: ignore[index]
    for i in range(TILE_COUNT):
        assert {turned[j] for j in NEIGHBOURS[i]} == set(NEIGHBOURS[turned[i]])
        assert {turned[j] for j in COVERS[i]} == set(COVERS[turned[i]])


def test_r_geo_8_snow_is_always_uncovered() -> None:
    assert all(not COVERS[i] for i in SNOW)


def test_r_adj_1_r_adj_2_snow_never_touches_a_deep_tile() -> None:
    terrain = make_game().box.terrain
    assert not any(SPOTS[j].startswith("deep") for i in SNOW for j in terrain.adjacent[i])


@pytest.mark.parametrize(("literal", "touch"), [(True, True), (False, False)])
def test_r_adj_6_q_6_tiles_under_a_common_cover(literal: bool, touch: bool) -> None:
    game = make_game(adjacent_under_cover=literal)
    present = st.present_mask(plain_tiles())
    one, two = at("surface:3,3,3"), at("surface:4,2,3")
    assert are_adjacent(game.box.terrain, present, one, two) == touch
    bare = present
    for cover in set(COVERS[one]) & set(COVERS[two]):
        bare &= ~(1 << cover)
    assert are_adjacent(game.box.terrain, bare, one, two)


def test_r_faq_7_any_number_of_explorers_on_a_tile() -> None:
    game = make_game("icewalkers", "nurturers")
    state = change(begin(game), archaeologists={HERE: 20}, leaders=(HERE, HERE))
    assert refused(game, state, a.Recruit(0, at(SITE))) is None
    assert refused(game, state, a.Excavate(0, at(HERE))) is None


def test_r_cmp_16_five_planning_tokens_one_for_each_player() -> None:
    game = Ice(Options(players=5), DATA)
    state = begin(game)
    for number in range(1, 5):
        state = seat(state, number, planning=True)
    assert refused(game, state, a.Plan(0)) is None
    assert st.TOTAL_PLANNING == 5


@pytest.mark.parametrize(
    ("layer", "total", "largest", "cells"), [("snow", 10, 7, 48), ("surface", 9, 6, 37), ("deep", 8, 5, 27)]
)
def test_r_geo_1_a_layer_is_all_triples_of_its_sum(layer: str, total: int, largest: int, cells: int) -> None:
    triples = {cell for cell, spot in zip(CELL, SPOTS, strict=True) if spot.startswith(f"{layer}:")}
    every = {(p, q, total - p - q) for p in range(largest + 1) for q in range(largest + 1)}
    assert triples == {cell for cell in every if 0 <= cell[2] <= largest}
    assert len(triples) == cells


def test_r_geo_5_r_geo_6_neighbours_and_covers_differ_by_single_steps() -> None:
    for i in range(TILE_COUNT):
        for j in NEIGHBOURS[i]:
            assert sorted(q - p for p, q in zip(CELL[i], CELL[j], strict=True)) == [-1, 0, 1]
        for j in COVERS[i]:
            assert sorted(q - p for p, q in zip(CELL[i], CELL[j], strict=True)) == [0, 0, 1]
        assert len(COVERS[i]) == (0 if i in SNOW else 3)


def test_r_geo_10_rim_tiles_have_fewer_than_six_neighbours_and_rest_on_an_edge() -> None:
    fewer = {i for i in range(TILE_COUNT) if len(NEIGHBOURS[i]) < 6}
    on_edge = {i for i in range(TILE_COUNT) if any(p >= TILE_COUNT and p in EDGE for p in BELOW[i])}
    assert fewer == on_edge == RIM
