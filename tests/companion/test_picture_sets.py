"""Picture sets of the simulated table: complete, true, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.datasets import open_dataset
from companion.picture_sets import SetPlan, make_frames, table_layout
from vision.locate import decode, locate
from vision.looks.conditions import CONDITIONS, make_lens
from vision.looks.ice.deals import PIECE_COUNTS, TILE_COUNTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sets") / "set"
    assert main(["make-dataset", str(out), "--frames", "1", "--seed", "3", "--art", "2", "--size", "640x360"]) == 0
    return out


def test_a_set_has_enrolment_and_test_frames_in_every_condition(folder: Path) -> None:
    data = json.loads((folder / "dataset.json").read_text())
    enrol = [(f["condition"], f["exposed_layer"]) for f in data["frames"] if f["split"] == "enrol"]
    assert enrol == [(c, layer) for c in ("mild", "medium") for layer in ("azulia", "deep", "surface", "snow")]
    test = [f["condition"] for f in data["frames"] if f["split"] == "test"]
    assert test == ["mild", "medium", "harsh", "leds", "hand"]
    for frame in data["frames"]:
        assert cv2.imread(str(folder / frame["file"])).shape == (360, 640, 3)


def test_the_truth_is_physically_possible_and_within_the_box(folder: Path) -> None:
    layout = table_layout()
    names = {"blank": "empty", "camp_site": "campsite"}
    for frame in json.loads((folder / "dataset.json").read_text())["frames"]:
        tiles, pieces = frame["tiles"], frame["pieces"]
        for layer, counts in TILE_COUNTS.items():
            held = Counter(
                names.get(tile["kind"], tile["kind"]) for spot, tile in tiles.items() if spot.startswith(layer)
            )
            assert held <= Counter(counts)
        for spot, tile in tiles.items():
            place = layout.places[spot]
            assert tile["covered_by"] == sum(cover in tiles for cover in place.covers)
            assert all(below in tiles or not layout.places[below].takes_tile for below in place.rests_on)
            assert 0 <= tile["visible"] <= 1
            if tile["covered_by"] == 3:
                assert tile["visible"] < 0.2
        assert Counter(label for labels in pieces.values() for label in labels) <= Counter(PIECE_COUNTS)
        for spot in pieces:
            place = layout.places[spot]
            assert spot in tiles or not place.takes_tile
            assert sum(cover in tiles for cover in place.covers) < max(len(place.covers), 1)
        if frame["split"] == "enrol":
            assert not pieces


def test_the_same_plan_gives_the_same_pictures() -> None:
    plan = SetPlan(1, ("leds",), seed=7, size=(320, 240))
    first, second = list(make_frames(plan)), list(make_frames(plan))
    assert first == second
    other = list(make_frames(SetPlan(1, ("mild",), seed=8, size=(320, 240))))
    assert other[-1][0]["tiles"] != first[-1][0]["tiles"]


@pytest.mark.parametrize(
    "arguments",
    [["--size", "big"], ["--size", "10x10"], ["--frames", "-1"], ["--tile-mm", "5"], ["--thickness-mm", "0"]],
)
def test_bad_arguments_are_refused(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["make-dataset", str(tmp_path / "new"), *arguments]) == 2
    assert "must" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "keep.txt").write_text("mine")
    assert main(["make-dataset", str(tmp_path)]) == 2
    assert "name a new one" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["keep.txt"]


def test_a_set_of_another_size_says_so_and_its_markers_lie_where_it_says(tmp_path: Path) -> None:
    out = tmp_path / "set"
    assert main(["make-dataset", str(out), "--frames", "0", "--tile-mm", "36", "--thickness-mm", "2.5"]) == 0
    data = json.loads((out / "dataset.json").read_text())
    assert (data["tile_flat_mm"], data["layer_top_mm"]["snow"]) == (36.0, 7.5)
    dataset = open_dataset(out)
    view = locate(decode((out / data["frames"][0]["file"]).read_bytes()), dataset.markers)
    plan = SetPlan(0, tile_flat_mm=36.0, thickness_mm=2.5)
    lens = make_lens(CONDITIONS["mild"], 0, 1280, 720, plan.scale)
    corners = [(*p.centre_mm, p.top_mm) for p in plan.layout().places.values() if p.takes_tile]
    assert np.abs(view.project(corners) - lens.project(corners)).max() < 0.6
