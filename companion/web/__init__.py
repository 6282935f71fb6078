"""The page: app factory over one session; no game logic here."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, g, render_template, request
from werkzeug.exceptions import HTTPException

from companion.bench import Bench
from companion.chronicle import Archive
from companion.web import (
    api,
    diagnosis,
    door,
    guard,
    languages,
    learn,
    live,
    openapi,
    pages,
    score,
    setup,
    setup_devices,
)
from companion.web.desk import Desk
from companion.web.home import Home, the_home
from companion.web.refusing import in_words
from companion.workshop import read_progress
from engine.games.ice.terms import term

MAX_REQUEST_BYTES = 256 * 1024

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app(desk: Desk, home: Home | None = None, bench: Bench | None = None) -> Flask:
    """The application for one table; without a home nothing is kept, without a bench no device can be set up."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_REQUEST_BYTES
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["desk"] = desk
    app.extensions["home"] = home or Home()
    app.extensions["bench"] = bench
    app.extensions["progress"] = read_progress(app.extensions["home"].folder)
    app.extensions["archive"] = Archive(app.extensions["home"].journal)
    app.extensions["spoken"] = live.Spoken()
    app.extensions["listeners"] = live.Places(live.MOST_LISTENERS)
    app.extensions["streams"] = live.Places(live.MOST_STREAMS)
    app.extensions["stages"] = diagnosis.Stages()
    for part in (pages, learn, score, setup, setup_devices, diagnosis, api, openapi, live, door):
        app.register_blueprint(part.blueprint)

    @app.before_request
    def choose_language() -> None:
        g.language = languages.language_of(request, the_home().settings.table.language)

    guard.protect(app)
    app.jinja_env.filters["guild"] = lambda guild: languages.speak(term(guild), g.language)

    @app.context_processor
    def speak() -> dict[str, Any]:
        language = g.get("language", languages.ENGLISH)
        return {
            "_": lambda text, **facts: languages.translate(text, language, **facts),
            "language": language,
            "languages": languages.LANGUAGES,
            "words": languages.script_words(language),
            "viewer": g.get("viewer", guard.Viewer(guard.NOBODY)),
            "form_mark": g.get("form_mark", ""),
            "guild_name": lambda guild: languages.speak(term(guild), language),
        }

    @app.after_request
    def harden(response: Response) -> Response:
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.errorhandler(HTTPException)
    def tell(error: HTTPException) -> tuple[dict[str, str] | str, int] | HTTPException:
        if error.code is None or error.response is not None:
            return error
        if request.path.startswith("/api/"):
            return {"error": in_words(error)}, error.code
        return render_template("trouble.html", say=in_words(error)), error.code

    return app
