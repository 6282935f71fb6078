"""The legal actions of a position, found fast; the contract tests prove them equal to the checked definition."""

from __future__ import annotations

from engine.games.ice import actions as a
from engine.games.ice.box import Box
from engine.games.ice.plausible import plausible_actions
from engine.games.ice.rules import why_illegal
from engine.games.ice.state import State


def legal_actions(box: Box, state: State) -> tuple[a.Action, ...]:
    """Every listed action that no rule forbids."""
    return tuple(action for action in plausible_actions(box, state) if why_illegal(box, state, action) is None)
