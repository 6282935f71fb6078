"""The pad filled in from a state (R-END)."""

from __future__ import annotations

from companion.gamedata import shipped
from engine.games.ice import state as st
from engine.games.ice.cards import UNKNOWN, Artifact
from engine.games.ice.options import Options
from engine.games.ice.points import Points, exactly
from engine.games.ice.tally import tally, winners_now

OPTIONS = Options(players=2)
DECK = shipped().requests
TOLD = ("B", "C5", "E")


def state(*seats: st.Seat, decrees: tuple[str, ...] = TOLD) -> st.State:
    count = len(seats)
    return st.State(
        tiles=st.NO_TILES, turns=st.NO_TURNS, present=0, archaeologists=st.NO_ARCHAEOLOGISTS,
        leaders=(st.OFF,) * count, camps=(st.OFF,) * count, neutral_camps=(), seats=seats, decrees=decrees,
    )  # fmt: skip


def test_r_end_2_board_and_hold_ready_and_spent_tokens_count() -> None:
    slots = ((), (), (), (), (Artifact("harmony", 1, 1),))
    seat = st.Seat("navigators", slots=slots, hold=(Artifact("harmony", 2, 3),), ready=1 << st.HARMONY, spent=1)
    pad = tally(state(seat), 0, OPTIONS, DECK)
    assert pad.decrees == (("B", exactly(2)), ("C5", exactly(4)), ("E", exactly(2)))
    assert pad.total == exactly(8)


def test_r_end_3_to_5_requests_bonuses_and_tokens() -> None:
    paid = (st.Validated(2, "either-2-harmony-exalted", 4), st.Validated(2, "prismatic-2", 5))
    pad = tally(state(st.Seat("nurturers", rp=3, planning=True, validated=paid)), 0, OPTIONS, DECK)
    assert pad.total == exactly(4 + 5 + 2 + 3 + 1)


def test_r_dec_4_is_an_option() -> None:
    seat = st.Seat("nurturers", rp=3, planning=True)
    counted = Options(players=2, planning_is_rp_token=True)
    assert tally(state(seat, decrees=("A", "B", "D")), 0, OPTIONS, DECK).total == exactly(7)
    assert tally(state(seat, decrees=("A", "B", "D")), 0, counted, DECK).total == exactly(8)


def test_a_decree_that_nobody_told_leaves_the_total_open() -> None:
    assert tally(state(st.Seat("nurturers", rp=3), decrees=("A",)), 0, OPTIONS, DECK).total == Points(6, None)


def test_an_untold_reward_is_bounded_by_its_card() -> None:
    paid = (st.Validated(4, "shapes-achievement", UNKNOWN),)
    assert tally(state(st.Seat("nurturers", validated=paid)), 0, OPTIONS, DECK).total == Points(0, 9)
    secret = (st.Validated(4, UNKNOWN, UNKNOWN),)
    assert tally(state(st.Seat("nurturers", validated=secret)), 0, OPTIONS, DECK).total == Points(0, None)


def test_r_end_6_winners_if_the_game_ended_now() -> None:
    found = winners_now(state(st.Seat("nurturers", rp=3), st.Seat("navigators", rp=3)), OPTIONS, DECK)
    assert (found.seats, found.certain) == ((0, 1), True)
