"""Artifact effects: when they work and what they do (R-ART, R-HARM, R-OBLI, R-PHIL, R-EXAL, R-ACHI)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, EDGE
from engine.games.ice.cards import TYPES, Artifact

from .table import allow, at, begin, change, make_game, refused, seat

HERE, NEXT, FAR, SITE = "snow:5,2,3", "snow:5,1,4", "snow:0,5,5", "snow:4,3,3"
CENTRE = (SITE, "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def strong(*types: int) -> tuple[tuple[Artifact, ...], ...]:
    """Slots with one anima-2 artifact for each of the given types."""
    return tuple((Artifact(kind, 2, 1),) if number in types else () for number, kind in enumerate(TYPES))


def turn(*types: int, **options: Any) -> tuple[Ice, st.State]:
    """The leader on a snow tile with two archaeologists; the given types can be triggered."""
    game = make_game(**options)
    state = seat(begin(game), 0, slots=strong(*types), ep=4)
    return game, change(state, leaders=(HERE, st.OFF), archaeologists={HERE: 2})


def dug(state: st.State, game: Ice, spot: str = HERE) -> st.State:
    """The tile was dug and told, its explorers wait to be spread."""
    state = allow(game, state, a.Excavate(0, at(spot)))
    while state.asked and state.asked[0].kind == "reveal":
        state = allow(game, state, a.Reveal(TABLE, state.asked[0].tile))
    return state


def spread(state: st.State, game: Ice) -> st.State:
    return allow(game, state, next(x for x in game.legal_actions(state) if isinstance(x, a.Allocate)))


def test_r_art_3_an_artifact_goes_on_the_slot_of_its_type_face_up() -> None:
    game, state = turn()
    state = change(state, gone=CENTRE, kinds={LOW: "harmony"}, leaders=(LOW, st.OFF), archaeologists={LOW: 2})
    state = allow(game, state, a.Excavate(0, at(LOW)))
    state = allow(game, state, a.Reveal(TABLE, st.KIND["harmony"], shape=3))
    assert state.seats[0].slots[st.HARMONY] == (Artifact("harmony", 1, 3),)
    assert state.seats[0].down[st.HARMONY] == 0


def test_r_art_3_a_prismatic_goes_on_a_slot_of_choice() -> None:
    game, state = turn()
    state = change(state, gone=CENTRE, kinds={LOW: "prismatic"}, leaders=(LOW, st.OFF), archaeologists={LOW: 2})
    state = allow(game, state, a.Excavate(0, at(LOW)))
    assert refused(game, state, a.ChooseSlot(0, 5)) == "R-ART-3"
    after = allow(game, state, a.ChooseSlot(0, st.EXALTED))
    assert after.seats[0].slots[st.EXALTED] == (Artifact("prismatic", 1, None),)


def test_r_art_4_a_prismatic_counts_as_the_type_of_its_slot() -> None:
    game, state = turn()
    slots = ((), (Artifact("prismatic", 2, None),), (), (), ())
    assert refused(game, seat(state, 0, slots=slots), a.UseAchievement(0)) is None


def test_r_art_6_an_empty_slot_has_no_effect() -> None:
    game, state = turn()
    assert refused(game, seat(state, 0, ready=0b11111), a.UseAchievement(0)) == "R-ART-6"


def test_v6_r_art_7_once_a_day_top_artifact_face_down_token_stays() -> None:
    game, state = turn()
    one = (Artifact("achievement", 1, 1),)
    state = seat(state, 0, slots=((), one, (), (), ()), ready=1 << st.ACHIEVEMENT)
    after = allow(game, state, a.UseAchievement(0))
    assert (after.seats[0].down[st.ACHIEVEMENT], after.seats[0].ready) == (1, 1 << st.ACHIEVEMENT)
    assert refused(game, after, a.UseAchievement(0)) == "R-ART-7"


def test_v6_r_art_7_an_artifact_that_arrives_later_lies_face_down() -> None:
    game, state = turn(st.ACHIEVEMENT)
    state = allow(game, state, a.UseAchievement(0))
    kinds = {LOW: "achievement"}
    state = change(state, gone=CENTRE, kinds=kinds, leaders=(LOW, st.OFF), archaeologists={LOW: 2})
    state = allow(game, state, a.Excavate(0, at(LOW)))
    state = allow(game, state, a.Reveal(TABLE, st.KIND["achievement"], shape=1))
    assert (len(state.seats[0].slots[st.ACHIEVEMENT]), state.seats[0].down[st.ACHIEVEMENT]) == (2, 2)


def test_r_art_8_r_free_2_r_free_3_only_in_the_own_turn() -> None:
    game, state = turn(st.ACHIEVEMENT)
    assert refused(game, replace(state, active=1), a.UseAchievement(0)) == "R-EXP-1"


def test_r_art_8_r_faq_5_the_hold_gives_no_effect() -> None:
    game, state = turn()
    assert refused(game, seat(state, 0, hold=(Artifact("achievement", 2, 1),)), a.UseAchievement(0)) == "R-ART-6"


def test_r_harm_an_archaeologist_joins_the_leader_after_allocation() -> None:
    game, state = turn(st.HARMONY)
    assert refused(game, state, a.UseHarmony(0)) == "R-HARM"
    state = dug(state, game)
    assert refused(game, state, a.UseHarmony(0)) is not None
    state = spread(state, game)
    before = state.archaeologists[state.leaders[0]]
    after = allow(game, state, a.UseHarmony(0))
    assert after.archaeologists[after.leaders[0]] == before + 1
    moved = allow(game, state, a.Recruit(0, at(SITE)))
    assert refused(game, moved, a.UseHarmony(0)) == "R-HARM"


def test_r_harm_not_with_an_empty_supply() -> None:
    game, state = turn(st.HARMONY)
    state = spread(dug(state, game), game)
    crowd = bytearray(state.archaeologists)
    crowd[at(FAR)] += st.supply(state)
    assert refused(game, replace(state, archaeologists=bytes(crowd)), a.UseHarmony(0)) == "R-HARM"


def test_r_harm_in_the_dig_of_that_same_tile() -> None:
    game, state = turn()
    state = change(state, gone=CENTRE, kinds={LOW: "harmony"}, leaders=(LOW, st.OFF), archaeologists={LOW: 2})
    state = seat(state, 0, slots=((), (), (), (), (Artifact("harmony", 1, 1),)))
    state = spread(dug(state, game, LOW), game)
    assert refused(game, state, a.UseHarmony(0)) is None


def test_r_obli_destroys_a_tile_next_to_or_under_the_leader() -> None:
    game, state = turn(st.OBLITERATION)
    state = change(state, camps=(st.OFF, NEXT), archaeologists={NEXT: 2}, leaders=(HERE, NEXT))
    after = allow(game, state, a.UseObliteration(0, at(NEXT)))
    assert (after.tiles[at(NEXT)], after.camps[1], after.leaders[1]) == (0, st.OFF, st.OFF)
    assert after.archaeologists[at(NEXT)] == 0
    own = allow(game, state, a.UseObliteration(0, at(HERE)))
    assert own.leaders[0] == st.OFF
    assert own.spent == 0


def test_r_obli_limits() -> None:
    game, state = turn(st.OBLITERATION)
    assert refused(game, state, a.UseObliteration(0, at(FAR))) == "R-OBLI"
    assert refused(game, state, a.UseObliteration(0, BELOW[at(HERE)][0])) == "R-OBLI"
    assert refused(game, state, a.UseObliteration(0, EDGE.start)) == "R-OBLI"
    assert refused(game, change(state, leaders=(st.OFF, st.OFF)), a.UseObliteration(0, at(NEXT))) == "R-OBLI"
    lower = change(state, gone=CENTRE)
    assert refused(game, change(lower, leaders=(LOW, st.OFF)), a.UseObliteration(0, at(LOW))) is None


@pytest.mark.parametrize(("stop", "rule"), [(False, None), (True, "R-CREV-4")])
def test_r_crev_4_cracks_do_not_stop_destruction_unless_the_table_says_so(stop: bool, rule: str | None) -> None:
    game, state = turn(st.OBLITERATION, cracks_stop_destruction=stop)
    state = change(state, kinds={HERE: "crevasse"}, rotations={HERE: 0})
    assert refused(game, state, a.UseObliteration(0, at(NEXT))) == rule


def test_r_obli_r_phil_together_gain_the_tile() -> None:
    game, state = turn(st.OBLITERATION, st.PHILOSOPHICAL)
    gone = allow(game, state, a.UseObliteration(0, at(NEXT)))
    assert gone.discarded[0] == state.discarded[0] + 1
    after = allow(game, gone, a.UsePhilosophical(0, at(NEXT)))
    after = allow(game, after, a.Reveal(TABLE, st.KIND["empty"], "gem"))
    assert after.seats[0].hand == ("gem",)
    assert after.discarded[0] == state.discarded[0]


def test_r_phil_only_at_the_moment_a_tile_falls() -> None:
    game, state = turn(st.OBLITERATION, st.PHILOSOPHICAL)
    assert refused(game, state, a.UsePhilosophical(0, at(NEXT))) == "R-PHIL"
    gone = allow(game, state, a.UseObliteration(0, at(NEXT)))
    assert refused(game, gone, a.UsePhilosophical(0, at(FAR))) == "R-PHIL"
    later = allow(game, gone, a.Recruit(0, at(SITE)))
    assert refused(game, later, a.UsePhilosophical(0, at(NEXT))) == "R-PHIL"


def test_r_phil_not_with_the_artifact_that_is_being_dug() -> None:
    game, state = turn()
    kinds = {LOW: "philosophical"}
    state = change(state, gone=CENTRE[1:], kinds=kinds, leaders=(LOW, st.OFF), archaeologists={LOW: 3, HERE: 0})
    blessed = seat(state, 0, trigger=st.BLESSING)
    falling = dug(blessed, game, LOW)
    assert refused(game, falling, a.UsePhilosophical(0, at(SITE))) == "R-PHIL"
    owned = seat(state, 0, slots=strong(st.PHILOSOPHICAL))
    assert refused(game, dug(owned, game, LOW), a.UsePhilosophical(0, at(SITE))) is None


def gathering(*types: int, **options: Any) -> tuple[Ice, st.State]:
    game, state = turn(*types, **options)
    return game, change(state, archaeologists={HERE: 0, NEXT: 2, "snow:6,1,3": 1, FAR: 1, SITE: 0})


def test_r_exal_one_archaeologist_from_each_adjacent_place_for_one_ep() -> None:
    game, state = gathering(st.EXALTED)
    places = tuple(sorted((at(NEXT), at("snow:6,1,3"))))
    after = allow(game, state, a.UseExalted(0, places))
    assert (after.archaeologists[at(HERE)], after.archaeologists[at(NEXT)], after.spent) == (2, 1, 1)
    assert refused(game, state, a.UseExalted(0, (at(NEXT),))) is None
    assert refused(game, state, a.UseExalted(0, (at(NEXT), at(NEXT)))) == "R-EXAL"
    assert refused(game, state, a.UseExalted(0, (at(FAR),))) == "R-EXAL"
    assert refused(game, state, a.UseExalted(0, (at("snow:6,2,2"),))) == "R-EXAL"


def test_r_exal_r_ep_7_its_ep_counts_towards_the_turn() -> None:
    game, state = gathering(st.EXALTED)
    assert refused(game, replace(state, spent=2), a.UseExalted(0, (at(NEXT),))) == "R-EXAL"
    assert refused(game, seat(state, 0, ep=0), a.UseExalted(0, (at(NEXT),))) == "R-EXAL"
    after = allow(game, state, a.UseExalted(0, (at(NEXT),)))
    assert refused(game, after, a.EndTurn(0)) is None


def test_r_exal_at_least_one_unless_the_table_says_so() -> None:
    game, state = gathering(st.EXALTED)
    assert refused(game, state, a.UseExalted(0, ())) == "R-EXAL"
    lax, _ = gathering(st.EXALTED, exalted_needs_archaeologist=False)
    assert refused(lax, state, a.UseExalted(0, ())) is None


def test_q_15_r_exal_from_every_place_is_an_option() -> None:
    game, state = gathering(st.EXALTED, exalted_takes_every=True)
    assert refused(game, state, a.UseExalted(0, (at(NEXT),))) == "R-EXAL"
    assert refused(game, state, a.UseExalted(0, tuple(sorted((at(NEXT), at("snow:6,1,3")))))) is None


def test_r_exal_r_crev_2_not_across_a_crack() -> None:
    game, state = gathering(st.EXALTED)
    cracked = change(state, kinds={HERE: "crevasse"}, rotations={HERE: 0})
    assert refused(game, cracked, a.UseExalted(0, (at(NEXT),))) == "R-CREV-2"


def test_r_achi_one_ep_at_once_and_never_more_than_six() -> None:
    game, state = turn(st.ACHIEVEMENT)
    after = allow(game, state, a.UseAchievement(0))
    assert (after.seats[0].ep, after.spent) == (5, 0)
    assert allow(game, seat(state, 0, ep=6), a.UseAchievement(0)).seats[0].ep == 6


def test_an_untold_means_is_refused() -> None:
    game, state = turn(st.ACHIEVEMENT)
    assert refused(game, state, a.UseAchievement(0, "magic")) == "R-FREE-2"
