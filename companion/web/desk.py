"""What the page needs of a session: snapshots, a picture, and a slot for commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from flask import current_app

from companion.messages import Board, Command


class Desk(Protocol):
    """The session as the page sees it; every method may be called from any thread."""

    board: Board

    def submit(self, command: Command) -> None:
        """Hand in a command; its outcome shows in a later snapshot."""

    def picture(self) -> bytes | None:
        """The newest camera picture as JPEG, or None before the first one."""

    def layout(self) -> Mapping[str, Any]:
        """Outlines of all spots in millimetres, for drawing."""

    def why(self, spot: str) -> Mapping[str, Any]:
        """What can happen at a spot now, and why the rest cannot; KeyError for a spot that does not exist."""


def the_desk() -> Desk:
    """The desk of the running application."""
    return cast(Desk, current_app.extensions["desk"])
