"""Pages for people, the language they are in, and the camera picture."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.web.desk import the_desk
from companion.web.guard import NOBODY, SPECTATOR, needs
from companion.web.home import the_home
from companion.web.languages import COOKIE, LANGUAGES

YEAR_S = 365 * 24 * 3600

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
@needs(SPECTATOR)
def play() -> str:
    """The table as it is believed to be, and what is legal now."""
    return render_template("play.html", coach=the_home().settings.play.coach)


@blueprint.post("/language")
@needs(NOBODY)
def choose_language() -> AnyResponse:
    """Remember the viewer's language and show the same page again."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(400, f"expected one of {', '.join(LANGUAGES)}, got {chosen[:20]!r}")
    back = urlsplit(request.referrer or "/").path or "/"
    answer = redirect(back if back.startswith("/") and not back.startswith("//") else "/", 303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, samesite="Strict", httponly=True)
    return answer


@blueprint.get("/snapshot.jpg")
@needs(SPECTATOR)
def snapshot() -> Response:
    """The newest camera picture."""
    picture = the_desk().picture()
    if picture is None:
        abort(503, "the camera has not given a picture yet; try again in a moment")
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/healthz")
@needs(NOBODY)
def healthz() -> tuple[dict[str, object], int]:
    """Whether the session is alive and what its devices say."""
    public = the_desk().board.newest().public
    status = public.get("status", {})
    well = all(part.get("ok", True) for part in status.values())
    return {
        "ok": well,
        "status": {name: bool(part.get("ok", True)) for name, part in status.items()},
    }, 200 if well else 503
