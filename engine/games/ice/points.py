"""Points that may rest on something nobody has told: a range with a least and perhaps a most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.games.ice.cards import UNKNOWN, Reward


@dataclass(frozen=True, slots=True)
class Points:
    """From `least` to `most` RP; `most` None = no bound is known."""

    least: int
    most: int | None

    @property
    def exact(self) -> bool:
        """Whether nothing unknown is left in it."""
        return self.least == self.most

    def __add__(self, other: Points) -> Points:
        most = None if self.most is None or other.most is None else self.most + other.most
        return Points(self.least + other.least, most)

    def __str__(self) -> str:
        if self.exact:
            return str(self.least)
        return f"{self.least}+" if self.most is None else f"{self.least}-{self.most}"


NO_POINTS: Final = Points(0, 0)
ANY_POINTS: Final = Points(0, None)


def exactly(rp: int) -> Points:
    """A known number of points."""
    return Points(rp, rp)


def total(parts: Iterable[Points]) -> Points:
    """The sum of several ranges."""
    return sum(parts, NO_POINTS)


def of_reward(reward: Reward) -> Points:
    """What a card's reward is worth; nothing when the card does not offer it."""
    if reward == UNKNOWN:
        return ANY_POINTS
    return exactly(reward or 0)


def either(parts: Iterable[Points]) -> Points:
    """The range that holds each of several; at least one is needed."""
    ranges = tuple(parts)
    bounds = [part.most for part in ranges]
    known = [bound for bound in bounds if bound is not None]
    return Points(min(part.least for part in ranges), max(known) if len(known) == len(bounds) else None)
