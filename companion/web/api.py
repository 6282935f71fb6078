"""JSON under /api/v1: the newest snapshot, the layout, and commands."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Blueprint, current_app, g, request

from companion import messages
from companion.web.desk import the_desk
from companion.web.guard import OWNER, SEAT, SPECTATOR, needs, refusal, the_viewer
from companion.web.languages import speak_all
from companion.web.live import known_to
from companion.web.refusing import refuse
from engine.sayings import Saying

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

COMMANDS: Final[dict[str, type[Any]]] = {
    "new-game": messages.NewGame,
    "declare": messages.Declare,
    "answer": messages.Answer,
    "end-turn": messages.EndTurn,
    "hint": messages.Hint,
    "undo": messages.Undo,
    "redo": messages.Redo,
    "keep": messages.Keep,
    "correct": messages.Correct,
    "fix": messages.Fix,
    "pause": messages.Pause,
    "resume": messages.Resume,
    "close": messages.Close,
    "start-lesson": messages.StartLesson,
    "leave-lesson": messages.LeaveLesson,
    "hands": messages.Hands,
}
OWNERS_COMMANDS: Final = ("new-game", "close", "start-lesson", "leave-lesson")


@blueprint.get("/state")
@needs(SPECTATOR)
def state() -> dict[str, Any]:
    """The newest snapshot, as much of it as the viewer may know."""
    snapshot = the_desk().board.newest()
    return {"version": snapshot.version, **speak_all(known_to(the_viewer(), snapshot), g.language)}


@blueprint.get("/layout")
@needs(SPECTATOR)
def layout() -> dict[str, Any]:
    """Outlines of all spots."""
    return dict(the_desk().layout())


@blueprint.get("/overlay")
@needs(SPECTATOR)
def overlay() -> dict[str, Any]:
    """Where the camera sees each place, in pixels of its picture; no size while the board is not found."""
    bench = current_app.extensions["bench"]
    view = bench.eye.view if bench is not None else None
    if view is None:
        return {"size": None, "places": {}}
    corners = {
        str(place.spot): view.project([(*corner, place.top_mm) for corner in place.outline_mm]).round(1).tolist()
        for place in bench.eye.layout.places.values()
    }
    return {"size": [view.lens.width, view.lens.height], "places": corners}


@blueprint.get("/why")
@needs(SPECTATOR)
def why() -> dict[str, Any]:
    """What can happen at a spot now, and for the rest: why not."""
    spot = request.args.get("spot", "")
    try:
        found = the_desk().why(spot)
    except KeyError:
        refuse(404, Saying("There is no place {spot} on this board.", {"spot": spot[:40]}))
    return dict(speak_all(found, g.language))


@blueprint.post("/commands/<name>")
@needs(SEAT)
def command(name: str) -> tuple[dict[str, Any], int]:
    """Hand in a command; 202 says that it was taken, its outcome comes with a later snapshot."""
    kind = COMMANDS.get(name)
    if kind is None:
        refuse(
            404, Saying("There is no command {name}; known ones: {known}.", {"name": name, "known": sorted(COMMANDS)})
        )
    if name in OWNERS_COMMANDS and not the_viewer().may(OWNER):
        refuse(403, refusal(OWNER))
    if not request.is_json:
        refuse(415)
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        refuse(400, Saying("Send the fields of the command as a JSON object."))
    try:
        made = msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        refuse(400, Saying("The fields of {name} do not fit: {detail}", {"name": name, "detail": str(error)}))
    the_desk().submit(made)
    return {"taken": name}, 202
