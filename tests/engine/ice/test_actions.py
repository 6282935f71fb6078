"""The plain actions and what a turn may cost (R-CAMP, R-REC, R-SAIL, R-STU, R-PLAN, R-MOVE, R-FLUID, R-OVW, R-EP)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, EDGE
from engine.games.ice.cards import GUILDS, UNKNOWN, Artifact

from .table import allow, at, begin, change, make_game, refused, seat

PLAIN = ("icewalkers", "nurturers", "incandescents")
HERE, NEXT, FAR, SITE = "snow:5,2,3", "snow:5,1,4", "snow:0,5,5", "snow:4,3,3"
CENTRE = (SITE, "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def turn(*guilds: str, **options: Any) -> tuple[Ice, st.State]:
    """The first turn: the leader on a snow tile with four archaeologists."""
    game = make_game(*(guilds or PLAIN), **options)
    state = begin(game)
    return game, change(state, leaders=(HERE, *state.leaders[1:]), archaeologists={HERE: 4})


def without_supply(state: st.State) -> st.State:
    crowd = bytearray(state.archaeologists)
    crowd[at(FAR)] += st.supply(state)
    return replace(state, archaeologists=bytes(crowd))


def test_r_camp_1_camp_and_leader_go_together_on_an_uncovered_tile() -> None:
    game, state = turn()
    after = allow(game, state, a.BuildCamp(0, at(FAR)))
    assert (after.camps[0], after.leaders[0], after.spent) == (at(FAR), at(FAR), 1)
    assert after.archaeologists[at(HERE)] == 4
    assert refused(game, after, a.BuildCamp(0, at(NEXT))) == "R-CAMP-1"
    assert refused(game, state, a.BuildCamp(0, at(LOW))) == "R-CAMP-1"
    assert refused(game, change(state, gone=(CENTRE[0],)), a.BuildCamp(0, at(LOW))) == "R-CAMP-1"
    assert refused(game, change(state, gone=(FAR,)), a.BuildCamp(0, at(FAR))) == "R-CAMP-1"


def test_r_camp_1_a_neutral_camp_while_the_supply_has_one() -> None:
    game, state = turn()
    after = allow(game, state, a.BuildCamp(0, at(FAR), neutral=True))
    assert at(FAR) in after.neutral_camps
    assert after.camps[0] == st.OFF
    assert refused(game, after, a.BuildCamp(0, at(NEXT), neutral=True)) == "R-CAMP-1"


def test_r_camp_2_the_leader_comes_from_the_reserve_too() -> None:
    game, state = turn()
    assert refused(game, change(state, leaders=(st.OFF,) * 3), a.BuildCamp(0, at(FAR))) is None


def test_r_camp_3_r_faq_2_never_two_camps_on_a_tile() -> None:
    game, state = turn()
    assert refused(game, state, a.BuildCamp(0, at(SITE))) == "R-CAMP-3"


def test_r_camp_4_any_tile_but_neither_edge_nor_azulia() -> None:
    game, state = turn()
    for kind in ("nunatak", "crevasse", "tunnel"):
        assert refused(game, change(state, kinds={FAR: kind}), a.BuildCamp(0, at(FAR))) is None
    assert refused(game, change(state, gone=CENTRE), a.BuildCamp(0, at(LOW))) is None
    for place in (EDGE.start, at("azulia:2,2,3")):
        assert refused(game, state, a.BuildCamp(0, place)) == "R-CAMP-4"


def test_r_rec_1_an_archaeologist_to_any_camp() -> None:
    game, state = turn()
    after = allow(game, state, a.Recruit(0, at(SITE)))
    assert (after.archaeologists[at(SITE)], after.spent) == (2, 1)
    theirs = change(state, camps=(st.OFF, FAR, st.OFF))
    assert refused(game, theirs, a.Recruit(0, at(FAR))) is None


def test_r_rec_2_r_faq_3_no_camp_or_nobody_left() -> None:
    game, state = turn()
    assert refused(game, state, a.Recruit(0, at(FAR))) == "R-REC-2"
    assert refused(game, change(state, neutral_camps=()), a.Recruit(0, at(SITE))) == "R-REC-2"
    assert refused(game, without_supply(state), a.Recruit(0, at(SITE))) == "R-REC-2"


def test_r_sail_1_to_any_camp_from_anywhere() -> None:
    game, state = turn()
    after = allow(game, state, a.Sail(0, at(SITE)))
    assert (after.leaders[0], after.spent, after.archaeologists[at(HERE)]) == (at(SITE), 1, 4)
    assert refused(game, change(state, leaders=(st.OFF,) * 3), a.Sail(0, at(SITE))) is None


def test_r_sail_3_no_camp_there_or_there_already() -> None:
    game, state = turn()
    assert refused(game, state, a.Sail(0, at(FAR))) == "R-SAIL-3"
    there = change(state, leaders=(SITE, st.OFF, st.OFF))
    assert refused(game, there, a.Sail(0, at(SITE))) == "R-SAIL-3"
    game, _ = turn(sail_must_change_place=False)
    assert refused(game, there, a.Sail(0, at(SITE))) is None


def on_artifact(kind: str, **options: Any) -> tuple[Ice, st.State]:
    game, state = turn(**options)
    return game, change(state, gone=CENTRE[:1], kinds={LOW: kind}, leaders=(LOW, st.OFF, st.OFF))


def test_r_stu_1_the_token_of_the_type_under_the_leader() -> None:
    game, state = on_artifact("harmony")
    after = allow(game, state, a.Study(0, st.HARMONY))
    assert (after.seats[0].ready, after.spent) == (1 << st.HARMONY, 1)
    assert refused(game, state, a.Study(0, st.EXALTED)) == "R-STU-1"


def test_r_stu_2_limits() -> None:
    game, state = on_artifact("prismatic")
    assert refused(game, state, a.Study(0, st.HARMONY)) == "R-STU-2"
    game, state = on_artifact("harmony")
    study = a.Study(0, st.HARMONY)
    bit = 1 << st.HARMONY
    assert refused(game, change(state, leaders=(HERE, st.OFF, st.OFF)), study) == "R-STU-2"
    assert refused(game, change(state, leaders=(st.OFF,) * 3), study) == "R-STU-2"
    assert refused(game, seat(state, 0, ready=bit), study) == "R-STU-2"
    assert refused(game, seat(state, 0, spent=bit), study) == "R-STU-2"
    lax, _ = on_artifact("harmony", spent_study_counts_as_owned=False)
    assert refused(lax, seat(state, 0, spent=bit), study) is None


def test_r_stu_3_a_ready_token_adds_one_anima_a_spent_one_does_not() -> None:
    game, state = turn()
    slots = ((), (Artifact("achievement", 1, 1),), (), (), ())
    bit = 1 << st.ACHIEVEMENT
    assert refused(game, seat(state, 0, slots=slots, ready=bit, ep=3), a.UseAchievement(0)) is None
    assert refused(game, seat(state, 0, slots=slots, spent=bit, ep=3), a.UseAchievement(0)) == "R-ART-5"


def test_r_plan_1_r_plan_2_one_planning_token() -> None:
    game, state = turn()
    after = allow(game, state, a.Plan(0))
    assert (after.seats[0].planning, after.spent) == (True, 1)
    assert refused(game, after, a.Plan(0)) == "R-PLAN-2"


def test_v2_r_move_1_r_move_6_two_steps_are_two_actions() -> None:
    game, state = turn()
    state = change(state, archaeologists={HERE: 2})
    state = allow(game, state, a.Move(0, at(NEXT), 2))
    state = allow(game, state, a.Move(0, at("snow:5,0,5"), 2))
    assert (state.spent, state.leaders[0], state.archaeologists[at("snow:5,0,5")]) == (2, at("snow:5,0,5"), 2)


def test_r_move_1_r_adj_1_only_to_an_adjacent_place_from_the_board() -> None:
    game, state = turn()
    assert refused(game, state, a.Move(0, at("snow:7,1,2"))) == "R-ADJ-1"
    assert refused(game, change(state, leaders=(st.OFF,) * 3), a.Move(0, at(NEXT))) == "R-MOVE-1"
    assert refused(game, change(state, gone=(NEXT,)), a.Move(0, at(NEXT))) == "R-MOVE-1"
    assert refused(game, state, a.Move(0, BELOW[at(HERE)][0])) == "R-GEO-9"


def test_r_move_2_up_to_three_come_along() -> None:
    game, state = turn()
    assert refused(game, state, a.Move(0, at(NEXT), 3)) is None
    assert refused(game, state, a.Move(0, at(NEXT), 4)) == "R-MOVE-2"


def test_r_move_3_only_those_who_stand_with_the_leader() -> None:
    game, state = turn()
    state = change(state, archaeologists={HERE: 1, NEXT: 3})
    assert refused(game, state, a.Move(0, at(NEXT), 2)) == "R-MOVE-3"


def test_r_move_4_r_crev_1_not_across_a_crack_in_either_direction() -> None:
    game, state = turn()
    # The step from (5,2,3) to (5,1,4) crosses the side that faces +x; a crack of rotation r is on sides r and r + 1.
    for turned, rule in ((0, "R-CREV-1"), (5, "R-CREV-1"), (2, None)):
        cracked = change(state, kinds={HERE: "crevasse"}, rotations={HERE: turned})
        assert refused(game, cracked, a.Move(0, at(NEXT))) == rule
        back = change(cracked, leaders=(NEXT, st.OFF, st.OFF))
        assert refused(game, back, a.Move(0, at(HERE))) == rule


def test_q_7_r_crev_6_an_untold_rotation_warns_and_never_refuses() -> None:
    game, state = turn()
    untold = change(state, kinds={HERE: "crevasse"}, rotations={HERE: st.UNKNOWN_TURN})
    assert refused(game, untold, a.Move(0, at(NEXT))) is None
    assert "R-CREV-6" in [w.rule for w in game.warnings(untold, a.Move(0, at(NEXT)))]


def test_r_crev_3_camps_sailing_and_recall_cross_cracks() -> None:
    game, state = turn()
    cracked = change(state, kinds={HERE: "crevasse"}, rotations={HERE: 0}, camps=(st.OFF, NEXT, st.OFF))
    assert refused(game, cracked, a.Sail(0, at(NEXT))) is None
    strict, _ = turn(cracks_stop_camp_travel=True)
    assert refused(strict, cracked, a.Sail(0, at(NEXT))) == "R-CREV-1"


def test_r_move_5_r_adj_3_edges_below_the_top_can_be_walked_on() -> None:
    game, state = turn()
    corner, neighbour = "snow:7,3,0", "snow:7,2,1"
    edge = next(i for i in BELOW[at(corner)] if i in EDGE and i in BELOW[at(neighbour)])
    state = change(state, gone=(corner,), leaders=(neighbour, st.OFF, st.OFF))
    assert refused(game, state, a.Move(0, edge)) is None


def test_r_fluid_1_r_fluid_2_two_places_for_one_ep_and_a_token() -> None:
    game, state = turn(*PLAIN[:2])
    after = allow(game, state, a.FluidMove(0, at("snow:5,0,5"), 3))
    assert (after.spent, after.seats[0].fluid, after.archaeologists[at("snow:5,0,5")]) == (1, 1, 3)
    assert refused(game, state, a.FluidMove(0, at(NEXT), 1)) is None
    assert refused(game, state, a.FluidMove(0, at(FAR))) == "R-ADJ-1"
    assert refused(game, state, a.FluidMove(0, at(NEXT), 4)) == "R-MOVE-2"


def test_r_fluid_3_nobody_is_picked_up_half_way() -> None:
    game, state = turn(*PLAIN[:2])
    state = change(state, archaeologists={NEXT: 2})
    exchange = a.FluidMove(0, at("snow:5,0,5"), 1, via=at(NEXT), half_way=1)
    assert refused(game, state, exchange) == "R-FLUID-3"
    lax, _ = turn(*PLAIN[:2], fluid_exchange_half_way=True)
    after = allow(lax, state, exchange)
    assert (after.archaeologists[at(NEXT)], after.archaeologists[at("snow:5,0,5")]) == (1, 2)


def test_r_fluid_4_only_with_a_coloured_token_and_in_the_right_game() -> None:
    game, state = turn()
    assert refused(game, state, a.FluidMove(0, at(NEXT))) == "R-FLUID-4"
    game, state = turn(*PLAIN[:2])
    assert refused(game, seat(state, 0, fluid=0), a.FluidMove(0, at(NEXT))) == "R-FLUID-4"
    game, state = turn(fluid_move=True)
    assert refused(game, state, a.FluidMove(0, at(NEXT))) is None


def test_r_ovw_1_an_rp_token_for_a_third_ep() -> None:
    game, state = turn()
    spent = replace(state, spent=2)
    assert refused(game, spent, a.Plan(0)) == "R-EP-1"
    after = allow(game, spent, a.Overwork(0))
    assert after.seats[0].rp == state.seats[0].rp - 1
    third = allow(game, after, a.Plan(0))
    assert third.spent == 3
    assert refused(game, third, a.Recruit(0, at(SITE))) == "R-OVW-1"


def test_r_ovw_2_not_without_a_token_or_without_use() -> None:
    game, state = turn()
    assert refused(game, seat(state, 0, rp=0), a.Overwork(0)) == "R-OVW-2"
    assert refused(game, seat(state, 0, ep=2), a.Overwork(0)) == "R-OVW-2"
    assert refused(game, replace(seat(state, 0, ep=2), spent=1), a.Overwork(0)) is None
    strict, _ = turn(overwork_counts_spent=False)
    assert refused(strict, replace(seat(state, 0, ep=2), spent=1), a.Overwork(0)) == "R-OVW-2"


def test_r_ovw_3_once_a_turn() -> None:
    game, state = turn()
    assert refused(game, allow(game, state, a.Overwork(0)), a.Overwork(0)) == "R-OVW-3"


def test_r_ep_1_at_least_one_and_at_most_two_ep() -> None:
    game, state = turn()
    assert refused(game, state, a.EndTurn(0)) == "R-EP-1"
    assert refused(game, replace(state, spent=1), a.EndTurn(0)) is None
    assert refused(game, replace(state, spent=2), a.Plan(0)) == "R-EP-1"


def test_r_ep_2_only_ep_on_the_track() -> None:
    game, state = turn()
    assert refused(game, seat(state, 0, ep=0), a.Plan(0)) == "R-EP-2"


def test_r_ep_4_free_things_go_on_when_the_ep_are_spent() -> None:
    game, state = turn()
    state = replace(seat(state, 0, hand=("wreck",)), spent=2)
    assert refused(game, state, a.PlayWreck(0)) is None


@pytest.mark.parametrize(("counts", "rule"), [(False, "R-EP-1"), (True, None)])
def test_r_ep_5_a_free_dig_does_not_meet_the_minimum_unless_the_table_says_so(counts: bool, rule: str | None) -> None:
    game, state = turn(free_dig_meets_minimum=counts)
    state = allow(game, state, a.Excavate(0, at(HERE)))
    assert (state.spent, state.free_dig) == (0, True)
    while state.asked:
        state = game.apply(state, game.legal_actions(state)[0])
    assert refused(game, state, a.EndTurn(0)) == rule


def test_r_ep_6_gained_ep_do_not_raise_the_maximum() -> None:
    game, state = turn()
    state = replace(seat(state, 0, hand=("wreck",)), spent=2)
    assert refused(game, allow(game, state, a.PlayWreck(0)), a.Plan(0)) == "R-EP-1"


def test_r_ep_8_a_turn_may_end_with_ep_left() -> None:
    game, state = turn()
    after = allow(game, allow(game, state, a.Plan(0)), a.EndTurn(0))
    assert (after.active, after.seats[0].ep, after.spent) == (1, 4, 0)


@pytest.mark.parametrize(("stays", "phase"), [(True, st.EXPLORATION), (False, st.SUNSET)])
def test_r_ep_9_ep_gained_after_the_last_one_was_spent(stays: bool, phase: str) -> None:
    game, state = turn(gained_ep_prevents_sunset=stays)
    state = allow(game, seat(state, 0, ep=1, hand=("wreck",)), a.Plan(0))
    state = allow(game, state, a.PlayWreck(0))
    assert allow(game, state, a.EndTurn(0)).phase == phase


def test_r_ep_10_a_point_is_lost_only_when_nothing_else_is_possible() -> None:
    game, state = turn()
    assert refused(game, state, a.LoseBlockedPoint(0)) == "R-EP-10"
    # A corner tile with cracks on all three sides, the own camp on it, nobody to recruit, planned already, 1 EP.
    corner, beside = "snow:7,3,0", "snow:7,2,1"
    game, state = turn(*GUILDS)
    state = change(state, leaders=(corner, *[st.OFF] * 4), camps=(corner, *[st.OFF] * 4), archaeologists={HERE: 0})
    state = change(state, kinds={corner: "crevasse", beside: "crevasse"}, rotations={corner: 4, beside: 3})
    state = without_supply(seat(state, 0, ep=1, planning=True))
    after = allow(game, state, a.LoseBlockedPoint(0))
    assert (after.seats[0].ep, game.legal_actions(state)) == (0, (a.LoseBlockedPoint(0),))
    assert refused(game, after, a.EndTurn(0)) is None
    assert refused(game, change(state, rotations={beside: 0}), a.LoseBlockedPoint(0)) == "R-EP-10"
    lax, _ = turn(*GUILDS, blocked_player_loses_ep=False)
    assert refused(lax, state, a.LoseBlockedPoint(0)) == "R-EP-10"


def test_r_ep_11_three_snow_tiles_are_kept_at_the_end_of_the_turn() -> None:
    game, state = turn()
    state = replace(seat(state, 0, hand=("gem", "rope", "rune", UNKNOWN)), spent=1)
    assert refused(game, state, a.EndTurn(0)) == "R-EP-11"
    after = allow(game, state, a.DiscardSnow(0, "rope"))
    assert after.seats[0].hand == ("gem", "rune", UNKNOWN)
    assert refused(game, after, a.EndTurn(0)) is None
    assert refused(game, after, a.DiscardSnow(0, "gem")) == "R-EP-11"
