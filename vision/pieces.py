"""From the network's peaks to pieces on places: one peak for each foot, colours shared out over the whole board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Cue, Spot
from vision.mosaic import NOWHERE, Mosaic, Plan
from vision.piece_net import COLOURS, HAND, HEATS, PAINTS, PEAKS, STRIDE
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]
ARCHAEOLOGIST, LEADER, CAMP = HEATS
NONE: Final = "none"
LEAST = 0.03
"""A peak less likely than this is no candidate."""
APART_MM: Final = {ARCHAEOLOGIST: 3.4, LEADER: 5.0, CAMP: 6.0}
"""No two pieces stand closer than this."""
SHARES: Final = {LEADER: dict.fromkeys(COLOURS[:5], 1), CAMP: {**dict.fromkeys(COLOURS[:5], 1), "white": 2}}
"""How many pieces of each colour the box holds."""
DOUBT = 1e-3
"""Nothing is ever ruled out."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a piece."""

    kind: str
    row: int
    at_mm: tuple[float, float]
    chance: float
    colours: Mapping[str, float]
    """Odds of its colour; empty for archaeologists."""

    @property
    def colour(self) -> str:
        """Its likeliest colour."""
        return max(self.colours, key=self.colours.__getitem__) if self.colours else ""

    @property
    def label(self) -> str:
        """Kind and colour in one word."""
        return f"{self.kind}.{self.colour}" if self.colours else self.kind


@dataclass(frozen=True, slots=True)
class Found:
    """What was found on one place."""

    candidates: tuple[Candidate, ...]
    is_hidden: bool = False
    """Whether a hand is over it."""


def chances(logits: Floats) -> Floats:
    """Logits as probabilities."""
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def stirred_rows(mosaic: Mosaic, tuning: Tuning) -> set[int]:
    """Rows of the places where what is seen departs from the bare board by more than noise and misplacement."""
    near = np.ones((5, 5), np.uint8)
    soft = cv2.blur(mosaic.seen, (3, 3))
    brighter = cv2.subtract(soft, cv2.dilate(mosaic.bare, near))
    darker = cv2.subtract(cv2.erode(mosaic.bare, near), soft)
    # Beside a step the camera sees its side, and not what was enrolled.
    strong = ((cv2.max(brighter, darker).max(axis=2) > tuning.stir) & (mosaic.rise <= 0)).astype(np.float32)
    crowd = cv2.boxFilter(strong, -1, (9, 9), normalize=False) > tuning.stir_samples
    return {int(row) for row in np.unique(mosaic.rows[crowd]) if row != NOWHERE}


def rows_under(mosaic: Mosaic, covered: npt.NDArray[np.bool_], least: float, count: int) -> list[int]:
    """Rows below `count` of the places of which more than a share of what shows is covered."""
    inside = (mosaic.rows >= 0) & (mosaic.rows < count)
    hidden = np.bincount(mosaic.rows[inside & covered], minlength=count)
    whole = np.bincount(mosaic.rows[inside], minlength=count)
    return [int(r) for r in np.flatnonzero(hidden > least * whole)]


def find_pieces(row: int, output: Floats, window: Mosaic, plan: Plan, tuning: Tuning) -> Found:
    """What stands on a place, from the network's output (11, height / 2, width / 2) in its window."""
    mine = window.rows[::STRIDE, ::STRIDE] == row
    found: list[Candidate] = []
    heat = chances(output[PEAKS] * np.float32(tuning.peak_slope) + np.float32(tuning.peak_shift))
    for kind, layer in zip(HEATS, heat, strict=True):
        top = cv2.dilate(layer, np.ones((3, 3), np.uint8))
        for v, u in np.argwhere((layer >= top) & (layer > LEAST) & mine).tolist():
            at = plan.points[window.box][v * STRIDE, u * STRIDE]
            colours = _colours(kind, output[PAINTS, max(v - 1, 0) : v + 2, max(u - 1, 0) : u + 2])
            found.append(Candidate(kind, row, (float(at[0]), float(at[1])), float(layer[v, u]), colours))
    found.sort(key=lambda c: -c.chance)
    kept: list[Candidate] = []
    for candidate in found:
        if all(np.hypot(*np.subtract(candidate.at_mm, other.at_mm)) >= _gap(candidate, other) for other in kept):
            kept.append(candidate)
    hand = (chances(output[HAND]) > tuning.covered) & mine
    return Found(tuple(kept), bool(hand.sum() > tuning.hand_share * mine.sum()))


