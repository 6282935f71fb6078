"""What a picture says: odds per cue, never facts; and how much a belief surprises it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.spots import Cue, Label, Spot

SMALLEST: Final = 1e-6
"""No reading is ever certain: a label that was not considered still has this probability."""


def against(share: float, best: float) -> float:
    """How strongly odds speak against a label, in nats below the best one."""
    return math.log(max(best, SMALLEST) / max(share, SMALLEST))


@dataclass(frozen=True, slots=True)
class Sighting:
    """Odds over labels for every cue that could be read; what is covered, glaring or under a hand is absent."""

    odds: Mapping[Cue, Mapping[Label, float]]
    unsure: frozenset[Spot] = field(default_factory=frozenset)
    """Spots that should be visible but could not be read now."""

    def surprise(self, cue: Cue, label: Label) -> float:
        """How strongly the picture speaks against a label, in nats above its best label; 0 when nothing was read."""
        odds = self.odds.get(cue)
        if not odds:
            return 0.0
        return against(odds.get(label, 0.0), max(odds.values()))

    def best(self, cue: Cue) -> Label | None:
        """The most probable label of a cue, or None when it was not read."""
        odds = self.odds.get(cue)
        return max(odds, key=odds.__getitem__) if odds else None

    def at(self, spot: Spot) -> dict[str, Label]:
        """The most probable labels at one spot, by kind of cue."""
        return {cue.kind: max(odds, key=odds.__getitem__) for cue, odds in self.odds.items() if cue.spot == spot}


def certain(visible: Mapping[Cue, Label], doubt: float = 1e-3) -> Sighting:
    """The sighting of an ideal camera, for tests and for positions entered by hand."""
    return Sighting({cue: {label: 1.0 - doubt} for cue, label in visible.items()})


def merge(sightings: Iterable[Sighting]) -> Sighting:
    """Several still pictures as one: the mean of the odds; a spot is unsure only where every picture was."""
    group = list(sightings)
    pooled: dict[Cue, dict[Label, float]] = {}
    counts: dict[Cue, int] = {}
    for sighting in group:
        for cue, odds in sighting.odds.items():
            counts[cue] = counts.get(cue, 0) + 1
            total = pooled.setdefault(cue, {})
            for label, share in odds.items():
                total[label] = total.get(label, 0.0) + share
    means = {cue: {label: share / counts[cue] for label, share in total.items()} for cue, total in pooled.items()}
    unsure = frozenset.intersection(*(s.unsure for s in group)) if group else frozenset()
    return Sighting(means, unsure)
