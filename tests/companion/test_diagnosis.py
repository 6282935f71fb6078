"""The diagnostic view: checks with what mends them, and the eye's stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import diagnosis
from companion.bootstrap import Simulation, bench_of, simulated_session
from companion.settings import Settings, load
from companion.web import create_app
from companion.web.home import Home
from companion.web.languages import speak
from engine.sayings import english
from hardware.checkup import check_all
from hardware.machine import FAULT, OK, Finding, Machine, verbatim
from tests.hardware.test_checkup import FAULTS
from tests.hardware.test_checkup import findings as pretend
from vision import stages

WRONG = replace(Settings(), table=replace(Settings().table, camera="usb:9", leds="ws281x:18"))
NOTHING = verbatim("")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[FlaskClient, Path]:
    folder = tmp_path_factory.mktemp("table")
    session, _ = simulated_session(folder, Settings(), Simulation())
    session.step()
    client = create_app(session, Home.of(folder), bench_of(session, folder)).test_client()
    client.get("/access")
    return client, folder


def test_every_check_and_every_stage_has_a_name_for_people() -> None:
    assert {finding.name for finding in check_all(Machine())} == set(diagnosis.NAMES)
    assert {stage.name for stage in stages.STAGES} == set(diagnosis.STAGES)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("camera", ["camera usb:0", "camera synthetic:"]),
        ("spi", ["no strip"]),
        ("strip driver", ["no strip"]),
        ("buttons", ["no buttons"]),
        ("groups", []),
    ],
)
def test_only_what_settings_can_mend_has_a_button(name: str, keys: list[str]) -> None:
    cameras = ["usb:0", "synthetic:"]
    assert [fix.key for fix in diagnosis.fixes(Finding(name, FAULT, NOTHING, verbatim("x")), WRONG, cameras)] == keys
    assert list(diagnosis.fixes(Finding(name, OK, NOTHING), WRONG, cameras)) == []


def test_a_fix_changes_nothing_else() -> None:
    (fix,) = diagnosis.fixes(Finding("spi", FAULT, NOTHING), WRONG, [])
    assert fix.settings == replace(WRONG, table=replace(WRONG.table, leds="simulator:"))


def test_what_a_check_proposes_itself_is_offered_first() -> None:
    finding = Finding("spi", FAULT, NOTHING, verbatim("use spi:10.0"), ("leds", "spi:10.0"))
    first, other = diagnosis.fixes(finding, WRONG, [])
    assert first.settings == replace(WRONG, table=replace(WRONG.table, leds="spi:10.0"))
    assert other.key == "no strip"


def test_the_page_lists_the_checks_and_mends_one(table: tuple[FlaskClient, Path]) -> None:
    client, folder = table
    home = client.application.extensions["home"]
    home.settings = replace(Settings(), table=replace(Settings().table, leds="ws281x:18"))
    found: dict[str, Any] = client.get("/api/v1/diagnosis/checks").json
    assert [one["name"] for one in found["checks"]] == list(diagnosis.NAMES)
    assert {one["name"]: one["ok"] for one in found["table"]} == {
        "Camera": True, "Board": True, "Lights": True, "Tiles": True,
    }  # fmt: skip
    driver = next(one for one in found["checks"] if one["name"] == "strip driver")
    assert (driver["status"], driver["cure"] != "") == (FAULT, True)
    assert [fix["key"] for fix in driver["fixes"]] == ["no strip"]
    assert client.post("/api/v1/diagnosis/fix", json={"key": "no strip"}).status_code == 200
    assert load(folder / "settings.toml").table.leds == "simulator:"
    assert client.post("/api/v1/diagnosis/fix", json={"key": "no strip"}).status_code == 409, "it is mended already"
    assert client.post("/api/v1/diagnosis/fix", json={"key": 5}).status_code == 400


@pytest.mark.parametrize(
    ("language", "found", "cure"),
    [
        ("en", "/dev/video9 does not exist", "use spi:0.0 or wled://"),
        ("cs", "/dev/video9 neexistuje", "použijte spi:0.0 nebo wled://"),
        ("ru", "/dev/video9 не существует", "используйте spi:0.0 или wled://"),
    ],
)
def test_what_is_amiss_and_its_cure_are_in_the_viewers_language(
    language: str, found: str, cure: str, table: tuple[FlaskClient, Path]
) -> None:
    client, _ = table
    home = client.application.extensions["home"]
    before, home.settings = home.settings, WRONG
    client.set_cookie("language", language)
    checks = {one["name"]: one for one in client.get("/api/v1/diagnosis/checks").json["checks"]}
    client.set_cookie("language", "en")
    home.settings = before
    assert checks["camera"]["found"] == found
    assert checks["strip driver"]["cure"] == cure


@pytest.mark.parametrize("language", ["cs", "ru"])
@pytest.mark.parametrize(("name", "files", "changes"), [fault[:3] for fault in FAULTS], ids=[f[4] for f in FAULTS])
def test_no_cure_is_english_elsewhere(name: str, files: dict, changes: dict, language: str, tmp_path: Path) -> None:
    """Only a command to type may be the same as in English."""
    cure = pretend(tmp_path, files, **changes)[name].cure
    assert cure is not None
    said = speak(cure, language)
    assert said != english(cure) or said.startswith(("sudo ", "pip install ")), said


def test_the_list_in_czech_has_no_english_cure(
    table: tuple[FlaskClient, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, folder = table
    files, changes = FAULTS[0][1], {"machine": "armv7l", "groups": frozenset(), "camera": "usb:1", "leds": "ws281x:18"}
    changes |= {"free_bytes": lambda folder: 0, "now": lambda: 0.0}
    found = list(pretend(folder / "pretend", files, **changes).values())
    monkeypatch.setattr(diagnosis, "findings", lambda settings, folder: found)
    cures = {}
    for language in ("cs", "en"):
        client.set_cookie("language", language)
        checks = client.get("/api/v1/diagnosis/checks").json["checks"]
        cures[language] = {one["name"]: one["cure"] for one in checks if one["cure"]}
    assert set(cures["cs"]) == {"model", "system", "groups", "camera", "space", "clock"}
    assert [name for name, cure in cures["cs"].items() if cure == cures["en"][name]] == []


def test_the_eye_shows_every_stage_in_the_viewers_language(table: tuple[FlaskClient, Path]) -> None:
    client, _ = table
    assert client.get("/api/v1/diagnosis/stages/01-picture.jpg").status_code == 404
    client.set_cookie("language", "cs")
    found = client.post("/api/v1/diagnosis/look", json={}).json
    client.set_cookie("language", "en")
    assert found["trouble"] is None
    assert [one["name"].partition("-")[2] for one in found["stages"]] == [stage.name for stage in stages.STAGES]
    assert found["stages"][0]["say"] == "Obraz, jak přišel"
    for one in found["stages"]:
        answer = client.get(f"/api/v1/diagnosis/stages/{one['name']}.jpg")
        assert (answer.mimetype, answer.data[:2]) == ("image/jpeg", b"\xff\xd8")


def test_a_look_says_where_it_ended(table: tuple[FlaskClient, Path]) -> None:
    client, _ = table
    bench = client.application.extensions["bench"]
    image = bench.session.frame().copy()
    image[:] = 90
    found, trouble = diagnosis.look_at(bench, image)
    assert [name for name, _, _ in found] == ["01-picture", "02-markers"]
    assert trouble is not None
    assert "marker" in trouble.text
