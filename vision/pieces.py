"""From the network's peaks to pieces on places: one peak for each foot, colours shared out over the whole board."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Cue, Spot
from vision.mosaic import NOWHERE, Mosaic, Plan
from vision.piece_net import COLOURS, HAND, HEATS, PAINTS, PEAKS, STRIDE
from vision.tuning import Trust, Tuning

Floats = npt.NDArray[np.float32]
ARCHAEOLOGIST, LEADER, CAMP = HEATS
NONE: Final = "none"
LEAST = 0.03
"""A peak less likely than this is no candidate."""
SMALL_APART_MM: Final = 5.0
APART_MM: Final = 4.5
"""No two archaeologists, and no archaeologist and painted piece, and no two painted pieces stand closer than this."""
BOX: Final = {
    **{f"{LEADER}.{colour}": 1 for colour in COLOURS[:5]},
    **{f"{CAMP}.{colour}": 1 for colour in COLOURS[:5]},
    f"{CAMP}.white": 2,
}
"""How many of each painted piece there are."""
FORGIVING: Final = 4.0
"""How many times the odds of being something else speak for a piece whose likeliest name is taken."""
FORGIVING_MORE: Final = 12.0
"""The same when it is known what stood there before: what has come is hardly nothing."""
DOUBT = 1e-3
"""Nothing is ever ruled out."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a piece."""

    row: int
    at_mm: tuple[float, float]
    chance: float
    labels: Mapping[str, float]
    """Odds of what it is, if it is a piece: an archaeologist, or a painted piece of some kind and colour."""

    @property
    def label(self) -> str:
        """What it most likely is."""
        return max(self.labels, key=self.labels.__getitem__)

    @property
    def is_painted(self) -> bool:
        """Whether it has a colour."""
        return ARCHAEOLOGIST not in self.labels


@dataclass(frozen=True, slots=True)
class Found:
    """What was found on one place."""

    candidates: tuple[Candidate, ...]
    is_hidden: bool = False
    """Whether a hand is over it."""


def chances(logits: Floats) -> Floats:
    """Logits as probabilities."""
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def find_pieces(output: Floats, mosaic: Mosaic, plan: Plan, trust: Trust) -> list[Candidate]:
    """Everything that may stand in a mosaic, from a network's output (12, height / 2, width / 2) for it."""
    rows = mosaic.rows[::STRIDE, ::STRIDE]
    slopes = np.array([trust.small_slope, trust.paint_slope, trust.paint_slope], np.float32)[:, None, None]
    shifts = np.array([trust.small_shift, trust.paint_shift, trust.paint_shift], np.float32)[:, None, None]
    heat = chances(output[PEAKS] * slopes + shifts)
    points = plan.points[mosaic.box][::STRIDE, ::STRIDE]
    found: list[Candidate] = []
    for is_painted, layer in ((False, heat[0]), (True, heat[1:].max(axis=0))):
        top = cv2.dilate(layer, np.ones((3, 3), np.uint8))
        for v, u in np.argwhere((layer >= top) & (layer > LEAST) & (rows != NOWHERE)).tolist():
            near = (slice(None), slice(max(v - 1, 0), v + 2), slice(max(u - 1, 0), u + 2))
            labels = _paints(heat[1:][near], output[PAINTS][near]) if is_painted else {ARCHAEOLOGIST: 1.0}
            x, y = points[v, u].tolist()
            found.append(Candidate(int(rows[v, u]), (x, y), float(layer[v, u]), labels))
    return apart(found)


def apart(found: Iterable[Candidate]) -> list[Candidate]:
    """Candidates that can all be pieces: of two that stand closer than pieces can the surer one.

    What is surer to be an archaeologist than a painted piece may still be that one.
    """
    kept: list[Candidate] = []
    for candidate in sorted(found, key=lambda c: -c.chance):
        near = [i for i, other in enumerate(kept) if math.dist(candidate.at_mm, other.at_mm) < _gap(candidate, other)]
        if not near:
            kept.append(candidate)
        elif candidate.is_painted and tuple(kept[near[0]].labels) == (ARCHAEOLOGIST,):
            kept[near[0]] = _either(kept[near[0]], candidate)
    return kept


def _either(small: Candidate, painted: Candidate) -> Candidate:
    """An archaeologist that may as well be a painted piece."""
    share = painted.chance / (small.chance + painted.chance)
    others = {label: share * part for label, part in painted.labels.items()}
    return replace(small, labels={ARCHAEOLOGIST: 1 - share, **others})


def hidden_rows(output: Floats, mosaic: Mosaic, tuning: Tuning) -> set[int]:
    """Rows of the places that a hand is over."""
    rows = mosaic.rows[::STRIDE, ::STRIDE]
    inside = rows != NOWHERE
    hand = np.bincount(rows[inside & (chances(output[HAND]) > tuning.hand)], minlength=int(rows.max()) + 1)
    whole = np.bincount(rows[inside], minlength=len(hand))
    return {int(row) for row in np.flatnonzero(hand > tuning.hand_share * whole)}


