"""What enters and leaves the session: commands in, immutable snapshots out; the newest snapshot always wins."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class NewGame:
    """Start a game with these options and guilds."""

    options: Mapping[str, Any]
    guilds: tuple[str, ...]
    """In the order in which they sit around the table."""
    first: str = ""
    """The guild that begins; empty = the first one."""
    guided: bool = False
    """On a simulated table: begin with an empty board, as at a real one, and lay it out layer by layer."""


@dataclass(frozen=True, slots=True)
class Declare:
    """An action that no camera can see (or that a player prefers to say), as a line of the game's notation."""

    line: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A tap on one of the buttons of a question."""

    question: int
    choice: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The active player is done."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Show where something can be done now; once more, or any change of the game, ends it."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the newest step."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Make the step undone last again."""


@dataclass(frozen=True, slots=True)
class Keep:
    """We play it that way: accept what was refused, as a house ruling."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Put the belief right: a whole position, with a word why."""

    position: Mapping[str, Any]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """Put the belief about single spots right: what lies and stands there, in the form of a position file.

    None as a tile says that none lies there; spots that are not named stay as they are.
    """

    tiles: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    pieces: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop following until told otherwise."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on following."""


@dataclass(frozen=True, slots=True)
class Close:
    """Put the game away."""

    reason: str = "discarded"


@dataclass(frozen=True, slots=True)
class StartLesson:
    """Do a lesson of the course on the table; the game waits meanwhile."""

    number: int


@dataclass(frozen=True, slots=True)
class LeaveLesson:
    """Back to the game."""


@dataclass(frozen=True, slots=True)
class Hands:
    """On the simulated table only: the pretend hands do something."""

    verb: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Command: TypeAlias = (
    NewGame
    | Declare
    | Answer
    | EndTurn
    | Hint
    | Undo
    | Redo
    | Keep
    | Correct
    | Fix
    | Pause
    | Resume
    | Close
    | StartLesson
    | LeaveLesson
    | Hands
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a page may show, split by who may know it."""

    version: int
    public: Mapping[str, Any]
    private: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By seat (guild name): own hand and requests."""


class Board:
    """Where the newest snapshot hangs: the session puts it up, any number of listeners wait for it.

    There is no queue to overflow: a slow listener simply finds the newest one, and memory stays flat.
    """

    def __init__(self, first: Snapshot) -> None:
        self._newest = first
        self._changed = threading.Condition()

    def put_up(self, snapshot: Snapshot) -> None:
        """Replace the newest snapshot and wake everybody who waits."""
        with self._changed:
            self._newest = snapshot
            self._changed.notify_all()

    def newest(self) -> Snapshot:
        """The newest snapshot."""
        return self._newest

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """The newest snapshot once it is newer than a version; None when nothing came in time."""
        with self._changed:
            if self._changed.wait_for(lambda: self._newest.version > after, timeout_s):
                return self._newest
            return None
