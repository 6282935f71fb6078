"""The journal: durable, append-only, undo resolved by folding."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal import (
    ActionKept,
    ActionTaken,
    Corrected,
    Flagged,
    GameClosed,
    GameStarted,
    Journal,
    JournalError,
    Redone,
    Undone,
    fold,
)

START = GameStarted("ice", {"format": 1})


def test_events_come_back_as_written(tmp_path: Path) -> None:
    events = [
        ActionTaken("navigators move snow:4,3,3"),
        ActionKept("navigators dig snow:4,3,3", "R-DIG-2"),
        Corrected({"day": 2}, "camp was missed"),
        Flagged("R-DIG-2", "navigators dig snow:4,3,3", ["snow:4,3,3"]),
        Undone(),
        Redone(),
        GameClosed("finished"),
    ]
    journal = Journal(tmp_path / "a" / "journal.sqlite")
    game = journal.start(START, 1.0).game
    for event in events:
        journal.append(game, event, 2.0)
    journal.close()
    again = Journal(tmp_path / "a" / "journal.sqlite")
    assert [entry.event for entry in again.entries(game)] == [START, *events]
    again.close()
    again.close()


def test_undo_appends_and_redo_restores() -> None:
    a, b, c = ActionTaken("a"), ActionTaken("b"), ActionTaken("c")
    assert fold([START, a, b, Undone()]).steps == (a,)
    assert fold([START, a, b, Undone()]).undone == (b,)
    assert fold([START, a, b, Undone(), Redone()]).steps == (a, b)
    assert fold([START, a, b, Undone(), c]).undone == ()
    assert fold([START, Undone(), Redone(), a]).steps == (a,)
    assert fold([START, a, Flagged("R-DIG-2", "x"), Undone()]).steps == ()


def test_unfinished_game_is_offered_until_closed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    assert journal.unfinished() is None
    first = journal.start(START, 0.0).game
    second = journal.start(START, 1.0).game
    assert journal.unfinished() == second != first
    journal.append(second, GameClosed("discarded"), 2.0)
    assert journal.unfinished() is None
    journal.close()


def test_errors_name_the_file_and_the_cure(tmp_path: Path) -> None:
    broken = tmp_path / "j.sqlite"
    broken.write_bytes(b"this is not a database, it is a shopping list" * 50)
    with pytest.raises(JournalError, match=r"j\.sqlite: cannot be opened .* move the file away"):
        Journal(broken)
    newer = tmp_path / "newer.sqlite"
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(JournalError, match="format 99"):
        Journal(newer)
    with pytest.raises(JournalError, match="GameStarted"):
        fold([ActionTaken("a")])


def test_an_event_of_a_later_version_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    game = journal.start(START, 0.0).game
    journal._db.execute("INSERT INTO events (game, at, kind, body) VALUES (1, 0.0, 'Sung', '{}')")
    with pytest.raises(JournalError, match="event 2 \\(Sung\\)"):
        journal.entries(game)
    journal.close()


WRITER = """
import sys
from pathlib import Path
from companion.journal import ActionTaken, GameStarted, Journal
journal = Journal(Path(sys.argv[1]))
game = journal.start(GameStarted("ice", {}), 0.0).game
for number in range(10_000_000):
    journal.append(game, ActionTaken(str(number)), 0.0)
    print(number, flush=True)
"""


@pytest.mark.parametrize("seed", range(8))
def test_sigkill_loses_no_acknowledged_event(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "j.sqlite"
    wanted = random.Random(seed).randrange(1, 120)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = -1
    for line in writer.stdout:
        acknowledged = int(line)
        if acknowledged >= wanted:
            os.kill(writer.pid, signal.SIGKILL)
            break
    rest = writer.stdout.read().split()
    writer.stdout.close()
    writer.wait()
    acknowledged = max([acknowledged, *(int(number) for number in rest if number.isdigit())])
    journal = Journal(path)
    lines = [step.line for step in journal.timeline(1).steps if isinstance(step, ActionTaken)]
    journal.close()
    assert lines == [str(number) for number in range(len(lines))]
    assert len(lines) > acknowledged
