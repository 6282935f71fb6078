"""The Curse of the Nuuk: thresholds, how many may be carried, advancing on the track (R-CURSE, R-ART-5)."""

from __future__ import annotations

from typing import Final

from engine.games.ice.box import Box
from engine.games.ice.draft import Draft
from engine.games.ice.state import BLESSING, DARK, LIGHT, NO_TOKEN, Seat

THRESHOLD: Final = {NO_TOKEN: 2, BLESSING: 1, LIGHT: 2, DARK: 3}  # R-ART-5

LIGHT_SPACES: Final = {1: (4, 5), 2: (4, 5), 3: (4, 5, 6), 4: (4, 4, 5, 6), 5: (4, 4, 5, 5, 6)}  # R-CURSE-2
DARK_SPACES: Final = {players: tuple(space + 6 for space in spaces) for players, spaces in LIGHT_SPACES.items()}
START_SPACE: Final = {1: 0, 2: 0, 3: 0, 4: 1, 5: 2}  # R-CURSE-1
LIGHT_TURNS: Final = 7  # R-CURSE-6
DARK_TURNS: Final = 13


def threshold(seat: Seat) -> int:
    """Anima needed to trigger an effect."""
    return THRESHOLD[seat.trigger]


def carry_limit(box: Box, seat: Seat) -> int:
    """Archaeologists that may come along on a Move (R-MOVE-2, R-CURSE-7)."""
    if not box.options.expert or seat.curse < LIGHT_TURNS:
        return 3
    return 2 if seat.curse < DARK_TURNS else 1


def advance(box: Box, draft: Draft, number: int, spaces: int) -> None:
    """Move a seat's marker and take the curse tokens it meets (R-CURSE-4, R-CURSE-5)."""
    start = draft.seats[number].curse
    entered = range(start + 1, start + spaces + 1) if box.options.curse_space_by_space else (start + spaces,)
    draft.seat(number, curse=start + spaces)
    for space in entered:
        if space in draft.light_tokens and draft.seats[number].trigger in (NO_TOKEN, BLESSING):
            draft.light_tokens = _without(draft.light_tokens, space)
            draft.seat(number, trigger=LIGHT)
        elif space in draft.dark_tokens and draft.seats[number].trigger != DARK:
            draft.dark_tokens = _without(draft.dark_tokens, space)
            draft.seat(number, trigger=DARK)


def _without(spaces: tuple[int, ...], space: int) -> tuple[int, ...]:
    index = spaces.index(space)
    return spaces[:index] + spaces[index + 1 :]
