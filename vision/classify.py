"""One patch to odds over kinds and turns: the best looks are compared sample by sample, outliers count only so much."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.compare import Bank
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]
Slipped = Callable[[Floats], Floats]
SURE_NATS = 12.0
"""What has so much against it needs no closer look."""
SLIP_STIFF = np.float32(0.02)
"""How much print it takes to tell that a tile slipped."""
IN_SHADE = 0.5
"""How much a sample counts that lies in the shadow of a piece: its print shows, but how dark it is tells little."""
MORE_LOOKS = 3
"""Looks of every kind that are compared where something is hidden or in a shadow: coarse costs mislead there."""


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
    rivals: Mapping[str, tuple[int, int]]
    """By kind, which print and which turn it would be."""

    def weighed(self, kinds: Mapping[str, float]) -> TileOdds:
        """The same tile with other odds of its kinds, which need not sum to 1."""
        total = sum(kinds.values())
        odds = {kind: kinds.get(kind, 0.0) / total for kind in self.kinds}
        best = max(odds, key=odds.__getitem__)
        if best == self.kind:
            return replace(self, kinds=odds)
        look, turn = self.rivals[best]
        return replace(self, kinds=odds, look=look, turns=tuple(float(each == turn) for each in range(6)))

    @property
    def kind(self) -> str:
        """The likeliest kind."""
        return max(self.kinds, key=lambda k: self.kinds[k])

    @property
    def turn(self) -> int:
        """The likeliest rotation."""
        return max(range(6), key=self.turns.__getitem__)


def choose_candidates(costs: Floats, bank: Bank, total: int, *, is_hidden: bool = False) -> npt.NDArray[np.intp]:
    """Entries worth a closer look: so many of the best, and the best of every kind, by coarse cost (entries,).

    Where much `is_hidden`, some more of every kind and the best in every turn.
    """
    order = np.argsort(costs, kind="stable")
    by_kind = order[np.argsort(bank.kind[order], kind="stable")]
    first, last = bank.spans
    each = MORE_LOOKS if is_hidden else 1
    chosen = np.zeros(len(costs), bool)
    chosen[order[:total]] = chosen[by_kind[np.minimum(first + np.arange(each), last)]] = True
    if is_hidden:
        ways = bank.kind[order] * 6 + bank.turn[order]
        chosen[order[np.unique(ways, return_index=True)[1]]] = True
    return np.flatnonzero(chosen)


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

    `seen` (1, 3, samples), or one for every entry, `looks` (entries, 3, samples), `weight` (entries, samples); light is
    fitted as gain and veil.
    """
    open_air, shade = np.floor(shares), np.flatnonzero(shares == IN_SHADE)
    total = max(float(open_air.sum()), 1.0)  # a face that is all hidden keeps the expected light
    stiff = np.float32(total * 0.25 / tuning.gain_sd**2) / (light * light)
    damp = np.float32(total * 0.25 / tuning.veil_sd**2)
    third = weight * np.float32(1 / 3)
    costs = _squares(seen, looks * light[:, None])
    costs *= third
    # A generous cap, so that a wrong first light does not lock itself in.
    inlier = costs * np.float32(0.5 / tuning.pixel_cap)
    inlier += 1
    inlier *= inlier
    np.divide(open_air * weight, inlier, out=inlier)
    pull = inlier[:, None] * looks
    u = np.einsum("ecs,ecs->ec", pull, seen) + stiff * light
    a = np.einsum("ecs,ecs->ec", pull, looks) + stiff
    p1, r1 = np.matmul(seen, inlier[..., None])[..., 0], np.matmul(looks, inlier[..., None])[..., 0]
    c = inlier.sum(axis=1)[:, None] + damp
    determinant = a * c - r1 * r1
    gain, veil = (u * c - p1 * r1) / determinant, (p1 * a - u * r1) / determinant
    lit = np.multiply(looks, gain[..., None], out=pull)
    lit += veil[..., None]
    if len(shade):
        lit[..., shade] = _shaded(seen[..., shade], lit[..., shade], tuning)
    costs = _squares(seen, lit)
    costs *= third
    costs /= 1 + costs * np.float32(1 / tuning.pixel_cap)
    costs += (stiff * np.square(gain - light) + damp * veil * veil).sum(axis=1, keepdims=True) / np.float32(3 * total)
    return costs, gain


def _shaded(seen: Floats, lit: Floats, tuning: Tuning) -> Floats:
    """Lit looks (entries, 3, samples) as dark as a shadow may make them, as what is seen suggests."""
    dark = (seen * lit).sum(axis=1) / np.maximum(np.square(lit).sum(axis=1), np.float32(1e-4))
    return np.asarray(lit * np.clip(dark, tuning.darkest_shade, 1)[:, None], dtype=np.float32)


