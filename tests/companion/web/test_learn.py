"""The course's routes."""

import pytest
from flask.testing import FlaskClient

from companion.lessons import LESSONS
from companion.web import create_app
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(EngineDesk(*game_in_exploration())).test_client()


@pytest.mark.parametrize("language", ["en", "cs", "ru"])
def test_every_lesson_has_a_page_in_every_language(client: FlaskClient, language: str) -> None:
    client.set_cookie("language", language)
    assert client.get("/learn").text.count("data-lesson=") == len(LESSONS)
    for number in range(1, len(LESSONS) + 1):
        assert client.get(f"/learn/{number}").status_code == 200
    assert client.get("/learn/99").status_code == 404


def test_an_attempt_is_judged(client: FlaskClient) -> None:
    client.set_cookie("language", "cs")
    wrong = client.post("/api/v1/learn/2", json={"done": [], "attempt": "navigators move snow:5,2,3 archaeologists=4"})
    assert wrong.json["refusal"]["rule"] == "R-MOVE-2"
    assert wrong.json["refusal"]["say"].startswith("S vůdcem jdou nejvýš 3 archeologové, ne 4")
    right = client.post("/api/v1/learn/2", json={"done": [], "attempt": "navigators move snow:5,2,3 archaeologists=3"})
    assert right.json["finished"]
    assert len(client.get("/api/v1/learn/2/layout").json["places"]) == 193


@pytest.mark.parametrize(
    "body", [[], {"done": "x"}, {"done": [1]}, {"attempt": 4}, {"attempt": "nonsense"}, {"spot": "moon:1,2,3"}]
)
def test_bad_attempts_get_a_sentence(client: FlaskClient, body: object) -> None:
    answer = client.post("/api/v1/learn/1", json=body)
    assert answer.status_code == 400
    assert answer.json["error"]
