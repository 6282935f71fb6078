"""Guild abilities (R-NAV, R-INC, R-ICEW, R-NUR, R-CRYO, R-GUILD-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, NEIGHBOURS, SNOW
from engine.games.ice.cards import Artifact
from engine.games.ice.digging import dig_cost

from .table import allow, at, begin, change, make_game, refused, seat

HERE, NEXT, FAR, SITE = "snow:5,2,3", "snow:5,1,4", "snow:0,5,5", "snow:4,3,3"
CENTRE = (SITE, "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def turn_of(guild: str, **options: Any) -> tuple[Ice, st.State]:
    """The first turn of a guild whose leader stands on a snow tile with three archaeologists."""
    other = "icewalkers" if guild != "icewalkers" else "nurturers"
    game = make_game(guild, other, **options)
    state = change(begin(game), leaders=(HERE, st.OFF), archaeologists={HERE: 3})
    return game, state


def on_artifact(guild: str, kind: str = "exalted", **options: Any) -> tuple[Ice, st.State]:
    """The guild's leader alone on the bare central artifact."""
    game, state = turn_of(guild, **options)
    return game, change(state, gone=CENTRE, kinds={LOW: kind}, leaders=(LOW, st.OFF), archaeologists={HERE: 0})


ABILITIES = [
    ("navigators", a.Recall(0), "R-NAV-2"),
    ("incandescents", a.Activate(0, 0), "R-INC-1"),
    ("nurturers", a.Nurture(0, at(FAR)), "R-NUR-1"),
    ("cryoarchitects", a.BuildCamp(0, at(FAR)), "R-CAMP-1"),
]


@pytest.mark.parametrize(("guild", "action", "rule"), ABILITIES)
def test_r_guild_1_abilities_belong_to_their_guild_and_turn(guild: str, action: a.Action, rule: str) -> None:
    game, state = on_artifact(guild)
    state = change(state, camps=(NEXT, st.OFF))
    assert refused(game, state, action) is None
    assert refused(game, replace(state, active=1), action) == "R-EXP-1"
    other, plain = on_artifact("icewalkers")
    assert refused(other, change(plain, camps=(NEXT, st.OFF)), action) == rule


@pytest.mark.parametrize(("guild", "action", "rule"), ABILITIES)
def test_r_var_1_a_first_game_has_no_abilities(guild: str, action: a.Action, rule: str) -> None:
    game, state = on_artifact(guild, first_game=True)
    assert refused(game, change(state, camps=(NEXT, st.OFF)), action) == rule


def test_r_nav_1_one_archaeologist_follows_sail_camp_and_recall_once_a_turn() -> None:
    game, state = turn_of("navigators")
    sailed = allow(game, state, a.Sail(0, at(SITE), 1))
    assert sailed.archaeologists[at(SITE)] == 2
    assert refused(game, state, a.Sail(0, at(SITE), 2)) == "R-SAIL-2"
    assert refused(game, sailed, a.BuildCamp(0, at(NEXT), followers=1)) is not None
    assert refused(game, sailed, a.BuildCamp(0, at(NEXT))) is None
    assert refused(game, state, a.BuildCamp(0, at(NEXT), followers=1)) is None
    assert refused(game, change(state, camps=(FAR, st.OFF)), a.Recall(0, 1)) is None


def test_r_nav_1_r_sail_2_r_camp_2_nobody_follows_other_guilds() -> None:
    game, state = turn_of("nurturers")
    assert refused(game, state, a.Sail(0, at(SITE), 1)) == "R-SAIL-2"
    assert refused(game, state, a.BuildCamp(0, at(NEXT), followers=1)) == "R-CAMP-2"


def test_r_nav_1_who_follows_stands_with_the_leader() -> None:
    game, state = turn_of("navigators")
    alone = change(state, archaeologists={HERE: 0})
    assert refused(game, alone, a.Sail(0, at(SITE), 1)) is not None
    assert refused(game, change(state, leaders=(st.OFF, st.OFF)), a.Sail(0, at(SITE), 1)) is not None


def test_r_nav_2_recall_once_a_day_for_free() -> None:
    game, state = turn_of("navigators")
    assert refused(game, state, a.Recall(0)) == "R-NAV-2"
    camped = change(state, camps=(FAR, st.OFF))
    after = allow(game, camped, a.Recall(0))
    assert (after.leaders[0], after.spent, after.seats[0].grey) == (at(FAR), 0, True)
    away = change(after, leaders=(HERE, st.OFF))
    assert refused(game, away, a.Recall(0)) == "R-NAV-2"
    assert refused(game, change(camped, leaders=(FAR, st.OFF)), a.Recall(0)) == "R-NAV-2"


