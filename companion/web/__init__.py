"""The page: app factory over one session; no game logic here."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from companion.web import api, live, pages
from companion.web.desk import Desk

MAX_REQUEST_BYTES = 256 * 1024

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(desk: Desk) -> Flask:
    """The application for one table."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_REQUEST_BYTES
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["desk"] = desk
    for part in (pages, api, live):
        app.register_blueprint(part.blueprint)

    @app.after_request
    def harden(response: Response) -> Response:
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.errorhandler(HTTPException)
    def tell(error: HTTPException) -> tuple[dict[str, str], int] | HTTPException:
        if request.path.startswith("/api/"):
            return {"error": error.description or error.name}, error.code or 500
        return error

    return app
