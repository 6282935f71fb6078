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
    planes: Floats
    """(entries, 3, samples): samples of the tile's face only, triangle after triangle."""
    weights: Floats
    """(entries, samples): how much a sample counts, 1 / variance."""
    prior: npt.NDArray[np.float64]
    """Share of each kind among the enrolled tiles."""
    sectors: tuple[slice, ...]
    """Samples of each of the six triangles."""
    slopes: Floats
    """(entries, 2, samples): how much brighter the look gets to the right and downwards, per step of the raster."""

    def only(self, values: Floats, sides: Sequence[int]) -> Floats:
        """Values (..., samples) of the samples of some triangles."""
        if len(sides) == len(self.sectors):
            return values
        return np.concatenate([values[..., self.sectors[side]] for side in sides], axis=-1)

    @cached_property
    def spans(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Where each kind (kinds, 1) begins and ends among the entries, were they sorted by kind."""
        counts = np.bincount(self.kind, minlength=len(self.kinds))[:, None]
        ends = np.cumsum(counts, axis=0)
        return ends - counts, ends - 1

    @cached_property
    def symmetric(self) -> npt.NDArray[np.bool_]:
        """By kind, whether a turned tile looks much the same, so that its turn cannot be read."""
        count = len(self.kind) // 6
        turned = self.planes.reshape(6, count, 3, -1)
        weight = self.weights.reshape(6, count, -1)
        gaps = (np.square(turned[1:] - turned[:1]).mean(axis=2) * weight[:1]).mean(axis=-1).min(axis=0)
        kinds = self.kind[:count]
        return np.array([float(np.median(gaps[kinds == k])) < SYMMETRIC for k in range(len(self.kinds))])

    @cached_property
    def products(self) -> tuple[tuple[Floats, Floats, Floats], ...]:
        """Per triangle: weights (samples, entries), weights times look and times look squared (3, samples, entries)."""
        found = []
        for sector in self.sectors:
            w, r = self.weights[:, sector].T, self.planes[..., sector].transpose(1, 2, 0)
            found.append((np.ascontiguousarray(w), np.ascontiguousarray(w * r), np.ascontiguousarray(w * r * r)))
        return tuple(found)

    @cached_property
    def sums(self) -> tuple[Floats, Floats, Floats]:
        """The products added up by triangle: with look squared and look (3, 1, 6, entries), weights (1, 6, entries)."""
        parts = zip(*self.products, strict=True)
        w, wr, wrr = (np.stack([part.sum(axis=-2) for part in triangles], axis=-2) for triangles in parts)
        return wrr[:, None], wr[:, None], w[None]


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
    """Looks (n, 3, samples) and weights (n, samples) of the samples of the face, triangle after triangle."""
    slip = tuning.slip_mm / board.grid.step_mm
    variance = tuning.noise**2 + (slip * steepness(pictures)) ** 2
    if spread is not None:
        variance = variance + spread**2
    count = len(pictures)
    looks = np.ascontiguousarray(pictures.reshape(count, -1, 3)[:, board.face].transpose(0, 2, 1), dtype=np.float32)
    weights = np.ascontiguousarray(1 / variance.reshape(count, -1)[:, board.face], dtype=np.float32)
    return looks, weights


@dataclass(frozen=True)
class GroundBank:
    """Looks of the places that take no tile: each is compared with itself only."""

    rows: tuple[int, ...]
    planes: Floats
    """(3, places, looks, samples)."""
    weights: Floats
    """(places, looks, samples)."""
    starts: npt.NDArray[np.intp]
    """Where each triangle's samples begin."""

    def only(self, rows: Sequence[int]) -> GroundBank:
        """The bank of some of its rows."""
        if len(rows) == len(self.rows):
            return self
        part = [self.rows.index(row) for row in rows]
        return GroundBank(tuple(rows), self.planes[:, part], self.weights[part], self.starts)


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
        return GroundBank((), np.zeros((3, 0, 1, 1), np.float32), np.zeros((0, 1, 1), np.float32), starts)
    planes = np.ascontiguousarray(np.stack(pictures).transpose(2, 0, 1, 3))
    return GroundBank(tuple(seen), planes, np.stack(weights), starts)


@dataclass(frozen=True)
class Moments:
    """Weighted sums of patches against entries: enough for the best gain and its cost under any expected light.

    Sums of looks alone have one patch where they are the same for all.
    """

    pp: Floats
    """(patches, 6, entries), of all channels together."""
    pr: Floats
    """(3, patches, 6, entries), as the next three."""
    p1: Floats
    rr: Floats
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
        light = np.asarray(expected, dtype=np.float32).T[..., None, None]
        count = np.maximum(self.count, 1)[..., None]
        stiff, damp = count * np.float32(0.25 / gain_sd**2), count * np.float32(0.25 / veil_sd**2)
        share = 1 / (self.w1 + damp)
        total = self.pp + 3 * stiff
        # What the best veil and then the best gain save, written out; one channel at a time stays in the cache.
        for pr, p1, rr, r1, lit in zip(self.pr, self.p1, self.rr, self.r1, light, strict=True):
            veil = p1 * share
            gain = veil * r1
            np.subtract(pr, gain, out=gain)
            gain += stiff / lit
            gain *= gain
            gain /= rr - r1 * r1 * share + stiff / (lit * lit)
            veil *= p1
            total -= veil
            total -= gain
        # What is hidden speaks neither for nor against: it costs every look the same.
        total /= 3
        total += (NEUTRAL * (self.full - self.count))[..., None]
        total /= self.full[:, None]
        return np.asarray(total, dtype=np.float32)

    def light(self, patches: Sequence[int], good: Floats, entries: npt.NDArray[np.intp]) -> Floats:
        """The gain (n, 3) that fits the good sides (n, 6) of some patches best, if each looks like one of the entries.

        And if nothing veils them.
        """
        alike = len(self.rr[0]) == 1
        pr = self.pr[:, patches, :, entries]
        rr = self.rr[:, 0 if alike else patches, :, entries]
        pr, rr = np.einsum("nck,nk->nc", pr, good), np.einsum("nck,nk->nc", rr, good)
        return np.asarray(pr / np.maximum(rr, 1e-6), dtype=np.float32)


def measure(patches: Floats, seen: Floats | None, bank: Bank) -> Moments:
    """Moments of patches (3, n, samples) against a bank; `seen` (n, samples) says how much of each sample counts."""
    n, m = patches.shape[1], len(bank.planes)
    kept, squares = patches, np.square(patches).sum(axis=0)
    full = np.array([s.stop - s.start for s in bank.sectors], dtype=np.float32)
    pp, pr, p1 = np.empty((n, 6, m), np.float32), np.empty((3, n, 6, m), np.float32), np.empty((3, n, 6, m), np.float32)
    rr, r1, w1 = bank.sums
    count = full[None]
    if seen is not None:
        kept, squares = patches * seen, squares * seen
        rr, r1, w1 = np.empty_like(pr), np.empty_like(pr), np.empty_like(pp)
        count = np.add.reduceat(seen, [s.start for s in bank.sectors], axis=1)
    for k, (sector, (w, wr, wrr)) in enumerate(zip(bank.sectors, bank.products, strict=True)):
        np.matmul(squares[:, sector], w, out=pp[:, k])
        np.matmul(kept[..., sector], wr, out=pr[:, :, k])
        np.matmul(kept[..., sector], w, out=p1[:, :, k])
        if seen is not None:
            np.matmul(seen[:, sector], wrr, out=rr[:, :, k])
            np.matmul(seen[:, sector], wr, out=r1[:, :, k])
            np.matmul(seen[:, sector], w, out=w1[:, k])
    return Moments(pp, pr, p1, rr, r1, w1, count, full)


def measure_ground(patches: Floats, seen: Floats, bank: GroundBank) -> Moments:
    """Moments of the places of a ground bank (3, places, samples), in its order, each against its own looks."""
    p, r = patches[:, :, None], bank.planes
    w = bank.weights * seen[:, None]

    def add(values: Floats) -> Floats:
        return np.asarray(np.add.reduceat(values, bank.starts, axis=-1).swapaxes(-1, -2), dtype=np.float32)

    wp, wr = w * p, w * r
    full = np.diff(np.append(bank.starts, patches.shape[-1])).astype(np.float32)
    count = np.add.reduceat(seen, bank.starts, axis=1)
    return Moments(add((wp * p).sum(axis=0)), add(wp * r), add(wp), add(wr * r), add(wr), add(w), count, full)
