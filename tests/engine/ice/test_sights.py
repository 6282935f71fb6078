"""What an ideal camera reads, which spots an action touches, and the lights (FORMATS §1, STYLE §5)."""

from __future__ import annotations

import pytest

from engine import lights as roles
from engine.games.ice import actions as a
from engine.games.ice import board as b
from engine.games.ice.sights import changed_spots
from engine.games.ice.state import OFF
from engine.lights import Light
from engine.spots import Cue, Spot

from .table import allow, at, begin, change, choose, make_game, random_game, seat, tell

GAME = make_game("icewalkers", "nurturers")
START = begin(GAME)
HERE, NEXT = "snow:5,2,3", "snow:5,1,4"
CENTRE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def read(state: object, spot: str, kind: str) -> str | None:
    return GAME.visible(state).get(Cue(Spot(spot), kind))  # type: ignore[arg-type]


def test_the_camera_sees_backs_pieces_and_camps_but_nothing_hidden() -> None:
    state = change(START, leaders=(HERE, HERE), archaeologists={HERE: 2}, rotations={HERE: 4})
    assert read(state, HERE, "tile") == "empty"
    assert read(state, HERE, "turn") == "4"
    assert read(state, HERE, "archaeologists") == "2"
    assert read(state, HERE, "leaders") == "icewalkers+nurturers"
    assert read(state, HERE, "camp") == "none"
    assert read(state, CENTRE[0], "camp") == "neutral"
    assert read(state, NEXT, "turn") is None
    assert read(state, LOW, "tile") is None
    partly = change(state, gone=CENTRE[:1], camps=(NEXT, OFF))
    assert read(partly, LOW, "tile") == "exalted"
    assert read(partly, CENTRE[0], "tile") == "absent"
    assert read(partly, CENTRE[0], "archaeologists") is None
    assert read(partly, NEXT, "camp") == "icewalkers"
    assert read(change(partly, kinds={LOW: "unknown"}), LOW, "tile") is None


@pytest.mark.parametrize("seed", range(3))
def test_touched_spots_hold_every_difference_a_camera_can_see(seed: int) -> None:
    game, state, rng = random_game(seed)
    for _ in range(150):
        if state.actor is None:
            break
        action = choose(rng, game.legal_actions(state))
        after = game.apply(state, action)
        before, seen = game.visible(state), game.visible(after)
        different = {cue.spot for cue in before.keys() | seen.keys() if before.get(cue) != seen.get(cue)}
        assert different <= game.touched(state, action)
        assert changed_spots(after, after) == frozenset()
        state = after


def test_the_layout_names_every_spot() -> None:
    assert set(GAME.layout().places) == set(b.SPOTS)


def test_lights_show_the_leader_its_moves_and_a_possible_dig() -> None:
    state = change(START, leaders=(HERE, OFF))
    lit = GAME.lights(state)
    assert lit[Spot(HERE)].role == roles.LEGAL_DIG
    assert {spot for spot, light in lit.items() if light.role == roles.LEGAL_MOVE} >= {
        b.SPOTS[i] for i in b.NEIGHBOURS[at(HERE)]
    }
    hard = GAME.lights(change(state, kinds={HERE: "nunatak"}))
    assert hard[Spot(HERE)].strength < lit[Spot(HERE)].strength
    spent = GAME.lights(change(state, spent=2))
    assert spent == {Spot(HERE): Light(roles.YOUR_LEADER)}


def test_lights_for_a_leader_in_reserve_show_where_it_may_land() -> None:
    lit = GAME.lights(START)
    assert lit[Spot(CENTRE[0])].strength > lit[Spot(HERE)].strength
    assert {light.role for light in lit.values()} == {roles.LEGAL_MOVE}


def test_lights_during_a_dig_show_where_explorers_and_camp_go() -> None:
    state = change(START, leaders=(HERE, OFF), archaeologists={HERE: 2}, camps=(HERE, OFF))
    state = allow(GAME, state, a.Excavate(0, at(HERE)))
    assert GAME.lights(state)[Spot(HERE)].role == roles.WAITING
    state = tell(GAME, state)
    below = {b.SPOTS[i] for i in b.BELOW[at(HERE)]}
    assert {spot: light.role for spot, light in GAME.lights(state).items()} == dict.fromkeys(below, roles.PUT_HERE)
    state = allow(GAME, state, a.Allocate(0, (1, 1, 0), ((0, 2),)))
    assert set(GAME.lights(state)) == below


def test_a_lifted_tile_shows_what_falls_or_that_it_is_forbidden() -> None:
    state = change(START, gone=CENTRE[1:], leaders=(LOW, OFF), archaeologists={LOW: 3})
    lit = GAME.lights(state, Cue(Spot(LOW), "tile"))
    assert lit[Spot(CENTRE[0])].role == roles.COLLAPSED
    assert lit[Spot(LOW)].role == roles.LEGAL_DIG
    assert {b.SPOTS[i] for i in b.BELOW[at(LOW)]} <= set(lit)
    assert GAME.lights(state, Spot(HERE)) == {Spot(HERE): Light(roles.ILLEGAL)}
    camped = change(START, leaders=(HERE, OFF), archaeologists={HERE: 1}, camps=(HERE, OFF))
    assert GAME.lights(camped, Cue(Spot(HERE), "tile"))[b.SPOTS[b.BELOW[at(HERE)][0]]].role == roles.PUT_HERE


def test_a_lifted_leader_shows_where_it_may_go() -> None:
    state = seat(change(START, leaders=(HERE, NEXT)), 0, hand=("manta",))
    lit = GAME.lights(state, Spot(HERE))
    assert lit[Spot(HERE)].role == roles.YOUR_LEADER
    assert lit[Spot(NEXT)].role == roles.LEGAL_MOVE
    assert lit[Spot("snow:0,5,5")].role == roles.HINT
    assert GAME.lights(state, Cue(Spot(NEXT), "leaders"))[Spot(NEXT)].role == roles.PUT_HERE


def test_a_lifted_archaeologist_goes_back_unless_it_can_be_gathered() -> None:
    state = change(START, leaders=(HERE, OFF), archaeologists={NEXT: 1, "snow:0,5,5": 1})
    assert GAME.lights(state, Cue(Spot(NEXT), "archaeologists"))[Spot(NEXT)].role == roles.HINT
    far = Cue(Spot("snow:0,5,5"), "archaeologists")
    assert GAME.lights(state, far)[far.spot].role == roles.TAKE_AWAY
    assert GAME.lights(state, Spot("nowhere")) == {}


def test_destroyed_tiles_are_lit_as_collapsed() -> None:
    state = seat(change(START, leaders=(HERE, OFF)), 0, hand=("rune",))
    state = allow(GAME, state, a.PlayRune(0, at("snow:0,5,5")))
    assert GAME.lights(state)[Spot("snow:0,5,5")].role == roles.COLLAPSED