def dig_under_their_camp(*gone: str) -> tuple[Ice, st.State]:
    """The Icewalkers dig the snow tile on which the Navigators' camp stands."""
    game = make_game("icewalkers", "navigators")
    state = change(begin(game), leaders=(HERE, st.OFF), camps=(st.OFF, HERE), archaeologists={HERE: 2})
    state = change(state, gone=gone) if gone else state
    state = allow(game, state, a.Excavate(0, at(HERE)))
    state = allow(game, state, a.Reveal(TABLE, state.asked[0].tile))
    return game, allow(game, state, a.Allocate(0, (1, 1, 0), ((0, 2),)))


def test_r_nav_4_their_camp_moves_to_adjacent_snow_in_any_turn() -> None:
    game, state = dig_under_their_camp()
    assert state.actor == 1
    free = {i for i in NEIGHBOURS[at(HERE)] if i not in state.neutral_camps}
    assert {action.place for action in game.legal_actions(state)} == free
    assert refused(game, state, a.PlaceCamp(1, at(FAR))) == "R-NAV-4"
    assert refused(game, state, a.PlaceCamp(1, st.OFF)) == "R-NAV-4"
    assert allow(game, state, a.PlaceCamp(1, at(NEXT))).camps[1] == at(NEXT)


def test_r_nav_4_without_adjacent_snow_it_may_go_anywhere_or_home() -> None:
    around = tuple(f"snow:{c}" for c in ("6,1,3", "6,2,2", "5,3,2", "4,3,3", "4,2,4", "5,1,4"))
    game, state = dig_under_their_camp(*around)
    assert state.actor == 1
    assert refused(game, state, a.PlaceCamp(1, at(FAR))) is None
    assert allow(game, state, a.PlaceCamp(1, st.OFF)).camps[1] == st.OFF
    assert refused(game, state, a.PlaceCamp(1, BELOW[at(HERE)][0])) == "R-NAV-4"


def test_r_nav_4_a_destroyed_tile_counts_as_well() -> None:
    game = make_game("icewalkers", "navigators")
    state = change(begin(game), leaders=(HERE, st.OFF), camps=(st.OFF, FAR))
    state = allow(game, seat(state, 0, hand=("rune",)), a.PlayRune(0, at(FAR)))
    assert state.actor == 1
    assert {action.place for action in game.legal_actions(state)} <= set(SNOW)


def test_r_nav_5_r_camp_5_r_faq_9_their_camp_is_never_on_an_artifact() -> None:
    game, state = on_artifact("navigators")
    assert refused(game, state, a.BuildCamp(0, at(LOW))) == "R-CAMP-5"
    assert refused(game, state, a.BuildCamp(0, at(LOW), neutral=True)) is None
    strict, state = on_artifact("navigators", navigators_neutral_camp_anywhere=False)
    assert refused(strict, state, a.BuildCamp(0, at(LOW), neutral=True)) == "R-NAV-5"


def test_v7_r_inc_1_r_inc_2_the_token_gives_an_effect_without_artifacts() -> None:
    game, state = on_artifact("incandescents", "obliteration")
    assert refused(game, state, a.Activate(0, st.HARMONY)) == "R-INC-1"
    ready = allow(game, state, a.Activate(0, st.OBLITERATION))
    assert (ready.spent, ready.seats[0].activation) == (0, st.OBLITERATION)
    later = change(ready, leaders=(HERE, st.OFF))
    after = allow(game, later, a.UseObliteration(0, at(NEXT), a.BY_TOKEN))
    assert after.seats[0].activation == st.TOKEN_SPENT
    assert refused(game, after, a.UseObliteration(0, at("snow:6,1,3"), a.BY_TOKEN)) == "R-INC-2"
    assert refused(game, after, a.Activate(0, st.OBLITERATION)) == "R-INC-1"


def test_r_inc_1_a_prismatic_tile_gives_any_slot_and_snow_gives_none() -> None:
    game, state = on_artifact("incandescents", "prismatic")
    assert refused(game, state, a.Activate(0, st.HARMONY)) is None
    assert refused(game, change(state, leaders=(HERE, st.OFF)), a.Activate(0, st.HARMONY)) == "R-INC-1"


def test_r_inc_2_exalted_still_costs_one_ep() -> None:
    game, state = on_artifact("incandescents")
    state = seat(change(state, archaeologists={"surface:4,2,3": 1}, gone=(HERE,)), 0, activation=st.EXALTED)
    action = a.UseExalted(0, (at("surface:4,2,3"),), a.BY_TOKEN)
    assert allow(game, state, action).spent == 1
    assert refused(game, replace(state, spent=2), action) == "R-EXAL"


def test_r_inc_3_r_art_9_the_same_type_twice_a_day() -> None:
    game, state = on_artifact("incandescents", "achievement")
    slots = ((), (Artifact("achievement", 2, 1),), (), (), ())
    state = seat(state, 0, slots=slots, activation=st.ACHIEVEMENT, ep=2)
    state = allow(game, state, a.UseAchievement(0))
    assert refused(game, state, a.UseAchievement(0)) == "R-ART-7"
    assert allow(game, state, a.UseAchievement(0, a.BY_TOKEN)).seats[0].ep == 4


