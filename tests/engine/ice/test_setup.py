"""The start of a game (R-SET, R-VAR-1, R-VAR-2P, R-VAR-BL, R-CURSE-1 to R-CURSE-3)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import CENTRAL, SNOW
from engine.games.ice.cards import GUILDS, UNKNOWN
from engine.games.ice.options import Options

from .table import DATA, allow, begin, make_game, plain_tiles, refused, shuffled_tiles

FIVE = ("a", "b", "c", "d", "e")


def game_of(players: int, **options: bool) -> Ice:
    return Ice(Options(players=players, **options), DATA)


def opening(players: int, **options: bool) -> st.State:
    return game_of(players, **options).start(*shuffled_tiles(random.Random(players)))


def test_r_set_2_a_game_needs_all_112_tiles() -> None:
    assert opening(3).present.bit_count() == 112
    with pytest.raises(ValueError, match="expected 112 tiles, got 111"):
        make_game().start(plain_tiles()[:-1] + b"\0")


def test_r_set_3_the_campsite_lies_on_a_central_cell() -> None:
    tiles = bytearray(plain_tiles())
    tiles[CENTRAL[0]], tiles[0] = tiles[0], tiles[CENTRAL[0]]
    with pytest.raises(ValueError, match="R-SET-3"):
        make_game().start(bytes(tiles))


def test_r_set_5_one_archaeologist_on_each_tunnel_r_set_6_and_on_the_campsite() -> None:
    state = opening(3)
    starts = {i for i in SNOW if state.tiles[i] in (st.TUNNEL, st.CAMPSITE)}
    assert {i for i, count in enumerate(state.archaeologists) if count} == starts
    assert sum(state.archaeologists) == 13


@pytest.mark.parametrize(("players", "on_board", "in_game"), [(1, 1, 2), (2, 1, 2), (3, 1, 2), (4, 1, 1), (5, 0, 0)])
def test_r_set_6_r_set_8_neutral_camps_by_player_count(players: int, on_board: int, in_game: int) -> None:
    state = opening(players)
    assert len(state.neutral_camps) == on_board
    assert all(state.tiles[place] == st.CAMPSITE for place in state.neutral_camps)
    assert Options(players=players).neutral_camps == in_game


def test_r_set_7_r_sun_5_the_game_starts_on_day_1_without_a_logbook_card() -> None:
    state = begin(make_game())
    assert (state.day, state.phase, state.logbook) == (1, st.EXPLORATION, ())


def test_r_set_8_the_supply_has_32_archaeologists_or_30_with_the_nurturers() -> None:
    tiles = shuffled_tiles(random.Random(1))
    assert st.supply(make_game("icewalkers", "navigators").start(*tiles)) == 32
    assert st.supply(make_game("icewalkers", "nurturers").start(*tiles)) == 30


def test_r_set_9_three_different_decrees() -> None:
    game = make_game()
    state = game.start(plain_tiles())
    for cards in (("A", "B"), ("A", "A", "B"), ("A", "B", "F"), ("A", "B", "D", "E")):
        assert refused(game, state, a.DrawDecrees(TABLE, cards)) == "R-SET-9"
    assert allow(game, state, a.DrawDecrees(TABLE, ("A", "C3", "E"))).decrees == ("A", "C3", "E")


def test_r_set_11_leaders_and_camps_start_in_the_reserve() -> None:
    state = opening(4)
    assert state.leaders == state.camps == (st.OFF,) * 4


def test_r_set_12_guild_components() -> None:
    state = game_of(5).start(plain_tiles())
    seats = {seat.guild: seat for seat in state.seats}
    assert seats["icewalkers"].hooks == 2
    assert seats["nurturers"].tended == 2
    assert seats["incandescents"].activation == st.TOKEN_READY
    assert [seats[guild].hooks for guild in GUILDS if guild != "icewalkers"] == [0] * 4


def test_r_set_13_start_rp_come_from_the_data() -> None:
    rich = replace(DATA, guilds=tuple(replace(guild, start_rp=i) for i, guild in enumerate(DATA.guilds)))
    state = Ice(Options(players=5), rich).start(plain_tiles())
    assert [seat.rp for seat in state.seats] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("players", "variant", "tokens"), [(2, False, 2), (3, False, 0), (3, True, 1), (4, True, 0), (5, True, 0)]
)
def test_r_set_14_r_var_fm3_fluid_move_tokens(players: int, variant: bool, tokens: int) -> None:
    assert {seat.fluid for seat in opening(players, fluid_move=variant).seats} == {tokens}


def test_r_set_15_five_requests_are_dealt_and_three_kept() -> None:
    game = make_game()
    state = allow(game, game.start(plain_tiles()), a.DrawDecrees(TABLE, (UNKNOWN,) * 3))
    assert refused(game, state, a.DealRequests(TABLE, 0, ("a", "b"))) == "R-SET-15"
    assert refused(game, state, a.DealRequests(TABLE, 1, FIVE)) == "R-SET-15"
    state = allow(game, state, a.DealRequests(TABLE, 0, FIVE))
    assert refused(game, state, a.KeepRequests(0, ("a", "b"))) == "R-SET-15"
    assert refused(game, state, a.KeepRequests(0, ("a", "b", "z"))) == "R-SET-15"
    assert refused(game, state, a.KeepRequests(1, ("a", "b", "c"))) == "R-SET-15"
    state = allow(game, state, a.KeepRequests(0, ("a", "b", "c")))
    assert state.seats[0].requests == ("a", "b", "c")
    assert (state.requests_left, state.requests_discarded) == (49, 2)


def test_r_set_16_the_first_player_begins() -> None:
    game = game_of(3)
    state = game.start(plain_tiles(), first=2)
    while state.asked:
        state = game.apply(state, next(iter(game.plausible_actions(state))))
    assert (state.first, state.active) == (2, 2)


@pytest.mark.parametrize(("players", "ep"), [(2, 6), (3, 5), (4, 5), (5, 4)])
def test_r_sun_1_r_sun_5_ep_of_day_1(players: int, ep: int) -> None:
    assert {seat.ep for seat in opening(players).seats} == {ep}


def test_r_var_1_a_first_game_is_simpler() -> None:
    rich = replace(DATA, guilds=tuple(replace(guild, start_rp=9) for guild in DATA.guilds))
    game = Ice(Options(players=5, first_game=True), rich)
    state = game.start(plain_tiles())
    assert {seat.rp for seat in state.seats} == {2}
    assert {(seat.hooks, seat.tended) for seat in state.seats} == {(0, 0)}
    state = allow(game, state, a.DrawDecrees(TABLE, (UNKNOWN,) * 3))
    state = allow(game, state, a.DealRequests(TABLE, 0, ("a", "b", "c")))
    assert allow(game, state, a.KeepRequests(0, ("b",))).seats[0].requests == ("b",)


def test_r_var_2p_two_players_do_not_plan() -> None:
    game = make_game()
    state = begin(game)
    assert refused(game, state, a.Plan(state.active)) == "R-PLAN-2"


def test_r_var_bl_everybody_is_blessed() -> None:
    assert {seat.trigger for seat in opening(3, blessing=True).seats} == {st.BLESSING}
    assert {seat.trigger for seat in opening(3).seats} == {st.NO_TOKEN}


@pytest.mark.parametrize(("players", "space"), [(2, 0), (3, 0), (4, 1), (5, 2)])
def test_r_curse_1_blessing_and_start_space(players: int, space: int) -> None:
    state = opening(players, expert=True)
    assert {(seat.trigger, seat.curse) for seat in state.seats} == {(st.BLESSING, space)}


def test_v13_r_curse_2_tokens_on_the_track() -> None:
    light = {2: (4, 5), 3: (4, 5, 6), 4: (4, 4, 5, 6), 5: (4, 4, 5, 5, 6)}
    dark = {2: (10, 11), 3: (10, 11, 12), 4: (10, 10, 11, 12), 5: (10, 10, 11, 11, 12)}
    for players in light:
        state = opening(players, expert=True)
        assert (state.light_tokens, state.dark_tokens) == (light[players], dark[players])
    assert opening(3).light_tokens == ()


def test_r_curse_3_as_many_tokens_as_players() -> None:
    for players in range(2, 6):
        state = opening(players, expert=True)
        assert len(state.light_tokens) == len(state.dark_tokens) == players


@pytest.mark.parametrize("players", [0, 6])
def test_a_game_has_one_to_five_players(players: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 5 players"):
        Options(players=players)


def test_r_var_solo_one_player_practises_with_two_player_values() -> None:
    state = opening(1)
    assert (state.seats[0].ep, len(state.seats)) == (6, 1)
