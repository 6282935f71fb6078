"""Recorded games: a session's game is exported, replayed to the same state, and damage is named by its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main
from companion.messages import Correct, Keep, Undo
from companion.records import RecordError, record, replay
from engine.games.ice.position import read_position, write_position
from tests.table.tables import PlainTable

CAMP = "navigators camp snow:5,3,2"


@pytest.fixture
def table(tmp_path: Path) -> PlainTable:
    """A game with an action, one taken back, a house ruling and a correction."""
    made = PlainTable(tmp_path / "var")
    made.settle()
    made.act(CAMP)
    made.session.submit(Undo())
    made.table.act_out(made.session.desk.referee.states[-2])
    made.settle()
    made.act(CAMP)
    tile = next(s for s in made.table.table.tiles if s.startswith("snow:0") and not made.table.table.pieces.get(s))
    made.hands("dig", spot=tile)
    made.pass_s(1.0)
    made.session.submit(Keep())
    made.settle()
    position = write_position(made.state, made.table.game.box.options)
    position["seats"][1]["ep"] = 2
    made.session.submit(Correct(position, "counted anew"))
    made.settle()
    return made


def test_an_exported_game_replays_to_the_same_state(
    table: PlainTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.txt"
    assert main(["export", "--data", str(tmp_path / "var"), "--out", str(out)]) == 0
    text = out.read_text()
    assert text.count(CAMP) == 1, "what was undone is not in it"
    assert "\nkept R-" in text
    assert "\ncorrect " in text
    capsys.readouterr()
    assert main(["replay", str(out), "--json"]) == 0
    assert read_position(json.loads(capsys.readouterr().out))[0] == table.state
    assert main(["replay", str(out)]) == 0
    assert "navigators" in capsys.readouterr().out


GOLDEN = (Path(__file__).parents[1] / "playthroughs" / "ice" / "two-players.txt").read_text().splitlines()


def test_a_record_without_its_checks_replays_as_well() -> None:
    played = replay([line for line in GOLDEN if not line.startswith("  ")], "game")
    assert list(record(played.game, played.states, played.steps)) == GOLDEN


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[1:], "begins with 'start'"),
        (lambda lines: [], "got nothing"),
        (lambda lines: [lines[0], "navigators dig snow:0,5,5"], "game:2.*R-SET-9.*kept RULE LINE"),
        (lambda lines: [lines[0], "navigators juggle"], "game:2"),
        (lambda lines: [lines[0], "correct {}"], "game:2.*needs a position"),
        (lambda lines: [lines[0], "correct {"], "game:2"),
        (lambda lines: [lines[0], "  000000000000 | day 9"], "game:2.*elsewhere"),
        (lambda lines: ["start {}"], "game:1"),
    ],
)
def test_damage_is_named_by_its_line(change: Callable[[list[str]], list[str]], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        replay(change(GOLDEN), "game")


def test_missing_journals_games_and_files_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path)]) == 2
    assert "there is no journal" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err
    PlainTable(tmp_path)
    assert main(["export", "--data", str(tmp_path), "--game", "7"]) == 2
    assert "no game 7; it has 1" in capsys.readouterr().err