def dug_by_icewalkers() -> tuple[Ice, st.State]:
    game, state = turn_of("icewalkers")
    state = change(state, archaeologists={HERE: 2})
    state = allow(game, state, a.Excavate(0, at(HERE)))
    return game, allow(game, state, a.Reveal(TABLE, state.asked[0].tile))


def test_v8_r_icew_1_the_hook_lets_the_own_leader_choose_last() -> None:
    game, state = dug_by_icewalkers()
    crowded = a.Allocate(0, (1, 1, 0), ((0, 0),))
    assert refused(game, state, crowded) == "R-ALLOC-5"
    hooked = allow(game, state, a.UseHook(0))
    assert hooked.seats[0].hooks == 1
    assert refused(game, hooked, crowded) is None
    assert refused(game, hooked, a.UseHook(0)) == "R-ICEW-1"
    assert refused(game, hooked, a.Allocate(0, (2, 0, 0), ((0, 1),))) == "R-ALLOC-5"


def test_r_icew_1_only_in_a_dig_and_with_a_ready_token() -> None:
    game, state = turn_of("icewalkers")
    assert refused(game, state, a.UseHook(0)) == "R-ICEW-1"
    game, state = dug_by_icewalkers()
    assert refused(game, seat(state, 0, hooks=0), a.UseHook(0)) == "R-ICEW-1"


def test_r_nur_1_an_archaeologist_from_the_board_to_any_snow_tile_once_a_turn() -> None:
    game, state = turn_of("nurturers")
    after = allow(game, state, a.Nurture(0, at(FAR)))
    assert (after.archaeologists[at(FAR)], after.seats[0].tended, after.spent) == (1, 1, 0)
    assert st.supply(after) == st.supply(state)
    assert refused(game, after, a.Nurture(0, at(FAR))) == "R-NUR-1"
    assert refused(game, seat(state, 0, tended=0), a.Nurture(0, at(FAR))) == "R-NUR-1"
    assert refused(game, state, a.Nurture(0, at(LOW))) == "R-NUR-1"


@pytest.mark.parametrize("explorers", [1, 2])
def test_v9_r_cryo_1_their_camp_makes_an_artifact_cheaper(explorers: int) -> None:
    game, state = on_artifact("cryoarchitects")
    state = change(state, camps=(LOW, st.OFF), archaeologists={LOW: explorers - 1})
    assert dig_cost(game.box, state, 0, at(LOW)).total == 4 - explorers
    cost = dig_cost(game.box, state, 0, at(LOW), discount=True)
    assert (cost.total, cost.harder) == (2 - explorers, ())
    after = allow(game, state, a.Excavate(0, at(LOW), discount=True))
    assert after.spent == 2 - explorers


@pytest.mark.parametrize(("harder", "total"), [(True, 2), (False, 1)])
def test_r_cryo_1_a_cover_still_counts_unless_the_table_says_otherwise(harder: bool, total: int) -> None:
    game, state = on_artifact("cryoarchitects", cryo_cover_is_harder=harder)
    state = change(state, camps=(LOW, st.OFF), kinds={CENTRE[1]: "empty"})
    state = replace(state, present=st.present_mask(state.tiles))
    assert dig_cost(game.box, state, 0, at(LOW), discount=True).total == total


def test_r_cryo_1_only_artifacts_with_their_own_camp_once_a_turn() -> None:
    game, state = on_artifact("cryoarchitects")
    assert refused(game, state, a.Excavate(0, at(LOW), discount=True)) == "R-CRYO-1"
    camped = change(state, camps=(LOW, st.OFF))
    used = replace(camped, used=st.DISCOUNTED)
    assert refused(game, used, a.Excavate(0, at(LOW), discount=True)) == "R-CRYO-1"
    game, state = turn_of("cryoarchitects")
    on_snow = change(state, camps=(HERE, st.OFF))
    assert refused(game, on_snow, a.Excavate(0, at(HERE), discount=True)) == "R-CRYO-1"


def test_r_cryo_2_r_camp_6_rebuild_once_a_day() -> None:
    game, state = turn_of("cryoarchitects")
    camped = change(state, camps=(FAR, st.OFF))
    after = allow(game, camped, a.BuildCamp(0, at(NEXT)))
    assert (after.camps[0], after.leaders[0], after.spent, after.seats[0].grey) == (at(NEXT), at(NEXT), 1, True)
    assert refused(game, after, a.BuildCamp(0, at(FAR))) == "R-CRYO-2"
    assert refused(game, camped, a.BuildCamp(0, at(SITE))) == "R-CAMP-3"
    assert refused(game, camped, a.BuildCamp(0, at(LOW))) == "R-CAMP-1"
