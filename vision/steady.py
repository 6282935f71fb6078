"""When to read: wait until the hands have left, then read once from several still pictures."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from engine.spots import Spot
from vision.changes import Memory, Watch
from vision.view import Image


@dataclass(frozen=True, slots=True)
class Still:
    """A board that came to rest: the mean of its still pictures."""

    image: Image
    frames: int
    moved: bool
    """Whether camera or board moved since the last still board."""
    stirred: frozenset[Spot]
    """Cells in which something stirred since the last still board; empty when there is nothing new to read."""


@dataclass
class Steady:
    """Takes frames one by one; gives a `Still` when nothing has moved for a while, None until then."""

    watch: Watch
    wait: int = 3
    """Still pictures in a row that count as rest."""
    _last: Memory | None = None
    _rested: Memory | None = None
    _stirred: set[Spot] = field(default_factory=set)
    _pile: list[Image] = field(default_factory=list)

    def update(self, image: Image) -> Still | None:
        """The mean of the last pictures when they agree; afterwards the pile starts anew."""
        now = self.watch.remember(image)
        if self._last is not None and (cells := self.watch.compare(self._last, now).cells):
            self._pile.clear()
            self._stirred |= cells
        self._last = now
        self._pile.append(image)
        if len(self._pile) < self.wait:
            return None
        pile, self._pile = self._pile, []
        mean = mean_picture(pile)
        moved, stirred = False, frozenset(self.watch.spots)
        rested = self.watch.remember(mean)
        if self._rested is not None:
            change = self.watch.compare(self._rested, rested)
            moved, stirred = self.watch.is_moved(change), frozenset(self._stirred | change.cells)
        self._rested, self._stirred = rested, set()
        return Still(mean, len(pile), moved, stirred)

    def stir(self, cells: Collection[Spot]) -> None:
        """Something moved over these cells in pictures that are not compared here: wait for rest anew."""
        if cells:
            self._stirred |= set(cells)
            self._pile.clear()

    @property
    def is_waiting(self) -> bool:
        """Whether something stirred and the board has not come to rest yet."""
        return bool(self._stirred) or self._rested is None


def mean_picture(pictures: list[Image]) -> Image:
    """The mean of still pictures: less noise."""
    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, np.uint16)
    for picture in pictures:
        total += picture
    return np.asarray((total + len(pictures) // 2) // len(pictures), dtype=np.uint8)
