"""Logbook cards: turned up, carried out, confirmed (R-LOG, R-VAR-LOG)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.gamedata import shipped
from engine.game import TABLE, play
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import board as b
from engine.games.ice import state as st
from engine.games.ice.cards import UNKNOWN, LogbookCard, Op
from engine.games.ice.options import Options

SNOW_KINDS = ["campsite", *["empty"] * 12, *["tunnel"] * 12, *["crevasse"] * 12, *["nunatak"] * 11]


def tiles() -> bytes:
    """A laid-out board: the campsite on the first central cell, the other kinds in order."""
    kinds = bytearray(b.TILE_COUNT)
    others = [i for i in b.SNOW if i != b.CENTRAL[0]]
    for place, kind in zip([b.CENTRAL[0], *others], SNOW_KINDS, strict=True):
        kinds[place] = st.KIND[kind]
    for place in (*b.SURFACE, *b.DEEP):
        kinds[place] = st.KIND["harmony" if place % 5 else "prismatic"]
    return bytes(kinds)


def ice(*cards: LogbookCard, **options: object) -> Ice:
    data = shipped()
    merged = {card.id: card for card in (*data.logbook, *cards)}
    return Ice(Options(players=3, **options), replace(data, logbook=tuple(merged.values())))  # type: ignore[arg-type]


def sunrise(**changes: object) -> st.State:
    """Sunrise of day 2, before the card, everybody in the reserve."""
    state = ice().start(tiles())
    return replace(state, asked=(), phase=st.SUNRISE, day=2, **changes)


def without(state: st.State, *places: int) -> st.State:
    """The state with tiles gone to the discard pile."""
    kinds = bytearray(state.tiles)
    gone = list(state.discarded)
    for place in places:
        kinds[place] = 0
        gone[b.LEVEL[place]] += 1
    return replace(state, tiles=bytes(kinds), present=st.present_mask(kinds), discarded=tuple(gone))


def card(*ops: Op, name: str = "mine") -> LogbookCard:
    return LogbookCard(name, "ours", "tunnel", "as told", ops)


def draw(game: Ice, state: st.State, name: str) -> st.State:
    return play(game, state, a.DrawLogbook(TABLE, name))


def rule(game: Ice, state: st.State, action: a.Action) -> str | None:
    violation = game.why_illegal(state, action)
    return None if violation is None else violation.rule


def test_r_log_1_a_card_is_a_one_time_event() -> None:
    assert rule(ice(), sunrise(logbook=("J5",)), a.DrawLogbook(TABLE, "J5")) == "R-LOG-1"
    assert rule(ice(), sunrise(logbook=("J5",)), a.DrawLogbook(TABLE, "J3")) is None


def test_r_log_1_a_first_game_has_no_cards() -> None:
    assert rule(ice(first_game=True), sunrise(), a.DrawLogbook(TABLE, "J5")) == "R-LOG-1"


def test_r_sun_4_the_day_starts_after_the_card() -> None:
    game = ice()
    assert rule(game, sunrise(), a.StartDay(TABLE)) == "R-SUN-4"
    after = play(game, draw(game, sunrise(), "J1"), a.ConfirmBoard(TABLE))
    assert (after.phase, after.active, after.asked) == (st.EXPLORATION, after.first, ())


def test_r_log_2_nothing_else_while_a_card_is_carried_out() -> None:
    game = ice()
    state = draw(game, sunrise(), "J1")
    assert rule(game, state, a.Plan(state.first)) == "R-LOG-2"
    assert rule(game, state, a.ConfirmBoard(TABLE)) is None


def test_r_log_3_j5_puts_an_archaeologist_on_every_nunatak() -> None:
    game, before = ice(), sunrise()
    after = draw(game, before, "J5")
    gained = [i for i in range(b.PLACE_COUNT) if after.archaeologists[i] > before.archaeologists[i]]
    assert gained == [i for i in b.SNOW if before.tiles[i] == st.NUNATAK]
    assert len(gained) == 11
    assert after.phase == st.EXPLORATION


def test_r_log_3_j3_leaves_out_prismatics_that_nobody_sees() -> None:
    game = ice()
    prismatic = next(i for i in b.SURFACE if tiles()[i] == st.PRISMATIC_KIND)
    before = without(sunrise(), b.COVERS[prismatic][0])
    after = draw(game, before, "J3")
    gained = [i for i in range(b.PLACE_COUNT) if after.archaeologists[i] > before.archaeologists[i]]
    assert prismatic in gained
    assert all(b.COVER_MASK[i] & ~before.present for i in gained)


def test_r_log_3_with_too_few_archaeologists_the_first_player_chooses() -> None:
    game = ice()
    start = sunrise()
    crowd = bytearray(start.archaeologists)
    crowd[b.CENTRAL[0]] += st.supply(start) - 2
    state = draw(game, replace(start, archaeologists=bytes(crowd)), "J5")
    nunataks = [i for i in b.SNOW if state.tiles[i] == st.NUNATAK]
    assert state.actor == state.first
    assert {action.place for action in game.legal_actions(state)} == set(nunataks)
    assert rule(game, state, a.ChooseForCard(state.first, b.CENTRAL[0])) is not None
    state = play(game, state, a.ChooseForCard(state.first, nunataks[0]))
    assert rule(game, state, a.ChooseForCard(state.first, nunataks[0])) is not None
    state = play(game, state, a.ChooseForCard(state.first, nunataks[1]))
    assert (st.supply(state), state.asked, state.phase) == (0, (), st.EXPLORATION)


def test_r_log_3_j9_everything_on_a_discarded_tile_goes_home() -> None:
    game = ice(card(Op("discard_tile", where="campsite")))
    site = b.CENTRAL[0]
    state = draw(game, sunrise(leaders=(site, st.OFF, st.OFF)), "mine")
    assert {action.place for action in game.legal_actions(state)} == {site}
    after = play(game, state, a.ChooseForCard(state.first, site))
    assert not after.tiles[site]
    assert (after.leaders[0], after.neutral_camps, after.archaeologists[site]) == (st.OFF, (), 0)
    assert after.discarded[0] >= 1
    assert after.lost == ()


def test_r_log_3_only_uncovered_tiles_are_discarded() -> None:
    game = ice(card(Op("discard_tile", where="prismatic")))
    prismatic = next(i for i in b.SURFACE if tiles()[i] == st.PRISMATIC_KIND and i not in b.RIM)
    partly = without(sunrise(), *b.COVERS[prismatic][:2])
    assert rule(game, draw(game, partly, "mine"), a.ChooseForCard(0, prismatic)) is not None
    bare = without(sunrise(), *b.COVERS[prismatic])
    assert rule(game, draw(game, bare, "mine"), a.ChooseForCard(0, prismatic)) is None


def test_r_log_4_snow_returns_only_on_three_tiles_or_edges() -> None:
    game = ice(card(Op("return_snow", count=1)))
    low = b.INDEX["surface:3,3,3"]
    gone = without(sunrise(neutral_camps=()), *b.COVERS[low], low, b.INDEX["snow:7,3,0"])
    state = draw(game, replace(gone, archaeologists=st.NO_ARCHAEOLOGISTS), "mine")
    assert rule(game, state, a.ChooseForCard(state.first, b.COVERS[low][0])) == "R-LOG-4"
    assert rule(game, state, a.ChooseForCard(state.first, b.INDEX["snow:6,3,1"])) == "R-LOG-4"
    after = play(game, state, a.ChooseForCard(state.first, b.INDEX["snow:7,3,0"]))
    assert after.tiles[b.INDEX["snow:7,3,0"]] == st.UNKNOWN_KIND
    assert after.discarded[0] == gone.discarded[0] - 1


def test_each_player_takes_a_step_in_turn() -> None:
    game = ice(card(Op("discard_tile", where="empty", by="each")))
    state = draw(game, sunrise(first=1), "mine")
    chosen = []
    while state.asked:
        chosen.append(state.actor)
        state = play(game, state, next(iter(game.legal_actions(state))))
    assert chosen == [1, 2, 0]


def test_gain_rp_gives_tokens_to_everybody() -> None:
    game = ice(card(Op("gain_rp", count=2)))
    before = sunrise()
    assert [seat.rp for seat in draw(game, before, "mine").seats] == [seat.rp + 2 for seat in before.seats]


def confirmed(state: st.State, **changes: object) -> a.ConfirmBoard:
    return a.ConfirmBoard(TABLE, replace(st.board_of(state), **changes))


def with_tiles(state: st.State, *places: int) -> dict[str, object]:
    kinds = bytearray(state.tiles)
    for place in places:
        kinds[place] = st.UNKNOWN_KIND
    return {"tiles": bytes(kinds)}


def with_archaeologists(state: st.State, place: int, count: int) -> dict[str, object]:
    numbers = bytearray(state.archaeologists)
    numbers[place] += count
    return {"archaeologists": bytes(numbers)}


def test_r_log_6_a_confirmed_board_is_believed() -> None:
    game = ice()
    corner = b.INDEX["snow:7,3,0"]
    state = draw(game, without(sunrise(), corner), "J10")
    back = confirmed(state, **with_tiles(state, corner), leaders=(b.CENTRAL[1], st.OFF, st.OFF))
    after = play(game, state, back)
    assert after.tiles[corner] == st.UNKNOWN_KIND
    assert after.leaders[0] == b.CENTRAL[1]
    assert after.discarded == (0, 0, 0)


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        ("artifact", "R-LOG-6"), ("pile", "R-LOG-6"), ("gap", "R-LOG-4"), ("camp", "R-LOG-3"), ("two", "R-FAQ-2"),
        ("camps", "R-LOG-6"), ("buried", "R-GEO-9"), ("crowd", "R-CMP-6"), ("seats", "R-LOG-6"), ("size", "R-LOG-6"),
    ],
)  # fmt: skip
def test_r_log_6_an_impossible_board_is_not(problem: str, expected: str) -> None:
    game = ice()
    low = b.INDEX["surface:3,3,3"]
    state = without(sunrise(neutral_camps=()), *b.COVERS[low], low, b.INDEX["snow:7,3,0"])
    state = draw(game, replace(state, archaeologists=st.NO_ARCHAEOLOGISTS), "J10")
    corner, cover = b.INDEX["snow:7,3,0"], b.COVERS[low][0]
    boards = {
        "artifact": confirmed(state, **with_tiles(state, low)),
        "pile": confirmed(replace(state, discarded=(0, 1, 0)), **with_tiles(state, corner)),
        "gap": confirmed(state, **with_tiles(state, cover)),
        "camp": confirmed(state, camps=(b.AZULIA.start, st.OFF, st.OFF)),
        "two": confirmed(state, camps=(0, 0, st.OFF)),
        "camps": confirmed(state, neutral_camps=(0, 1, 2)),
        "buried": confirmed(state, **with_archaeologists(state, b.INDEX["deep:0,3,5"], 1)),
        "crowd": confirmed(state, **with_archaeologists(state, 0, 46)),
        "seats": confirmed(state, leaders=(st.OFF,)),
        "size": confirmed(state, tiles=b""),
    }
    if problem == "pile":
        state = replace(state, discarded=(0, 1, 0))
    assert rule(game, state, boards[problem]) == expected


@pytest.mark.parametrize(("icon", "count"), [("empty", 12), ("tunnel", 12), ("crevasse", 12), ("nunatak", 11)])
def test_r_var_log_archaeologists_start_on_tiles_of_the_icon(icon: str, count: int) -> None:
    game = ice(logbook_setup=True)
    state = play(game, game.start(tiles()), a.DrawDecrees(TABLE, ("A", "B", "D")))
    state = play(game, state, a.DrawLogbook(TABLE, "J1", icon))
    expected = {i for i in b.SNOW if state.tiles[i] == st.KIND[icon]} | {b.CENTRAL[0]}
    assert {i for i, n in enumerate(state.archaeologists) if n == 1} == expected
    assert sum(state.archaeologists) == count + 1


def test_r_var_log_campsite_icon_fills_two_rings() -> None:
    game = ice(logbook_setup=True)
    state = play(game, game.start(tiles()), a.DrawDecrees(TABLE, ("A", "B", "D")))
    state = play(game, state, a.DrawLogbook(TABLE, "J1", "campsite"))
    far = {b.INDEX[f"snow:{c}"] for c in ("6,1,3", "6,3,1", "4,5,1", "2,5,3", "2,3,5", "4,1,5")}
    expected = far | {*b.NEIGHBOURS[b.CENTRAL[0]]} | {b.CENTRAL[0]}
    assert {i for i, n in enumerate(state.archaeologists) if n} == expected
    assert sum(state.archaeologists) == 13


def test_r_log_5_an_icon_that_nobody_told_is_asked_for() -> None:
    game = ice(logbook_setup=True)
    state = play(game, game.start(tiles()), a.DrawDecrees(TABLE, ("A", "B", "D")))
    assert rule(game, state, a.DrawLogbook(TABLE, "J1", UNKNOWN)) == "R-VAR-LOG"
    assert rule(game, state, a.DrawLogbook(TABLE, "J1", "glacier")) == "R-LOG-5"


@pytest.mark.parametrize(("collapses", "left"), [(False, True), (True, False)])
def test_q_14_returned_snow_obeys_the_chain_rule_only_where_the_table_says_so(collapses: bool, left: bool) -> None:
    game = ice(returned_snow_may_collapse=collapses)
    island = b.INDEX["snow:4,3,3"]
    gone = without(sunrise(neutral_camps=(), archaeologists=st.NO_ARCHAEOLOGISTS), island, *b.NEIGHBOURS[island])
    state = draw(game, gone, "J10")
    after = play(game, state, confirmed(state, **with_tiles(state, island)))
    assert bool(after.tiles[island]) == left
    assert after.lost == ()


def test_a_step_may_speak_of_tiles_with_a_camp() -> None:
    game = ice(card(Op("place_archaeologists", where="camp", count=2)))
    before = sunrise(camps=(0, st.OFF, st.OFF))
    after = draw(game, before, "mine")
    gained = {
        i: after.archaeologists[i] - n for i, n in enumerate(before.archaeologists) if after.archaeologists[i] > n
    }
    assert gained == {0: 2, b.CENTRAL[0]: 2}


def test_a_step_without_any_place_is_passed_over() -> None:
    game = ice(card(Op("return_snow")))
    state = draw(game, sunrise(), "mine")
    actions = game.legal_actions(state)
    assert actions == (a.ChooseForCard(state.first, st.OFF),)
    assert play(game, state, actions[0]).asked == ()