def _squares(seen: Floats, lit: Floats) -> Floats:
    """Squared differences (entries, samples) from lit looks (entries, 3, samples), all channels added; uses them up."""
    np.subtract(seen, lit, out=lit)
    lit *= lit
    total = lit[:, 0] + lit[:, 1]
    total += lit[:, 2]
    return total


def read_plain(coarse: Floats, bank: Bank, sides: Sequence[int], light: Floats, tuning: Tuning) -> TileOdds | None:
    """Odds of a tile whose coarse costs (6, entries) leave no doubt, or None when it needs a closer look."""
    rough = np.add.reduce(coarse[sides]) / np.float32(len(sides))
    best = int(rough.argmin())
    if not is_plain(rough, float(coarse[sides, best].max()), len(sides) / 6, bank, tuning):
        return None
    against = rough * np.float32(tuning.evidence_samples * len(sides) / 6)
    return _odds(np.arange(len(rough)), against, bank, bank.prior, 1.0, light)


def slips_of(seen: Floats, shares: Floats, looks: Floats, slopes: Floats, gains: Floats, tuning: Tuning) -> Floats:
    """How far (entries, 2) the seen tile lies right of and below each look, in steps of the raster.

    `seen` (1, 3, samples), `looks` (entries, 3, samples), `slopes` (entries, 2, samples), `gains` (entries, 3).
    """
    third = gains / 3
    gap = np.add.reduce(seen, axis=1) / 3 - np.matmul(third[:, None], looks)[:, 0]
    parts = np.concatenate([slopes * third.sum(axis=1)[:, None, None], gap[:, None]], axis=1)
    # What differs by more than the look's own edges can explain is no slip.
    edges = np.float32(0.03) + np.float32(1.5) * np.abs(parts[:, :2]).sum(axis=1)
    weight = np.floor(shares) / np.square(1 + np.square(gap / edges))
    sums = np.matmul(parts[:, :2] * weight[:, None], parts.swapaxes(1, 2))
    a, b, u, c, v = sums[:, 0, 0] + SLIP_STIFF, sums[:, 0, 1], sums[:, 0, 2], sums[:, 1, 1] + SLIP_STIFF, sums[:, 1, 2]
    slips = np.stack([b * v - c * u, b * u - a * v], axis=1) / (a * c - b * b)[:, None]
    most = tuning.slip_most_mm / tuning.patch_step_mm
    far = np.maximum(np.hypot(slips[:, 0], slips[:, 1]) / most, 1.0)
    return np.asarray(slips / far[:, None], dtype=np.float32)


def read_tile(
    patch: Floats,
    shares: Floats,
    coarse: Floats,
    bank: Bank,
    sides: Sequence[int],
    light: Floats,
    tuning: Tuning,
    slipped: Slipped,
) -> TileOdds:
    """Odds of one tile from the sides of it that can be seen.

    `patch` (3, samples), `shares` (samples,) 1 for each sample that nothing hides, 0 for those behind a piece and
    `IN_SHADE` for those in its shadow, `coarse` the costs (6, entries) of its triangles, `light` (3,) the light that
    is expected on it; `slipped` gives the patch anew (n, 3, samples) for tiles that lie so many steps (n, 2) right of
    and below its place.
    """
    free = bank.only(shares, sides)
    rough = np.add.reduce(coarse[sides]) / np.float32(len(sides))
    entries = choose_candidates(rough, bank, 6, is_hidden=bool((free < 1).any()))
    looks, weight = bank.only(bank.planes[entries], sides), bank.only(bank.weights[entries], sides)
    seen = bank.only(patch, sides)[None]
    costs, gains = sample_costs(seen, free, looks, weight, light, tuning)
    total = np.asarray(costs @ free / max(float(free.sum()), 1.0), dtype=np.float32)
    close = _rivals(entries, total, bank, tuning)
    if close:
        few, slopes = looks[close], bank.only(bank.slopes[entries[close]], sides)
        slips = slips_of(seen, free, few, slopes, gains[close], tuning)
        anew = bank.only(slipped(slips), sides)
        again, gain = sample_costs(anew, free, few, weight[close], light, tuning)
        dear = again @ free / max(float(free.sum()), 1.0) + tuning.slip_cost * np.square(slips).sum(axis=1)
        for at, cost, parts, light_there in zip(close, dear, again, gain, strict=True):
            if cost < total[at]:
                total[at], costs[at], gains[at] = cost, parts, light_there
    sums = evidence_against(total, costs, free, looks, gains, weight, bank.kind[entries], tuning)
    against = sums * np.float32(tuning.evidence_samples / len(shares))
    best = int(against.argmin())
    fit = float(((costs[best] < tuning.pixel_cap / 2) * free).sum() / len(free))
    prior = bank.prior
    if len(set(bank.kind[entries[against < against[best] + SURE_NATS]].tolist())) > 1:
        prior = prior * _ways(rough * tuning.evidence_samples * len(sides) / 6, bank)
    return _odds(entries, against, bank, prior, fit, gains[best])


