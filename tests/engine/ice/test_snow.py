"""Snow tiles played from the hand: all twelve fronts and their limits (R-SNOW, R-FREE-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, EDGE
from engine.games.ice.cards import UNKNOWN, Artifact
from engine.games.ice.digging import dig_cost

from .table import allow, at, begin, change, make_game, refused, seat

HERE, NEXT, FAR = "snow:5,2,3", "snow:5,1,4", "snow:0,5,5"
CENTRE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def holding(*hand: str, guilds: tuple[str, ...] = (), **options: Any) -> tuple[Ice, st.State]:
    """The first player on a snow tile with two archaeologists and the given snow tiles in hand."""
    game = make_game(*guilds, **options)
    state = seat(begin(game), 0, hand=tuple(sorted(hand)), ep=4)
    return game, change(state, leaders=(HERE, *state.leaders[1:]), archaeologists={HERE: 2})


def below(spot: str) -> tuple[int, ...]:
    return BELOW[at(spot)]


def without_supply(state: st.State, left: int = 0) -> st.State:
    crowd = bytearray(state.archaeologists)
    crowd[at(FAR)] += st.supply(state) - left
    return replace(state, archaeologists=bytes(crowd))


ANY_PLAY = (
    a.PlaySmilodon(0, at(HERE), at(NEXT)),
    a.PlaySpiders(0, at(NEXT)),
    a.PlayManta(0, at(FAR)),
    a.PlaySailship(0),
    a.PlayWreck(0),
    a.PlayWhistle(0, at(HERE), at(CENTRE[0]), 1),
    a.PlayRune(0, at(FAR)),
)


@pytest.mark.parametrize("action", ANY_PLAY)
def test_r_snow_6_only_a_tile_in_the_hand_is_played(action: a.Action) -> None:
    game, state = holding()
    assert refused(game, state, action) == "R-SNOW-6"


@pytest.mark.parametrize("action", ANY_PLAY)
def test_r_snow_6_r_free_1_a_played_tile_costs_nothing_and_is_discarded(action: a.Action) -> None:
    game, state = holding("smilodon", "spiders", "manta", "sailship", "wreck", "whistle", "rune")
    after = allow(game, state, action)
    assert len(after.seats[0].hand) == 6
    assert after.discarded[0] > state.discarded[0]
    assert after.spent == state.spent


@pytest.mark.parametrize("action", ANY_PLAY)
def test_an_untold_tile_may_be_anything(action: a.Action) -> None:
    game, state = holding(UNKNOWN)
    assert refused(game, state, action) is None
    assert [w.rule for w in game.warnings(state, action)][:1] == ["R-SNOW-6"]
    assert game.apply(state, action).seats[0].hand == ()


@pytest.mark.parametrize("action", ANY_PLAY)
def test_r_free_1_r_exp_1_only_in_the_own_turn(action: a.Action) -> None:
    game, state = holding("smilodon", "spiders", "manta", "sailship", "wreck", "whistle", "rune")
    assert refused(game, replace(state, active=1), action) == "R-EXP-1"


def test_r_term_termites_make_a_dig_cheaper() -> None:
    game, state = holding("termites", "termites")
    state = change(state, kinds={HERE: "nunatak"}, archaeologists={HERE: 0})
    assert dig_cost(game.box, state, 0, at(HERE)).total == 2
    after = allow(game, state, a.Excavate(0, at(HERE), termites=2))
    assert (after.spent, after.seats[0].hand) == (0, ())
    assert refused(game, state, a.Excavate(0, at(HERE), termites=3)) == "R-SNOW-6"


def test_r_term_combining_is_an_option() -> None:
    game, state = holding("termites", "termites", termites_combine=False)
    assert refused(game, state, a.Excavate(0, at(HERE), termites=2)) == "R-TERM"
    assert refused(game, state, a.Excavate(0, at(HERE), termites=1)) is None


def test_r_smil_all_archaeologists_of_a_place_go_to_an_adjacent_one() -> None:
    game, state = holding("smilodon")
    after = allow(game, state, a.PlaySmilodon(0, at(HERE), at(NEXT)))
    assert (after.archaeologists[at(HERE)], after.archaeologists[at(NEXT)]) == (0, 2)
    assert after.leaders[0] == at(HERE)


def test_r_smil_limits() -> None:
    game, state = holding("smilodon")
    assert refused(game, state, a.PlaySmilodon(0, at(HERE), at(FAR))) == "R-SMIL"
    assert refused(game, state, a.PlaySmilodon(0, at(NEXT), at(HERE))) == "R-SMIL"
    assert refused(game, state, a.PlaySmilodon(0, at(HERE), at("surface:4,2,3"))) == "R-GEO-9"


def test_r_smil_r_spid_r_crev_2_cracks_stop_them_but_not_whistle_and_manta() -> None:
    game, state = holding("smilodon", "spiders", "manta", "whistle")
    # From (5,2,3) to (5,1,4) the step is (0,-1,1): the side that faces +x.
    state = change(state, kinds={HERE: "crevasse"}, rotations={HERE: 0}, camps=(NEXT, st.OFF))
    assert refused(game, state, a.PlaySmilodon(0, at(HERE), at(NEXT))) == "R-CREV-2"
    assert refused(game, state, a.Move(0, at(NEXT))) == "R-CREV-1"
    assert refused(game, state, a.PlayManta(0, at(NEXT))) is None
    assert refused(game, state, a.PlayWhistle(0, at(HERE), at(NEXT), 2)) is None
    turned = change(state, rotations={HERE: 3})
    assert refused(game, turned, a.PlaySmilodon(0, at(HERE), at(NEXT))) is None


def test_r_spid_one_or_two_places_with_one_follower() -> None:
    game, state = holding("spiders")
    after = allow(game, state, a.PlaySpiders(0, at("snow:5,0,5"), 1))
    assert (after.leaders[0], after.archaeologists[at("snow:5,0,5")]) == (at("snow:5,0,5"), 1)
    assert refused(game, state, a.PlaySpiders(0, at(NEXT), 2)) == "R-SPID"
    assert refused(game, state, a.PlaySpiders(0, at(FAR))) == "R-SPID"
    assert refused(game, change(state, leaders=(st.OFF, st.OFF)), a.PlaySpiders(0, at(NEXT))) == "R-SPID"


def test_r_spid_r_nav_1_navigators_take_two() -> None:
    game, state = holding("spiders", guilds=("navigators", "icewalkers"))
    assert refused(game, state, a.PlaySpiders(0, at(NEXT), 2)) is None


def test_r_mant_to_any_visible_tile_alone() -> None:
    game, state = holding("manta")
    after = allow(game, state, a.PlayManta(0, at(FAR)))
    assert (after.leaders[0], after.archaeologists[at(HERE)]) == (at(FAR), 2)
    assert refused(game, state, a.PlayManta(0, at(FAR), 1)) == "R-MANT"
    assert refused(game, state, a.PlayManta(0, at(LOW))) == "R-MANT"
    assert refused(game, change(state, leaders=(st.OFF, st.OFF)), a.PlayManta(0, at(FAR))) == "R-MANT"
    bare = change(state, gone=(CENTRE[0],))
    assert refused(game, bare, a.PlayManta(0, at(LOW))) is None


def test_r_mant_q_8_edges_and_the_reserve_are_options() -> None:
    gone = "snow:7,3,0"
    edge = next(i for i in EDGE if i >= st.TILE_COUNT and i in below(gone))
    for to_edges, expected in ((True, None), (False, "R-MANT")):
        game, state = holding("manta", manta_to_edges=to_edges)
        assert refused(game, change(state, gone=(gone,)), a.PlayManta(0, edge)) == expected
    game, state = holding("manta", manta_from_reserve=True)
    assert refused(game, change(state, leaders=(st.OFF, st.OFF)), a.PlayManta(0, at(FAR))) is None


def test_r_mant_q_8_not_into_azulia() -> None:
    column = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4", LOW, "surface:4,2,3", "surface:4,3,2")
    column += ("snow:5,2,3", "snow:4,2,4", "snow:5,3,2", "snow:4,4,2", "deep:3,2,3")
    for allowed, expected in ((False, "R-MANT"), (True, None)):
        game, state = holding("manta", manta_to_azulia=allowed)
        state = change(state, leaders=(FAR, st.OFF), gone=column)
        assert refused(game, state, a.PlayManta(0, at("azulia:2,2,3"))) == expected


def digging(*hand: str, guilds: tuple[str, ...] = (), **options: Any) -> tuple[Ice, st.State]:
    """A snow tile with leader and two archaeologists was dug; its front is told as unknown."""
    game, state = holding(*hand, guilds=guilds, **options)
    state = allow(game, state, a.Excavate(0, at(HERE)))
    return game, allow(game, state, a.Reveal(TABLE, state.asked[0].tile))


def test_v8_r_rope_leader_and_one_archaeologist_go_last_and_together() -> None:
    game, state = digging("rope")
    together = a.Allocate(0, (2, 0, 0), ((0, 0),))
    assert refused(game, state, together) == "R-ALLOC-5"
    roped = allow(game, state, a.PlayRope(0))
    after = allow(game, roped, together)
    assert after.archaeologists[below(HERE)[0]] == 2
    assert after.leaders[0] == below(HERE)[0]
    assert refused(game, roped, a.Allocate(0, (1, 1, 0), ((0, 2),))) == "R-ALLOC-5"


def test_r_rope_r_surv_only_during_a_dig() -> None:
    game, state = holding("rope", "survivors")
    assert refused(game, state, a.PlayRope(0)) == "R-ROPE"
    assert refused(game, state, a.PlaySurvivors(0)) == "R-SURV"
    game, state = digging("rope", "survivors")
    after = allow(game, state, a.Allocate(0, (1, 1, 0), ((0, 2),)))
    assert refused(game, after, a.PlayRope(0)) == "R-ROPE"
    assert refused(game, after, a.PlaySurvivors(0)) == "R-SURV"


def test_r_rope_once_in_a_dig() -> None:
    game, state = digging("rope", "rope")
    assert refused(game, allow(game, state, a.PlayRope(0)), a.PlayRope(0)) == "R-ROPE"


def test_r_rope_r_surv_a_tile_may_be_used_in_the_dig_that_reveals_it() -> None:
    game, state = holding()
    state = allow(game, state, a.Excavate(0, at(HERE)))
    state = allow(game, state, a.Reveal(TABLE, state.asked[0].tile, "survivors"))
    assert refused(game, state, a.PlaySurvivors(0)) is None


def test_r_surv_two_more_are_allocated_evenly() -> None:
    game, state = digging("survivors")
    after = allow(game, state, a.PlaySurvivors(0))
    assert after.archaeologists[at(HERE)] == 4
    assert refused(game, after, a.Allocate(0, (1, 1, 0), ((0, 2),))) == "R-ALLOC-1"
    assert refused(game, after, a.Allocate(0, (2, 2, 0), ((0, 2),))) is None


def test_r_ship_one_archaeologist_to_the_own_and_one_to_another_leader() -> None:
    game, state = holding("sailship")
    assert refused(game, state, a.PlaySailship(0)) is None
    both = change(state, leaders=(HERE, FAR))
    assert refused(game, both, a.PlaySailship(0)) == "R-SHIP"
    after = allow(game, both, a.PlaySailship(0, 1))
    assert (after.archaeologists[at(HERE)], after.archaeologists[at(FAR)]) == (3, 1)
    assert refused(game, state, a.PlaySailship(0, 1)) == "R-SHIP"
    assert refused(game, change(both, leaders=(st.OFF, FAR)), a.PlaySailship(0, 1)) == "R-SHIP"


def test_r_ship_without_another_leader_is_an_option() -> None:
    game, state = holding("sailship", sailship_without_others=False)
    assert refused(game, state, a.PlaySailship(0)) == "R-SHIP"


def test_r_snow_7_r_faq_3_an_empty_supply_adds_nobody() -> None:
    game, state = holding("sailship")
    assert refused(game, without_supply(state), a.PlaySailship(0)) == "R-SNOW-7"
    game, state = digging("survivors")
    assert refused(game, without_supply(state), a.PlaySurvivors(0)) == "R-SNOW-7"


@pytest.mark.parametrize(("partial", "rule"), [(True, None), (False, "R-SNOW-7")])
def test_r_snow_7_fewer_than_needed_is_an_option(partial: bool, rule: str | None) -> None:
    game, state = digging("survivors", partial_reinforcements=partial)
    short = without_supply(state, left=1)
    assert refused(game, short, a.PlaySurvivors(0)) == rule
    if partial:
        assert allow(game, short, a.PlaySurvivors(0)).archaeologists[at(HERE)] == 3


def test_r_wrec_one_ep_and_one_rp_token() -> None:
    game, state = holding("wreck")
    after = allow(game, state, a.PlayWreck(0)).seats[0]
    assert (after.ep, after.rp) == (5, state.seats[0].rp + 1)
    full = allow(game, seat(state, 0, ep=6), a.PlayWreck(0)).seats[0]
    assert full.ep == 6


def test_r_whis_up_to_two_from_one_place_to_a_camp() -> None:
    game, state = holding("whistle")
    camp = CENTRE[0]
    assert refused(game, state, a.PlayWhistle(0, at(HERE), at(camp), 2)) is None
    assert refused(game, state, a.PlayWhistle(0, at(HERE), at(camp), 3)) == "R-WHIS"
    assert refused(game, state, a.PlayWhistle(0, at(NEXT), at(camp), 1)) == "R-WHIS"
    assert refused(game, state, a.PlayWhistle(0, at(HERE), at(FAR), 1)) == "R-WHIS"
    assert refused(game, state, a.PlayWhistle(0, at(camp), at(camp), 1)) == "R-WHIS"


def on_artifact(kind: str, *hand: str, **options: Any) -> tuple[Ice, st.State]:
    """The leader on the bare central artifact of a kind."""
    game, state = holding(*hand, **options)
    state = change(state, gone=CENTRE, kinds={LOW: kind}, leaders=(LOW, st.OFF), archaeologists={LOW: 0})
    return game, state


def test_r_tali_digs_an_artifact_of_its_type_for_nothing() -> None:
    game, state = on_artifact("harmony", "talisman.harmony")
    after = allow(game, state, a.Excavate(0, at(LOW), talisman=True))
    assert (after.spent, after.seats[0].hand) == (0, ())
    assert not after.present >> at(LOW) & 1


def test_r_tali_also_under_one_tile() -> None:
    game, state = on_artifact("harmony", "talisman.harmony")
    state = change(state, kinds={CENTRE[0]: "empty"})
    state = replace(state, present=st.present_mask(state.tiles))
    assert refused(game, state, a.Excavate(0, at(LOW), talisman=True)) is None


def test_r_tali_limits() -> None:
    game, state = on_artifact("exalted", "talisman.harmony")
    assert refused(game, state, a.Excavate(0, at(LOW), talisman=True)) == "R-TALI"
    game, state = on_artifact("prismatic", "talisman.harmony")
    assert refused(game, state, a.Excavate(0, at(LOW), talisman=True)) == "R-TALI"
    game, state = holding("talisman.harmony")
    assert refused(game, state, a.Excavate(0, at(HERE), talisman=True)) == "R-TALI"
    game, state = on_artifact("harmony", "talisman.harmony")
    away = change(state, leaders=(HERE, st.OFF))
    assert refused(game, away, a.Excavate(0, at(LOW), talisman=True)) == "R-DIG-1"


def test_r_rune_destroys_an_uncovered_tile_without_a_leader() -> None:
    game, state = holding("rune")
    camp = CENTRE[0]
    after = allow(game, state, a.PlayRune(0, at(camp)))
    assert (after.tiles[at(camp)], after.neutral_camps) == (0, ())
    assert after.archaeologists[at(camp)] == 0
    assert refused(game, state, a.PlayRune(0, at(HERE))) == "R-RUNE"
    assert refused(game, state, a.PlayRune(0, at(LOW))) == "R-RUNE"
    assert refused(game, state, a.PlayRune(0, EDGE.start)) == "R-RUNE"
    assert refused(game, state, a.PlayRune(0, at("azulia:2,2,3"))) == "R-RUNE"


def test_r_gem_triggers_the_type_under_the_leader_without_anima() -> None:
    game, state = on_artifact("achievement", "gem")
    after = allow(game, state, a.UseAchievement(0, a.BY_GEM))
    assert (after.seats[0].ep, after.seats[0].hand) == (5, ())
    assert refused(game, state, a.UseObliteration(0, at(LOW), a.BY_GEM)) == "R-GEM"
    game, state = holding("gem")
    assert refused(game, state, a.UseAchievement(0, a.BY_GEM)) == "R-GEM"


def test_r_gem_q_8_a_prismatic_tile_is_any_type() -> None:
    game, state = on_artifact("prismatic", "gem")
    assert refused(game, state, a.UseAchievement(0, a.BY_GEM)) is None
    game, state = on_artifact("prismatic", "gem", gem_on_prismatic=False)
    assert refused(game, state, a.UseAchievement(0, a.BY_GEM)) == "R-GEM"


def test_r_gem_exalted_still_costs_one_ep() -> None:
    game, state = on_artifact("exalted", "gem")
    state = change(state, archaeologists={"surface:4,2,3": 1}, gone=(HERE,))
    assert allow(game, state, a.UseExalted(0, (at("surface:4,2,3"),), a.BY_GEM)).spent == 1
    broke = replace(state, spent=2)
    assert refused(game, broke, a.UseExalted(0, (at("surface:4,2,3"),), a.BY_GEM)) == "R-GEM"


def test_r_gem_harmony_only_right_after_a_dig() -> None:
    game, state = on_artifact("harmony", "gem")
    assert refused(game, state, a.UseHarmony(0, a.BY_GEM)) == "R-GEM"


def test_r_gem_philosophical_is_too_late_for_nothing_that_falls() -> None:
    game, state = on_artifact("philosophical", "gem")
    assert refused(game, state, a.UsePhilosophical(0, at(CENTRE[0]), a.BY_GEM)) == "R-GEM"


def test_r_art_9_a_gem_does_not_use_up_the_effect_of_the_day() -> None:
    slots = ((), (Artifact("achievement", 2, 1),), (), (), ())
    for uses_up, rule in ((False, None), (True, "R-ART-7")):
        game, state = on_artifact("achievement", "gem", gem_uses_up_effect=uses_up)
        after = allow(game, seat(state, 0, slots=slots), a.UseAchievement(0, a.BY_GEM))
        assert refused(game, after, a.UseAchievement(0)) == rule
