"""One patch to odds over kinds and turns: the best looks are compared sample by sample, outliers count only so much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.compare import Bank
from vision.patches import Board
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
    """Light on the tile over the light that was expected."""

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


def sample_costs(
    patch: Floats, entries: npt.NDArray[np.intp], bank: Bank, where: npt.NDArray[np.intp], tuning: Tuning
) -> tuple[Floats, Floats]:
    """Cost of each sample (entries, samples) with outliers capped, and the gain (entries, 3) that fits the rest."""
    side2 = patch.shape[0] * patch.shape[1]
    seen = patch.reshape(side2, 3)[where][None]
    looks = bank.pictures.reshape(-1, side2, 3)[entries][:, where]
    weight = bank.weights.reshape(-1, side2)[entries][:, where]
    gain = np.ones((len(entries), 3), np.float32)
    stiff = len(where) * 0.25 / tuning.gain_sd**2
    costs = np.empty(looks.shape[:2], np.float32)
    for step in range(4):
        miss = seen - gain[:, None] * looks
        costs = weight * (miss * miss).mean(axis=2)
        if step == 3:
            break
        # First with a generous cap, so that a wrong first light does not lock itself in.
        cap = tuning.pixel_cap * (4.0 if step == 0 else 1.5)
        inlier = weight / (1 + costs / cap) ** 2
        pull = inlier[..., None] * looks
        gain = ((pull * seen).sum(axis=1) + stiff) / ((pull * looks).sum(axis=1) + stiff)
    cap = tuning.pixel_cap
    capped = costs / (1 + costs / cap)
    capped += stiff * ((gain - 1) ** 2).sum(axis=1, keepdims=True) / (3 * len(where))
    return capped, gain


def read_tile(
    patch: Floats,
    coarse: Floats,
    bank: Bank,
    board: Board,
    sides: Iterable[int],
    tuning: Tuning,
    mask: npt.NDArray[np.bool_] | None = None,
) -> TileOdds:
    """Odds of one tile from the sides of it that can be seen; `coarse` has the costs (6, entries) of its triangles."""
    chosen_sides = sorted(sides)
    where = np.concatenate([board.sectors[k] for k in chosen_sides])
    if mask is not None:
        free = where[mask.reshape(-1)[where]]
        where = free if len(free) >= 24 else where
    entries = choose_candidates(coarse[chosen_sides].sum(axis=0), bank, 3, 12)
    costs, gains = sample_costs(patch, entries, bank, where, tuning)
    total = costs.mean(axis=1)
    best = int(total.argmin())
    scale = tuning.evidence_samples * len(where) / max(sum(len(s) for s in board.sectors), 1)
    weight = np.exp(-scale * (total - total[best]))
    kinds = np.zeros(len(bank.kinds))
    np.maximum.at(kinds, bank.kind[entries], weight)
    turns = np.zeros(6)
    same = bank.kind[entries] == bank.kind[entries[best]]
    np.maximum.at(turns, bank.turn[entries][same], weight[same])
    kinds, turns = (kinds + 1e-6) / (kinds + 1e-6).sum(), (turns + 1e-6) / (turns + 1e-6).sum()
    fit = float((costs[best] < tuning.pixel_cap / 2).mean())
    red, green, blue = (float(g) for g in gains[best])
    return TileOdds(
        {kind: float(share) for kind, share in zip(bank.kinds, kinds, strict=True)},
        tuple(float(t) for t in turns),
        fit,
        (red, green, blue),
    )
