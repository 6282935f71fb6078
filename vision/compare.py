"""Compare patches with everything that was enrolled, triangle by triangle and in all six rotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.enrolment import PRINT_GRID, WHITE, Enrolment, Ground, Print
from vision.patches import Board
from vision.rectify import Grid
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]


NEUTRAL = 2.0
"""Cost of a hidden sample."""

SYMMETRIC = 1.0
"""Cost per sample between a tile and itself turned, below which its turn is not looked for."""


def missing_blur(has_mm: float, wanted_mm: float) -> float:
    """The blur that must be added to one blur to get another."""
    return float(np.sqrt(max(wanted_mm**2 - has_mm**2, 0.0)))


def resample(pictures: npt.NDArray[np.uint8], grid: Grid, turn_deg: float, blurs_mm: Sequence[float]) -> Floats:
    """Enrolled pictures (n, side, side, 3) in another raster, turned counter-clockwise; paper white is 1."""
    angle = np.radians(turn_deg)
    points = grid.points()
    # A tile turned by +angle shows at `points` what its unturned print shows at -angle.
    x = np.cos(angle) * points[..., 0] + np.sin(angle) * points[..., 1]
    y = -np.sin(angle) * points[..., 0] + np.cos(angle) * points[..., 1]
    middle = (PRINT_GRID.side - 1) / 2
    map_x = (x / PRINT_GRID.step_mm + middle).astype(np.float32)
    map_y = (middle - y / PRINT_GRID.step_mm).astype(np.float32)
    turned = []
    for picture, blur in zip(pictures, blurs_mm, strict=True):
        sigma = blur / PRINT_GRID.step_mm
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
    """(entries, samples, 3): samples of the tile's face only, triangle after triangle."""
    weights: Floats
    """(entries, samples): how much a sample counts, 1 / variance."""
    prior: npt.NDArray[np.float64]
    """Share of each kind among the enrolled tiles."""
    sectors: tuple[slice, ...]
    """Samples of each of the six triangles."""
    slopes: Floats
    """(entries, 2, samples): how much brighter the look gets to the right and downwards, per step of the raster."""

    @cached_property
    def symmetric(self) -> npt.NDArray[np.bool_]:
        """By kind, whether a turned tile looks much the same, so that its turn cannot be read."""
        count = len(self.kind) // 6
        turned = self.pictures.reshape(6, count, -1, 3)
        weight = self.weights.reshape(6, count, -1)
        gaps = (np.square(turned[1:] - turned[:1]).mean(axis=-1) * weight[:1]).mean(axis=-1).min(axis=0)
        kinds = self.kind[:count]
        return np.array([float(np.median(gaps[kinds == k])) < SYMMETRIC for k in range(len(self.kinds))])

    @cached_property
    def planes(self) -> Floats:
        """The pictures channel by channel (entries, 3, samples)."""
        return np.ascontiguousarray(self.pictures.transpose(0, 2, 1))

    @cached_property
    def products(self) -> tuple[tuple[Floats, Floats, Floats], ...]:
        """Per triangle: weights (samples, entries), weights times look and times look squared (3, samples, entries)."""
        found = []
        for sector in self.sectors:
            w, r = self.weights[:, sector], self.pictures[:, sector]
            first = np.ascontiguousarray((w[..., None] * r).transpose(2, 1, 0))
            second = np.ascontiguousarray((w[..., None] * r * r).transpose(2, 1, 0))
            found.append((np.ascontiguousarray(w.T), first, second))
        return tuple(found)


def make_bank(prints: Sequence[Print], board: Board, tuning: Tuning, blur_mm: float) -> Bank:
    """The bank of a tile layer, as blurred as a picture whose patches have that blur."""
    kinds = tuple(dict.fromkeys(p.kind for p in prints))
    stack = np.stack([p.picture for p in prints])
    blurs = [missing_blur(p.blur_mm, blur_mm) for p in prints]
    turned = np.concatenate([resample(stack, board.grid, 60.0 * r, blurs) for r in range(6)])
    numbers = np.array([kinds.index(p.kind) for p in prints])
    share = np.bincount(numbers, [p.copies for p in prints], minlength=len(kinds))
    looks, weights = _pack(turned, board, tuning)
    grey = turned.mean(axis=-1)
    slopes = np.stack([np.gradient(grey, axis=axis).reshape(len(grey), -1)[:, board.face] for axis in (2, 1)], axis=1)
    return Bank(
        kinds,
        np.tile(numbers, 6),
        np.repeat(np.arange(6), len(prints)),
        looks,
        weights,
        share / share.sum(),
        board.slices,
        np.asarray(slopes, dtype=np.float32),
    )


def _pack(pictures: Floats, board: Board, tuning: Tuning, spread: Floats | None = None) -> tuple[Floats, Floats]:
    """Looks (n, samples, 3) and weights (n, samples) of the samples of the face, triangle after triangle."""
    slip = tuning.slip_mm / board.grid.step_mm
    variance = tuning.noise**2 + (slip * steepness(pictures)) ** 2
    if spread is not None:
        variance = variance + spread**2
    count = len(pictures)
    looks = np.ascontiguousarray(pictures.reshape(count, -1, 3)[:, board.face], dtype=np.float32)
    weights = np.ascontiguousarray(1 / variance.reshape(count, -1)[:, board.face], dtype=np.float32)
    return looks, weights


@dataclass(frozen=True)
class GroundBank:
    """Looks of the places that take no tile: each is compared with itself only."""

    rows: tuple[int, ...]
    pictures: Floats
    """(places, looks, samples, 3)."""
    weights: Floats
    """(places, looks, samples)."""
    starts: npt.NDArray[np.intp]
    """Where each triangle's samples begin."""

    def only(self, rows: Sequence[int]) -> GroundBank:
        """The bank of some of its rows."""
        if len(rows) == len(self.rows):
            return self
        part = [self.rows.index(row) for row in rows]
        return GroundBank(tuple(rows), self.pictures[part], self.weights[part], self.starts)


