"""Pages for people, the language they are in, and the camera picture."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.lighting import DEFAULT_PALETTE, PALETTES, hex_colour
from companion.web.desk import the_desk
from companion.web.guard import NOBODY, SPECTATOR, needs
from companion.web.home import the_home
from companion.web.languages import COOKIE, LANGUAGES
from companion.web.refusing import refuse
from engine.sayings import Saying

YEAR_S = 365 * 24 * 3600

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
@needs(SPECTATOR)
def play() -> str:
    """The table as it is believed to be, and what is legal now."""
    settings = the_home().settings
    palette = {role: hex_colour(colour) for role, colour in PALETTES[settings.lights.palette].items()}
    own = {} if settings.lights.palette == DEFAULT_PALETTE else palette
    return render_template("play.html", coach=settings.play.coach, palette=own)


@blueprint.post("/language")
@needs(NOBODY)
def choose_language() -> AnyResponse:
    """Remember the viewer's language and show the same page again."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        refuse(400, Saying("The page speaks {languages}; choose one of them.", {"languages": list(LANGUAGES.values())}))
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
        refuse(503, Saying("The camera has not given a picture yet."))
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
