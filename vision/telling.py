"""What was read of the tiles in words of the board: odds per cue, and where there is doubt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.sighting import Sighting
from engine.spots import Cue, Spot
from vision.classify import TileOdds
from vision.compare import Bank
from vision.light import LightField
from vision.occupancy import Explanation
from vision.tuning import Tuning
from vision.view import View

ABSENT = "absent"
Told = tuple[dict[Cue, dict[str, float]], bool]
"""Odds of the cues of one tile place, and whether there is doubt."""
_MOST_NATS = 30.0


@dataclass(frozen=True)
class Reading:
    """What one picture says of the tiles."""

    view: View
    light: LightField
    tiles: Mapping[Spot, TileOdds]
    """Every tile of which something can be seen."""
    present: frozenset[Spot]
    """Every tile that is believed to lie there, hidden ones included."""
    covered: Mapping[Spot, int]
    """How many tiles lie on each present tile."""
    unsure: frozenset[Spot]
    sighting: Sighting = field(default_factory=lambda: Sighting({}))


def tell(found: Explanation, row: int, tile: TileOdds | None, bank: Bank, tuning: Tuning) -> Told:
    """What can be said of one tile place where some tile shows, or none; nothing of what is wholly covered."""
    spot = found.board.places[row].spot
    there = chance_present(found, row, tuning)
    if tile is not None:
        kinds = {**{kind: share * there for kind, share in tile.kinds.items()}, ABSENT: 1 - there}
        turns = {str(turn): share for turn, share in enumerate(tile.turns)}
        strange = tile.fit < tuning.fit and found.burden(row) > tuning.burden
        doubtful = tile.kinds[tile.kind] * there < tuning.sure or strange
        return {Cue(spot, "tile"): kinds, Cue(spot, "turn"): turns}, doubtful
    if found.present[row]:
        return {}, False
    guess = {kind: share * there for kind, share in zip(bank.kinds, bank.prior.tolist(), strict=True)}
    doubtful = 1 - there < tuning.sure or found.burden(row) > tuning.burden
    return {Cue(spot, "tile"): {**guess, ABSENT: 1 - there}}, doubtful


def chance_present(found: Explanation, row: int, tuning: Tuning) -> float:
    """Probability that a tile lies at a row, the rest of the board being as found."""
    if found.present[row]:
        if not found.is_uncovered(row):
            return 1.0
        dearer = -found.gain_of_removal(row)
    elif found.is_supported(row):
        found.flip(row)
        dearer = -found.gain_of_removal(row)
        found.flip(row)
    else:
        return 0.0
    evidence = tuning.evidence_samples / 6 * dearer
    return 1 / (1 + math.exp(-min(max(evidence, -_MOST_NATS), _MOST_NATS)))
