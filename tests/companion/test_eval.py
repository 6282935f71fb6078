"""`companion eval`: predictions in the agreed format, errors in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.picture_sets import SetPlan, write_picture_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("set")
    write_picture_set(path, SetPlan(1, ("mild",), seed=4, art=4))
    return path


def test_predictions_have_every_field_and_read_the_bare_tiles(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "predictions.json"
    assert main(["eval", str(folder), "--predictions", str(out)]) == 0
    (frame,) = json.loads(out.read_text())["frames"]
    truth = next(f for f in json.loads((folder / "dataset.json").read_text())["frames"] if f["split"] == "test")
    assert set(frame) >= {"file", "seconds", "tiles", "pieces", "unsure"}
    assert frame["file"] == truth["file"]
    bare = {s: t["kind"] for s, t in truth["tiles"].items() if not t["covered_by"] and s not in truth["pieces"]}
    assert {s: frame["tiles"][s]["kind"] for s in bare} == bare
    assert list(tmp_path.iterdir()) == [out]


def test_a_picture_that_cannot_be_read_makes_everything_unsure(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "dataset.json").read_text())
    (tmp_path / "frames").mkdir()
    for frame in record["frames"]:
        data = (folder / frame["file"]).read_bytes()
        (tmp_path / frame["file"]).write_bytes(data[:3000] if frame["split"] == "test" else data)
    (tmp_path / "dataset.json").write_text(json.dumps(record))
    out = tmp_path / "out.json"
    assert main(["eval", str(tmp_path), "--predictions", str(out)]) == 0
    (frame,) = json.loads(out.read_text())["frames"]
    assert frame["tiles"] == {}
    assert len(frame["unsure"]) == 112


@pytest.mark.parametrize(
    ("text", "word"),
    [(None, "cannot be read"), ("{", "not JSON"), ("{}", "markers"), ('{"markers": {"dictionary": 1}}', "size_mm")],
)
def test_a_bad_data_set_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, word: str
) -> None:
    if text is not None:
        (tmp_path / "dataset.json").write_text(text)
    assert main(["eval", str(tmp_path), "--predictions", str(tmp_path / "out.json")]) == 2
    error = capsys.readouterr().err
    assert word in error
    assert "Traceback" not in error
    assert not (tmp_path / "out.json").exists()
