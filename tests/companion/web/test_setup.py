"""The set-up pages over a simulated table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import led_mapping
from companion.bench import Bench
from companion.led_map import LedMap, MappedLed
from companion.messages import Hands, NewGame, Pause, Resume
from companion.real_table import kept_map
from companion.settings import Game, load
from companion.web import create_app, setup_devices
from companion.web.home import Home
from companion.workshop import ENROLMENT_FILE, LED_MAP_FILE, STEPS, VIEW_FILE
from engine.games.ice.cards import GUILDS
from tests.companion.web.bench_double import make_bench
from tests.companion.web.engine_desk import EngineDesk, game_in_exploration
from vision.enrolment_file import load_enrolment


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return make_bench(tmp_path_factory.mktemp("bench"))


@pytest.fixture
def client(bench: Bench, tmp_path: Path) -> FlaskClient:
    bench.folder = tmp_path
    client = create_app(EngineDesk(*game_in_exploration()), Home.of(tmp_path), bench).test_client()
    client.get("/access")
    return client


def submit(client: FlaskClient, step: str, **fields: Any) -> Any:
    return client.post(f"/setup/{step}", data={"mark": client.get_cookie("form").value, **fields})


def test_the_set_up_goes_on_where_it_was_left(client: FlaskClient, tmp_path: Path) -> None:
    assert client.get("/setup").headers["Location"] == "/setup/game"
    answer = submit(
        client, "game", players="2", first_game="on", first="2", **{"seat.1": "icewalkers", "seat.2": "nurturers"}
    )
    assert answer.headers["Location"] == "/setup/camera"
    again = create_app(EngineDesk(*game_in_exploration()), Home.of(tmp_path)).test_client()
    assert again.get("/setup").headers["Location"] == "/setup/camera"
    for language in ("en", "cs", "ru"):
        client.set_cookie("language", language)
        assert [client.get(f"/setup/{step}").status_code for step in STEPS] == [200] * len(STEPS)
    assert client.get("/setup/dance").status_code == 404
    assert submit(client, "dance").status_code == 404


def test_the_last_step_starts_the_game_that_was_chosen(client: FlaskClient) -> None:
    submit(client, "game", players="2", first_game="on", first="2", **{"seat.1": "icewalkers", "seat.2": "nurturers"})
    assert submit(client, "start").headers["Location"] == "/"
    (begun,) = [one for one in client.application.extensions["desk"].taken if isinstance(one, NewGame)]
    assert begun.guilds == ("icewalkers", "nurturers")
    assert (begun.first, begun.guided) == ("nurturers", False)
    assert (begun.options["players"], begun.options["first_game"], begun.options["expert"]) == (2, True, False)


def test_a_guild_sits_once_and_an_empty_board_can_be_asked_for(client: FlaskClient) -> None:
    twice = submit(client, "game", players="2", **{"seat.1": "nurturers", "seat.2": "nurturers"})
    assert twice.status_code == 400
    assert "Every guild can sit only once" in twice.text
    submit(client, "game", players="2", first="9", **{"seat.1": "nurturers", "seat.2": "navigators"})
    submit(client, "start", guided="yes")
    (begun,) = [one for one in client.application.extensions["desk"].taken if isinstance(one, NewGame)]
    assert (begun.guilds, begun.first, begun.guided) == (("nurturers", "navigators"), "nurturers", True)


def test_settings_are_kept_in_their_file_or_refused_with_the_field(client: FlaskClient, tmp_path: Path) -> None:
    fields = {"table.leds": "wled://10.0.0.7", "lights.count": "120", "lights.order": "RGB", "lights.brightness": "0.5"}
    assert submit(client, "lights", **fields).status_code == 303
    kept = load(tmp_path / "settings.toml")
    assert (kept.table.leds, kept.lights.count, kept.lights.brightness) == ("wled://10.0.0.7", 120, 0.5)
    assert kept.lights.budget_ma == 2000
    bad = submit(client, "lights", **(fields | {"lights.count": "none"}))
    assert bad.status_code == 400
    assert "lights.count" in bad.text
    assert submit(client, "page", **{"page.name": "no spaces here"}).status_code == 400
    assert submit(client, "page", **{"page.name": "attic", "page.watch": "link"}).status_code == 303
    assert client.get("/healthz", headers={"Host": "attic.local"}).status_code == 200


def test_every_step_shows_what_the_camera_sees(client: FlaskClient) -> None:
    look = client.get("/api/v1/setup/look").json
    assert look["ok"]
    assert look["residual"] < 0.5
    assert len(look["corners"]) == 6
    assert client.get("/api/v1/setup/picture.jpg").data.startswith(b"\xff\xd8")
    lost = client.get("/api/v1/setup/look?camera=clip:/nowhere.mp4")
    assert lost.status_code == 503
    assert "nowhere.mp4" in lost.json["error"]
    assert client.get("/setup/markers.pdf").data.startswith(b"%PDF")


def test_corners_are_tried_and_kept(client: FlaskClient, tmp_path: Path) -> None:
    look = client.get("/api/v1/setup/look").json
    sent = {"pixels": [corner["at"] for corner in look["corners"]], "size": look["size"]}
    assert client.post("/api/v1/setup/corners", json=sent).json["residual"] < 1
    assert not (tmp_path / VIEW_FILE).exists()
    client.post("/api/v1/setup/corners", json=sent | {"keep": True})
    assert (tmp_path / VIEW_FILE).exists()
    for bad in ({}, {"pixels": 3}, {"pixels": [[1, 2]], "size": [10, 10]}, {"pixels": [[1, "x"]], "size": [1, 1]}, []):
        assert client.post("/api/v1/setup/corners", json=bad).status_code == 400


def test_all_layers_are_learnt_and_the_eye_is_taught(client: FlaskClient, bench: Bench, tmp_path: Path) -> None:
    for layer in ("azulia", "deep", "surface", "snow"):
        assert client.post(f"/api/v1/setup/tiles/{layer}/lay", json={}).status_code == 200
        found = client.post(f"/api/v1/setup/tiles/{layer}/take", json={"groups": 6}).json
        if layer == "azulia":
            assert found["groups"] == []
            continue
        assert client.get(f"/api/v1/setup/tiles/{layer}/0.png").mimetype == "image/png"
        kinds = [found["kinds"][0]["kind"]] * len(found["groups"])
        named = client.post(f"/api/v1/setup/tiles/{layer}/name", json={"kinds": kinds, "corrections": {"1": kinds[0]}})
        assert named.status_code == 200
    assert named.json == {"missing": [], "prints": 112}
    assert len(load_enrolment(tmp_path / ENROLMENT_FILE).prints) == 112
    assert len(bench.eye.reader.prints) == 112
    taken = bench.session.taken
    assert Pause() in taken
    assert taken[-2:] == [Hands("lay_game", {}), Resume()]
    assert "done" in client.get("/setup/start").text


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("tiles/moon/take", {}, 400),
        ("tiles/snow/take", {"groups": 99}, 400),
        ("tiles/moon/lay", {}, 404),
        ("tiles/moon/name", {"kinds": []}, 409),
        ("tiles/snow/name", {"kinds": ["harmony"]}, 400),
        ("tiles/snow/name", {"kinds": ["empty"], "turns": ["x"]}, 400),
        ("tiles/snow/name", {"kinds": ["empty"], "corrections": {"a": "empty"}}, 400),
        ("tiles/snow/name", {"kinds": ["empty"]}, 400),
        ("tiles/leave", {}, 200),
        ("lights/order", {}, 400),
        ("lights/order", {"seen": {"R": "R", "G": "R", "B": "B"}}, 400),
        ("lights/leds/99", {"at": [0, 0]}, 400),
        ("lights/leds/0", {"at": "here"}, 400),
    ],
)
def test_bad_input_is_told_and_nothing_breaks(
    client: FlaskClient, bench: Bench, path: str, body: Any, status: int
) -> None:
    if path == "tiles/snow/name" and "snow" not in bench.drafts:
        bench.session.table.lay_layers("snow")
        bench.take_layer("snow", 8)
    assert client.post(f"/api/v1/setup/{path}", json=body).status_code == status


def test_colours_are_tried_and_their_order_kept(client: FlaskClient, bench: Bench, tmp_path: Path) -> None:
    client.post("/api/v1/setup/lights/colour", json={"colour": "G"})
    assert bench.lamps.trial == (0, 255, 0)
    assert client.post("/api/v1/setup/lights/order", json={"seen": {"R": "G", "G": "R", "B": "B"}}).json == {
        "order": "RGB"
    }
    assert bench.lamps.trial is None
    assert load(tmp_path / "settings.toml").lights.order == "RGB"


def test_leds_are_mapped_in_the_background_and_dragged(client: FlaskClient, bench: Bench, tmp_path: Path) -> None:
    assert client.get("/api/v1/setup/lights/leds").json["leds"] == []
    assert client.post("/api/v1/setup/lights/map", json={}).json["mapped"] == 0
    assert len(bench.session.jobs) == 1
    client.post("/api/v1/setup/lights/map", json={})
    assert len(bench.session.jobs) == 1, "one job at a time"
    for _ in bench.session.jobs[0]:
        pass
    told = client.get("/api/v1/setup/lights/leds").json
    assert told["mapped"] is None
    assert told["trouble"], "this bench has no camera of its own"
    assert bench.session.taken[-2:] == [Hands("lay_game", {}), Resume()], "the game lies on the table again"
    bench.keep_map(LedMap(tuple(MappedLed(led, (10.0 * led, 0.0)) for led in range(3))))
    moved = client.post("/api/v1/setup/lights/leds/1", json={"at": [50.0, 20.0]}).json["leds"][1]
    assert (moved["at"], moved["by_hand"]) == ([50.0, 20.0], True)
    assert (tmp_path / LED_MAP_FILE).exists()
    assert bench.spots_lit_by(1)
    assert kept_map(tmp_path) == bench.led_map, "the dots can be dragged after a restart too"
    (tmp_path / LED_MAP_FILE).write_text("{")
    assert kept_map(tmp_path) is None


def test_one_led_is_looked_at_again(client: FlaskClient, bench: Bench) -> None:
    bench.led_map = None
    assert client.post("/api/v1/setup/lights/leds/1/again", json={}).status_code == 400
    doubt = MappedLed(1, None, "no light was seen")
    bench.keep_map(LedMap((MappedLed(0, (0.0, 0.0)), doubt)))
    client.set_cookie("language", "cs")
    assert client.get("/api/v1/setup/lights/leds").json["leds"][1]["say"] == "nebylo vidět žádné světlo"
    bench.session.jobs.clear()
    assert client.post("/api/v1/setup/lights/leds/2/again", json={}).status_code == 400
    assert client.post("/api/v1/setup/lights/leds/1/again", json={}).json["mapped"] == 0
    for _ in bench.session.jobs[0]:
        pass
    assert bench.trouble, "this bench has no camera of its own"
    assert bench.led_map.leds[1] == doubt, "so the map stays as it was"


def test_every_doubt_about_an_led_has_words() -> None:
    source = (Path(led_mapping.__file__)).read_text()
    doubts = set(re.findall(r'"((?:no|its|it|a second) [a-z][^"{}]+)"', source))
    assert doubts == set(setup_devices.DOUBTS)


def test_a_page_without_devices_says_so(tmp_path: Path) -> None:
    client = create_app(EngineDesk(*game_in_exploration()), Home.of(tmp_path)).test_client()
    assert client.get("/setup/camera").status_code == 200
    answer = client.get("/api/v1/setup/look")
    assert answer.status_code == 503
    assert "without devices" in answer.json["error"]


def test_everything_that_is_chosen_is_in_one_commented_file(client: FlaskClient, tmp_path: Path) -> None:
    submit(client, "game", players="2", expert="on", first="2", **{"seat.1": "icewalkers", "seat.2": "nurturers"})
    submit(
        client, "buttons", **{"panel.buttons.end_turn": "5", "panel.buttons.seat:nurturers": "26", "play.coach": "on"}
    )
    text = (tmp_path / "settings.toml").read_text()
    for line in (
        "players = 2", 'guilds = "icewalkers nurturers"', 'first = "nurturers"', "expert = true",
        'buttons = "end_turn=5 seat:nurturers=26"', "coach = true",
    ):  # fmt: skip
        assert line in text.splitlines()
    shown = client.get("/setup/buttons").text
    assert 'name="panel.buttons.end_turn" value="5"' in shown
    assert 'name="panel.buttons.undo" value=""' in shown
    submit(client, "buttons", **{"panel.buttons.end_turn": ""})
    assert load(tmp_path / "settings.toml").panel.buttons == ""


def test_a_game_that_was_written_by_hand_and_does_not_fit_is_begun_with_the_guilds_of_the_box(
    client: FlaskClient,
) -> None:
    home = client.application.extensions["home"]
    home.settings = replace(home.settings, game=Game(players=3, guilds="nurturers nurturers dragons", first="dragons"))
    submit(client, "start")
    (begun,) = [one for one in client.application.extensions["desk"].taken if isinstance(one, NewGame)]
    assert (begun.guilds, begun.first) == (GUILDS[:3], "")


def test_every_step_shows_the_camera_and_every_choice_has_a_name(client: FlaskClient) -> None:
    for step in STEPS:
        assert 'id="seen"' in client.get(f"/setup/{step}").text, step
    assert "synthetic: · the simulated table" in client.get("/setup/camera").text
    client.set_cookie("language", "cs")
    assert "tah končí akce dalšího hráče" in client.get("/setup/buttons").text
    assert "ovladač WLED v síti" in client.get("/setup/lights").text


def test_groups_that_were_not_named_yet_are_shown_again(client: FlaskClient, bench: Bench) -> None:
    bench.learnt.pop("snow", None)
    bench.drafts.pop("snow", None)
    assert client.get("/api/v1/setup/tiles/snow/groups").status_code == 409
    bench.session.table.lay_layers("snow")
    taken = client.post("/api/v1/setup/tiles/snow/take", json={"groups": 6}).json
    assert 'data-drafts="snow"' in client.get("/setup/tiles").text
    assert client.get("/api/v1/setup/tiles/snow/groups").json == taken


def test_the_page_draws_lights_in_the_colours_of_the_strip(client: FlaskClient) -> None:
    assert '<script type="application/json" id="palette">{}</script>' in client.get("/").text
    submit(client, "lights", **{"lights.palette": "vivid"})
    assert '"legal move": "#00ff3c"' in client.get("/").text
