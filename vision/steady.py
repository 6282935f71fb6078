"""When to read: wait until the hands have left, then read once from several still pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.changes import Memory, Watch
from vision.view import Image


@dataclass(frozen=True, slots=True)
class Still:
    """A board that came to rest: the mean of its still pictures."""

    image: Image
    frames: int
    moved: bool
    """Whether camera or board moved since the last still board."""
    disturbed: bool
    """Whether something stirred since the last still board, so that it is worth reading."""


@dataclass
class Steady:
    """Takes frames one by one; gives a `Still` when nothing has moved for a while, None until then."""

    watch: Watch
    wait: int = 3
    """Still pictures in a row that count as rest."""
    _last: Memory | None = None
    _rested: Memory | None = None
    _disturbed: bool = True
    _pile: list[Image] = field(default_factory=list)

    def update(self, image: Image) -> Still | None:
        """The mean of the last pictures when they agree; afterwards the pile starts anew."""
        now = self.watch.remember(image)
        if self._last is not None and self.watch.compare(self._last, now).cells:
            self._pile.clear()
            self._disturbed = True
        self._last = now
        self._pile.append(image)
        if len(self._pile) < self.wait:
            return None
        pile, self._pile = self._pile, []
        moved = self._rested is not None and self.watch.is_moved(self.watch.compare(self._rested, now))
        still = Still(mean_picture(pile), len(pile), moved, self._disturbed)
        self._rested, self._disturbed = now, False
        return still

    @property
    def is_waiting(self) -> bool:
        """Whether something stirred and the board has not come to rest yet."""
        return self._disturbed


def mean_picture(pictures: list[Image]) -> Image:
    """The mean of still pictures: less noise."""
    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, np.uint16)
    for picture in pictures:
        total += picture
    return np.asarray((total + len(pictures) // 2) // len(pictures), dtype=np.uint8)
