"""`companion cards`: what the owner is told about the card data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main


def test_shipped_data_are_reported_as_stand_ins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "ice"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("stand-in" in line for line in lines) == 6
    assert any(line.startswith("warning: requests.json") for line in lines)


def test_own_data_are_reported_as_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = {"surface": [2, 2, 2], "deep": [1, 2, 2]}
    kinds = ("exalted", "achievement", "philosophical", "obliteration", "harmony")
    doc = {
        layer: {**dict.fromkeys(kinds, n), "prismatic": 7 if layer == "surface" else 2} for layer, n in counts.items()
    }
    (tmp_path / "artifacts.json").write_text(json.dumps({"format": 1, **doc}), encoding="utf-8")
    assert main(["cards", "ice", "--owner", str(tmp_path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["parts"]["artifacts"] == {"source": "yours", "stand_in": False}
    assert answer["parts"]["azulia"] == {"source": "shipped", "stand_in": True}


def test_a_mistake_is_one_sentence_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "guilds.json").write_text('{"format": 1, "guilds": [{"id": "nomads"}]}', encoding="utf-8")
    assert main(["cards", "ice", "--owner", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "guilds.json: guilds[0].start_rp: missing field. Correct the file" in told.err
