"""The eye on pictures of a renderer that is not part of this project: a few of ../shared/data/ice-dev, when present."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.eval import enrol, read_frame
from companion.datasets import open_dataset
from vision.eye import Eye

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "ice-dev"


@pytest.mark.skipif(not FOLDER.exists(), reason="the optional picture data set ../shared/data/ice-dev is absent")
def test_uncovered_tiles_of_three_foreign_pictures_are_all_read() -> None:
    dataset = open_dataset(FOLDER)
    eye = Eye(dataset.layout, dataset.markers, enrol(dataset))
    truth = {f["file"]: f for f in json.loads((FOLDER / "dataset.json").read_text())["frames"]}
    chosen = {truth[f.file]["condition"]: f for f in dataset.split("test")}
    for condition in ("medium", "harsh", "leds"):
        frame = chosen[condition]
        read, want = read_frame(eye, dataset, frame), truth[frame.file]["tiles"]
        got, sure = read["tiles"], set(want) - set(read["unsure"])
        wanted = {s: t["kind"] for s, t in want.items() if not t["covered_by"] and s not in truth[frame.file]["pieces"]}
        assert len(sure & set(wanted)) > 0.8 * len(wanted)
        assert {s: got[s]["kind"] for s in wanted if s in sure} == {s: k for s, k in wanted.items() if s in sure}
        assert set(got) <= set(want)
