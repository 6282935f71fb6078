"""Lessons on the table: the position is guided onto the board, the camera's reading is judged, the game waits."""

from __future__ import annotations

from pathlib import Path

from companion.lessons import LEARNER, LESSONS
from companion.messages import EndTurn, LeaveLesson, NewGame, StartLesson
from companion.referee import RESTORING, SETUP, TRACKING
from engine.games.ice.board import INDEX
from engine.games.ice.state import KIND_NAMES
from engine.spots import Spot
from tests.companion.test_teaching import WAYS
from tests.table.tables import DrawnTable, PlainTable

NUMBERS = {lesson.key: number for number, lesson in enumerate(LESSONS, 1)}
ANYWHERE = {"day": ["recruit snow:5,2,3", "recruit snow:5,2,3", "end"] * 3}
"""Ways that do not hang on what lies beside the spots of a lesson."""


def start(table: PlainTable, key: str) -> None:
    table.pass_s(0.5)
    table.session.submit(StartLesson(NUMBERS[key]))
    table.pass_s(1.0)


def do(table: PlainTable, line: str) -> None:
    """One step with hands; a dig brings its allocation with it."""
    if line == "end":
        table.session.submit(EndTurn())
        table.settle()
    elif not line.startswith("allocate"):
        table.act(f"{LEARNER} {line}")


def test_the_whole_course_is_laid_out_and_passed_on_one_table(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    desk = table.session.desk
    for key, way in (WAYS | ANYWHERE).items():
        start(table, key)
        for _ in range(2):  # a tile that was put back may turn out to be another one than the lesson can use
            if desk.referee.mode == SETUP:
                assert {light["role"] for light in table.public["lights"].values()} <= {"put here", "take away"}
                table.hands("put_right")
        assert desk.referee.mode == TRACKING, (key, desk.referee.off)
        assert table.public["lesson"]["praise"] is None
        for line in way:
            do(table, line)
        assert table.public["lesson"]["praise"] is not None, (key, table.public["refusal"])


def test_a_mistake_on_the_table_is_told_by_its_rule_and_the_lesson_goes_on(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    start(table, "moving")
    table.hands("put_right")
    assert table.public["lights"]["snow:5,2,3"]["role"] == "hint"
    everybody = ["leader.blue", *["archaeologist"] * 4]
    table.hands("move_pieces", labels=everybody, start="snow:4,3,3", end="snow:5,2,3")
    table.pass_s(1.5)
    assert table.public["refusal"]["rule"] == "R-MOVE-2"
    assert table.public["lesson"]["praise"] is None
    table.hands("put_right")
    assert table.public["refusal"] is None
    table.hands("move_pieces", labels=everybody[:-1], start="snow:4,3,3", end="snow:5,2,3")
    assert table.public["lesson"]["praise"] is not None


def test_the_game_waits_and_goes_on_after_the_lesson(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    table.pass_s(0.5)
    state, game = table.state, table.session.desk.playing
    steps = len(game.referee.steps)
    start(table, "cost")
    table.hands("put_right")
    do(table, "dig snow:4,3,3")
    assert table.public["game"] == 0
    start(table, "camps")
    assert table.public["lesson"]["number"] == NUMBERS["camps"]
    table.session.submit(LeaveLesson())
    table.settle()
    desk = table.session.desk
    assert (desk.playing, desk.referee.state, desk.referee.mode) == (game, state, RESTORING)
    assert len(game.referee.steps) == steps
    assert "lesson" not in table.public
    table.hands("put_right")
    assert desk.referee.mode == TRACKING


def test_tiles_that_do_not_matter_are_learnt_and_those_that_do_are_asked_for(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    before = table.state.tiles
    start(table, "crevasses")
    wanted = {str(off.spot): off.wanted for off in table.session.desk.referee.off if off.kind == "tile"}
    assert wanted.get("snow:4,3,3", "crevasse") == "crevasse"
    others = set(wanted) - LESSONS[NUMBERS["crevasses"] - 1].spots
    assert len(others) <= len(wanted) - len(others), "one tile elsewhere for each that is exchanged"
    free = INDEX[Spot("snow:0,5,5")]
    assert table.state.tiles[free] == before[free]
    table.hands("put_right")
    assert KIND_NAMES[table.state.tiles[INDEX[Spot("snow:4,3,3")]]] == "crevasse"


def test_a_new_game_or_a_lesson_that_does_not_exist(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    table.session.submit(StartLesson(99))
    table.pass_s(0.2)
    assert table.public["note"].text == "There are lessons 1 to {count}."
    start(table, "layers")
    table.session.submit(NewGame({"players": 2}, ()))
    table.settle()
    assert "lesson" not in table.public
    assert len(table.state.seats) == 2
    again = PlainTable(tmp_path)
    assert again.session.desk.offers, "the game is in the journal, the lesson is not"


def test_a_lesson_is_read_from_drawn_pictures(tmp_path: Path) -> None:
    table = DrawnTable(tmp_path)
    start(table, "cost")
    table.hands("put_right")
    assert table.session.desk.referee.mode == TRACKING
    do(table, "dig snow:4,3,3")
    table.pass_s(1.0)
    assert table.public["lesson"]["praise"] is not None, table.public["refusal"]
