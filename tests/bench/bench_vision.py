"""The eye: how fast and how well it reads pictures of the simulated table, with an art that nothing was tuned to."""

from __future__ import annotations

import json
import os
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.commands.eval import enrol, read_frame
from companion.datasets import open_dataset
from companion.picture_sets import PICTURE_CONDITIONS, SetPlan, write_picture_set
from vision.changes import Watch
from vision.eye import Eye
from vision.locate import decode, locate

ART = 31
POSITIONS = int(os.environ.get("BENCH_POSITIONS", "12"))
"""Random positions per condition; 300 take about half an hour."""


def _median_ms(work: Callable[[], object], rounds: int = 9) -> float:
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        spent.append((time.process_time() - start) * 1000)
    return statistics.median(spent)


def _speed(folder: Path) -> Iterator[tuple[str, str]]:
    """CPU times of all threads at 1920x1080, also as multiples of one warp of the same frame."""
    dataset = open_dataset(folder)
    eye = Eye(dataset.layout, dataset.markers, enrol(dataset))
    image = decode(dataset.picture(dataset.split("test")[0]))
    height, width = image.shape[:2]
    view = locate(image, dataset.markers)
    watch = Watch(view, dataset.layout, dataset.markers)
    before = watch.remember(image)
    cells = [p.spot for p in dataset.layout.in_layer(dataset.layout.layers[0])][20:26]
    nearly = np.eye(3) + 1e-4
    warp = _median_ms(lambda: cv2.warpPerspective(image, nearly, (width, height)))
    yield f"one cv2.warpPerspective {width}x{height}, ms", f"{warp:.1f}"
    works: dict[str, Callable[[], object]] = {
        "board found by its markers": lambda: locate(image, dataset.markers),
        "full reading, tiles and pieces": lambda: eye.read(image, view),
        "full reading of the tiles alone": lambda: eye.reader.read(image, view),
        "reading of 6 changed cells": lambda: eye.read_changes(image, cells),
        "still-board check": lambda: watch.compare(before, watch.remember(image)),
    }
    for name, work in works.items():
        work()
        spent = _median_ms(work)
        yield f"{name}, ms (multiple of the warp)", f"{spent:.1f} ({spent / warp:.1f})"


def _share(bad: int, of: int) -> str:
    return f"{100 * (1 - bad / of):.2f} % of {of}" if of else "none"


def _quality(folder: Path) -> Iterator[tuple[str, str]]:
    """Tiles with nothing on them and under pieces, turns, pieces, ghosts; the truth is used only here."""
    dataset = open_dataset(folder)
    eye = Eye(dataset.layout, dataset.markers, enrol(dataset))
    truth = {f["file"]: f for f in json.loads((folder / "dataset.json").read_text())["frames"]}
    counts: dict[str, Counter[str]] = {}
    for frame in dataset.split("test"):
        want, got = truth[frame.file], read_frame(eye, dataset, frame)
        row = counts.setdefault(want["condition"], Counter())
        for spot, tile in want["tiles"].items():
            if tile["covered_by"] or tile["visible"] < 0.5:
                continue
            group = "under" if spot in want["pieces"] else "bare"
            if spot not in got["unsure"]:
                right = sorted(want["pieces"].get(spot, [])) == sorted(got["pieces"].get(spot, []))
                row["cells"] += group == "under"
                row["cells wrong" if group == "under" else "ghost pieces"] += not right
            row[group] += 1
            guess = got["tiles"].get(spot)
            if spot in got["unsure"]:
                row[f"{group} unsure"] += 1
            elif guess is None or guess["kind"] != tile["kind"]:
                row[f"{group} wrong"] += 1
            elif tile["kind"] == "crevasse":
                row["turns"] += 1
                row["turns wrong"] += guess["rotation"] != tile["rotation"]
        row["ghosts"] += len(set(got["tiles"]) - set(want["tiles"]))
    for condition, row in counts.items():
        yield f"{condition}: bare tiles right", f"{_share(row['bare wrong'], row['bare'])}, unsure {row['bare unsure']}"
        yield (
            f"{condition}: tiles under pieces right",
            f"{_share(row['under wrong'], row['under'])}, unsure {row['under unsure']}",
        )
        yield f"{condition}: crevasse turns right", _share(row["turns wrong"], row["turns"])
        yield f"{condition}: cells with pieces exactly right", _share(row["cells wrong"], row["cells"])
        yield f"{condition}: ghost tiles, ghost pieces", f"{row['ghosts']}, {row['ghost pieces']}"


def measure() -> Iterator[tuple[str, str]]:
    """Speed at 1920x1080, memory, then quality in every condition."""
    with tempfile.TemporaryDirectory() as name:
        fast = Path(name) / "speed"
        write_picture_set(fast, SetPlan(1, ("medium",), seed=6, art=ART, size=(1920, 1080)))
        # Memory is counted from here: drawing the pictures above took more than reading them does.
        yield from _speed(fast)
        yield (
            "peak memory of the process, drawing included, MB",
            f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
        )
        good = Path(name) / "quality"
        write_picture_set(good, SetPlan(POSITIONS, PICTURE_CONDITIONS, seed=7, art=ART))
        yield from _quality(good)