def _gap(one: Candidate, other: Candidate) -> float:
    return APART_MM if one.is_painted and other.is_painted else SMALL_APART_MM


def _paints(heat: Floats, logits: Floats) -> dict[str, float]:
    """Odds of leader or camp and of their colours, from both heats (2, ...) and colour logits (6, ...) at a peak."""
    around = logits.mean(axis=(1, 2))
    weight = np.exp(around - around.max())
    odds = {
        f"{kind}.{name}": float(share * part)
        for kind, share in zip((LEADER, CAMP), heat.max(axis=(1, 2)), strict=True)
        for name, part in zip(COLOURS, weight, strict=True)
        if f"{kind}.{name}" in BOX
    }
    total = sum(odds.values())
    return {label: share / total for label, share in odds.items()}


def share_out(candidates: Sequence[Candidate], forgiving: float = FORGIVING) -> list[Candidate]:
    """The same with pieces that the box can hold: where two claim to be the same one, the surer is it."""
    settled = [c for c in candidates if not c.is_painted]
    waiting = [c for c in candidates if c.is_painted]
    left = Counter(BOX)
    while waiting:
        best = max(waiting, key=lambda c: c.chance * max(c.labels.values()))
        waiting.remove(best)
        settled.append(best)
        left[best.label] -= best.chance > 0.5
        if left[best.label] <= 0:
            waiting = [without(c, {best.label}, forgiving) for c in waiting]
    taken = {label for label, count in left.items() if count <= 0}
    return [without(c, taken, forgiving) if taken & c.labels.keys() and not c.is_painted else c for c in settled]


def without(candidate: Candidate, taken: Collection[str], forgiving: float) -> Candidate:
    """A candidate that cannot be one of the pieces that stand elsewhere; what only fitted those hardly exists."""
    rest = {label: share for label, share in candidate.labels.items() if label not in taken}
    total = sum(rest.values())
    if total <= 0:
        return replace(candidate, chance=0.0)
    labels = {label: share / total for label, share in rest.items()}
    # Evidence for another piece counts; evidence for the one that is gone counts against this one.
    return replace(candidate, chance=candidate.chance * min(1.0, total * forgiving), labels=labels)


def piece_odds(
    spots: Mapping[int, Spot], candidates: Sequence[Candidate], most: Mapping[str, int] = BOX
) -> dict[Cue, dict[str, float]]:
    """Odds of `archaeologists`, `leaders` and `camp` at every place that can be seen; `most` of each painted piece."""
    at: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        at.setdefault(candidate.row, []).append(candidate)
    odds: dict[Cue, dict[str, float]] = {}
    for row, spot in spots.items():
        here = at.get(row)
        if not here:
            odds[Cue(spot, "archaeologists")], odds[Cue(spot, "leaders")], odds[Cue(spot, "camp")] = _NOBODY
            continue
        counts = _count_odds([c.chance * c.labels[ARCHAEOLOGIST] for c in here if not c.is_painted])
        odds[Cue(spot, "archaeologists")] = {str(n): share for n, share in enumerate(counts)}
        odds[Cue(spot, "leaders")] = _colour_odds(here, LEADER, most)
        odds[Cue(spot, "camp")] = _colour_odds(here, CAMP, most)
    return odds


def _count_odds(parts: Sequence[float]) -> list[float]:
    """How many of several independent candidates are real."""
    odds = [1.0]
    for part in parts:
        odds = [stay * (1 - part) + more * part for more, stay in pairwise([0.0, *odds, 0.0])]
    floor = [max(share, DOUBT * 0.1) for share in [*odds, DOUBT]]
    total = sum(floor)
    return [share / total for share in floor]


def _colour_odds(candidates: Sequence[Candidate], kind: str, most: Mapping[str, int]) -> dict[str, float]:
    """Odds over the colours of one kind of piece, written with + between them; `most` says how often each may stand."""
    groups: dict[tuple[str, ...], float] = {(): 1.0}
    for candidate in candidates:
        parts = {
            label.partition(".")[2]: candidate.chance * share
            for label, share in candidate.labels.items()
            if label.startswith(kind) and candidate.chance * share > DOUBT
        }
        grown: dict[tuple[str, ...], float] = {}
        for names, share in groups.items():
            grown[names] = grown.get(names, 0.0) + share * (1 - sum(parts.values()))
            for name, part in parts.items():
                is_left = names.count(name) < most.get(f"{kind}.{name}", 1)
                key = tuple(sorted((*names, name))) if is_left else names
                grown[key] = grown.get(key, 0.0) + share * part
        groups = grown
    odds = {"+".join(names) or NONE: share for names, share in groups.items()}
    odds[NONE] = max(odds.get(NONE, 0.0), DOUBT * 0.1)
    return odds


_NOBODY: Final = ({str(n): share for n, share in enumerate(_count_odds([]))}, {NONE: 1.0}, {NONE: 1.0})
"""Odds of the three cues of a place where nothing stands."""
