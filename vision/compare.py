"""Compare patches with everything that was enrolled, triangle by triangle and in all six rotations."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.enrolment import PRINT_GRID, WHITE, Enrolment
from vision.patches import Board
from vision.rectify import Grid
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]


def resample(pictures: npt.NDArray[np.uint8], grid: Grid, turn_deg: float, extra_blur_mm: float) -> Floats:
    """Enrolled pictures (n, side, side, 3) in another raster, turned counter-clockwise; paper white is 1."""
    angle = np.radians(turn_deg)
    points = grid.points()
    # A tile turned by +angle shows at `points` what its unturned print shows at -angle.
    x = np.cos(angle) * points[..., 0] + np.sin(angle) * points[..., 1]
    y = -np.sin(angle) * points[..., 0] + np.cos(angle) * points[..., 1]
    middle = (PRINT_GRID.side - 1) / 2
    map_x = (x / PRINT_GRID.step_mm + middle).astype(np.float32)
    map_y = (middle - y / PRINT_GRID.step_mm).astype(np.float32)
    sigma = extra_blur_mm / PRINT_GRID.step_mm
    turned = []
    for picture in pictures:
        soft = (
            cv2.GaussianBlur(picture.astype(np.float32), (0, 0), sigma) if sigma > 0.2 else picture.astype(np.float32)
        )
        turned.append(cv2.remap(soft, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(np.stack(turned) / WHITE, dtype=np.float32)


def steepness(pictures: Floats) -> Floats:
    """Brightness change per sample (n, side, side), of the steepest channel."""
    dy = np.abs(np.gradient(pictures, axis=1)).max(axis=-1)
    dx = np.abs(np.gradient(pictures, axis=2)).max(axis=-1)
    return np.asarray(np.hypot(dx, dy), dtype=np.float32)


@dataclass(frozen=True)
class Bank:
    """Enrolled looks of one group of places, ready to compare: every print in every rotation."""

    kinds: tuple[str, ...]
    kind: npt.NDArray[np.intp]
    """Kind number of each entry."""
    turn: npt.NDArray[np.intp]
    pictures: Floats
    """(entries, side, side, 3)."""
    weights: Floats
    """(entries, side, side): how much a sample counts, 1 / variance."""


def make_bank(enrolment: Enrolment, layer: str, board: Board, tuning: Tuning) -> Bank:
    """The bank of a tile layer."""
    prints = [p for p in enrolment.prints if p.layer == layer]
    kinds = enrolment.kinds(layer)
    blur = 0.32 * tuning.patch_step_mm
    stack = np.stack([p.picture for p in prints])
    pictures = np.concatenate([resample(stack, board.grid, 60.0 * r, blur) for r in range(6)])
    kind = np.tile([kinds.index(p.kind) for p in prints], 6)
    turn = np.repeat(np.arange(6), len(prints))
    return Bank(kinds, kind, turn, pictures, sample_weights(pictures, tuning))


def sample_weights(pictures: Floats, tuning: Tuning) -> Floats:
    """1 / variance of each sample: noise, and misplacement where the picture is steep."""
    slip = tuning.slip_mm / tuning.patch_step_mm
    return np.asarray(1 / (tuning.noise**2 + (slip * steepness(pictures)) ** 2), dtype=np.float32)


def triangle_costs(
    patches: Floats, mask: npt.NDArray[np.bool_] | None, bank: Bank, board: Board, tuning: Tuning
) -> tuple[Floats, Floats]:
    """Cost per sample (patches, 6, entries) and gain (patches, 6, entries, 3) of every patch against every entry.

    The light may differ a little from what is expected, per triangle and channel; departing from it costs.
    """
    n, m = len(patches), len(bank.pictures)
    costs = np.empty((n, 6, m), np.float32)
    gains = np.empty((n, 6, m, 3), np.float32)
    side2 = board.grid.side**2
    flat, refs = patches.reshape(n, side2, 3), bank.pictures.reshape(m, side2, 3)
    weights = bank.weights.reshape(m, side2)
    seen = None if mask is None else mask.reshape(n, side2)
    for k, sector in enumerate(board.sectors):
        w = weights[:, sector]
        total = np.zeros((n, m), np.float32)
        if seen is None:
            keep, count = None, np.full((n, 1), len(sector), np.float32)
        else:
            keep = seen[:, sector].astype(np.float32)
            count = keep.sum(axis=1, keepdims=True)
        for c in range(3):
            p, r = flat[:, sector, c], refs[:, sector, c]
            if keep is not None:
                p = p * keep
            pp = (p * p) @ w.T
            pr = p @ (w * r).T
            rr = (w * r * r).sum(axis=1)[None] if keep is None else keep @ (w * r * r).T
            stiff = count * (0.25 / tuning.gain_sd**2)
            gain = (pr + stiff) / (rr + stiff)
            total += pp - 2 * gain * pr + gain * gain * rr + stiff * (gain - 1) ** 2
            gains[:, k, :, c] = gain
        costs[:, k] = total / np.maximum(3 * count, 1)
    return costs, gains


def make_ground_bank(enrolment: Enrolment, board: Board, tuning: Tuning) -> dict[int, Bank]:
    """By row, the looks of a place that takes no tile; samples that changed between pictures count less."""
    seen: dict[int, list[npt.NDArray[np.uint8]]] = {}
    for ground in enrolment.grounds:
        seen.setdefault(board.row[ground.spot], []).append(ground.picture)
    banks = {}
    for row, pictures in seen.items():
        looks = resample(np.stack(pictures), board.grid, 0.0, 0.32 * tuning.patch_step_mm)
        spread = looks.std(axis=0).max(axis=-1)
        weights = 1 / (1 / sample_weights(looks, tuning) + spread**2)
        none = np.zeros(len(looks), dtype=np.intp)
        banks[row] = Bank(("ground",), none, none, looks, weights.astype(np.float32))
    return banks
