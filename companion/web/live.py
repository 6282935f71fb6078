"""Live snapshots as server-sent events with ids, resume and heartbeat; the newest one wins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from flask import Blueprint, Response, current_app, g, request

from companion.messages import Board, Snapshot
from companion.web.desk import the_desk
from companion.web.languages import ENGLISH, speak_all

HEARTBEAT_S = 10.0

blueprint = Blueprint("live", __name__)


class Spoken:
    """The newest snapshot as JSON in each language, made once however many listen."""

    def __init__(self) -> None:
        self._newest: dict[str, tuple[Snapshot, str]] = {}

    def text(self, snapshot: Snapshot, language: str) -> str:
        """What everybody may know, in a language."""
        made = self._newest.get(language)
        if made is None or made[0] is not snapshot:
            made = (snapshot, json.dumps(speak_all(snapshot.public, language), ensure_ascii=False))
            self._newest[language] = made
        return made[1]


def stream(
    board: Board, after: int, spoken: Spoken, language: str = ENGLISH, heartbeat_s: float = HEARTBEAT_S
) -> Iterator[str]:
    """Events for one listener; a comment line when nothing happened for a while, so that a lost line is noticed."""
    while True:
        snapshot = board.wait(after, heartbeat_s)
        if snapshot is None:
            yield ": still here\n\n"
            continue
        after = snapshot.version
        yield f"id: {after}\nevent: snapshot\ndata: {spoken.text(snapshot, language)}\n\n"


@blueprint.get("/events")
def events() -> Response:
    """The stream; a browser that reconnects names the last id it has seen."""
    last = request.headers.get("Last-Event-ID", "")
    after = int(last) if last.isdigit() else -1
    board = the_desk().board
    if after > board.newest().version:
        after = -1  # the session was restarted; its versions begin anew
    spoken = cast(Spoken, current_app.extensions["spoken"])
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream(board, after, spoken, g.language), mimetype="text/event-stream", headers=headers)
