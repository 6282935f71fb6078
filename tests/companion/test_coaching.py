"""What the coach says, on the positions of the course: it explains and warns by the rules, and decides nothing."""

from __future__ import annotations

from dataclasses import replace

from companion import showing
from companion.answers import game_of
from companion.coaching import CAN, COST, NEXT, WARNING
from companion.lessons import LESSONS
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.position import read_position
from engine.games.ice.state import State
from engine.sayings import english
from tests.companion.web.engine_desk import game_in_exploration


def lesson(key: str) -> tuple[Ice, State]:
    found = next(one for one in LESSONS if one.key == key)
    state, options = read_position(found.position, key)
    return game_of(options, tuple(seat.guild for seat in state.seats)), state


def said(game: Ice, state: State, kind: str) -> str:
    tips = showing.shown(game, state)["coach"]
    return " ".join(english(tip["say"]) for tip in tips if tip["kind"] == kind)


def test_the_coach_says_what_is_possible_and_where() -> None:
    game, state = game_in_exploration()
    assert "build a camp (47 places)" in said(game, state, CAN)
    assert "dig" not in said(game, state, CAN)
    assert "Your leader is in the reserve" in said(game, state, NEXT)


def test_a_cost_is_explained() -> None:
    game, state = lesson("cost")
    assert said(game, state, COST) == (
        "Digging under your leader: 1 EP = 2 for the layer, 1 more (nunatak), 2 less for the explorers on it."
    )
    assert "dig" in said(game, state, CAN)


def test_a_dig_that_is_too_dear_says_how_many_archaeologists_are_missing() -> None:
    game, state = lesson("cost")
    poor = replace(state, seats=(replace(state.seats[0], ep=0), *state.seats[1:]))
    assert "1 more archaeologist on this tile would make it cheap enough." in said(game, poor, NEXT)


def test_typical_mistakes_are_warned_of() -> None:
    game, state = lesson("allocation")
    assert "A dig for 0 EP does not count as spending" in said(game, state, WARNING)
    assert "as evenly as possible" in said(game, state, WARNING)
    game, state = lesson("chain")
    assert "Snow 4·3·3 falls with this dig" in said(game, state, WARNING)
    assert "1 explorer on falling tiles goes home" in said(game, state, WARNING)
    assert "The turn cannot end before 1 EP is spent." in said(game, state, WARNING)
    game, state = lesson("collapse")
    assert "cannot be dug" in said(game, state, WARNING)


def test_the_end_of_a_turn_and_of_a_day_are_announced() -> None:
    game, state = lesson("moving")
    spent = replace(state, spent=2)
    assert "end the turn" in said(game, spent, NEXT)
    last = replace(state, seats=(replace(state.seats[0], ep=1), *state.seats[1:]))
    assert "goes to Sunset" in said(game, last, NEXT)


def test_the_coach_helps_with_a_spread_and_in_sunset() -> None:
    game, state = lesson("allocation")
    dug = game.apply(state, next(x for x in game.legal_actions(state) if isinstance(x, a.Excavate)))
    while dug.asked[0].kind != "allocate":
        dug = game.apply(dug, game.legal_actions(dug)[0])
    assert "put each piece where the fewest stand" in said(game, dug, NEXT)
    game, state = lesson("requests")
    assert "you may validate requests" in said(game, state, NEXT)
