"""`companion rules`, `lights` and `perft`: what they print, and how they say that a position is wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import main
from tests.reference import ice
from tests.reference.random_positions import random_position


@pytest.fixture
def position() -> dict[str, Any]:
    """A full board; the Navigators' leader on snow:5,2,3 with one archaeologist, 5 EP, nothing spent."""
    start = random_position(0)
    while len(start["tiles"]) < 112:
        start = random_position(start.get("seed", 0) + 1) | {"seed": start.get("seed", 0) + 1}
    return start | {
        "options": {"players": 2, "expert": False, "blessing": False, "fluid_move": True},
        "seats": [{"guild": "navigators", "ep": 5, "rp": 1}, {"guild": "nurturers", "ep": 5}],
        "first_player": "navigators",
        "to_act": "navigators",
        "turn": {"spent": 0, "overwork": False},
        "pieces": {"snow:5,2,3": {"archaeologists": 1, "leaders": ["navigators"]}},
    }


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> SimpleNamespace:
    status = main(list(argv))
    captured = capsys.readouterr()
    return SimpleNamespace(status=status, out=captured.out, err=captured.err)


def feed(monkeypatch: pytest.MonkeyPatch, *lines: str | bytes) -> None:
    raw = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(raw)))


def write(tmp_path: Path, position: object) -> str:
    path = tmp_path / "position.json"
    path.write_text(position if isinstance(position, str) else json.dumps(position))
    return str(path)


def test_rules_say_who_acts_what_is_legal_and_everything_about_digs(
    position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position["tiles"]["snow:5,2,3"] = {"kind": "nunatak"}
    result = run(capsys, "rules", "ice", "--position", write(tmp_path, position), "--json")
    answer = json.loads(result.out)
    assert result.status == 0
    assert answer["to_act"] == "navigators"
    assert "navigators dig snow:5,2,3" in answer["legal"]
    assert set(answer["digs"]) == set(position["tiles"])
    here = answer["digs"]["snow:5,2,3"]
    assert (here["legal"], here["cost"], here["rules"], here["collapses"]) == (True, 1, [], [])
    assert here["allocations"] == sorted([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    other = answer["digs"]["surface:3,3,3"]
    assert not other["legal"]
    assert other["rules"] == ["R-DIG-1", "R-DIG-2", "R-DIG-4"]
    assert other["say"]


def test_every_line_that_rules_call_legal_can_be_played(
    position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, position)
    for line in json.loads(run(capsys, "rules", "ice", "--position", path, "--json").out)["legal"][:25]:
        result = run(capsys, "rules", "ice", "--position", path, "--play", line, "--json")
        assert (result.status, result.err) == (0, "")
        (tmp_path / "after.json").write_text(result.out)
        assert run(capsys, "rules", "ice", "--position", str(tmp_path / "after.json"), "--json").status == 0


def test_a_refused_line_names_rule_sentence_and_spots(
    position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, position)
    result = run(capsys, "rules", "ice", "--position", path, "--play", "navigators dig surface:3,3,3", "--json")
    refused = json.loads(result.out)["refused"]
    assert result.status == 1
    assert refused["rule"] == "R-DIG-1"
    assert "surface:3,3,3" in refused["spots"]
    assert refused["say"].endswith(".")
    told = run(capsys, "rules", "ice", "--position", path, "--play", "navigators dig surface:3,3,3")
    assert (told.status, told.out.startswith("Refused by R-DIG-1: ")) == (1, True)


def test_a_line_that_is_no_action_is_an_error(
    position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, position)
    result = run(capsys, "rules", "ice", "--position", path, "--play", "navigators fly home", "--json")
    assert (result.status, result.out) == (2, "")
    assert "--play: expected one of camp, " in result.err


def test_rules_for_people(position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "rules", "ice", "--position", write(tmp_path, position))
    assert result.status == 0
    assert "To act: navigators" in result.out
    assert "  navigators dig snow:5,2,3" in result.out
    assert "snow:5,2,3: legal for" in result.out
    assert "111 other tiles" in result.out


def test_lights_show_leader_dig_and_steps(
    position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position["tiles"] = {
        spot: {"kind": "empty"} if spot.startswith("snow:") else {"kind": "harmony"} for spot in position["tiles"]
    }
    path = write(tmp_path, position)
    result = run(capsys, "lights", "ice", "--position", path, "--json")
    lights = json.loads(result.out)
    assert (result.status, result.err) == (0, "")
    assert all(set(light) == {"role", "colour"} for light in lights.values())
    assert all(len(light["colour"]) == 7 and light["colour"][0] == "#" for light in lights.values())
    assert lights["snow:5,2,3"]["role"] in ("legal dig", "your leader")
    steps = ice.walk_targets(position, "snow:5,2,3")
    assert {spot for spot, light in lights.items() if light["role"] == "legal move"} >= steps
    assert "legal move" in run(capsys, "lights", "ice", "--position", path).out


def test_perft_counts(position: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, position)
    legal = json.loads(run(capsys, "rules", "ice", "--position", path, "--json").out)["legal"]
    assert run(capsys, "perft", "ice", "--position", path, "--depth", "0").out == "1\n"
    assert run(capsys, "perft", "ice", "--position", path, "--depth", "1").out == f"{len(legal)}\n"
    divided = run(capsys, "perft", "ice", "--position", path, "--depth", "1", "--divide", "--json")
    assert json.loads(divided.out) == {"depth": 1, "count": len(legal), "divide": dict.fromkeys(legal, 1)}
    assert "--depth: expected" in run(capsys, "perft", "ice", "--position", path, "--depth", "-1").err


HANGING = {"tiles": {"snow:7,3,0": {"kind": "empty"}}}


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "nested more than"),
        ('{"format": 1, "format": 1}', "'format' stands twice"),
        ('{"format": NaN}', "NaN is not a number"),
        ('"' + "x" * 5_000_000 + '"', "at most 1000000 are accepted"),
        ("[]", "expected an object"),
        (HANGING, "hangs in the air"),
        ({"pieces": {"snow:7,3,0": {"archaeologists": 46}}}, "46 archaeologists"),
        ({"pieces": {"surface:3,3,3": {"leaders": ["navigators"]}}}, "hidden"),
        ({"pieces": {"snow:7,3,0": {"camp": ["neutral", "nurturers"]}}}, "two camps"),
        ({"tiles": {"deep:3,3,2": {"kind": "lava"}}}, r"tiles.deep:3,3,2.kind: expected one of"),
    ],
)
@pytest.mark.parametrize("command", ["rules", "lights", "perft"])
def test_a_bad_position_is_one_sentence_and_status_2(
    command: str,
    spoiled: str | dict[str, Any],
    words: str,
    position: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path, spoiled if isinstance(spoiled, str) else position | spoiled)
    result = run(
        capsys, command, "ice", "--position", path, *(["--depth", "1"] if command == "perft" else []), "--json"
    )
    assert (result.status, result.out) == (2, "")
    assert words in result.err
    assert result.err.count("\n") == 1
    assert path in result.err


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 10)
    for name, words in [
        (str(tmp_path / "absent.json"), "there is no such file"),
        (str(tmp_path), "this is a directory"),
        (str(binary), "not text in UTF-8"),
        ("a\0b", "cannot be read"),
    ]:
        result = run(capsys, "rules", "ice", "--position", name)
        assert (result.status, result.out) == (2, "")
        assert words in result.err


