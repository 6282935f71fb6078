"""Every route as nobody, spectator, seat, other seat and owner; hosts, origins and forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import settings
from companion.web import create_app
from companion.web.guard import FORM_COOKIE, LINK_COOKIE, NOBODY, OWNER, OWNER_COOKIE, SEAT, SPECTATOR, role_of
from companion.web.home import Home
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration

PIN = "2468"
SEAT_OF = {"seat": "navigators", "other seat": "incandescents"}
RANK = {"nobody": NOBODY, "spectator": SPECTATOR, "seat": SEAT, "other seat": SEAT, "owner": OWNER}
SECRETS = {
    "navigators": ("anima-3-obliteration", "3 anima of Obliteration (6 RP)"),
    "incandescents": ("prismatic-2", "2 anima from prismatic artifacts (5 RP)"),
    "icewalkers": ("shapes-achievement", "different shapes of Achievement (5/9 RP)"),
}
"""A request in each hand, and how the page calls it."""
FRONTS = {"navigators": "rope", "incandescents": "termites", "icewalkers": "wreck"}
FRONT_WORDS = {"rope": "Climbing Rope", "termites": "Polar Termite Swarm", "wreck": "Wreck"}


@pytest.fixture(scope="module")
def app() -> Flask:
    home = Home(settings=settings.from_tree({"page": {"watch": "link"}}, "test"))
    home.access.set_pin(PIN)
    game, state = game_in_exploration()
    seats = [replace(seat, hand=(FRONTS[seat.guild],), requests=(SECRETS[seat.guild][0],)) for seat in state.seats]
    return create_app(EngineDesk(game, replace(state, seats=tuple(seats))), home)


def client_of(app: Flask, who: str) -> FlaskClient:
    access, client = app.extensions["home"].access, app.test_client()
    client.set_cookie(FORM_COOKIE, "mark")
    if who in SEAT_OF:
        client.set_cookie(LINK_COOKIE, access.seat_links(SEAT_OF.values())[SEAT_OF[who]])
    elif who == "spectator":
        client.set_cookie(LINK_COOKIE, access.watch_link())
    elif who == "owner":
        client.set_cookie(OWNER_COOKIE, access.welcome())
    return client


def routes(app: Flask) -> Iterator[tuple[str, str, int]]:
    """Method, path and least role of every route, with sensible values for its parts."""
    values: dict[str, Any] = {
        "number": 1, "filename": "style.css", "name": "undo", "token": "nonsense", "seat": "navigators", "step": "game",
        "layer": "snow", "led": 0, "member": 0,
    }  # fmt: skip
    for rule in app.url_map.iter_rules():
        _, path = rule.build({name: values[name] for name in rule.arguments}) or ("", "")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield method, path, role_of(app, rule.endpoint)


@pytest.mark.parametrize("who", RANK)
def test_every_route_is_open_to_those_who_may_and_to_nobody_else(app: Flask, who: str) -> None:
    seen = 0
    for method, path, least in routes(app):
        if path == "/access/pin":
            continue  # it would change the lock under test; below
        sent: dict[str, Any] = {"json": {}} if path.startswith("/api/") else {"data": {"mark": "mark"}}
        answer = client_of(app, who).open(path, method=method, **(sent if method != "GET" else {}))
        allowed = RANK[who] >= least
        refused = answer.status_code == 403 or answer.headers.get("Location", "").startswith("/access?to=")
        if path == "/access/enter":
            refused = False  # an empty PIN is refused to everybody
        assert refused != allowed, (who, method, path, answer.status_code)
        assert answer.status_code < 500 or answer.status_code == 503, (who, method, path, answer.status_code)
        answer.close()
        seen += 1
    assert seen > 15


def test_only_the_owner_begins_games_and_sets_the_pin(app: Flask) -> None:
    for who in RANK:
        client = client_of(app, who)
        begun = client.post("/api/v1/commands/close", json={}).status_code
        assert begun == (202 if who == "owner" else 403), who
        if who != "owner":
            assert client.post("/access/pin", data={"mark": "mark", "pin": "1111"}).status_code == 403
    assert app.extensions["home"].access.let_in(PIN, "test")


def secrets_in(text: str) -> set[str]:
    """The guilds of which a text tells something out of their hands; what is on buttons for everybody tells nothing."""
    told = {guild for guild, words in SECRETS.items() if any(word in text for word in words)}
    return told | {guild for guild, front in FRONTS.items() if FRONT_WORDS[front] in text}


def test_a_hand_reaches_its_own_seat_only(app: Flask) -> None:
    for who in ("spectator", "seat", "other seat"):
        client = client_of(app, who)
        stream = client.get("/events")
        answers = [client.get("/api/v1/state").text, next(iter(stream.response)).decode()]
        stream.close()
        own = {SEAT_OF[who]} if who in SEAT_OF else set()
        assert [secrets_in(answer) for answer in answers] == [own, own], who
        if own:
            assert SECRETS[SEAT_OF[who]][1] in answers[0]


@pytest.mark.parametrize("who", ["nobody", "spectator", "seat", "other seat"])
def test_no_route_tells_a_viewer_what_is_in_another_hand(app: Flask, who: str) -> None:
    own = {SEAT_OF[who]} if who in SEAT_OF else set()
    client, seen = client_of(app, who), 0
    for method, path, _ in routes(app):
        if method != "GET" or path in ("/events", "/stream.mjpg"):
            continue
        answer = client.get(path)
        if answer.mimetype.startswith(("text/", "application/json")) and not path.startswith("/static/"):
            assert secrets_in(answer.get_data(as_text=True)) <= own, (who, path)
            seen += 1
        answer.close()
    assert seen > 15


def test_a_table_without_a_pin_belongs_to_everybody_and_then_to_the_one_who_sets_it() -> None:
    app = create_app(EngineDesk(*game_in_exploration()))
    first, second = app.test_client(), app.test_client()
    assert "no PIN is set" in first.get("/access").text
    second.get("/access")
    mark = first.get_cookie("form").value
    assert first.post("/access/pin", data={"pin": "12", "mark": mark}).status_code == 400
    assert first.post("/access/pin", data={"pin": "1357", "mark": mark}).status_code == 303
    assert first.post("/api/v1/commands/close", json={}).status_code == 202
    assert second.post("/api/v1/commands/undo", json={}).status_code == 403
    assert second.get("/").status_code == 200
    form = {"mark": second.get_cookie("form").value, "to": "//elsewhere"}
    assert second.post("/access/enter", data={**form, "pin": "1358"}).status_code == 403
    answer = second.post("/access/enter", data={**form, "pin": "1357"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert second.post("/api/v1/commands/undo", json={}).status_code == 202
    assert second.post("/access/leave", data=form).status_code == 303
    assert second.post("/api/v1/commands/undo", json={}).status_code == 403


def test_wrong_pins_are_slowed_down() -> None:
    app = create_app(EngineDesk(*game_in_exploration()))
    app.extensions["home"].access.set_pin(PIN)
    client = client_of(app, "nobody")
    tries = [client.post("/access/enter", data={"mark": "mark", "pin": "0000"}).status_code for _ in range(7)]
    assert tries == [403, 403, 403, 403, 403, 429, 429]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("192.168.1.20:8000", 200),
        ("[fe80::1]:8000", 200),
        ("icelight.local", 200),
        ("evil.example", 400),
        ("icelight.local.evil.example", 400),
    ],
)
def test_only_the_tables_own_names_are_answered(host: str, status: int) -> None:
    app = create_app(EngineDesk(*game_in_exploration()))
    assert app.test_client().get("/healthz", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 202),
        ({"Origin": "http://localhost"}, 202),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_commands_from_elsewhere_are_refused(headers: dict[str, str], status: int) -> None:
    client = create_app(EngineDesk(*game_in_exploration())).test_client()
    headers = {"Content-Type": "application/json", **headers}
    assert client.post("/api/v1/commands/undo", data="{}", headers=headers).status_code == status


def test_a_form_without_our_mark_is_refused() -> None:
    client = create_app(EngineDesk(*game_in_exploration())).test_client()
    assert client.post("/access/pin", data={"pin": "1234"}).status_code == 403
    client.get("/access")
    assert client.post("/access/pin", data={"pin": "1234", "mark": "guess"}).status_code == 403


def test_links_lead_to_a_seat_and_qr_codes_are_drawn() -> None:
    app = create_app(EngineDesk(*game_in_exploration()))
    client = app.test_client()
    token = app.extensions["home"].access.seat_links(["navigators"])["navigators"]
    assert client.get("/seat/nonsense").status_code == 404
    assert client.get(f"/seat/{token}").headers["Location"] == "/"
    assert client.get("/api/v1/state").json["mine"]["seat"] == "navigators"
    for path in ("/qr/page.svg", "/qr/watch.svg", "/qr/seat/navigators.svg"):
        answer = client.get(path)
        assert answer.mimetype == "image/svg+xml"
        assert b"<svg" in answer.data
    assert client.get("/qr/seat/nobody.svg").status_code == 404


def test_a_view_without_a_role_cannot_be_served() -> None:
    from companion.web.guard import check_views

    app = Flask("test")
    app.add_url_rule("/", "forgotten", lambda: "")
    with pytest.raises(TypeError, match="forgotten"):
        check_views(app)


def test_listeners_have_a_limit_and_give_their_place_back(app: Flask) -> None:
    client, places = client_of(app, "spectator"), app.extensions["streams"]
    before = places.taken
    held = [client.get("/stream.mjpg") for _ in range(places.most)]
    assert client.get("/stream.mjpg").status_code == 503
    assert next(iter(held[0].response)).startswith(b"--picture\r\nContent-Type: image/jpeg")
    for one in held:
        one.close()
    assert places.taken == before == 0
