"""Requests that cannot be answered: every sentence in the language of the viewer, what happened and what to do next."""

from __future__ import annotations

from typing import Final, NoReturn

from flask import abort, g
from werkzeug.exceptions import HTTPException

from companion.web.languages import ENGLISH, speak
from engine.sayings import Saying

USUAL: Final = {
    400: Saying("This request was not understood: load the page again and try once more."),
    403: Saying("This is not allowed here."),
    404: Saying("There is nothing at this address."),
    405: Saying("This address is not used in this way."),
    413: Saying("This is too large to be taken."),
    415: Saying("Send the fields as JSON (Content-Type: application/json)."),
    500: Saying("Something went wrong here; the companion's log says what. Try again."),
}
"""What is said when no view has said something better, by status."""


def refuse(status: int, say: Saying | None = None) -> NoReturn:
    """Answer a request with an error that people can read."""
    abort(status, speak(say or USUAL[status], g.get("language", ENGLISH)))


def refuse_field(name: str) -> NoReturn:
    """Answer a request of which one field cannot be used."""
    refuse(400, Saying("The field {name} is missing or does not fit; /api/v1/openapi.json says more.", {"name": name}))


def in_words(error: HTTPException) -> str:
    """What an error says: the sentence of the view, else a usual one in the viewer's language."""
    own = error.description if error.description != type(error).description else None
    usual = USUAL.get(error.code or 500, USUAL[500])
    return own or speak(usual, g.get("language", ENGLISH))
