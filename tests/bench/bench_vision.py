"""The eye: how fast and how well it reads pictures of the simulated table, with an art that nothing was tuned to."""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.commands.eval import enrol, read_frame
from companion.datasets import open_dataset
from companion.picture_sets import PICTURE_CONDITIONS, SetPlan, write_picture_set
from vision.beliefs import Agreed
from vision.changes import Watch
from vision.eye import Eye
from vision.locate import decode, locate

ART = 31
AGREED = "the same, with the board as it was agreed on"
FAULTS = ("bare wrong", "under wrong", "cells wrong", "ghost pieces", "ghosts")
"""What a picture has none of that is right in everything; under a hand things may be unsure."""
POSITIONS = int(os.environ.get("BENCH_POSITIONS", "12"))
"""Random positions per condition; 300 take 25 times as long as these 12."""


def _median_ms(work: Callable[[], object], rounds: int = 15) -> tuple[float, float]:
    """Milliseconds by the clock and of all processors together."""
    clock, spent = [], []
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        work()
        clock.append((time.perf_counter() - start) * 1000)
        spent.append((time.process_time() - used) * 1000)
    return statistics.median(clock), statistics.median(spent)


def _speed(folder: Path) -> list[tuple[str, str]]:
    """Times at 1920x1080, also as multiples of one warp of the same frame, and the memory of a process that reads."""
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
    lines = [(f"one cv2.warpPerspective {width}x{height}, ms by the clock, of CPU", f"{warp[0]:.1f}, {warp[1]:.1f}")]
    works: dict[str, Callable[[], object]] = {
        "board found by its markers": lambda: locate(image, dataset.markers),
        "full reading, tiles and pieces": lambda: eye.read(image, view),
        "full reading of the tiles alone": lambda: eye.reader.read(image, view),
        "reading of 6 changed cells": lambda: eye.read_changes(image, cells),
        AGREED: lambda: eye.read_changes(image, cells),
        "still-board check": lambda: watch.compare(before, watch.remember(image)),
    }
    for name, work in works.items():
        sight = eye.read(image, view)
        if name == AGREED:
            feet = tuple((each.label, each.at_mm) for each in sight.candidates if each.chance > 0.5)
            eye.trust(image, Agreed({spot: tile.kind for spot, tile in sight.reading.tiles.items()}, feet))
        work()
        clock, spent = _median_ms(work)
        told = f"{clock:.1f}, {spent:.1f} ({clock / warp[0]:.1f}, {spent / warp[1]:.1f} warps)"
        lines.append((f"{name}, ms by the clock, of CPU", told))
    # Not `getrusage`: that counts the parent's memory as well.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return [*lines, ("peak memory of a process that reads, MB", f"{int(peak.split()[1]) / 1024:.0f}")]


def _share(bad: int, of: int) -> str:
    return f"{100 * (1 - bad / of):.2f} % of {of}" if of else "none"


def _counted(folder: Path) -> Counter[str]:
    """What is right and wrong in the readings of a set; the truth is used only here."""
    dataset = open_dataset(folder)
    eye = Eye(dataset.layout, dataset.markers, enrol(dataset))
    truth = {f["file"]: f for f in json.loads((folder / "dataset.json").read_text())["frames"]}
    row: Counter[str] = Counter()
    for frame in dataset.split("test"):
        want, before = truth[frame.file], row.copy()
        _count(row, want, read_frame(eye, dataset, frame))
        faults = FAULTS if want["condition"] == "hand" else (*FAULTS, "bare unsure", "under unsure")
        row["right"] += all(row[fault] == before[fault] for fault in faults)
        row["pictures"] += 1
    return row


def _count(row: Counter[str], want: dict[str, Any], got: dict[str, Any]) -> None:
    """Count tiles with nothing on them and under pieces, turns, pieces and ghosts of one picture."""
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


def _quality(condition: str) -> list[tuple[str, str]]:
    """How well random positions in one condition are read."""
    with tempfile.TemporaryDirectory() as name:
        write_picture_set(Path(name), SetPlan(POSITIONS, (condition,), seed=7, art=ART))
        row = _counted(Path(name))
    figures = {
        "bare tiles right": f"{_share(row['bare wrong'], row['bare'])}, unsure {row['bare unsure']}",
        "tiles under pieces right": f"{_share(row['under wrong'], row['under'])}, unsure {row['under unsure']}",
        "crevasse turns right": _share(row["turns wrong"], row["turns"]),
        "cells with pieces exactly right": _share(row["cells wrong"], row["cells"]),
        "ghost tiles, ghost pieces": f"{row['ghosts']}, {row['ghost pieces']}",
        "pictures right in everything": f"{row['right']} of {row['pictures']}",
    }
    return [(f"{condition}: {name}", figure) for name, figure in figures.items()]


def measure() -> Iterator[tuple[str, str]]:
    """Speed at 1920x1080 and memory, then quality in every condition."""
    fresh = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        write_picture_set(Path(name), SetPlan(1, ("medium",), seed=6, art=ART, size=(1920, 1080)))
        # Drawing the pictures takes more memory than reading them does: a fresh process reads.
        with ProcessPoolExecutor(1, mp_context=fresh) as reader:
            yield from reader.submit(_speed, Path(name)).result()
    with ProcessPoolExecutor(2, mp_context=fresh) as readers:
        for figures in readers.map(_quality, PICTURE_CONDITIONS):
            yield from figures
