"""The perft file: `position NAME JSON` once, then `perft NAME DEPTH COUNT` for each recorded count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "ice.perft"
SHALLOW = 20_000
"""Counts up to this are checked in every run, larger ones in `make soak`."""


def recorded() -> tuple[dict[str, Any], list[tuple[str, int, int]]]:
    """Positions by name, and (name, depth, count)."""
    positions: dict[str, Any] = {}
    counts: list[tuple[str, int, int]] = []
    for line in FILE.read_text().splitlines():
        if line.startswith("position "):
            _, name, text = line.split(" ", 2)
            positions[name] = json.loads(text)
        elif line.startswith("perft "):
            _, name, depth, count = line.split()
            counts.append((name, int(depth), int(count)))
    return positions, counts
