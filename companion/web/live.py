"""Live snapshots as server-sent events with ids, resume and heartbeat, and the camera as a stream; newest wins."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator
from typing import Any, Final, cast

from flask import Blueprint, Response, current_app, g, request

from companion.messages import Board, Snapshot
from companion.web.desk import Desk, the_desk
from companion.web.guard import SPECTATOR, Viewer, needs, the_viewer
from companion.web.languages import ENGLISH, speak_all
from companion.web.refusing import refuse
from engine.sayings import Saying

HEARTBEAT_S = 10.0
PICTURE_S: Final = 0.2
"""The least time between two pictures of the stream."""
MOST_LISTENERS: Final = 112
"""Each holds a thread of the server; the rest of its threads answer everything else."""
MOST_STREAMS: Final = 6
RETRY_MS: Final = 1500

blueprint = Blueprint("live", __name__)
LOOKER: Final = Viewer(SPECTATOR)


def known_to(viewer: Viewer, snapshot: Snapshot) -> dict[str, Any]:
    """What a viewer may know of a snapshot: everybody's part, and the own seat's."""
    mine = snapshot.private.get(viewer.seat) if viewer.seat is not None else None
    return dict(snapshot.public) if mine is None else {**snapshot.public, "mine": {"seat": viewer.seat, **mine}}


class Spoken:
    """The newest snapshot as JSON in each language and for each seat, made once however many listen."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(3)
        """Part of every id: versions of another run of the companion say nothing here."""
        self._newest: dict[tuple[str, str | None], tuple[Snapshot, str]] = {}

    def seen(self, event_id: str) -> int:
        """The version that an id names; -1 for none, or one of another run."""
        run, _, version = event_id.partition(".")
        return int(version) if run == self.run and version.isdecimal() else -1

    def text(self, snapshot: Snapshot, language: str, viewer: Viewer = LOOKER) -> str:
        """What a viewer may know, in a language."""
        key = (language, viewer.seat)
        made = self._newest.get(key)
        if made is None or made[0] is not snapshot:
            known = speak_all(known_to(viewer, snapshot), language)
            made = (snapshot, json.dumps(known, ensure_ascii=False, separators=(",", ":")))
            self._newest[key] = made
        return made[1]


class Places:
    """A number of places that may be taken at the same time."""

    def __init__(self, most: int) -> None:
        self.most, self.taken = most, 0
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take a place if one is free."""
        with self._lock:
            if self.taken >= self.most:
                return False
            self.taken += 1
            return True

    def give_back(self) -> None:
        """Give a taken place back."""
        with self._lock:
            self.taken -= 1


def stream(
    board: Board,
    after: int,
    spoken: Spoken,
    language: str = ENGLISH,
    heartbeat_s: float = HEARTBEAT_S,
    viewer: Viewer = LOOKER,
) -> Iterator[str]:
    """Events for one listener; a beat when nothing happened for a while, so that both sides notice a lost line."""
    while True:
        snapshot = board.wait(after, heartbeat_s)
        if snapshot is None:
            yield "event: beat\ndata:\n\n"
            continue
        after = snapshot.version
        said = spoken.text(snapshot, language, viewer)
        yield f"id: {spoken.run}.{after}\nevent: snapshot\nretry: {RETRY_MS}\ndata: {said}\n\n"


def _held(places: Places, parts: Iterator[Any], kind: str) -> Response:
    """An endless answer that keeps its place until the viewer has gone."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    answer = Response(parts, content_type=kind, headers=headers)
    answer.call_on_close(places.give_back)
    return answer


@blueprint.get("/events")
@needs(SPECTATOR)
def events() -> Response:
    """The stream; a browser that reconnects names the last id it has seen."""
    spoken = cast(Spoken, current_app.extensions["spoken"])
    after = spoken.seen(request.headers.get("Last-Event-ID", ""))
    places = cast(Places, current_app.extensions["listeners"])
    if not places.take():
        refuse(
            503,
            Saying("{count} people are looking already; close one of the pages and try again.", {"count": places.most}),
        )
    parts = stream(the_desk().board, after, spoken, g.language, viewer=the_viewer())
    return _held(places, parts, "text/event-stream; charset=utf-8")


def pictures(desk: Desk, wait_s: float = PICTURE_S) -> Iterator[bytes]:
    """The camera's pictures one after the other, as parts of a stream; none is sent twice."""
    clock = threading.Event()
    sent: bytes | None = None
    while True:
        picture = desk.picture()
        if picture is not None and picture is not sent:
            sent = picture
            head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            yield head.encode() + picture + b"\r\n"
        clock.wait(wait_s)


@blueprint.get("/stream.mjpg")
@needs(SPECTATOR)
def motion() -> Response:
    """What the camera sees, as motion JPEG."""
    places = cast(Places, current_app.extensions["streams"])
    if not places.take():
        facts = {"count": places.most}
        refuse(503, Saying("{count} people are looking through the camera already; use /snapshot.jpg.", facts))
    return _held(places, pictures(the_desk()), "multipart/x-mixed-replace; boundary=picture")
