"""The OpenAPI description fits the routes."""

import re
from typing import Any

import pytest
from flask import Flask

from companion.web import create_app
from companion.web.api import COMMANDS
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(EngineDesk(*game_in_exploration()))


@pytest.fixture(scope="module")
def document(app: Flask) -> Any:
    return app.test_client().get("/api/v1/openapi.json").json


def refs(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [value for key, value in node.items() if key == "$ref"] + [r for v in node.values() for r in refs(v)]
    return [r for item in node for r in refs(item)] if isinstance(node, list) else []


def test_every_route_of_the_api_is_described(app: Flask, document: Any) -> None:
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1/") and "commands" not in rule.rule:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            methods = {method.lower() for method in rule.methods - {"HEAD", "OPTIONS"}}
            assert methods <= set(document["paths"][path]), path
    assert {f"/api/v1/commands/{name}" for name in COMMANDS} <= set(document["paths"])
    assert {"/healthz", "/snapshot.jpg", "/stream.mjpg", "/events"} <= set(document["paths"])


def test_it_is_complete_in_itself(document: Any) -> None:
    assert document["openapi"] == "3.1.0"
    for ref in refs(document):
        assert ref.removeprefix("#/components/schemas/") in document["components"]["schemas"]
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert all(operation["summary"].endswith(".") for operation in operations)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = {part["name"] for part in operation.get("parameters", []) if part["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path)), path


def test_a_command_has_its_fields(document: Any) -> None:
    schema = document["paths"]["/api/v1/commands/answer"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    answer = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    assert sorted(answer["properties"]) == ["choice", "question"]
    assert answer["required"] == ["question", "choice"]
