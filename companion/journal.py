"""The append-only log of a table: an event is on disk before anything else learns of it.

One row and one transaction per event, write-ahead log with `synchronous=FULL`, so a power cut loses nothing that was
acknowledged. Undo appends; nothing is deleted. The journal knows actions only as lines of the game's notation.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeAlias

FORMAT: Final = 1


class JournalError(RuntimeError):
    """The journal cannot be read or written: which file, what happened, what to do."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began from a position."""

    game: str
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A legal action was followed."""

    line: str


@dataclass(frozen=True, slots=True)
class ActionKept:
    """The players keep an action that a rule forbids: a house ruling."""

    line: str
    rule: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The players put the companion's belief right: the position from here on."""

    position: dict[str, Any]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """The newest step that still stands was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The step undone last was made again."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """An attempt was refused; the belief did not change."""

    rule: str
    line: str
    spots: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GameClosed:
    """The game ended or was put away."""

    reason: str
    """`finished` or `discarded`."""


Event: TypeAlias = GameStarted | ActionTaken | ActionKept | Corrected | Undone | Redone | Flagged | GameClosed
Step: TypeAlias = ActionTaken | ActionKept | Corrected
KINDS: Final = {
    kind.__name__: kind
    for kind in (GameStarted, ActionTaken, ActionKept, Corrected, Undone, Redone, Flagged, GameClosed)
}


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its number and the time it was written."""

    number: int
    game: int
    at: float
    event: Event


@dataclass(frozen=True, slots=True)
class Timeline:
    """What stands of a game: its start, the steps that count, and those that could be redone (newest last)."""

    start: GameStarted
    steps: tuple[Step, ...]
    undone: tuple[Step, ...]
    closed: str | None


def fold(events: Iterable[Event]) -> Timeline:
    """Read a game's events in order; undo and redo are resolved here and nowhere else."""
    start: GameStarted | None = None
    steps: list[Step] = []
    undone: list[Step] = []
    closed: str | None = None
    for event in events:
        if isinstance(event, GameStarted):
            start, steps, undone = event, [], []
        elif isinstance(event, Undone):
            if steps:
                undone.append(steps.pop())
        elif isinstance(event, Redone):
            if undone:
                steps.append(undone.pop())
        elif isinstance(event, GameClosed):
            closed = event.reason
        elif not isinstance(event, Flagged):
            steps.append(event)
            undone.clear()
    if start is None:
        raise JournalError("expected a GameStarted event first, got none: the journal's beginning is missing")
    return Timeline(start, tuple(steps), tuple(undone), closed)


_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS events (
  number INTEGER PRIMARY KEY,
  game INTEGER NOT NULL,
  at REAL NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_game ON events (game, number);
"""


class Journal:
    """Events of all games of one table in one SQLite file."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        try:
            if read_only:
                self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                raise JournalError(
                    f"{path}: written in format {version}, this program reads {FORMAT}; update the companion"
                )
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version={FORMAT}")
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"{path}: cannot be opened as a journal ({error}); move the file away or choose another folder"
            ) from error

    def append(self, game: int, event: Event, at: float) -> Entry:
        """Write one event; when this returns it survives a power cut."""
        body = json.dumps(asdict(event), ensure_ascii=False, separators=(",", ":"))
        try:
            with closing(
                self._db.execute(
                    "INSERT INTO events (game, at, kind, body) VALUES (?, ?, ?, ?)",
                    (game, at, type(event).__name__, body),
                )
            ) as cursor:
                number = int(cursor.lastrowid or 0)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be written ({error}); is the disk full?") from error
        return Entry(number, game, at, event)

    def start(self, event: GameStarted, at: float) -> Entry:
        """Begin a new game and give it the next number."""
        (newest,) = self._db.execute("SELECT COALESCE(MAX(game), 0) FROM events").fetchone()
        return self.append(int(newest) + 1, event, at)

    def entries(self, game: int, after: int = 0) -> tuple[Entry, ...]:
        """The events of a game in order, newer than a given number."""
        rows = self._db.execute(
            "SELECT number, game, at, kind, body FROM events WHERE game = ? AND number > ? ORDER BY number",
            (game, after),
        )
        return tuple(Entry(number, of, at, self._decode(number, kind, body)) for number, of, at, kind, body in rows)

    def timeline(self, game: int) -> Timeline:
        """What stands of a game."""
        return fold(entry.event for entry in self.entries(game))

    def games(self) -> tuple[int, ...]:
        """Numbers of all games, oldest first."""
        return tuple(int(row[0]) for row in self._db.execute("SELECT DISTINCT game FROM events ORDER BY game"))

    def unfinished(self) -> int | None:
        """The newest game if it was never closed."""
        games = self.games()
        if not games or self.timeline(games[-1]).closed is not None:
            return None
        return games[-1]

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._db.close()

    def _decode(self, number: int, kind: str, body: str) -> Event:
        try:
            maker = KINDS[kind]
            known = {f.name for f in fields(maker)}
            return maker(**{name: value for name, value in json.loads(body).items() if name in known})
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(f"{self.path}: event {number} ({kind}) cannot be read: {error}") from error
