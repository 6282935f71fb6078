"""The eye on pictures of a renderer that is not part of this project: a few of ../shared/data/ice-dev, when present."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.eval import enrol, read_frame
from companion.datasets import open_dataset
from vision.reader import Reader

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "ice-dev"


@pytest.mark.skipif(not FOLDER.exists(), reason="the optional picture data set ../shared/data/ice-dev is absent")
def test_uncovered_tiles_of_three_foreign_pictures_are_all_read() -> None:
    dataset = open_dataset(FOLDER)
    reader = Reader(dataset.layout, dataset.markers, enrol(dataset))
    truth = {f["file"]: f for f in json.loads((FOLDER / "dataset.json").read_text())["frames"]}
    chosen = {truth[f.file]["condition"]: f for f in dataset.split("test")}
    for condition in ("medium", "harsh", "leds"):
        frame = chosen[condition]
        got, want = read_frame(reader, dataset, frame)["tiles"], truth[frame.file]["tiles"]
        wanted = {s: t["kind"] for s, t in want.items() if not t["covered_by"] and s not in truth[frame.file]["pieces"]}
        assert {s: got.get(s, {}).get("kind") for s in wanted} == wanted
        assert set(got) <= set(want)
