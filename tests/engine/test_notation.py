"""Actions as lines of text and back."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

from engine.game import TABLE
from engine.games.ice import actions as act
from engine.games.ice.board import INDEX
from engine.games.ice.cards import Artifact
from engine.games.ice.lines import VERBS, make_notation
from engine.games.ice.position import read_position
from engine.games.ice.state import KIND, NO_TILE, OFF, Board, board_of
from engine.notation import LONGEST_LINE, NotationError
from tests.reference.random_positions import random_position

GUILDS = ("navigators", "icewalkers", "nurturers")
NOTATION = make_notation(GUILDS)
CENTRE, SNOW, EDGE = INDEX["surface:3,3,3"], INDEX["snow:4,3,3"], INDEX["edge.deep:6,1,1"]


def some_board() -> Board:
    position = random_position(5) | {"pieces": {}, "to_act": "navigators", "first_player": "navigators"}
    position["options"]["players"] = 3
    position["seats"] = [{"guild": guild} for guild in GUILDS]
    return board_of(read_position(position)[0])


LINES = [
    ("navigators move surface:3,3,3 archaeologists=2", act.Move(0, CENTRE, 2)),
    ("icewalkers move edge.deep:6,1,1", act.Move(1, EDGE)),
    ("navigators camp snow:4,3,3 neutral followers=1", act.BuildCamp(0, SNOW, neutral=True, followers=1)),
    ("nurturers dig surface:3,3,3 termites=2 discount", act.Excavate(2, CENTRE, 2, discount=True)),
    ("navigators end", act.EndTurn(0)),
    ("navigators study type=harmony", act.Study(0, 4)),
    ("table reveal kind=empty front=talisman.harmony", act.Reveal(TABLE, KIND["empty"], "talisman.harmony")),
    (
        "navigators allocate archaeologists=1/0/2 leaders=navigators:0+icewalkers:2",
        act.Allocate(0, (1, 0, 2), ((0, 0), (1, 2))),
    ),
    ("navigators allocate archaeologists=0/0/0 leaders=none", act.Allocate(0, (0, 0, 0), ())),
    ("navigators settle reserve", act.PlaceCamp(0, OFF)),
    ("navigators gather places=surface:3,3,3+snow:4,3,3 means=token", act.UseExalted(0, (CENTRE, SNOW), "token")),
    ("table row cards=K1-2+my%20own%2Bcard", act.LayRequests(TABLE, ("K1-2", "my own+card"))),
    (
        "navigators validate card=x artifacts=harmony.1.3+exalted.2.unknown+prismatic.1 study=exalted+harmony",
        act.ValidateRequest(
            0, "x", (Artifact("harmony", 1, 3), Artifact("exalted", 2), Artifact("prismatic", 1, None)), 0b10001
        ),
    ),
    ("table prismatic anima=2 start=exalted slot=harmony", act.MovePrismatic(TABLE, 2, 0, 4)),
    ("table deal seat=nurturers cards=unknown+unknown", act.DealRequests(TABLE, 2, ("unknown", "unknown"))),
    ("navigators sailship leader=icewalkers", act.PlaySailship(0, 1)),
    ("table confirm", act.ConfirmBoard(TABLE)),
]


@pytest.mark.parametrize(("line", "action"), LINES, ids=[line for line, _ in LINES])
def test_a_line_and_its_action(line: str, action: act.Action) -> None:
    assert NOTATION.format(action) == line
    assert NOTATION.parse(line) == action


def test_a_board_travels_in_a_line() -> None:
    action = act.ConfirmBoard(TABLE, some_board())
    line = NOTATION.format(action)
    assert line.count(" ") == 2
    assert NOTATION.parse(line) == action


def test_every_action_has_a_verb_and_its_defaults_are_left_out() -> None:
    assert set(VERBS.values()) == set(act.ACTIONS)
    for verb, kind in VERBS.items():
        if all(field.default is not MISSING for field in fields(kind) if field.name != "by"):
            assert NOTATION.format(kind(0)) == f"navigators {verb}"
            assert NOTATION.parse(f"navigators {verb}") == kind(0)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "expected who acts and what is done"),
        ("navigators", "expected who acts and what is done"),
        ("pirates end", "expected one of navigators, icewalkers, nurturers, table, got 'pirates'"),
        ("navigators fly", "expected one of camp, .* got 'fly'"),
        ("navigators move", "move needs place"),
        ("navigators dig reserve", "place: expected a spot such as snow:4,3,3, got 'reserve'"),
        ("navigators move snow:9,9,9", "place: expected a spot .* got 'snow:9,9,9'"),
        ("navigators move snow:4,3,3 snow:4,3,3", "move has place twice"),
        ("navigators move snow:4,3,3 archaeologists=many", "archaeologists: expected a whole number, got 'many'"),
        ("navigators move snow:4,3,3 archaeologists=" + "9" * 5000, "archaeologists: expected a whole number"),
        ("navigators move snow:4,3,3 archaeologists", "move needs a value after archaeologists="),
        ("navigators move snow:4,3,3 speed=2", "move takes place, archaeologists, got 'speed=2'"),
        ("navigators end now", "end takes nothing, got 'now'"),
        ("navigators study type=lava", "type: expected one of exalted"),
        ("navigators allocate archaeologists=1/0 leaders=none", "archaeologists: expected three numbers"),
        ("navigators allocate archaeologists=0/0/0 leaders=navigators", "leaders: expected two values with :"),
        ("table confirm board={", "board: not valid JSON"),
        ('table confirm board={"tiles":{}}', "board: board: pieces: missing field"),
        ("navigators move " + "x" * LONGEST_LINE, "at most 20000 characters"),
    ],
)
def test_what_is_wrong_in_a_line_is_named(line: str, words: str) -> None:
    with pytest.raises(NotationError, match=words) as caught:
        NOTATION.parse(line)
    assert len(str(caught.value)) < 1200


def test_no_tile_is_written_as_none() -> None:
    action = act.ShowTile(TABLE, SNOW, NO_TILE)
    assert NOTATION.parse(NOTATION.format(action)) == action
