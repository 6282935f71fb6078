"""How well the eye reads the simulated table: random positions in every condition, each with another camera and light.

300 positions per condition take a while; `BENCH_BOARDS=20 make bench` gives a first impression.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli import main
from companion.picture_sets import PICTURE_CONDITIONS

BOARDS = int(os.environ.get("BENCH_BOARDS", "300"))
ART, SEED = 11, 2026


def measure() -> Iterator[tuple[str, str]]:
    """Shares of what was read right, by condition."""
    for condition in PICTURE_CONDITIONS:
        with tempfile.TemporaryDirectory() as name:
            folder, out = Path(name) / "set", Path(name) / "predictions.json"
            wanted = ["--frames", str(BOARDS), "--condition", condition, "--seed", str(SEED), "--art", str(ART)]
            assert main(["make-dataset", str(folder), *wanted]) == 0
            assert main(["eval", str(folder), "--predictions", str(out)]) == 0
            truth = json.loads((folder / "dataset.json").read_text())["frames"]
            given = {frame["file"]: frame for frame in json.loads(out.read_text())["frames"]}
        count: Counter[str] = Counter()
        for frame in truth:
            if frame["split"] == "test":
                count += score(frame, given[frame["file"]])
        yield from report(condition, count)


def score(truth: dict[str, Any], given: dict[str, Any]) -> Counter[str]:
    """What is right and wrong in one picture: tiles with no tile on them that are at least half visible, and pieces."""
    count: Counter[str] = Counter(frames=1)
    unsure = set(given["unsure"])
    flaws = 0
    for spot, tile in truth["tiles"].items():
        if tile["covered_by"] or tile["visible"] < 0.5:
            continue
        group = "under" if spot in truth["pieces"] else "tiles"
        count[group] += 1
        guess = given["tiles"].get(spot)
        if spot in unsure:
            count[f"{group} unsure"] += 1
            flaws += truth["condition"] != "hand"
            continue
        wrong = guess is None or guess["kind"] != tile["kind"]
        count[f"{group} wrong"] += wrong
        if not wrong and tile["kind"] == "crevasse":
            count["turns"] += 1
            count["turns wrong"] += guess.get("rotation") != tile["rotation"]
        want, got = sorted(truth["pieces"].get(spot, [])), sorted(given["pieces"].get(spot, []))
        count["cells"] += bool(want)
        count["cells wrong"] += bool(want) and want != got
        count["ghost pieces"] += bool(got) and not want
        flaws += wrong + (want != got)
    ghosts = set(given["tiles"]) - set(truth["tiles"]) - unsure
    count["ghost tiles"] += len(ghosts)
    count["exact"] += not (flaws + len(ghosts))
    return count


def report(condition: str, count: Counter[str]) -> Iterator[tuple[str, str]]:
    """The figures of one condition as lines."""
    for name, key in (
        ("uncovered tiles right", "tiles"),
        ("tiles under pieces right", "under"),
        ("crevasse turns right", "turns"),
        ("cells with pieces right", "cells"),
    ):
        if count[key]:
            share = 100 * (1 - count[f"{key} wrong"] / count[key])
            yield f"{condition}: {name}", f"{share:.2f} % of {count[key]} (unsure {count[f'{key} unsure']})"
    yield f"{condition}: ghost tiles, ghost pieces", f"{count['ghost tiles']}, {count['ghost pieces']}"
    yield f"{condition}: frames right in every tile and piece", f"{count['exact']} of {count['frames']}"
