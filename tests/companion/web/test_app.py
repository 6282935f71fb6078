"""The page's routes over a recording desk."""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.messages import Answer, Board, Command, EndTurn, Hands, Snapshot
from companion.web import create_app, live
from companion.web.live import Spoken, stream
from engine.sayings import Saying


class RecordingDesk:
    """Keeps what the page hands in."""

    def __init__(self) -> None:
        self.board = Board(Snapshot(7, {"headline": "hello", "status": {"camera": {"ok": True, "say": "fine"}}}))
        self.taken: list[Command] = []
        self.jpeg: bytes | None = b"\xff\xd8picture"

    def submit(self, command: Command) -> None:
        self.taken.append(command)

    def picture(self) -> bytes | None:
        return self.jpeg

    def layout(self) -> Mapping[str, Any]:
        return {"size": [100, 100], "places": {}}

    def why(self, spot: str) -> Mapping[str, Any]:
        if spot != "snow:4,3,3":
            raise KeyError(spot)
        return {"title": Saying("crevasse"), "can": [], "cannot": []}


@pytest.fixture
def desk() -> RecordingDesk:
    return RecordingDesk()


@pytest.fixture
def client(desk: RecordingDesk) -> FlaskClient:
    return create_app(desk).test_client()


def test_play_page_is_served_with_a_strict_policy(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert b"<script>" not in answer.data
    assert b"style=" not in answer.data


def test_state_layout_and_health(client: FlaskClient, desk: RecordingDesk) -> None:
    assert client.get("/api/v1/state").json["version"] == 7
    assert client.get("/api/v1/layout").json["size"] == [100, 100]
    assert client.get("/healthz").status_code == 200
    desk.board.put_up(Snapshot(8, {"status": {"camera": {"ok": False, "say": "no picture"}}}))
    assert client.get("/healthz").status_code == 503


def test_picture_or_a_sentence(client: FlaskClient, desk: RecordingDesk) -> None:
    assert client.get("/snapshot.jpg").data == desk.jpeg
    desk.jpeg = None
    assert client.get("/snapshot.jpg").status_code == 503


def test_commands_are_taken(client: FlaskClient, desk: RecordingDesk) -> None:
    assert client.post("/api/v1/commands/end-turn", json={}).status_code == 202
    assert client.post("/api/v1/commands/answer", json={"question": 1, "choice": 0}).status_code == 202
    assert client.post("/api/v1/commands/hands", json={"verb": "lift", "arguments": {"spot": "x"}}).status_code == 202
    assert desk.taken == [EndTurn(), Answer(1, 0), Hands("lift", {"spot": "x"})]


@pytest.mark.parametrize(
    ("path", "sent", "status", "words"),
    [
        ("dance", {"json": {}}, 404, "no command dance"),
        ("answer", {"json": {"question": "one", "choice": 0}}, 400, "question"),
        ("answer", {"json": []}, 400, "JSON object"),
        ("answer", {"data": "x"}, 415, "JSON"),
        ("undo", {"json": {}, "headers": {"Sec-Fetch-Site": "cross-site"}}, 403, "own page only"),
        ("correct", {"json": {"position": {"x": "y" * 300_000}}}, 413, ""),
    ],
)
def test_bad_commands_are_refused_with_a_sentence(
    client: FlaskClient, desk: RecordingDesk, path: str, sent: dict[str, Any], status: int, words: str
) -> None:
    answer = client.post(f"/api/v1/commands/{path}", **sent)
    assert answer.status_code == status
    assert words in answer.json["error"]
    assert desk.taken == []


def test_stream_sends_the_newest_then_heartbeats() -> None:
    board = Board(Snapshot(3, {"day": 1}))
    spoken = Spoken()
    first, second = islice(stream(board, -1, spoken, heartbeat_s=0.0), 2)
    assert first.startswith(f"id: {spoken.run}.3\nevent: snapshot\n")
    assert json.loads(first.split("data: ")[1]) == {"day": 1}
    assert second == "event: beat\ndata:\n\n"


def first_event(client: FlaskClient, last: str) -> bytes:
    answer = client.get("/events", headers={"Last-Event-ID": last})
    assert answer.mimetype == "text/event-stream"
    found = next(iter(answer.response))
    answer.close()
    return bytes(found)


def test_events_resume_after_the_last_id(
    client: FlaskClient, desk: RecordingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.stream, "__defaults__", (live.ENGLISH, 0.0, live.LOOKER))
    run = client.application.extensions["spoken"].run
    newest = desk.board.newest().version
    assert first_event(client, "").startswith(f"id: {run}.{newest}\n".encode())
    assert first_event(client, f"{run}.{newest - 1}").startswith(b"id: ")
    assert first_event(client, f"{run}.{newest}").startswith(b"event: beat"), "what is known is not sent again"
    assert first_event(client, f"other.{newest}").startswith(b"id: "), "the companion was started anew meanwhile"


def test_why_is_told_in_the_viewers_language(client: FlaskClient) -> None:
    client.set_cookie("language", "cs")
    assert client.get("/api/v1/why?spot=snow:4,3,3").json["title"] == "puklina"
    assert client.get("/api/v1/why?spot=sea").status_code == 404


def test_language_is_chosen_by_cookie_then_by_browser(client: FlaskClient) -> None:
    assert b'<html lang="en">' in client.get("/").data
    assert b'<html lang="ru">' in client.get("/", headers={"Accept-Language": "ru-RU,ru;q=0.9"}).data
    form = {"language": "cs", "mark": client.get_cookie("form").value}
    answer = client.post("/language", data=form, headers={"Referer": "http://table.local/learn?x=1"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/learn")
    page = client.get("/", headers={"Accept-Language": "ru"}).text
    assert '<html lang="cs">' in page
    assert "Konec tahu" in page
    assert client.post("/language", data=form | {"language": "tlh"}).status_code == 400


def test_snapshots_are_spoken_per_viewer(client: FlaskClient, desk: RecordingDesk) -> None:
    desk.board.put_up(Snapshot(9, {"headline": Saying("The table is asked.")}))
    assert client.get("/api/v1/state").json["headline"] == "The table is asked."
    client.set_cookie("language", "ru")
    assert client.get("/api/v1/state").json["headline"] == "Отвечает стол."
    answer = client.get("/events")
    assert "Отвечает стол." in next(iter(answer.response)).decode()
    answer.close()
