"""Made-up tile prints for tests: simple shapes on plain ground, with grain and light that differ from tile to tile."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.enrolment import PRINT_GRID, Print
from vision.grouping import turn_print

KINDS = ("dot", "bar", "plain", "corner")


def draw(kind: str, seed: int, light: float = 1.0) -> np.ndarray:
    """One tile face in rotation 0."""
    rng = np.random.default_rng(seed)
    side = PRINT_GRID.side
    picture = np.full((side, side, 3), (190, 185, 180), np.uint8)
    if kind == "dot":
        cv2.circle(picture, (side // 2, side // 2), 13, (60, 50, 40), -1, cv2.LINE_AA)
    elif kind == "bar":
        cv2.line(picture, (20, side // 2), (52, side // 2), (40, 60, 170), 9, cv2.LINE_AA)
        cv2.circle(picture, (52, side // 2), 9, (40, 60, 170), -1, cv2.LINE_AA)
    elif kind == "corner":
        cv2.polylines(picture, [np.array([(62, 56), (62, 16), (38, 4)])], False, (120, 70, 30), 5, cv2.LINE_AA)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(float)
    return np.clip(soft * light + rng.normal(0, 2.0, picture.shape), 0, 255).astype(np.uint8)


def make_prints(each: int = 4, layer: str = "snow") -> tuple[list[Print], list[int]]:
    """Unnamed prints of all kinds, shuffled and turned; and how each was turned."""
    rng = np.random.default_rng(5)
    prints, turns = [], []
    for number in rng.permutation(each * len(KINDS)).tolist():
        kind, turn = KINDS[number % len(KINDS)], int(rng.integers(6))
        picture = draw(kind, number, float(rng.uniform(0.92, 1.06)))
        prints.append(replace(Print(layer, kind, picture), picture=turn_print(picture, turn)))
        turns.append(turn)
    return prints, turns
