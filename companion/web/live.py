"""Live snapshots as server-sent events with ids, resume and heartbeat; the newest one wins."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.messages import Board
from companion.web.desk import the_desk

HEARTBEAT_S = 10.0

blueprint = Blueprint("live", __name__)


def stream(board: Board, after: int, heartbeat_s: float = HEARTBEAT_S) -> Iterator[str]:
    """Events for one listener; a comment line when nothing happened for a while, so that a lost line is noticed."""
    while True:
        snapshot = board.wait(after, heartbeat_s)
        if snapshot is None:
            yield ": still here\n\n"
            continue
        after = snapshot.version
        yield f"id: {after}\nevent: snapshot\ndata: {json.dumps(snapshot.public, ensure_ascii=False)}\n\n"


@blueprint.get("/events")
def events() -> Response:
    """The stream; a browser that reconnects names the last id it has seen."""
    last = request.headers.get("Last-Event-ID", "")
    after = int(last) if last.isdigit() else -1
    board = the_desk().board
    if after > board.newest().version:
        after = -1  # the session was restarted; its versions begin anew
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream(board, after), mimetype="text/event-stream", headers=headers)
