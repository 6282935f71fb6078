"""How far the network's peaks can be trusted: logits against truth on boards that it was not trained on.

`python -m tools.pieces.calibrate MODEL BOARDS...` prints the slopes and shifts that belong into `vision/tuning.py`, and
how many feet are found, missed and made up with them.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.pieces.boards import UNDER_HAND
from vision.mosaic import BOX_STEP, STEP_MM
from vision.piece_net import HEATS, PEAKS, STRIDE, PieceNet, mark_feet, stack

NEAR_MM = 4.0
"""A peak so near to a foot of its kind points at it."""
FAINTEST = -5.0
MARGIN = 4
"""So much around the rim of a window does not count, in samples of the output."""
Peaks = list[tuple[float, bool]]
"""Logits of peaks, and whether each is right."""


def asked_of(board: dict[str, NDArray[Any]]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """What a network is shown of a board, and where its answer can be judged."""
    high, wide = (side // BOX_STEP * BOX_STEP for side in board["rise"].shape)
    part = (slice(0, high), slice(0, wide))
    lean, rise = board["lean"][part].astype(np.float32), board["rise"][part] / 20
    told = (board["inside"][part] & (board["mask"][part] != UNDER_HAND))[::STRIDE, ::STRIDE]
    before = None
    if "earlier" in board:
        known = zip(board["names"].tolist(), *board["known"].T.tolist(), strict=True)
        marked = [foot for foot in known if 0 <= foot[1] < wide and 0 <= foot[2] < high]
        before = (board["earlier"][part], mark_feet(marked, (high, wide)))
        told &= inner(told.shape)  # a window: what stands beside it is not told
    return stack(board["seen"][part], board["bare"][part], lean, rise, before=before), told


def peaks_of(net: PieceNet, board: dict[str, NDArray[Any]]) -> tuple[Peaks, Peaks, list[int]]:
    """Peaks of small and of painted pieces on one board, and how many feet of each have no peak at all."""
    inputs, told = asked_of(board)
    output, (high, wide) = net.run(inputs), inputs.shape[1:]
    small = np.array([str(label) == HEATS[0] for label in board["labels"]], bool)
    found: list[Peaks] = []
    lost: list[int] = []
    for layer, mine in ((output[PEAKS][0], small), (output[PEAKS][1:].max(axis=0), ~small)):
        feet = [(x, y) for x, y in board["where"][mine].tolist() if 0 <= y < high and 0 <= x < wide]
        feet = [(x, y) for x, y in feet if told[int(y) // STRIDE, int(x) // STRIDE]]
        top = cv2.dilate(layer, np.ones((3, 3), np.uint8))
        places = np.argwhere((layer >= top) & (layer > FAINTEST) & told).tolist()
        places.sort(key=lambda at: -float(layer[at[0], at[1]]))
        peaks: Peaks = []
        for v, u in places:
            at = (u * STRIDE + 0.5, v * STRIDE + 0.5)
            near = min(feet, key=lambda foot: math.dist(foot, at), default=None)
            right = near is not None and math.dist(near, at) * STEP_MM < NEAR_MM
            if right and near is not None:
                feet.remove(near)
            peaks.append((float(layer[v, u]), right))
        found.append(peaks)
        lost.append(len(feet))
    return found[0], found[1], lost


def inner(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where a window of the output is far enough from its rim."""
    inner = np.zeros(shape, bool)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    return inner


def fit(peaks: Peaks) -> tuple[float, float]:
    """Slope and shift of the logistic curve through right and wrong peaks."""
    x = np.array([logit for logit, _ in peaks])
    y = np.array([float(right) for _, right in peaks])
    slope, shift = 1.0, 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-(slope * x + shift)))
        w = p * (1 - p) + 1e-9
        a = np.array([[(w * x * x).sum() + 1e-3, (w * x).sum()], [(w * x).sum(), w.sum() + 1e-3]])
        step = np.linalg.solve(a, [((y - p) * x).sum(), (y - p).sum()])
        slope, shift = slope + float(step[0]), shift + float(step[1])
    return slope, shift


def main() -> None:
    """Fit and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("boards", type=Path, nargs="+")
    args = parser.parse_args()
    net = PieceNet(args.model)
    for folder in args.boards:
        both: tuple[Peaks, Peaks] = ([], [])
        lost = np.zeros(2, int)
        for file in sorted(folder.glob("*.npz")):
            with np.load(file) as board:
                small, painted, missed = peaks_of(net, dict(board))
            both[0].extend(small)
            both[1].extend(painted)
            lost += missed
        for name, peaks, gone in zip(("small", "painted"), both, lost.tolist(), strict=True):
            slope, shift = fit(peaks)
            seen = [(slope * logit + shift > 0, right) for logit, right in peaks]
            feet = sum(right for _, right in peaks) + gone
            missed = sum(right and not said for said, right in seen) + gone
            made_up = sum(said and not right for said, right in seen)
            told = f"of {feet} feet {missed} missed, {made_up} made up"
            print(f"{folder} {name}: slope {slope:.2f}, shift {shift:.2f}; {told}")


if __name__ == "__main__":
    main()