def make_ground_bank(enrolment: Enrolment, board: Board, tuning: Tuning, blur_mm: float) -> GroundBank:
    """The bank of places that take no tile; samples that changed between pictures count less."""
    seen: dict[int, list[Ground]] = {}
    for ground in enrolment.grounds:
        seen.setdefault(board.row[ground.spot], []).append(ground)
    most = max((len(g) for g in seen.values()), default=1)
    pictures, weights = [], []
    for grounds in seen.values():
        blurs = [missing_blur(g.blur_mm, blur_mm) for g in grounds]
        looks = resample(np.stack([g.picture for g in grounds]), board.grid, 0.0, blurs)
        spread = np.asarray(looks.std(axis=0).max(axis=-1), dtype=np.float32)
        packed = _pack(looks, board, tuning, spread)
        # Places seen less often than others repeat their last look.
        order = np.minimum(np.arange(most), len(grounds) - 1)
        pictures.append(packed[0][order])
        weights.append(packed[1][order])
    starts = np.array([s.start for s in board.slices])
    if not seen:
        return GroundBank((), np.zeros((0, 1, 1, 3), np.float32), np.zeros((0, 1, 1), np.float32), starts)
    return GroundBank(tuple(seen), np.stack(pictures), np.stack(weights), starts)


@dataclass(frozen=True)
class Moments:
    """Weighted sums of patches against entries: enough for the best gain and its cost under any expected light."""

    pp: Floats
    """(patches, 6, entries, 3), as the others."""
    pr: Floats
    rr: Floats
    p1: Floats
    r1: Floats
    w1: Floats
    """(patches, 6, entries): the same for all channels."""
    count: Floats
    """(patches, 6): samples seen."""
    full: Floats
    """(6,): samples of each triangle."""

    def costs(self, expected: npt.ArrayLike, gain_sd: float, veil_sd: float) -> Floats:
        """Cost per sample (patches, 6, entries) when the light (patches, 3) is expected within `gain_sd`.

        Seen is gain times look plus veil (glare, haze); both are fitted and departing from what is expected costs.
        """
        light = np.asarray(expected, dtype=np.float32)[:, None, None]
        count = np.maximum(self.count, 1)
        stiff = (count * np.float32(0.25 / gain_sd**2))[..., None, None] / np.square(light)
        a = self.rr + stiff
        c = (self.w1 + (count * np.float32(0.25 / veil_sd**2))[..., None])[..., None]
        u = self.pr + stiff * light
        # gain·u + veil·p1 at the optimum of the two unknowns, written out.
        saved = (u * u * c + self.p1 * (self.p1 * a - 2 * u * self.r1)) / (a * c - self.r1 * self.r1)
        total = (self.pp - saved).sum(axis=-1) + (stiff * np.square(light)).sum(axis=-1)
        # What is hidden speaks neither for nor against: it costs every look the same.
        hidden = NEUTRAL * (self.full - self.count)
        return np.asarray((total / 3 + hidden[..., None]) / self.full[:, None], dtype=np.float32)


def measure(patches: Floats, seen: Floats | None, bank: Bank) -> Moments:
    """Moments of patches (n, samples, 3) against a bank; `seen` (n, samples) says how much of each sample counts."""
    n, m = len(patches), len(bank.pictures)
    pp, pr, rr, p1, r1 = (np.empty((n, 6, m, 3), np.float32) for _ in range(5))
    w1 = np.empty((n, 6, m), np.float32)
    count = np.empty((n, 6), np.float32)
    for k, (sector, (w, wr, wrr)) in enumerate(zip(bank.sectors, bank.products, strict=True)):
        part = patches[:, sector]
        keep = None if seen is None else seen[:, sector]
        count[:, k] = part.shape[1] if keep is None else keep.sum(axis=1)
        w1[:, k] = w.sum(axis=0) if keep is None else keep @ w
        for c in range(3):
            p = part[..., c]
            kept = p if keep is None else p * keep
            pp[:, k, :, c] = (kept * p) @ w
            pr[:, k, :, c] = kept @ wr[c]
            p1[:, k, :, c] = kept @ w
            rr[:, k, :, c] = wrr[c].sum(axis=0) if keep is None else keep @ wrr[c]
            r1[:, k, :, c] = wr[c].sum(axis=0) if keep is None else keep @ wr[c]
    full = np.array([s.stop - s.start for s in bank.sectors], dtype=np.float32)
    return Moments(pp, pr, rr, p1, r1, w1, count, full)


def measure_ground(patches: Floats, seen: Floats | None, bank: GroundBank) -> Moments:
    """Moments of the places of a ground bank, in its order, each against its own looks."""
    p = patches[:, None]
    r, w = bank.pictures, bank.weights
    if seen is not None:
        w = w * seen[:, None]

    def add(values: Floats) -> Floats:
        return np.asarray(np.add.reduceat(values, bank.starts, axis=2).swapaxes(1, 2), dtype=np.float32)

    wp, wr = w[..., None] * p, w[..., None] * r
    ends = np.append(bank.starts[1:], patches.shape[1])
    full = (ends - bank.starts).astype(np.float32)
    count = np.broadcast_to(full, (len(patches), 6))
    if seen is not None:
        count = np.add.reduceat(seen, bank.starts, axis=1)
    seen_count = np.asarray(count, dtype=np.float32)
    return Moments(add(wp * p), add(wp * r), add(wr * r), add(wp), add(wr), add(w), seen_count, full)
