"""Decrees and the score pad (R-DEC, R-END); the live score uses the same functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.games.ice.cards import DECREE, PRISMATIC, TYPES, UNKNOWN, Artifact
from engine.games.ice.points import ANY_POINTS, Points, exactly, total
from engine.games.ice.requests import shape_range

SET_OF_FIVE: Final = 4
SET_OF_FOUR: Final = 2
SHAPE_POINTS: Final = (0, 0, 2, 4)
"""R-DEC-E by number of different shapes of one type."""

BONUS_DAYS: Final = (2, 3)
PAIR_BONUS: Final = 2
VALIDATION_DAYS: Final = (2, 3, 4)  # R-REQ-1


def decree_points(decree: str, artifacts: Collection[Artifact], study: Collection[str], rp_tokens: int) -> Points:
    """What a decree is worth over all artifacts and all study tokens (R-DEC-1); an UNKNOWN decree has no bound."""
    if decree == UNKNOWN:
        return ANY_POINTS
    if decree == "A":
        return exactly(rp_tokens)
    if decree == "B":
        return exactly(len(study))
    if decree == "D":
        return exactly(set_points(type_counts(artifacts, study)))
    if decree == "E":
        return total(shape_points(kind, artifacts) for kind in TYPES)
    kind = DECREE[decree].type
    return exactly(sum(a.anima for a in artifacts if a.kind == kind) + sum(1 for token in study if token == kind))


def type_counts(artifacts: Iterable[Artifact], study: Iterable[str]) -> tuple[int, ...]:
    """How many artifacts and study tokens there are of each type; prismatics never count (R-DEC-1)."""
    kinds = [a.kind for a in artifacts if a.kind != PRISMATIC] + list(study)
    return tuple(kinds.count(kind) for kind in TYPES)


def set_points(counts: Sequence[int]) -> int:
    """R-DEC-D by the closed form of R-DEC-3."""
    rarest, second = sorted(counts)[:2]
    return SET_OF_FIVE * rarest + SET_OF_FOUR * (second - rarest)


def shape_points(kind: str, artifacts: Iterable[Artifact]) -> Points:
    """R-DEC-E for one type; a range while shapes are untold."""
    fewest, most = shape_range([a.shape for a in artifacts if a.kind == kind])
    return Points(SHAPE_POINTS[fewest], SHAPE_POINTS[most])


@dataclass(frozen=True, slots=True)
class Score:
    """The score pad of one player, line by line."""

    decrees: tuple[tuple[str, Points], ...]
    requests: tuple[tuple[int, Points], ...]
    """By day 2, 3, 4."""
    bonuses: tuple[tuple[int, int], ...]
    """R-END-4, by day 2, 3."""
    rp_tokens: int
    planning: int

    @property
    def total(self) -> Points:
        """The sum of all lines."""
        cards = total(points for _, points in (*self.decrees, *self.requests))
        return cards + exactly(sum(bonus for _, bonus in self.bonuses) + self.rp_tokens + self.planning)

    @property
    def exact(self) -> bool:
        """Whether nothing unknown is left in the total."""
        return self.total.exact


def score(
    decrees: Iterable[str],
    artifacts: Collection[Artifact],
    study: Collection[str],
    validated: Collection[tuple[int, Points]] = (),
    rp_tokens: int = 0,
    has_planning: bool = False,
    *,
    planning_is_rp_token: bool = False,
) -> Score:
    """The score pad: `artifacts` from guild board and hold, `study` ready and spent ones (R-END-2).

    `validated` has day and points of every validated request; unvalidated ones score nothing (R-END-3).
    """
    days = [day for day, _ in validated]
    counted = rp_tokens + (has_planning and planning_is_rp_token)  # R-DEC-4
    return Score(
        decrees=tuple((decree, decree_points(decree, artifacts, study, counted)) for decree in decrees),
        requests=tuple((day, total(points for on, points in validated if on == day)) for day in VALIDATION_DAYS),
        bonuses=tuple((day, pair_bonus(days.count(day))) for day in BONUS_DAYS),
        rp_tokens=rp_tokens,  # R-END-5
        planning=int(has_planning),
    )


def pair_bonus(validated_that_day: int) -> int:
    """R-END-4: points at the end for a day 2 or 3 with two validated requests."""
    return PAIR_BONUS if validated_that_day >= 2 else 0


@dataclass(frozen=True, slots=True)
class Winners:
    """Who has most; several share the victory (R-END-6)."""

    seats: tuple[int, ...]
    certain: bool
    """False when something untold could change it: then `seats` are all who may win."""


def winners(totals: Sequence[Points]) -> Winners:
    """The winners by seat number; a tie is shared (R-END-6)."""
    best = max((points.least for points in totals), default=0)
    seats = tuple(i for i, points in enumerate(totals) if points.most is None or points.most >= best)
    return Winners(seats, len(seats) == 1 or all(totals[i].exact for i in seats))
