"""How far a picture is from what is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.belief import A, Belief, S
from companion.restoring import Difference, differences
from engine.explain import Weights
from engine.sighting import Sighting
from engine.spots import Spot


@dataclass(slots=True)
class Comparison(Belief[S, A]):
    """A belief that pictures are compared with."""

    weights: Weights = field(default_factory=Weights)
    differing: frozenset[Spot] = frozenset()
    """Spots that do not look as believed in the newest picture."""

    def _surprises(self, state: S, sighting: Sighting) -> dict[Spot, float]:
        """Spots that do not look as they would in a state, with how strongly."""
        odd: dict[Spot, float] = {}
        seen: dict[Spot, Mapping[str, str]] = {}
        for cue in sighting.odds:
            here = seen.get(cue.spot)
            if here is None:
                here = seen[cue.spot] = self.game.seen_at(state, cue.spot)
            if cue.kind in here:
                odd[cue.spot] = odd.get(cue.spot, 0.0) + sighting.surprise(cue, here[cue.kind])
        return {spot: value for spot, value in odd.items() if value > self.weights.disagree}

    def _total(self, state: S, sighting: Sighting) -> float:
        return sum(self._surprises(state, sighting).values())

    def _looks_like(self, state: S, sighting: Sighting) -> bool:
        """Whether nothing that differs from a state is worth an action."""
        return all(value <= self.weights.calm for value in self._surprises(state, sighting).values())

    def _off(self, sighting: Sighting) -> tuple[Difference, ...]:
        wanted = {spot: self.game.seen_at(self.state, spot) for spot in sorted(self.differing)}
        return differences(wanted, sighting, self.weights.disagree)

    def _is_faint(self, sighting: Sighting) -> bool:
        """Whether no single thing that differs from the belief is telling."""
        wanted = {spot: self.game.seen_at(self.state, spot) for spot in self.differing}
        cues = [cue for cue in sighting.odds if cue.kind in wanted.get(cue.spot, ())]
        return all(sighting.surprise(cue, wanted[cue.spot][cue.kind]) < self.weights.faint for cue in cues)
