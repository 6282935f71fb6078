"""How fast the simulated table is drawn: one core, caches warm, JPEG in and out included."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from companion.picture_sets import table_layout
from companion.virtual_table import VirtualTable
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import deal_tiles, dig, scatter
from vision.render import Renderer

ROUNDS = 12


def _median_ms(prepare: Callable[[], object], work: Callable[[], object]) -> float:
    spent = []
    for _ in range(ROUNDS):
        prepare()
        start = time.process_time()
        work()
        spent.append((time.process_time() - start) * 1000)
    return statistics.median(spent)


def _figures(condition: str, size: tuple[int, int]) -> Iterator[tuple[str, str]]:
    layout, rng = table_layout(), np.random.default_rng(5)
    tiles = dig(layout, deal_tiles(layout, rng), 20, rng)
    start = time.process_time()
    table = VirtualTable(layout, Renderer(layout, ArtSet(1), condition, 5, size=size), 5)
    table.arrange(tiles, scatter(layout, tiles, rng))
    table.picture()
    first = (time.process_time() - start) * 1000
    name = f"{condition} {size[0]}x{size[1]}"
    yield f"{name}: a new camera and the first picture, ms", f"{first:.0f}"
    yield f"{name}: nothing moved, ms", f"{_median_ms(lambda: None, table.picture):.0f}"
    spots = [spot for spot in table.tiles if not table.pieces.get(spot) and spot.startswith("snow")]

    def lift() -> None:
        table.dig(spots.pop())
        table.settle()

    yield f"{name}: a tile was dug, ms", f"{_median_ms(lift, table.picture):.0f}"

    def wave() -> None:
        table.reach(spots[int(rng.integers(len(spots)))])
        table.settle()

    yield f"{name}: a hand moved, ms", f"{_median_ms(wave, table.picture):.0f}"


def measure() -> Iterator[tuple[str, str]]:
    """Milliseconds of processor time for one picture."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    for condition in ("mild", "medium", "harsh"):
        yield from _figures(condition, (1280, 720))
    yield from _figures("medium", (1920, 1080))
    cv2.setNumThreads(threads)
