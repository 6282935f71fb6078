"""Days and phases: sunrise, turns in order, Sunset and its requests (R-DAY, R-SUN, R-EXP, R-DUSK, R-REQ, R-END-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import CENTRAL
from engine.games.ice.cards import UNKNOWN, Artifact

from .table import allow, begin, make_game, refused, seat

THREE = ("navigators", "incandescents", "cryoarchitects")
O2, O1 = Artifact("obliteration", 2, 1), Artifact("obliteration", 1, 2)
P1, P2 = Artifact("prismatic", 1, None), Artifact("prismatic", 2, None)
THREE_OBLITERATION = "anima-3-obliteration"
TWO_PRISMATIC = "prismatic-2"


def first_turn(*guilds: str, **options: Any) -> tuple[Ice, st.State]:
    game = make_game(*(guilds or THREE), **options)
    return game, begin(game)


def at_sunset(game: Ice, state: st.State, day: int = 2, **fields: Any) -> st.State:
    """The active player in Sunset, with a row of two cards laid out and the choice of a card behind."""
    state = seat(state, state.active, ep=0, asleep=True, **fields)
    return replace(state, day=day, phase=st.SUNSET, row=("one", "two"), taken=True)


def at_dawn(game: Ice, state: st.State, day: int = 1) -> st.State:
    """The next sunrise: the last player of a day ends the Sunset."""
    last = state.active
    asleep = tuple(replace(board, asleep=True, ep=0) for board in state.seats)
    state = replace(state, seats=asleep, day=day, phase=st.SUNSET, row=(), taken=True)
    return allow(game, state, a.EndSunset(last))


def spend(game: Ice, state: st.State, ep: int) -> st.State:
    """Let the active player end a turn in which EP were spent."""
    left = state.seats[state.active].ep - ep
    state = replace(seat(state, state.active, ep=left), spent=ep)
    return allow(game, state, a.EndTurn(state.active))


def test_v1_r_exp_1_r_exp_2_turns_go_round_and_skip_who_sleeps() -> None:
    game, state = first_turn("navigators", "incandescents", "cryoarchitects", "icewalkers")
    for number, ep in enumerate((3, 2, 3, 1)):
        state = seat(state, number, ep=ep)
    state = spend(game, state, 2)
    assert (state.seats[0].ep, state.active) == (1, 1)
    state = spend(game, state, 2)
    assert (state.active, state.phase, state.seats[1].asleep) == (1, st.SUNSET, True)
    state = allow(game, state, a.LayRequests(TABLE, (UNKNOWN,) * 6))
    state = allow(game, state, a.EndSunset(1))
    state = allow(game, state, a.Plan(2))
    state = allow(game, state, a.EndTurn(2))
    state = allow(game, spend(game, state, 1), a.EndSunset(3))
    assert state.active == 0
    state = allow(game, spend(game, state, 1), a.EndSunset(0))
    assert (state.active, state.phase) == (2, st.EXPLORATION)


def test_r_exp_1_only_the_active_player_acts() -> None:
    game, state = first_turn()
    assert refused(game, state, a.Plan(1)) == "R-EXP-1"
    assert refused(game, state, a.Plan(TABLE)) == "R-EXP-1"


def test_r_exp_2_nobody_acts_in_their_own_sunset_or_after_it() -> None:
    game, state = first_turn()
    assert refused(game, at_sunset(game, state), a.Plan(0)) == "R-EXP-2"
    assert refused(game, seat(state, 2, asleep=True), a.Plan(2)) == "R-EXP-2"


def test_r_exp_3_the_day_ends_when_all_sleep_and_the_row_is_discarded() -> None:
    game, state = first_turn()
    state = at_sunset(game, state)
    for number in range(3):
        state = seat(state, number, asleep=True)
    after = allow(game, state, a.EndSunset(0))
    assert (after.row, after.requests_discarded) == (None, state.requests_discarded + 2)
    assert (after.day, after.phase) == (3, st.SUNRISE)


def test_r_day_1_at_sunrise_nobody_takes_a_turn() -> None:
    game, state = first_turn()
    dawn = at_dawn(game, state)
    assert refused(game, dawn, a.Plan(dawn.first)) == "R-DAY-1"


@pytest.mark.parametrize(("guilds", "ep"), [(THREE[:2], 6), (THREE, 5), ((*THREE, "icewalkers"), 5)])
def test_r_sun_1_ep_are_set_by_player_count(guilds: tuple[str, ...], ep: int) -> None:
    game, state = first_turn(*guilds)
    assert {board.ep for board in at_dawn(game, state).seats} == {ep}


def test_r_sun_1_a_planning_token_is_one_ep_more_and_gone() -> None:
    game, state = first_turn()
    board = at_dawn(game, seat(state, 1, planning=True)).seats[1]
    assert (board.ep, board.planning) == (6, False)


def test_r_faq_1_r_ep_3_never_more_than_six_ep_at_sunrise() -> None:
    game, state = first_turn(*THREE[:2])
    assert at_dawn(game, seat(state, 1, planning=True)).seats[1].ep == 6


def test_r_nav_3_r_cryo_3_r_inc_4_r_icew_2_r_nur_2_guilds_are_refreshed() -> None:
    game, state = first_turn("navigators", "cryoarchitects", "incandescents", "icewalkers", "nurturers")
    for number, fields in enumerate(({"grey": True}, {"grey": True}, {"activation": 2}, {"hooks": 0}, {"tended": 0})):
        state = seat(state, number, **fields)
    dawn = at_dawn(game, state).seats
    assert [dawn[0].grey, dawn[1].grey] == [False, False]
    assert dawn[2].activation == st.TOKEN_READY
    assert dawn[3].hooks == 1
    assert dawn[4].tended == 2


def test_r_nur_2_an_empty_supply_refills_nobody() -> None:
    game, state = first_turn("navigators", "nurturers")
    state = seat(state, 1, tended=0)
    crowd = bytearray(state.archaeologists)
    crowd[CENTRAL[0]] += st.supply(state) - 1
    dawn = at_dawn(game, replace(state, archaeologists=bytes(crowd)))
    assert (dawn.seats[1].tended, st.supply(dawn)) == (1, 0)


def test_r_fluid_2_tokens_are_ready_again() -> None:
    game, state = first_turn(*THREE[:2])
    assert at_dawn(game, seat(state, 0, fluid=0)).seats[0].fluid == 2


def test_r_sun_2_artifacts_are_face_up_again() -> None:
    game, state = first_turn()
    state = seat(state, 0, slots=((), (), (), (O1, O2), ()), down=(0, 0, 0, 2, 0))
    assert at_dawn(game, state).seats[0].down == (0, 0, 0, 0, 0)


def test_r_sun_2_r_art_4_prismatics_change_slot_at_sunrise_only() -> None:
    game, state = first_turn()
    state = seat(state, 0, slots=((P1,), (), (), (O1,), ()))
    move = a.MovePrismatic(0, 1, 0, 4)
    assert refused(game, state, move) == "R-SUN-2"
    dawn = at_dawn(game, state)
    after = allow(game, dawn, move)
    assert after.seats[0].slots == ((), (), (), (O1,), (P1,))
    assert refused(game, dawn, a.MovePrismatic(0, 1, 3, 4)) == "R-SUN-2"
    assert refused(game, dawn, a.MovePrismatic(0, 2, 0, 4)) == "R-SUN-2"
    assert refused(game, dawn, a.MovePrismatic(0, 1, 0, 0)) == "R-SUN-2"


def test_r_sun_3_the_first_player_token_goes_left_and_the_day_marker_on() -> None:
    game, state = first_turn()
    dawn = at_dawn(game, replace(state, first=2))
    assert (dawn.first, dawn.active, dawn.day) == (0, 0, 2)


def test_r_dusk_1_the_first_in_sunset_lays_out_two_more_cards_than_players() -> None:
    game, state = first_turn()
    state = spend(game, seat(state, 0, ep=1), 1)
    assert state.actor == TABLE
    assert refused(game, state, a.LayRequests(TABLE, ("x",) * 4)) == "R-DUSK-1"
    assert refused(game, state, a.TakeRequest(0, "x")) == "R-DUSK-1"
    state = allow(game, state, a.LayRequests(TABLE, ("v", "w", "x", "y", "z")))
    assert refused(game, state, a.TakeRequest(0, "q")) == "R-DUSK-1"
    after = allow(game, state, a.TakeRequest(0, "x"))
    assert after.row == ("v", "w", "y", "z")
    assert "x" in after.seats[0].requests


def test_r_dusk_1_taking_is_optional_and_waits_for_sunset() -> None:
    game, state = first_turn()
    assert refused(game, state, a.TakeRequest(0, "x")) == "R-DUSK-1"
    sunset = replace(at_sunset(game, state), taken=False)
    assert refused(game, sunset, a.EndSunset(0)) is None


def test_r_dusk_2_r_req_1_day_1_has_no_validation() -> None:
    game, state = first_turn()
    fields = {"requests": (TWO_PRISMATIC,), "slots": ((P2,), (), (), (), ())}
    action = a.ValidateRequest(0, TWO_PRISMATIC, (P2,))
    assert refused(game, at_sunset(game, state, 1, **fields), action) == "R-REQ-1"
    assert refused(game, at_sunset(game, state, 2, **fields), action) is None


def test_r_dusk_3_r_req_8_four_requests_stay() -> None:
    game, state = first_turn()
    state = at_sunset(game, state, requests=("a", "b", "c", "d", "e"))
    assert refused(game, state, a.EndSunset(0)) == "R-DUSK-3"
    assert refused(game, state, a.DiscardRequest(0, "z")) == "R-DUSK-3"
    state = allow(game, state, a.DiscardRequest(0, "c"))
    assert state.seats[0].requests == ("a", "b", "d", "e")
    assert refused(game, state, a.DiscardRequest(0, "a")) == "R-DUSK-3"
    assert refused(game, state, a.EndSunset(0)) is None


def test_r_dusk_3_not_on_day_1() -> None:
    game, state = first_turn()
    state = at_sunset(game, state, 1, requests=("a", "b", "c", "d", "e"))
    assert refused(game, state, a.DiscardRequest(0, "a")) == "R-DUSK-3"
    assert refused(game, state, a.EndSunset(0)) is None


def test_r_dusk_4_take_then_validate_then_discard() -> None:
    game, state = first_turn()
    state = replace(at_sunset(game, state, slots=((P2,), (), (), (), ())), taken=False, row=(TWO_PRISMATIC, "two"))
    taken = allow(game, state, a.TakeRequest(0, TWO_PRISMATIC))
    assert refused(game, taken, a.TakeRequest(0, "two")) == "R-DUSK-4"
    paid = allow(game, taken, a.ValidateRequest(0, TWO_PRISMATIC, (P2,)))
    assert refused(game, paid, a.TakeRequest(0, "two")) == "R-DUSK-4"


def test_r_dusk_4_is_an_option() -> None:
    game, state = first_turn(taken_request_may_pay=False)
    fields = {"slots": ((P2,), (), (), (), ()), "requests": ()}
    state = replace(at_sunset(game, state, **fields), taken=False, row=(TWO_PRISMATIC, "two"))
    taken = allow(game, state, a.TakeRequest(0, TWO_PRISMATIC))
    assert refused(game, taken, a.ValidateRequest(0, TWO_PRISMATIC, (P2,))) == "R-REQ-1"


def paying(game: Ice, state: st.State, day: int) -> st.State:
    """A player with three payable cards and the means for all of them."""
    slots = ((P2, P2), (), (), (O1, O2), ())
    cards = tuple(sorted((TWO_PRISMATIC, TWO_PRISMATIC, THREE_OBLITERATION)))
    return at_sunset(game, state, day, requests=cards, slots=slots, rp=0)


PAYMENTS = [(TWO_PRISMATIC, (P2,)), (THREE_OBLITERATION, (O1, O2)), (TWO_PRISMATIC, (P2,))]


@pytest.mark.parametrize("day", [2, 3])
def test_r_req_2_two_a_day_the_first_gives_an_rp_token(day: int) -> None:
    game, state = first_turn()
    state = paying(game, state, day)
    tokens = []
    for card, paid in PAYMENTS[:2]:
        state = allow(game, state, a.ValidateRequest(0, card, paid))
        tokens.append(state.seats[0].rp)
    assert tokens == [1, 1]
    card, paid = PAYMENTS[2]
    assert refused(game, state, a.ValidateRequest(0, card, paid)) == "R-REQ-2"


def test_r_req_2_any_number_on_day_4_without_a_token() -> None:
    game, state = first_turn()
    state = paying(game, state, 4)
    for card, paid in PAYMENTS:
        state = allow(game, state, a.ValidateRequest(0, card, paid))
    assert state.seats[0].rp == 0
    assert len(state.seats[0].validated) == 3


def test_r_req_3_payments_go_to_the_hold_and_tokens_are_turned() -> None:
    game, state = first_turn()
    ready = 1 << st.OBLITERATION
    fields = {
        "requests": (THREE_OBLITERATION,),
        "slots": ((), (), (), (O2,), ()),
        "ready": ready,
        "down": (0, 0, 0, 1, 0),
    }
    state = at_sunset(game, state, **fields)
    after = allow(game, state, a.ValidateRequest(0, THREE_OBLITERATION, (O2,), ready)).seats[0]
    assert (after.hold, after.slots[st.OBLITERATION], after.down[st.OBLITERATION]) == ((O2,), (), 0)
    assert (after.ready, after.spent) == (0, ready)


def test_r_req_3_what_was_spent_does_not_pay_again() -> None:
    game, state = first_turn()
    cards = (THREE_OBLITERATION,)
    in_hold = at_sunset(game, state, requests=cards, hold=(O1, O2))
    assert refused(game, in_hold, a.ValidateRequest(0, THREE_OBLITERATION, (O1, O2))) == "R-REQ-3"
    bit = 1 << st.OBLITERATION
    turned = at_sunset(game, state, requests=cards, slots=((), (), (), (O2,), ()), spent=bit)
    assert refused(game, turned, a.ValidateRequest(0, THREE_OBLITERATION, (O2,), bit)) == "R-REQ-3"


def test_r_req_3_r_faq_8_any_artifact_of_a_slot_pays_not_only_the_top_one() -> None:
    game, state = first_turn()
    other = Artifact("obliteration", 1, 3)
    fields = {"requests": (THREE_OBLITERATION,), "slots": ((), (), (), (O2, O1, other), ()), "down": (0, 0, 0, 1, 0)}
    state = at_sunset(game, state, **fields)
    after = allow(game, state, a.ValidateRequest(0, THREE_OBLITERATION, (O1, O2))).seats[0]
    assert after.slots[st.OBLITERATION] == (other,)
    assert after.down[st.OBLITERATION] == 1


def test_r_req_3_an_artifact_whose_shape_nobody_told_pays_under_its_true_shape() -> None:
    game, state = first_turn()
    untold = Artifact("obliteration", 1, UNKNOWN)
    fields = {"requests": (THREE_OBLITERATION,), "slots": ((), (), (), (O2, untold), ()), "down": (0, 0, 0, 1, 0)}
    state = at_sunset(game, state, **fields)
    after = allow(game, state, a.ValidateRequest(0, THREE_OBLITERATION, (O1, O2))).seats[0]
    assert (after.hold, after.slots[st.OBLITERATION], after.down[st.OBLITERATION]) == ((O1, O2), (), 0)
    twice = a.ValidateRequest(0, THREE_OBLITERATION, (O1, O1, O2))
    assert refused(game, state, twice) == "R-REQ-3"


def test_r_req_3_face_down_artifacts_pay_unless_the_table_decides_otherwise() -> None:
    for face_down_pays, expected in ((True, None), (False, "R-REQ-3")):
        game, state = first_turn(face_down_pays=face_down_pays)
        fields = {"requests": (TWO_PRISMATIC,), "slots": ((P2,), (), (), (), ()), "down": (1, 0, 0, 0, 0)}
        state = at_sunset(game, state, **fields)
        assert refused(game, state, a.ValidateRequest(0, TWO_PRISMATIC, (P2,))) == expected


def test_r_req_1_a_card_is_validated_once() -> None:
    game, state = first_turn()
    fields = {"requests": (TWO_PRISMATIC,), "slots": ((P2, P2), (), (), (), ())}
    state = allow(game, at_sunset(game, state, **fields), a.ValidateRequest(0, TWO_PRISMATIC, (P2,)))
    assert refused(game, state, a.ValidateRequest(0, TWO_PRISMATIC, (P2,))) == "R-REQ-1"


def test_r_req_7_a_validated_card_lies_at_its_day() -> None:
    game, state = first_turn()
    state = paying(game, state, 3)
    after = allow(game, state, a.ValidateRequest(0, TWO_PRISMATIC, (P2,))).seats[0]
    assert after.validated == (st.Validated(3, TWO_PRISMATIC, 5),)
    assert after.requests == (THREE_OBLITERATION, TWO_PRISMATIC)


def test_r_req_9_what_does_not_meet_the_card_is_refused() -> None:
    game, state = first_turn()
    state = paying(game, state, 2)
    assert refused(game, state, a.ValidateRequest(0, THREE_OBLITERATION, (O2,))) == "R-REQ-9"
    assert refused(game, state, a.ValidateRequest(0, TWO_PRISMATIC, (O2,))) == "R-REQ-9"


def test_r_end_1_after_day_4_the_game_is_over() -> None:
    game, state = first_turn()
    over = at_dawn(game, state, day=4)
    assert (over.phase, over.actor) == (st.OVER, None)
    assert refused(game, over, a.Plan(0)) == "R-END-1"
    assert game.legal_actions(over) == ()


def test_q_17_a_short_deck_is_shuffled_again() -> None:
    game, state = first_turn()
    state = replace(state, requests_left=2, requests_discarded=10)
    state = spend(game, seat(state, 0, ep=1), 1)
    after = allow(game, state, a.LayRequests(TABLE, (UNKNOWN,) * 5))
    assert (after.requests_left, after.requests_discarded) == (7, 0)


def test_r_var_fc_the_last_on_the_curse_track_take_a_study_token_they_lack() -> None:
    game, state = first_turn(expert=True, friendly_curse=True)
    for number, curse in enumerate((3, 1, 1)):
        state = seat(state, number, curse=curse, ready=0b00011, rp=0)
    dawn = at_dawn(game, seat(state, 2, ready=0b11111))
    assert dawn.seats[2].rp == 2
    assert dawn.actor == 1
    assert refused(game, dawn, a.TakeStudy(1, 0)) == "R-VAR-FC"
    assert refused(game, dawn, a.DrawLogbook(TABLE, "J1")) == "R-VAR-FC"
    after = allow(game, dawn, a.TakeStudy(1, 4))
    assert after.seats[1].ready == 0b10011
    assert after.asked == ()


def test_r_var_fc_is_part_of_the_expert_mode() -> None:
    game, state = first_turn(friendly_curse=True)
    assert at_dawn(game, state).asked == ()


def test_a_sunset_ends_by_itself_when_nothing_is_left_to_pay_or_to_discard() -> None:
    game, state = first_turn()
    state = replace(at_sunset(game, state, requests=()), taken=False, row=(TWO_PRISMATIC, "two"))
    assert allow(game, state, a.TakeRequest(0, "two")).active == 1
    rich = seat(state, 0, ready=1)
    assert allow(game, rich, a.TakeRequest(0, "two")).active == 0
    full = seat(state, 0, requests=("a", "b", "c", "d"))
    assert allow(game, full, a.TakeRequest(0, "two")).active == 0
