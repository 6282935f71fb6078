"""The OpenAPI description of /api/v1, made from the routes and commands themselves so that it cannot fall behind."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, current_app
from werkzeug.routing import Rule

from companion.web.api import COMMANDS
from companion.web.guard import ROLE_NAMES, SPECTATOR, needs, role_of

blueprint = Blueprint("openapi", __name__)

PREFIX: Final = "/api/v1"
PLAIN: Final = ("/healthz", "/snapshot.jpg", "/stream.mjpg", "/events")
"""Routes outside the prefix that programs use too."""
KINDS: Final = {"IntegerConverter": "integer"}
MEDIA: Final = {
    ".jpg": "image/jpeg", ".png": "image/png", ".csv": "text/csv", ".mjpg": "multipart/x-mixed-replace",
    "/events": "text/event-stream",
}  # fmt: skip
QUERIES: Final = {
    f"{PREFIX}/why": {"spot": "string"},
    f"{PREFIX}/games/{{number}}/moments": {"after": "integer"},
    f"{PREFIX}/setup/look": {"camera": "string"},
    f"{PREFIX}/setup/picture.jpg": {"camera": "string"},
}
ERROR: Final = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}


@blueprint.get(f"{PREFIX}/openapi.json")
@needs(SPECTATOR)
def description() -> dict[str, Any]:
    """This description."""
    return describe(current_app)


def describe(app: Flask) -> dict[str, Any]:
    """The whole document."""
    schemas, components = msgspec.json.schema_components(COMMANDS.values(), ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.rule):
        if rule.rule.startswith(PREFIX) or rule.rule in PLAIN:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            paths.setdefault(path, {}).update(_operations(app, rule, path))
    commands = dict(zip(COMMANDS, schemas, strict=True))
    for name, schema in commands.items():
        paths[f"{PREFIX}/commands/{name}"] = {"post": _command(name, schema)}
    del paths[f"{PREFIX}/commands/{{name}}"]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Icelight",
            "version": "1",
            "description": "One table: its newest state, commands, lessons, games and set-up. "
            "Live snapshots come from /events (server-sent events, Last-Event-ID resumes).",
        },
        "paths": paths,
        "components": {"schemas": {**components, "Error": ERROR}},
    }


def _operations(app: Flask, rule: Rule, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    role = ROLE_NAMES[role_of(app, rule.endpoint)]
    said = inspect.getdoc(app.view_functions[rule.endpoint]) or ""
    for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
        operation: dict[str, Any] = {
            "operationId": rule.endpoint.replace(".", "_"),
            "summary": said.split("\n")[0],
            "description": f"Open to: {role} and above.",
            "parameters": [*_parts(rule), *_query(path)],
            "responses": {"200": _answer(path), "default": _error()},
        }
        if method == "POST":
            operation["requestBody"] = {"content": {"application/json": {"schema": {"type": "object"}}}}
        yield method.lower(), operation


def _parts(rule: Rule) -> Iterator[dict[str, Any]]:
    for name, converter in rule._converters.items():
        kind = KINDS.get(type(converter).__name__, "string")
        yield {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def _query(path: str) -> Iterator[dict[str, Any]]:
    for name, kind in QUERIES.get(path, {}).items():
        yield {"name": name, "in": "query", "schema": {"type": kind}}


def _answer(path: str) -> dict[str, Any]:
    media = next((kind for end, kind in MEDIA.items() if path.endswith(end)), "application/json")
    schema = {"type": "object"} if media == "application/json" else {"type": "string"}
    return {"description": "It worked.", "content": {media: {"schema": schema}}}


def _error() -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": "What went wrong, in a sentence.", "content": {"application/json": {"schema": schema}}}


def _command(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    said = inspect.getdoc(COMMANDS[name]) or ""
    return {
        "operationId": f"command_{name.replace('-', '_')}",
        "summary": said.split("\n")[0],
        "description": "Taken at once; the outcome comes with a later snapshot.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "202": {"description": "Taken.", "content": {"application/json": {"schema": {"type": "object"}}}},
            "default": _error(),
        },
    }
