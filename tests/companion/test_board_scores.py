"""The figures of `make bench` for simulated boards count what they say."""

from __future__ import annotations

from typing import Any

from tests.bench.bench_boards import score


def tile(kind: str, covered_by: int = 0, visible: float = 1.0) -> dict[str, Any]:
    return {"kind": kind, "rotation": 2, "covered_by": covered_by, "visible": visible}


TRUTH: dict[str, Any] = {
    "condition": "mild",
    "tiles": {
        "snow:4,3,3": tile("crevasse"),
        "snow:3,4,3": tile("tunnel"),
        "snow:3,3,4": tile("blank", visible=0.3),
        "surface:3,3,3": tile("harmony", covered_by=3),
    },
    "pieces": {"snow:3,4,3": ["archaeologist", "leader.red"]},
}


def right() -> dict[str, Any]:
    tiles = {s: {"kind": t["kind"], "rotation": 2} for s, t in TRUTH["tiles"].items() if not t["covered_by"]}
    return {"tiles": tiles, "pieces": {"snow:3,4,3": ["leader.red", "archaeologist"]}, "unsure": []}


def test_a_perfect_reading_is_exact() -> None:
    count = score(TRUTH, right())
    assert count["exact"] == count["tiles"] == count["under"] == count["turns"] == count["cells"] == 1
    assert not any(count[k] for k in ("tiles wrong", "under wrong", "turns wrong", "cells wrong", "ghost tiles"))


def test_every_kind_of_flaw_is_counted() -> None:
    given = right()
    given["tiles"]["snow:4,3,3"]["rotation"] = 3
    given["tiles"]["snow:3,4,3"]["kind"] = "blank"
    given["tiles"]["snow:7,2,1"] = {"kind": "blank", "rotation": 0}
    given["pieces"] = {"snow:4,3,3": ["camp.red"], "snow:3,4,3": ["leader.red"]}
    count = score(TRUTH, given)
    assert [count[k] for k in ("turns wrong", "under wrong", "ghost tiles", "ghost pieces", "cells wrong")] == [1] * 5
    assert count["exact"] == 0


def test_unsure_is_a_flaw_except_under_a_hand() -> None:
    given = {**right(), "unsure": ["snow:4,3,3"]}
    assert score(TRUTH, given)["exact"] == 0
    count = score({**TRUTH, "condition": "hand"}, given)
    assert (count["exact"], count["tiles unsure"]) == (1, 1)
