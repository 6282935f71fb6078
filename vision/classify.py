"""One patch to odds over kinds and turns: the best looks are compared sample by sample, outliers count only so much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.compare import Bank
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TileOdds:
    """What a tile may be, with probabilities that sum to 1."""

    kinds: dict[str, float]
    turns: tuple[float, ...]
    """Odds of the six rotations, given the best kind."""
    fit: float
    """Share of the seen samples that the best look explains."""
    gain: tuple[float, float, float]
    """Light on the tile."""
    look: int
    """Which of its layer's enrolled prints it looks most like."""

    @property
    def kind(self) -> str:
        """The likeliest kind."""
        return max(self.kinds, key=lambda k: self.kinds[k])

    @property
    def turn(self) -> int:
        """The likeliest rotation."""
        return int(np.argmax(self.turns))


def choose_candidates(costs: Floats, bank: Bank, per_kind: int, total: int) -> npt.NDArray[np.intp]:
    """Entries worth a closer look: the best of all, and some of every kind, by coarse cost (entries,)."""
    order = np.argsort(costs, kind="stable")
    chosen = list(order[:total])
    for kind in range(len(bank.kinds)):
        mine = order[bank.kind[order] == kind]
        chosen.extend(mine[:per_kind])
    return np.unique(np.array(chosen, dtype=np.intp))


def is_plain(costs: Floats, worst: float, share: float, bank: Bank, tuning: Tuning) -> bool:
    """Whether coarse costs (entries,) per sample leave no doubt: a good fit everywhere, other readings far off."""
    best = int(costs.argmin())
    if worst > tuning.plain_fit:
        return False
    margin = max(tuning.plain_margin, tuning.plain_evidence / (tuning.evidence_samples * share))
    other = bank.kind != bank.kind[best]
    if other.any() and costs[other].min() - costs[best] < margin:
        return False
    turned = ~other & (bank.turn != bank.turn[best])
    symmetric = bank.symmetric[bank.kind[best]]
    return bool(symmetric or not turned.any() or costs[turned].min() - costs[best] >= margin)


def sample_costs(
    seen: Floats, shares: Floats, looks: Floats, weight: Floats, light: Floats, tuning: Tuning
) -> tuple[Floats, Floats]:
    """Cost of each sample (entries, samples) with outliers capped, and the gain (entries, 3) that fits the rest.

    `seen` (3, samples), `looks` (entries, 3, samples), `weight` (entries, samples); light is fitted as gain and veil.
    """
    total = max(float(shares.sum()), 1.0)  # a face that is all hidden keeps the expected light
    gain = np.repeat(light[None].astype(np.float32), len(looks), axis=0)
    veil = np.zeros_like(gain)
    stiff = (total * 0.25 / tuning.gain_sd**2 / light**2).astype(np.float32)
    damp = np.float32(total * 0.25 / tuning.veil_sd**2)
    weighted = shares * weight
    costs = np.empty(weight.shape, np.float32)
    for step in range(2):
        miss = seen - gain[..., None] * looks - veil[..., None]
        np.square(miss, out=miss)
        costs = weight * (miss.sum(axis=1) / 3)
        if step == 1:
            break
        # A generous cap, so that a wrong first light does not lock itself in.
        inlier = weighted / np.square(1 + costs / np.float32(2 * tuning.pixel_cap))
        pull = inlier[:, None] * looks
        u = (pull * seen).sum(axis=2) + stiff * light
        a = (pull * looks).sum(axis=2) + stiff
        p1, r1, c = inlier @ seen.T, pull.sum(axis=2), inlier.sum(axis=1)[:, None] + damp
        determinant = a * c - r1 * r1
        gain, veil = (u * c - p1 * r1) / determinant, (p1 * a - u * r1) / determinant
    capped = costs / (1 + costs / np.float32(tuning.pixel_cap))
    departure = (stiff * (gain - light) ** 2 + damp * veil**2).sum(axis=1, keepdims=True) / (3 * total)
    return np.asarray(capped + departure, dtype=np.float32), gain


def read_plain(coarse: Floats, bank: Bank, sides: Sequence[int], light: Floats, tuning: Tuning) -> TileOdds | None:
    """Odds of a tile whose coarse costs (6, entries) leave no doubt, or None when it needs a closer look."""
    rough = coarse[sides].mean(axis=0)
    best = int(rough.argmin())
    if not is_plain(rough, float(coarse[sides, best].max()), len(sides) / 6, bank, tuning):
        return None
    return _odds(np.arange(len(rough)), rough, len(sides) / 6, bank, 1.0, light, tuning)


def read_tile(
    patch: Floats,
    shares: Floats,
    coarse: Floats,
    bank: Bank,
    sides: Sequence[int],
    light: Floats,
    tuning: Tuning,
) -> TileOdds:
    """Odds of one tile from the sides of it that can be seen.

    `patch` (samples, 3), `shares` (samples,) how much of each sample is not hidden by pieces, `coarse` the costs
    (6, entries) of its triangles, `light` (3,) the light that is expected on it.
    """
    where = np.concatenate([np.arange(bank.sectors[k].start, bank.sectors[k].stop) for k in sides])
    free = shares[where]
    entries = choose_candidates(coarse[sides].mean(axis=0), bank, 2, 8)
    looks, weight = bank.planes[entries], bank.weights[entries]
    if len(where) < len(patch):
        looks, weight = looks[..., where], weight[:, where]
    seen = np.ascontiguousarray(patch[where].T)
    costs, gains = sample_costs(seen, free, looks, weight, light, tuning)
    total = np.asarray(costs @ free / max(float(free.sum()), 1.0), dtype=np.float32)
    best = int(total.argmin())
    fit = float(((costs[best] < tuning.pixel_cap / 2) * free).sum() / len(where))
    return _odds(entries, total, float(free.sum()) / len(patch), bank, fit, gains[best], tuning)


def _odds(
    entries: npt.NDArray[np.intp], costs: Floats, share: float, bank: Bank, fit: float, gain: Floats, tuning: Tuning
) -> TileOdds:
    """Odds from costs per sample of some entries, when a `share` of the tile's face is seen."""
    log_odds = np.log(bank.prior[bank.kind[entries]]) - tuning.evidence_samples * share * costs
    best = int(log_odds.argmax())
    weight = np.exp(log_odds - log_odds[best])
    kinds, turns = np.zeros(len(bank.kinds)), np.zeros(6)
    np.maximum.at(kinds, bank.kind[entries], weight)
    same = bank.kind[entries] == bank.kind[entries[best]]
    np.maximum.at(turns, bank.turn[entries][same], weight[same])
    kinds, turns = (kinds + 1e-6) / (kinds + 1e-6).sum(), (turns + 1e-6) / (turns + 1e-6).sum()
    blue, green, red = (float(g) for g in gain)
    return TileOdds(
        {kind: float(part) for kind, part in zip(bank.kinds, kinds, strict=True)},
        tuple(float(t) for t in turns),
        fit,
        (blue, green, red),
        int(entries[best]) % (len(bank.kind) // 6),
    )
