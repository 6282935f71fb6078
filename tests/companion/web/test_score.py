"""The pages about scores and past games."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.web import create_app
from companion.web.home import JOURNAL_FILE, Home
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration
from tests.companion.web.played import play_into


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder: Path = tmp_path_factory.mktemp("table")
    play_into(folder / JOURNAL_FILE, seed=1)
    play_into(folder / JOURNAL_FILE, seed=2, players=3, most=80)
    return create_app(EngineDesk(*game_in_exploration()), Home.of(folder)).test_client()


def test_games_are_listed_newest_first(client: FlaskClient) -> None:
    games = client.get("/api/v1/games").json["games"]
    assert [(game["number"], game["state"]) for game in games] == [(2, "running"), (1, "over")]
    page = client.get("/score").text
    assert page.index('href="/score/2"') < page.index('href="/score/1"')
    assert "won by" in page


@pytest.mark.parametrize("language", ["en", "cs", "ru"])
def test_a_game_has_a_page_in_every_language(client: FlaskClient, language: str) -> None:
    client.set_cookie("language", language)
    page = client.get("/score/1")
    assert page.status_code == 200
    assert 'id="moment"' in page.text
    client.delete_cookie("language")


def test_a_game_is_exported_as_json_and_csv(client: FlaskClient) -> None:
    told = client.get("/api/v1/games/1").json
    answer = client.get("/api/v1/games/1.csv")
    rows = list(csv.reader(answer.text.splitlines()))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="game-1.csv"'
    assert len(rows) == told["steps"] + 1 == len(told["moments"]) + 1
    assert rows[0][-2:] == ["score navigators", "score incandescents"]
    assert rows[-1][-2:] == told["totals"]
    assert rows[1][1].startswith("2027-01-15T08:00:00")


def test_a_replay_shows_every_moment(client: FlaskClient) -> None:
    steps = client.get("/api/v1/games/1").json["steps"]
    first, last = (client.get(f"/api/v1/games/1/moments?after={index}").json for index in (0, steps))
    assert len(first["position"]["tiles"]) == 112 > len(last["position"]["tiles"])
    assert client.get(f"/api/v1/games/1/moments?after={steps + 1}").status_code == 404
    assert client.get("/api/v1/games/1/moments").status_code == 404
    assert len(client.get("/api/v1/games/1/layout").json["places"]) == 193


@pytest.mark.parametrize("path", ["/score/9", "/api/v1/games/9", "/api/v1/games/9.csv", "/api/v1/games/9/layout"])
def test_a_game_that_is_not_there(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "no game 9" in answer.text
