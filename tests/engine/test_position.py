"""Positions of I C E: read with errors that name the field, written without loss."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.documents import DataError
from engine.games.ice import state as st
from engine.games.ice.board import INDEX
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from tests.reference.random_positions import full_board, random_position

Position = dict[str, Any]


@pytest.fixture
def position() -> Position:
    """Three players, a full board but for snow:4,3,3."""
    start = random_position(seed=3) | {
        "options": {"players": 3, "expert": False, "blessing": False, "fluid_move": False},
        "first_player": "navigators",
        "to_act": "navigators",
        "turn": {"spent": 0, "overwork": False},
        "pieces": {"snow:5,3,2": {"archaeologists": 2, "leaders": ["navigators"], "camp": "neutral"}},
        "seats": [
            {"guild": "navigators", "ep": 4, "rp": 2, "hand": ["rope", "unknown"], "study": {"harmony": "ready"}},
            {"guild": "icewalkers", "ep": 5},
            {"guild": "nurturers", "ep": 5},
        ],
    }
    start["tiles"] = full_board(Random(1))
    del start["tiles"]["snow:4,3,3"]
    return start


def test_a_position_becomes_a_state(position: Position) -> None:
    state, options = read_position(position)
    assert options == Options(players=3)
    assert state.present.bit_count() == 111
    assert state.leaders == (INDEX["snow:5,3,2"], st.OFF, st.OFF)
    assert state.archaeologists[INDEX["snow:5,3,2"]] == 2
    assert state.neutral_camps == (INDEX["snow:5,3,2"],)
    assert state.seats[0].hand == ("rope", "unknown")
    assert state.seats[0].ready == 1 << st.HARMONY
    assert state.actor == 0


def test_what_a_seat_or_the_supply_does_not_say_comes_from_an_empty_seat_and_the_counts(position: Position) -> None:
    state, options = read_position(position)
    assert state.seats[1].hooks == 2  # R-ICEW-2
    assert state.seats[2].tended == 2  # R-SET-12
    assert st.supply(state) == 45 - 2 - 2
    assert st.neutral_supply(state, options.neutral_camps) == 1
    assert state.discarded == (0, 0, 0)  # the one missing snow tile is in a hand


def test_seats_that_are_not_listed_are_empty(position: Position) -> None:
    position["seats"] = position["seats"][:1]
    position["pieces"]["snow:5,2,3"] = {"leaders": ["cryoarchitects"]}
    state, _ = read_position(position)
    assert [seat.guild for seat in state.seats] == ["navigators", "cryoarchitects", "incandescents"]
    assert state.leaders[1] == INDEX["snow:5,2,3"]
    assert [seat.asleep for seat in state.seats] == [False, True, True]


def test_a_supply_that_holds_fewer_is_believed(position: Position) -> None:
    position["supply"] = {"archaeologists": 0, "neutral_camps": 0}
    state, options = read_position(position)
    assert st.supply(state) == 0
    assert st.neutral_supply(state, options.neutral_camps) == 0


def test_rotation_absent_is_unknown_and_unknown_fields_are_left_alone(position: Position) -> None:
    position["tiles"]["snow:7,3,0"] = {"kind": "crevasse", "scratched": True}
    position["weather"] = "snow"
    state, _ = read_position(position)
    assert state.turns[INDEX["snow:7,3,0"]] == st.UNKNOWN_TURN


def change(*path: str | int, to: Any) -> Callable[[Position], None]:
    def apply(position: Position) -> None:
        for step in path[:-1]:
            position = position[step]  # type: ignore[index]
        position[path[-1]] = to  # type: ignore[index]

    return apply


def drop(*path: str) -> Callable[[Position], None]:
    def apply(position: Position) -> None:
        for step in path[:-1]:
            position = position[step]
        del position[path[-1]]

    return apply


WRONG = [
    *((drop(name), rf"^p: {name}: missing field") for name in ("format", "game", "options", "day", "phase")),
    *((drop(name), rf"^p: {name}: missing field") for name in ("first_player", "to_act", "turn", "tiles", "pieces")),
    (drop("seats"), "^p: seats: missing field"),
    (change("format", to=2), "format: expected 1"),
    (change("game", to="chess"), "game: expected one of ice, got 'chess'"),
    (change("options", "players", to=6), r"options\.players: expected a whole number from 1 to 5, got 6"),
    (change("options", "players", to=True), r"options\.players: .* got true"),
    (change("options", "players", to=2), "seats: 3 seats, but options.players is 2"),
    (change("options", "expert", to="yes"), "options.expert: expected true or false, got 'yes'"),
    (change("day", to=5), "day: expected a whole number from 1 to 4, got 5"),
    (change("day", to=2.0), r"day: .* got 2\.0"),
    (change("phase", to="lunch"), "phase: expected one of .* got 'lunch'"),
    (change("to_act", to="cryoarchitects"), "to_act: cryoarchitects has no seat in this game of 3"),
    (change("to_act", to=["navigators"]), "to_act: .* got a list of 1"),
    (change("turn", "spent", to=-1), r"turn\.spent: .* got -1"),
    (change("turn", to=[]), "turn: expected an object, got a list of 0"),
    (change("tiles", to=[]), "tiles: expected an object"),
    (change("tiles", "snow:9,9,9", to={"kind": "empty"}), "tiles: expected tile cells .* got 'snow:9,9,9'"),
    (change("tiles", "azulia:2,2,3", to={"kind": "empty"}), "tiles: expected tile cells .* got 'azulia:2,2,3'"),
    (change("tiles", "snow:7,3,0", to={"kind": "lava"}), r"tiles\.snow:7,3,0\.kind: .* got 'lava'"),
    (change("tiles", "snow:7,3,0", to={"kind": ["x"]}), r"tiles\.snow:7,3,0\.kind: .* got a list of 1"),
    (change("tiles", "snow:7,3,0", to={"kind": "harmony"}), r"tiles\.snow:7,3,0\.kind: .* got 'harmony'"),
    (change("tiles", "deep:3,3,2", to={"kind": "nunatak"}), r"tiles\.deep:3,3,2\.kind: .* got 'nunatak'"),
    (change("tiles", "snow:7,3,0", to={}), r"tiles\.snow:7,3,0\.kind: missing field"),
    (change("tiles", "snow:7,3,0", to="empty"), r"tiles\.snow:7,3,0: expected an object, got 'empty'"),
    (change("tiles", "snow:7,3,0", "rotation", to=6), r"tiles\.snow:7,3,0\.rotation: .* got 6"),
    (change("tiles", "snow:7,3,0", "rotation", to=True), r"tiles\.snow:7,3,0\.rotation: .* got true"),
    (
        drop("tiles", "surface:3,3,3"),
        r"tiles\.snow:3,\d,\d: the tile hangs in the air: none lies under it at surface:3,3,3",
    ),
    (change("pieces", "snow:9,9,9", to={"archaeologists": 1}), "pieces: expected places .* got 'snow:9,9,9'"),
    (change("pieces", "snow:4,3,3", to={"archaeologists": 1}), r"pieces\.snow:4,3,3: .* no tile lies here"),
    (change("pieces", "surface:5,3,1", to={"leaders": ["icewalkers"]}), r"pieces\.surface:5,3,1: .* hidden"),
    (change("pieces", "deep:3,3,2", to={"camp": "icewalkers"}), r"pieces\.deep:3,3,2: .* hidden"),
    (change("pieces", "edge.deep:6,1,1", to={"archaeologists": 1}), r"pieces\.edge\.deep:6,1,1: .* hidden"),
    (change("pieces", "azulia:2,2,3", to={"archaeologists": 1}), r"pieces\.azulia:2,2,3: .* hidden"),
    (change("pieces", "snow:5,3,2", "archaeologists", to=46), r"snow:5,3,2\.archaeologists: makes 46 archaeologists"),
    (change("pieces", "snow:5,3,2", "archaeologists", to=-1), r"snow:5,3,2\.archaeologists: .* got -1"),
    (change("pieces", "snow:5,3,2", "archaeologists", to=1.5), r"snow:5,3,2\.archaeologists: .* got 1\.5"),
    (change("pieces", "snow:5,2,3", to={"archaeologists": 44}), r"snow:5,2,3\.archaeologists: makes 46 archaeologists"),
    (change("supply", to={"archaeologists": 44}), r"supply\.archaeologists: makes 46 archaeologists in all"),
    (change("supply", to={"neutral_camps": 2}), r"supply\.neutral_camps: makes 3 neutral camps"),
    (change("supply", to=3), "supply: expected an object, got 3"),
    (change("seats", 2, "tended", to=44), "seats: makes 46 archaeologists"),
    (change("pieces", "snow:5,3,2", "camp", to=["neutral", "navigators"]), r"camp: a tile never holds two camps"),
    (change("pieces", "snow:5,3,2", "camp", to="pirates"), r"camp: expected one of .* got 'pirates'"),
    (change("pieces", "snow:5,3,2", "leaders", to=["pirates"]), r"leaders\[0\]: expected one of .* got 'pirates'"),
    (change("pieces", "snow:5,3,2", "leaders", to="navigators"), r"leaders: expected a list"),
    (
        change("pieces", "snow:5,2,3", to={"leaders": ["navigators"]}),
        r"leaders\[0\]: the leader of navigators stands at",
    ),
    (change("pieces", "snow:5,3,2", "leaders", to=["navigators"] * 2), r"leaders\[1\]: the leader of navigators"),
    (change("pieces", "snow:5,2,3", to={"leaders": ["cryoarchitects"]}), r"leaders\[0\]: cryoarchitects has no seat"),
    (change("pieces", to=None), "pieces: expected an object, got null"),
    (change("seats", to=[]), "seats: expected a list of 1 to 5"),
    (change("seats", 1, to="icewalkers"), r"seats\[1\]: expected an object"),
    (change("seats", 1, to={}), r"seats\[1\]\.guild: missing field"),
    (change("seats", 1, "guild", to="pirates"), r"seats\[1\]\.guild: expected one of"),
    (change("seats", 1, "guild", to="navigators"), r"seats\[1\]\.guild: navigators has two seats"),
    (change("seats", 0, "ep", to=7), r"seats\[0\]\.ep: expected a whole number from 0 to 6, got 7"),
    (change("seats", 0, "rp", to="2"), r"seats\[0\]\.rp: .* got '2'"),
    (change("seats", 0, "hand", to=["sword"]), r"seats\[0\]\.hand\[0\]: expected one of .* got 'sword'"),
    (change("seats", 0, "study", to={"lava": "ready"}), r"seats\[0\]\.study\.lava: expected one of"),
    (change("seats", 0, "study", to={"harmony": "used"}), r"seats\[0\]\.study\.harmony: expected one of ready, spent"),
    (change("seats", 0, "slots", to={"harmony": [{"kind": "exalted", "anima": 1}]}), r"harmony\[0\]: exalted does not"),
    (change("seats", 0, "slots", to={"harmony": [{"kind": "harmony", "anima": 3}]}), r"harmony\[0\]\.anima"),
    (change("seats", 0, "down", to={"harmony": 1}), r"seats\[0\]\.down\.harmony"),
    (change("asked", to=[{"kind": "riddle", "by": "table"}]), r"asked\[0\]\.kind: expected one of"),
    (change("dig", to={"place": "azulia:2,2,3"}), r"dig\.place: expected a tile cell"),
]


@pytest.mark.parametrize(("spoil", "words"), WRONG, ids=[words for _, words in WRONG])
def test_an_error_names_the_field(position: Position, spoil: Callable[[Position], None], words: str) -> None:
    read_position(copy.deepcopy(position))
    spoil(position)
    with pytest.raises(DataError, match=words) as caught:
        read_position(position, "p")
    assert str(caught.value).startswith("p: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("document", [None, 3, "x", [], [{}], {}, {"format": 1}])
def test_what_is_no_position_at_all_is_refused(document: object) -> None:
    with pytest.raises(DataError):
        read_position(document)


@pytest.mark.parametrize("seed", range(100))
def test_a_position_is_written_without_loss(seed: int) -> None:
    document = random_position(seed)
    state, options = read_position(document)
    written = json.loads(json.dumps(write_position(state, options)))
    assert read_position(written) == (state, options)
    assert write_position(*read_position(written)) == written
    assert written["tiles"] == document["tiles"]
    for spot, here in document["pieces"].items():
        there = written["pieces"][spot]
        assert there.get("archaeologists", 0) == here.get("archaeologists", 0)
        assert sorted(there.get("leaders", [])) == sorted(here.get("leaders", []))
        assert there.get("camp") == here.get("camp")


@pytest.mark.parametrize("expert", [True, False])
def test_curse_track_of_a_position_without_one(expert: bool, position: Position) -> None:
    position["options"]["expert"] = expert
    position["seats"][0]["curse"] = 7
    state, _ = read_position(position)
    assert state.seats[0].trigger == (st.LIGHT if expert else st.NO_TOKEN)
    assert state.light_tokens == ((5, 6) if expert else ())  # R-CURSE-2: one of 4, 5, 6 is with its owner
    assert state.dark_tokens == ((10, 11, 12) if expert else ())