def _ways(against: Floats, bank: Bank) -> npt.NDArray[np.float64]:
    """By kind, in how many of its six turns it would look like its best one, as a share.

    A blank tile looks the same however it is turned; a mark that happens to lie under a piece does so in one turn.
    """
    turned = against.reshape(6, -1)
    kinds = bank.kind[: turned.shape[1]]
    best = np.stack([turned[:, kinds == k].min(axis=1) for k in range(len(bank.kinds))])
    shares = np.exp(best.min(axis=1, keepdims=True) - best).mean(axis=1)
    return np.asarray(np.where(bank.symmetric, 1.0, shares), dtype=np.float64)


def evidence_against(
    total: Floats,
    costs: Floats,
    free: Floats,
    looks: Floats,
    gains: Floats,
    weight: Floats,
    kinds: npt.NDArray[np.intp],
    tuning: Tuning,
) -> Floats:
    """What speaks against each entry, as a sum over samples; between kinds only where the two would look different.

    Where pieces hide what tells two kinds apart, the rest is noise and must not decide.
    """
    best = int(total.argmin())
    seen = max(float(free.sum()), 1.0)
    against = (total - total[best]) * seen
    close = total < total[best] + tuning.slip_margin
    for kind in set(kinds[close].tolist()) - {int(kinds[best])}:
        mine = np.flatnonzero(kinds == kind)
        rival = int(mine[total[mine].argmin()])
        lit, other = (looks[at] * gains[at][:, None] for at in (best, rival))
        gap = weight[best] * np.square(lit - other).mean(axis=0)
        telling = free * gap / (gap + tuning.telling)
        against[mine] += float(telling @ (costs[rival] - costs[best])) - against[rival]
    return np.asarray(against, dtype=np.float32)


def _rivals(entries: npt.NDArray[np.intp], total: Floats, bank: Bank, tuning: Tuning) -> list[int]:
    """Entries that may still be the best, the cheapest of each kind and turn; none if they all say the same."""
    found: dict[tuple[int, int], int] = {}
    order = np.argsort(total, kind="stable")
    order = order[total[order] <= total[order[0]] + tuning.slip_margin]
    kinds, turns = bank.kind[entries[order]], bank.turn[entries[order]]
    turns = np.where(bank.symmetric[kinds], 0, turns)
    for at, kind, turn in zip(order.tolist(), kinds.tolist(), turns.tolist(), strict=True):
        found.setdefault((kind, turn), at)
    return list(found.values()) if len(found) > 1 else []


def _odds(
    entries: npt.NDArray[np.intp],
    against: Floats,
    bank: Bank,
    prior: npt.NDArray[np.float64],
    fit: float,
    gain: Floats,
) -> TileOdds:
    """Odds from what speaks against some entries, in nats, and what is likely anyway."""
    kind, turn = bank.kind[entries], bank.turn[entries]
    log_odds = np.log(prior[kind]) - against
    # The best comes last and overwrites the others of its kind, or of its turn.
    order = np.argsort(log_odds, kind="stable")
    best = int(order[-1])
    weight = np.exp(log_odds - log_odds[best])
    turns, of_kind = np.zeros(6), np.full(len(bank.kinds), -1)
    of_kind[kind[order]] = order
    kinds = np.where(of_kind < 0, 0, weight[of_kind]) + 1e-6
    same = order[kind[order] == kind[best]]
    turns[turn[same]] = weight[same]
    turns += 1e-6
    prints = len(bank.kind) // 6
    rivals = {
        name: (int(entries[at]) % prints, int(turn[at]))
        for name, at in zip(bank.kinds, of_kind.tolist(), strict=True)
        if at >= 0
    }
    blue, green, red = gain.tolist()
    return TileOdds(
        dict(zip(bank.kinds, (kinds / kinds.sum()).tolist(), strict=True)),
        tuple((turns / turns.sum()).tolist()),
        fit,
        (blue, green, red),
        int(entries[best]) % prints,
        rivals,
    )