def _gap(one: Candidate, other: Candidate) -> float:
    return min(APART_MM[one.kind], APART_MM[other.kind])


def _colours(kind: str, logits: Floats) -> dict[str, float]:
    """Odds of the colours that a kind of piece may have, from logits (6, ...) around its peak."""
    if kind not in SHARES:
        return {}
    around = logits.mean(axis=(1, 2))
    weight = np.exp(around - around.max())
    allowed = {name: float(w) for name, w in zip(COLOURS, weight, strict=True) if name in SHARES[kind]}
    total = sum(allowed.values())
    return {name: share / total for name, share in allowed.items()}


def share_out(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same with colours that the box can hold: where two claim one colour, the surer has it."""
    settled = [c for c in candidates if not c.colours]
    for kind, shares in SHARES.items():
        left = Counter(shares)
        waiting = [c for c in candidates if c.kind == kind]
        while waiting:
            best = max(waiting, key=lambda c: c.chance * max(c.colours.values()))
            waiting.remove(best)
            settled.append(best)
            left[best.colour] -= 1 if best.chance > 0.5 else 0
            if left[best.colour] <= 0:
                waiting = [_without(c, best.colour) for c in waiting]
    return settled


def _without(candidate: Candidate, taken: str) -> Candidate:
    """A candidate that cannot have a colour that is used up; what only fitted that colour hardly exists."""
    rest = {name: share for name, share in candidate.colours.items() if name != taken}
    total = sum(rest.values())
    if not rest or total <= 0:
        return replace(candidate, chance=0.0)
    colours = {name: share / total for name, share in rest.items()}
    # Evidence for another colour counts; evidence for the colour that is gone counts against the piece.
    return replace(candidate, chance=candidate.chance * min(1.0, total * 4), colours=colours)


def piece_odds(spots: Mapping[int, Spot], candidates: Sequence[Candidate]) -> dict[Cue, dict[str, float]]:
    """Odds of `archaeologists`, `leaders` and `camp` at every place that can be seen."""
    at: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        at.setdefault(candidate.row, []).append(candidate)
    odds: dict[Cue, dict[str, float]] = {}
    for row, spot in spots.items():
        here = at.get(row, [])
        counts = _count_odds([c.chance for c in here if c.kind == ARCHAEOLOGIST])
        odds[Cue(spot, "archaeologists")] = {str(n): share for n, share in enumerate(counts)}
        odds[Cue(spot, "leaders")] = _colour_odds([c for c in here if c.kind == LEADER])
        odds[Cue(spot, "camp")] = _colour_odds([c for c in here if c.kind == CAMP])
    return odds


def _count_odds(parts: Sequence[float]) -> list[float]:
    """How many of several independent candidates are real."""
    odds = [1.0]
    for part in parts:
        odds = [stay * (1 - part) + more * part for more, stay in pairwise([0.0, *odds, 0.0])]
    floor = [max(share, DOUBT * 0.1) for share in [*odds, DOUBT]]
    total = sum(floor)
    return [share / total for share in floor]


def _colour_odds(candidates: Sequence[Candidate]) -> dict[str, float]:
    """Odds over sets of colours, written with + between them."""
    sets: dict[tuple[str, ...], float] = {(): 1.0}
    for candidate in candidates:
        grown: dict[tuple[str, ...], float] = {}
        for names, share in sets.items():
            grown[names] = grown.get(names, 0.0) + share * (1 - candidate.chance)
            for name, part in candidate.colours.items():
                if part > DOUBT and name not in names:
                    key = tuple(sorted((*names, name)))
                    grown[key] = grown.get(key, 0.0) + share * candidate.chance * part
        sets = grown
    odds = {"+".join(names) or NONE: share for names, share in sets.items()}
    odds[NONE] = max(odds.get(NONE, 0.0), DOUBT * 0.1)
    return odds
