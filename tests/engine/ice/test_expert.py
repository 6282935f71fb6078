"""Expert mode: the Curse of the Nuuk (R-CURSE)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.box import make_box
from engine.games.ice.cards import Artifact
from engine.games.ice.curse import advance, carry_limit, threshold
from engine.games.ice.draft import Draft
from engine.games.ice.options import Options

from .table import DATA, allow, at, begin, change, make_game, refused, seat

TWO = ("icewalkers", "nurturers")
BARE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def walk(spaces: list[int], players: int = 3, **options: Any) -> list[tuple[int, str]]:
    """Space and token of the first seat after each advance."""
    game = Ice(Options(players=players, expert=True, **options), DATA)
    draft = Draft.of(begin(game))
    found = []
    for count in spaces:
        advance(game.box, draft, 0, count)
        found.append((draft.seats[0].curse, draft.seats[0].trigger))
    return found


def digger(**options: Any) -> tuple[Ice, st.State]:
    """A leader with helpers on the bare central artifact."""
    game = make_game(*TWO, expert=True, **options)
    state = change(begin(game), gone=BARE, leaders=(LOW, st.OFF), archaeologists={LOW: 2})
    return game, state


def test_r_curse_4_a_dug_artifact_advances_by_its_anima_before_allocation() -> None:
    game, state = digger()
    after = allow(game, state, a.Excavate(0, at(LOW)))
    assert after.seats[0].curse == state.seats[0].curse + 1
    assert after.dig is not None
    assert not after.dig.allocated


def test_r_curse_4_snow_does_not_advance() -> None:
    game, state = digger()
    state = change(begin(game), leaders=("snow:5,2,3", st.OFF), archaeologists={"snow:5,2,3": 1})
    assert allow(game, state, a.Excavate(0, at("snow:5,2,3"))).seats[0].curse == 0


@pytest.mark.parametrize(("counts", "spaces"), [(False, 0), (True, 1)])
def test_r_curse_4_artifacts_gained_otherwise_do_not_advance_unless_the_table_says_so(
    counts: bool, spaces: int
) -> None:
    game, state = digger(taken_artifacts_curse=counts)
    slots = ((), (), (Artifact("philosophical", 2, 1),), (Artifact("obliteration", 2, 1),), ())
    state = seat(state, 0, slots=slots)
    state = allow(game, state, a.UseObliteration(0, at(LOW)))
    state = allow(game, state, a.UsePhilosophical(0, at(LOW)))
    state = allow(game, state, a.Reveal(TABLE, state.asked[0].tile, shape=1))
    assert state.seats[0].curse == spaces
    assert state.leaders[0] == st.OFF


def test_r_curse_5_a_token_is_taken_on_entering_its_space() -> None:
    assert walk([1, 1, 1, 1]) == [(1, st.BLESSING), (2, st.BLESSING), (3, st.BLESSING), (4, st.LIGHT)]


def test_r_curse_5_a_step_of_two_is_taken_space_by_space() -> None:
    assert walk([1, 2, 2])[-1] == (5, st.LIGHT)
    assert walk([1, 1, 1, 2, 2], players=2)[-1] == (7, st.LIGHT)
    # The two-player track has tokens on 4 and 5; jumping over both leaves the blessing.
    assert walk([1, 1, 1, 3], players=2, curse_space_by_space=False)[-1] == (6, st.BLESSING)


def test_r_curse_5_one_token_of_each_colour() -> None:
    box = make_box(Options(players=3, expert=True), ("navigators", "icewalkers", "nurturers"), DATA)
    draft = Draft.of(begin(Ice(box.options, DATA, box.guilds)))
    advance(box, draft, 0, 6)
    assert draft.light_tokens == (5, 6)
    advance(box, draft, 0, 7)
    assert (draft.dark_tokens, draft.seats[0].trigger) == ((11, 12), st.DARK)


def test_r_curse_3_everybody_gets_one_light_and_one_dark_token_in_passing() -> None:
    for players in range(2, 6):
        game = Ice(Options(players=players, expert=True), DATA)
        draft = Draft.of(begin(game))
        for number in range(players):
            advance(game.box, draft, number, 6 - draft.seats[number].curse)
        assert {board.trigger for board in draft.seats} == {st.LIGHT}
        for number in range(players):
            advance(game.box, draft, number, 6)
        assert {board.trigger for board in draft.seats} == {st.DARK}
        assert draft.light_tokens == draft.dark_tokens == ()


@pytest.mark.parametrize(
    ("space", "needed", "carried"),
    [(0, 1, 3), (3, 1, 3), (4, 2, 3), (6, 2, 3), (7, 2, 2), (9, 2, 2), (10, 3, 2), (12, 3, 2), (13, 3, 1), (20, 3, 1)],
)
def test_r_curse_6_r_curse_7_curses_by_space(space: int, needed: int, carried: int) -> None:
    game = Ice(Options(players=3, expert=True), DATA)
    draft = Draft.of(begin(game))
    advance(game.box, draft, 0, space)
    assert (threshold(draft.seats[0]), carry_limit(game.box, draft.seats[0])) == (needed, carried)


def test_r_curse_8_the_curse_limits_moves_navigators_too() -> None:
    for guilds in (TWO, ("navigators", "nurturers")):
        game = make_game(*guilds, expert=True)
        state = seat(begin(game), 0, curse=13, trigger=st.DARK)
        state = change(state, leaders=("snow:5,2,3", st.OFF), archaeologists={"snow:5,2,3": 3})
        assert refused(game, state, a.Move(0, at("snow:5,1,4"), 2)) == "R-CURSE-8"
        assert refused(game, state, a.Move(0, at("snow:5,1,4"), 1)) is None


@pytest.mark.parametrize(("limits", "rule"), [(True, "R-CURSE-8"), (False, None)])
def test_r_curse_8_fluid_moves_are_limited_unless_the_table_says_so(limits: bool, rule: str | None) -> None:
    game = make_game(*TWO, expert=True, curse_limits_fluid_move=limits)
    state = seat(begin(game), 0, curse=7, trigger=st.LIGHT)
    state = change(state, leaders=("snow:5,2,3", st.OFF), archaeologists={"snow:5,2,3": 3})
    assert refused(game, state, a.FluidMove(0, at("snow:5,1,4"), 3)) == rule


def test_r_curse_8_effects_are_not_limited() -> None:
    game = make_game(*TWO, expert=True)
    state = seat(begin(game), 0, curse=13, trigger=st.DARK, hand=("smilodon",))
    state = change(state, leaders=("snow:5,2,3", st.OFF), archaeologists={"snow:5,2,3": 3})
    assert refused(game, state, a.PlaySmilodon(0, at("snow:5,2,3"), at("snow:5,1,4"))) is None


def test_r_curse_9_r_art_6_a_study_token_alone_triggers_nothing() -> None:
    game = make_game(*TWO, expert=True)
    state = seat(begin(game), 0, ready=1 << st.ACHIEVEMENT, ep=3)
    assert refused(game, state, a.UseAchievement(0)) == "R-ART-6"
    slots = ((), (Artifact("achievement", 1, 1),), (), (), ())
    assert refused(game, seat(state, 0, slots=slots), a.UseAchievement(0)) is None


@pytest.mark.parametrize(
    ("token", "anima", "rule"),
    [
        (st.BLESSING, 1, None),
        (st.NO_TOKEN, 1, "R-ART-5"),
        (st.LIGHT, 1, "R-ART-5"),
        (st.LIGHT, 2, None),
        (st.DARK, 2, "R-ART-5"),
        (st.DARK, 3, None),
    ],
)
def test_r_art_5_thresholds_by_token(token: str, anima: int, rule: str | None) -> None:
    game = make_game(*TWO)
    slots = ((), tuple(Artifact("achievement", 1, 1) for _ in range(anima)), (), (), ())
    state = seat(begin(game), 0, slots=slots, trigger=token, ep=3)
    assert refused(game, state, a.UseAchievement(0)) == rule
