"""Pages for people, and the camera picture."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template

from companion.web.desk import the_desk

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def play() -> str:
    """The table as it is believed to be, and what is legal now."""
    return render_template("play.html")


@blueprint.get("/snapshot.jpg")
def snapshot() -> Response:
    """The newest camera picture."""
    picture = the_desk().picture()
    if picture is None:
        abort(503, "the camera has not given a picture yet; try again in a moment")
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/healthz")
def healthz() -> tuple[dict[str, object], int]:
    """Whether the session is alive and what its devices say."""
    public = the_desk().board.newest().public
    status = public.get("status", {})
    well = all(part.get("ok", True) for part in status.values())
    return {"ok": well, "status": status}, 200 if well else 503
