"""A verdict that rests on a stand-in is a warning, never a refusal (§20)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.cards import UNKNOWN, Artifact
from tests.engine.ice.table import begin, make_game

ONE_SHAPE = tuple(Artifact("achievement", 1, 1) for _ in range(2))


def sunset(card: str, *artifacts: Artifact) -> st.State:
    state = begin(make_game())
    slots = ((), artifacts, (), (), ())
    seat = replace(state.seats[state.active], requests=(card,), slots=slots)
    seats = tuple(seat if i == state.active else other for i, other in enumerate(state.seats))
    return replace(state, seats=seats, day=4, phase=st.SUNSET, taken=True, row=())


def test_q_4_a_stand_in_request_is_never_refused_for_its_demand() -> None:
    game = make_game()
    state = sunset("shapes-achievement", *ONE_SHAPE, Artifact("prismatic", 1, None))
    doubtful = a.ValidateRequest(state.active, "shapes-achievement", (Artifact("prismatic", 1, None),))
    assert game.why_illegal(state, doubtful) is None
    assert [w.rule for w in game.warnings(state, doubtful)] == ["R-REQ-9"]
    paid = game.apply(state, doubtful).seats[state.active].validated
    assert paid == (st.Validated(4, "shapes-achievement", UNKNOWN),)


def test_q_4_a_certain_request_is_refused_when_not_met() -> None:
    game = make_game()
    state = sunset("anima-3-obliteration", *ONE_SHAPE)
    violation = game.why_illegal(state, a.ValidateRequest(state.active, "anima-3-obliteration", ONE_SHAPE))
    assert violation is not None
    assert violation.rule == "R-REQ-9"


def test_an_untold_shape_that_decides_is_a_warning() -> None:
    game = make_game()
    untold = (Artifact("achievement", 1), Artifact("achievement", 1, 2))
    state = sunset("shapes-achievement", *untold)
    action = a.ValidateRequest(state.active, "shapes-achievement", untold)
    assert game.why_illegal(state, action) is None
    assert [(w.rule, w.reason) for w in game.warnings(state, action)] == [("R-REQ-9", "shape")]
