"""What to do so that the table shows the belief again: lights by spot, and what differs there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine import lights as roles
from engine.lights import Light
from engine.sighting import Sighting
from engine.spots import Cue, Label, Spot

HERE: Final = "here"
PIECES: Final = ("leaders", "archaeologists", "camp")
NOTHING: Final = frozenset({"no", "none", "0"})
"""Labels that say that nothing is there."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing at a spot that is not as believed."""

    spot: Spot
    kind: str
    wanted: Label
    seen: Label

    @property
    def is_missing(self) -> bool:
        """Whether something is to be put there; otherwise something is too much."""
        return _is_short_of(self.seen, self.wanted)

    @property
    def is_too_much(self) -> bool:
        """Whether something is to be taken away; it may be that something else is missing too."""
        return _is_short_of(self.wanted, self.seen)


def _is_short_of(here: Label, wanted: Label) -> bool:
    """Whether a label names less than another, or not all that it names."""
    if wanted in NOTHING:
        return False
    if wanted.isdigit() and here.isdigit():
        return int(wanted) > int(here)
    return bool(Counter(wanted.split("+")) - Counter(here.split("+")))


def differences(
    wanted: Mapping[Spot, Mapping[str, Label]], sighting: Sighting, disagree: float
) -> tuple[Difference, ...]:
    """Everything that the picture shows otherwise than wanted, spot by spot."""
    found = []
    for spot, labels in wanted.items():
        for kind, label in labels.items():
            cue = Cue(spot, kind)
            seen = sighting.best(cue)
            if seen is not None and seen != label and sighting.surprise(cue, label) > disagree:
                found.append(Difference(spot, kind, label, seen))
    return tuple(found)


def restoring_lights(found: Iterable[Difference]) -> dict[Spot, Light]:
    """Where to put something and where to take something away; what must go comes first."""
    lit: dict[Spot, Light] = {}
    for difference in found:
        role = roles.PUT_HERE if difference.is_missing else roles.TAKE_AWAY
        if difference.spot not in lit or role == roles.TAKE_AWAY:
            lit[difference.spot] = Light(role)
    return lit


def lifted(found: Sequence[Difference]) -> Cue | None:
    """What a hand holds: the one tile or piece that is missing while nothing else has changed; None when unclear."""
    if not found or any(difference.is_too_much or not difference.is_missing for difference in found):
        return None
    tiles = [difference.spot for difference in found if difference.kind == HERE]
    if tiles:
        alone = all(difference.spot == tiles[0] for difference in found)
        return Cue(tiles[0], "tile") if alone else None
    return Cue(found[0].spot, found[0].kind) if len(found) == 1 and found[0].kind in PIECES else None