def test_one_line_of_json_for_each_line(
    position: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = [position, *(random_position(seed) for seed in range(5))]
    feed(monkeypatch, *(json.dumps(p) for p in positions), "")
    result = run(capsys, "rules", "ice", "--position", "-", "--json")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert (result.status, result.err) == (0, "")
    assert [set(answer["digs"]) for answer in answers] == [set(p["tiles"]) for p in positions]


def test_answers_keep_their_places_around_a_bad_line(
    position: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = json.dumps(position)
    feed(monkeypatch, good, "{}", b"\xff\xfe", good, "[[")
    result = run(capsys, "rules", "ice", "--position", "-", "--json")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert result.status == 2
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert [line.split(": ")[1] for line in result.err.splitlines()] == ["line 2", "line 3", "line 5"]


def test_a_single_bad_line_prints_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, '{"format": 1}')
    result = run(capsys, "rules", "ice", "--position", "-", "--json")
    assert (result.status, result.out) == (2, "")
    assert "line 1: game: missing field" in result.err


def test_refusals_of_many_positions_are_lines_too(
    position: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = position | {"pieces": {"snow:7,3,0": {"leaders": ["navigators"], "archaeologists": 1}}}
    feed(monkeypatch, json.dumps(position), json.dumps(moved))
    result = run(capsys, "rules", "ice", "--position", "-", "--play", "navigators dig snow:5,2,3")
    first, second = (json.loads(line) for line in result.out.splitlines())
    assert result.status == 1
    assert "snow:5,2,3" not in first["tiles"]
    assert second["refused"]["rule"] == "R-DIG-1"


def test_a_line_too_long_to_keep_does_not_stop_the_next(
    position: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, "[" + "1," * 4_000_000 + "1]", json.dumps(position))
    result = run(capsys, "rules", "ice", "--position", "-", "--json")
    assert result.status == 2
    assert ["error" in json.loads(line) for line in result.out.splitlines()] == [True, False]
    assert "at most 1000000" in result.err


def test_the_reference_board_is_the_same_board(position: dict[str, Any]) -> None:
    assert set(position["tiles"]) == set(ice.TILE_SPOTS)
