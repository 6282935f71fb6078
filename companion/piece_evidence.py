"""What a find is worth as evidence: the same piece again, one more or less, and names that are taken."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.spots import Label, Point
from vision.pieces import ARCHAEOLOGIST, CAMP, FORGIVING_MORE, LEADER, Candidate, without

MISSED: Final = {"archaeologists": 0.006, "leaders": 0.005, "camp": 0.01}
"""Least chance, beside the best reading, that one piece more or less stands where something was done."""
LEAST: Final = 0.1
"""A candidate less likely than this does not tell where a known piece stands."""
SURELY: Final = 0.7
"""What is likelier than this to be new has changed the picture."""
SAME_MM: Final = 3.0
"""Two finds closer than this are the same piece."""
BORDER_MM: Final = 5.0
"""A foot so near the border of two places may be read on the other side."""
CONFUSED: Final = 0.01
"""Least chance that a leader was taken for a camp of its colour, or a camp for a leader."""
EITHER: Final = 1.7
"""Power of the lesser share of a piece that may be a leader or a camp, so that it is not taken for both at once."""
TAKEN_FOR: Final = 0.1
"""Chance that a find without paint is a painted piece that left and is found nowhere: bad light takes its colour."""
KINDS: Final = {"archaeologists": ARCHAEOLOGIST, "leaders": LEADER, "camp": CAMP}
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that is known to stand at a spot; without a place on it when the eye never found it."""

    label: str
    at_mm: Point | None = None
    chance: float = 1.0
    """How well it was seen there."""
    seen_as: str = ""
    """What the eye takes it for."""


def is_again(piece: Piece, found: Candidate) -> bool:
    """Whether something found is a known piece, seen where it stood no worse than half as well."""
    chance = found.chance * found.labels.get(piece.seen_as, 0.0)
    return piece.at_mm is not None and is_near(found.at_mm, [piece.at_mm]) and chance > piece.chance / 2


def seen_again(pieces: Iterable[Piece], candidates: Collection[Candidate]) -> set[Piece]:
    """Known pieces that were found once more where they stood."""
    return {
        piece
        for piece in pieces
        for each in candidates
        if piece.at_mm
        and is_near(each.at_mm, [piece.at_mm])
        and each.chance * each.labels.get(piece.seen_as, 0.0) > LEAST
    }


def pieces_of(seen: Mapping[str, Label]) -> list[str]:
    """Labels of all pieces of a spot, as candidates are called."""
    labels = [ARCHAEOLOGIST] * int(seen["archaeologists"])
    for kind in ("leaders", "camp"):
        labels += [f"{KINDS[kind]}.{name}" for name in seen[kind].split("+") if name != NONE]
    return labels


def temper(kind: str, odds: Mapping[Label, float], painted: Mapping[str, int]) -> Mapping[Label, float]:
    """Odds with room for one of the painted pieces, so many of each, that was missed or is none."""
    best = max(odds, key=odds.__getitem__)
    least = MISSED[kind] * odds[best]
    here = [name for name in best.split("+") if name != NONE]
    more = [label.partition(".")[2] for label in painted if label.startswith(KINDS[kind])]
    groups = [here[:i] + here[i + 1 :] for i in range(len(here))]
    groups += [[*here, name] for name in more if here.count(name) < painted[f"{KINDS[kind]}.{name}"]]
    near = ["+".join(sorted(group)) or NONE for group in groups]
    return {**odds, **{label: max(least, odds.get(label, 0.0)) for label in near}}


def temper_count(odds: Mapping[Label, float], more: float, less: float) -> Mapping[Label, float]:
    """Odds of a count with a least chance of one more and of one less."""
    best = max(odds, key=odds.__getitem__)
    near = {str(int(best) + 1): more, str(int(best) - 1): less}
    least = {label: share * odds[best] for label, share in near.items() if int(label) >= 0}
    return {**odds, **{label: max(share, odds.get(label, 0.0)) for label, share in least.items()}}


def likelier(candidate: Candidate, times: float) -> Candidate:
    """A candidate with so many times the odds of being a piece."""
    chance = times * candidate.chance
    return replace(candidate, chance=chance / (chance + 1 - candidate.chance))


def not_one_of(gone: Collection[str], candidate: Candidate, painted: Collection[str]) -> Candidate:
    """A candidate that cannot be a piece which is known to stand elsewhere; a leader may be taken for a camp."""
    named = dict(candidate.labels)
    if candidate.is_painted:
        kind, _, colour = candidate.label.partition(".")
        other = f"{CAMP if kind == LEADER else LEADER}.{colour}"
        if other in painted:
            named[other] = max(named.get(other, 0.0), CONFUSED)
    left = without(replace(candidate, labels=named), gone, FORGIVING_MORE)
    if left.chance <= 0:
        return left
    kind = left.label.partition(".")[0]
    # One piece is never both: what speaks for the other kind speaks against this one, and is weighed there already.
    labels = {label: share if label.startswith(kind) else share**EITHER for label, share in left.labels.items()}
    return replace(left, labels=labels)


def may_be_one_of(missing: Collection[str], candidate: Candidate) -> Candidate:
    """A find without paint that may be one of the painted pieces that are missing."""
    if candidate.is_painted or candidate.chance < 0.5 or not missing:
        return candidate
    others = dict.fromkeys(missing, TAKEN_FOR / len(missing))
    return replace(candidate, labels={ARCHAEOLOGIST: 1 - TAKEN_FOR, **others})


def is_at_border(at_mm: Point, outline_mm: Sequence[Point]) -> bool:
    """Whether a point lies inside a convex outline, which runs counter-clockwise, or hardly outside."""
    sides = zip(outline_mm, (*outline_mm[1:], outline_mm[0]), strict=True)
    return all(
        (x1 - x0) * (at_mm[1] - y0) - (y1 - y0) * (at_mm[0] - x0) > -BORDER_MM * math.dist((x0, y0), (x1, y1))
        for (x0, y0), (x1, y1) in sides
    )


def is_near(at_mm: Point, places: Iterable[Point]) -> bool:
    """Whether a find is one of some pieces."""
    return any(math.dist(at_mm, place) < SAME_MM for place in places)
