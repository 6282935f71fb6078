"""The dig procedure step by step: who may do what between paying and the end of step C (R-PROC, R-ALLOC)."""

from __future__ import annotations

from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice import board as b
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.digging import chain, why_not_dig
from engine.games.ice.state import OFF, TOTAL_ARCHAEOLOGISTS, State, present_mask

from .table import allow, at, begin, change, make_game, plain_tiles, refused, seat, tell

CENTRE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
HERE = "snow:5,2,3"
LOW = "surface:3,3,3"
DEEP = "deep:3,3,2"
GAME = make_game("icewalkers", "nurturers")
START = begin(GAME)


def cover_only(spot: str, *left: str) -> State:
    """The board where of everything above a tile only the named tiles are left."""
    above = {b.SPOTS[c] for c in b.COVERS[at(spot)]}
    higher = {b.SPOTS[c] for cover in above for c in b.COVERS[at(cover)]}
    return change(START, gone=tuple((above | higher) - set(left)), leaders=(spot, OFF))


def test_every_rule_that_forbids_a_dig_is_listed_r_dig_1_first() -> None:
    state = seat(START, 0, ep=0)
    assert why_not_dig(GAME.box, state, 0, at(LOW)) == ["R-DIG-1", "R-DIG-2", "R-DIG-4"]


def test_r_proc_3_snow_goes_to_the_hand_unseen() -> None:
    state = change(START, leaders=(HERE, OFF))
    after = allow(GAME, state, a.Excavate(0, at(HERE)))
    assert after.actor == TABLE
    assert refused(GAME, after, a.Move(0, at("snow:5,1,4"))) == "R-PROC-3"
    assert tell(GAME, after).seats[0].hand == (UNKNOWN,)
    assert tell(GAME, after, "rope").seats[0].hand == ("rope",)
    assert refused(GAME, after, a.Reveal(TABLE, 6)) == "R-PROC-3"
    assert refused(GAME, after, a.Reveal(0, after.asked[0].tile)) == "R-PROC-3"


def test_an_unknown_artifact_is_told_when_it_is_dug() -> None:
    state = change(cover_only(LOW), archaeologists={LOW: 2}, kinds={LOW: "unknown"})
    after = allow(GAME, state, a.Excavate(0, at(LOW)))
    told = allow(GAME, after, a.Reveal(TABLE, 10, UNKNOWN, 2))
    assert told.seats[0].slots[4][0].shape == 2
    prismatic = allow(GAME, after, a.Reveal(TABLE, 11))
    assert prismatic.asked[0].kind == "slot"


def test_r_proc_5_nothing_else_before_the_allocation() -> None:
    state = tell(GAME, allow(GAME, change(START, leaders=(HERE, OFF)), a.Excavate(0, at(HERE))))
    assert refused(GAME, state, a.EndTurn(0)) == "R-PROC-5"
    assert refused(GAME, state, a.Allocate(1, (0, 0, 0), ((0, 0),))) == "R-PROC-5"
    assert refused(GAME, START, a.Allocate(0, (0, 0, 0), ())) == "R-PROC-5"


def test_r_col_8_the_order_of_removals_does_not_matter() -> None:
    first = ("snow:3,3,4", "snow:4,4,2", "snow:4,2,4", "snow:5,3,2", "snow:2,4,4", "snow:3,5,2", "snow:5,2,3")
    present = present_mask(plain_tiles())
    for spot in first:
        present &= ~(1 << at(spot))
    places = tuple(at(spot) for spot in first)
    assert set(chain(present, places)) == set(chain(present, places[::-1]))


def test_r_alloc_4_the_table_may_decide_that_all_allocate_together() -> None:
    game = make_game("icewalkers", "nurturers", allocator="table")
    state = tell(game, allow(game, change(begin(game), leaders=(HERE, OFF)), a.Excavate(0, at(HERE))))
    assert state.actor == TABLE
    assert refused(game, state, a.Allocate(0, (0, 0, 0), ((0, 0),))) == "R-PROC-5"
    assert refused(game, state, a.Allocate(TABLE, (0, 0, 0), ((0, 0),))) is None


def test_r_alloc_7_rope_and_hook_in_one_dig() -> None:
    state = seat(change(START, leaders=(HERE, OFF), archaeologists={HERE: 3}), 0, hand=("rope", "survivors"))
    state = tell(GAME, allow(GAME, state, a.Excavate(0, at(HERE))))
    for action in (a.PlaySurvivors(0), a.PlayRope(0), a.UseHook(0)):
        state = allow(GAME, state, action)
    assert state.archaeologists[at(HERE)] == 5
    # Four are spread evenly (2, 1, 1 in any order), the fifth and the leader go anywhere.
    assert refused(GAME, state, a.Allocate(0, (2, 1, 2), ((0, 1),))) is None
    assert refused(GAME, state, a.Allocate(0, (3, 1, 1), ((0, 2),))) is None
    assert refused(GAME, state, a.Allocate(0, (4, 1, 0), ((0, 2),))) == "R-ALLOC-5"


def test_r_alloc_8_the_owner_may_choose_if_the_table_decides_so() -> None:
    game = make_game("icewalkers", "nurturers", camp_chooser="owner")
    state = change(begin(game), leaders=(HERE, OFF), archaeologists={HERE: 1}, camps=(OFF, HERE))
    state = tell(game, allow(game, state, a.Excavate(0, at(HERE))))
    state = allow(game, state, a.Allocate(0, (1, 0, 0), ((0, 1),)))
    assert state.actor == 1


def test_an_insisting_table_can_dig_what_is_forbidden() -> None:
    state = change(START, leaders=(OFF, OFF), archaeologists={LOW: 0})
    after = GAME.apply(state, a.Excavate(0, at(LOW)))
    assert not after.present >> at(LOW) & 1
    assert not any(after.present >> at(cover) & 1 for cover in CENTRE)
    assert GAME.apply(START, a.Allocate(0, (0, 0, 0), ())) is START
    assert sum(after.archaeologists) <= TOTAL_ARCHAEOLOGISTS
