"""Whatever a request is refused with, its reader gets it in the chosen language."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.troubles import KINDS, say_trouble
from companion.web import create_app
from companion.web.home import Home
from companion.web.languages import catalogue, speak
from hardware.errors import CameraLost, ClipEnded, HardwareError
from tests.companion.web.bench_double import make_bench
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration

WEB = Path(__file__).parents[3] / "companion" / "web"
REFUSED = [
    ("GET", "/nowhere", None),
    ("GET", "/api/v1/nowhere", None),
    ("GET", "/api/v1/why?spot=nowhere", None),
    ("GET", "/learn/99", None),
    ("GET", "/score/99", None),
    ("GET", "/seat/wrong", None),
    ("GET", "/watch/wrong", None),
    ("GET", "/qr/seat/nobody.svg", None),
    ("GET", "/setup/dance", None),
    ("GET", "/api/v1/setup/picture.jpg?camera=usb:77", None),
    ("GET", "/api/v1/setup/picture.jpg?camera=nonsense", None),
    ("GET", "/api/v1/setup/tiles/snow/7.png", None),
    ("DELETE", "/api/v1/state", None),
    ("POST", "/api/v1/commands/dance", {}),
    ("POST", "/api/v1/commands/undo", []),
    ("POST", "/api/v1/commands/answer", {"question": "no"}),
    ("POST", "/api/v1/learn/1", []),
    ("POST", "/api/v1/learn/1", {"done": 1}),
    ("POST", "/api/v1/learn/1", {"attempt": 1}),
    ("POST", "/api/v1/learn/1", {"attempt": "navigators dance"}),
    ("POST", "/api/v1/learn/99", {}),
    ("POST", "/api/v1/setup/corners", {"size": [1, 1]}),
    ("POST", "/api/v1/setup/corners", {"size": [1280, 720], "pixels": [[1, 1]]}),
    ("POST", "/api/v1/setup/tiles/cellar/lay", {}),
    ("POST", "/api/v1/setup/tiles/cellar/take", {}),
    ("POST", "/api/v1/setup/tiles/snow/name", {}),
    ("POST", "/api/v1/setup/lights/order", {}),
    ("POST", "/api/v1/setup/lights/order", {"seen": {"R": "R"}}),
    ("POST", "/api/v1/setup/lights/leds/1", {"at": [1]}),
    ("POST", "/api/v1/setup/lights/leds/1", {"at": [1, 1]}),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder = tmp_path_factory.mktemp("table")
    desk = EngineDesk(*game_in_exploration())
    return create_app(desk, Home.of(folder), make_bench(folder)).test_client()


def said(client: FlaskClient, language: str, method: str, path: str, body: object) -> str:
    client.set_cookie("language", language)
    answer = client.open(path, method=method, json=body) if body is not None else client.open(path, method=method)
    assert answer.status_code >= 400, path
    if answer.is_json:
        return str(answer.json["error"])
    return answer.text.split('<p class="say">')[1].split("</p>")[0]


@pytest.mark.parametrize(("method", "path", "body"), REFUSED)
def test_errors_speak_the_language_of_the_viewer(client: FlaskClient, method: str, path: str, body: object) -> None:
    english, czech, russian = (said(client, language, method, path, body) for language in ("en", "cs", "ru"))
    assert len({english, czech, russian}) == 3
    assert any("а" <= letter <= "я" for letter in russian.lower())


def test_every_refusal_goes_through_the_one_that_translates() -> None:
    for path in WEB.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", "")
            assert name != "abort" or path.name == "refusing.py", f"{path.name}:{node.lineno} says refuse(…) instead"
            if name == "refuse" and len(node.args) > 1:
                how = node.args[1]
                assert isinstance(how, ast.Call), f"{path.name}:{node.lineno} refuses with a Saying"
                assert getattr(how.func, "id", "") in ("Saying", "refusal", "say_why", "say_trouble")


def test_every_kind_of_device_error_has_a_sentence() -> None:
    kinds = set(HardwareError.__subclasses__()) | {ClipEnded}
    assert kinds == set(KINDS)
    assert "z kamery nepřichází obraz" in speak(say_trouble(CameraLost("usb:0: no picture")), "cs").lower()
    assert "usb:0: no picture" in speak(say_trouble(CameraLost("usb:0: no picture")), "cs")
    assert "záznam" in speak(say_trouble(ClipEnded("end")), "cs").lower()
    assert all(say.text in catalogue("ru") for say in KINDS.values())
