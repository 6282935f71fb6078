"""Short ways to say that something is not allowed, shared by all rule modules."""

from __future__ import annotations

from typing import Any

from engine.game import RuleViolation
from engine.games.ice.board import SPOTS
from engine.games.ice.digging import limit
from engine.games.ice.state import State


def no(rule: str, reason: str, *places: int, **facts: Any) -> RuleViolation:
    """A violation with the spots of places (those off the board left out)."""
    return RuleViolation(rule, reason, tuple(SPOTS[place] for place in places if place >= 0), facts)


def why_cannot_pay(state: State, seat: int, ep: int = 1) -> RuleViolation | None:
    """Whether EP may be spent now (R-EP-1, R-EP-2, R-OVW-1)."""
    if state.spent + ep > limit(state):
        if state.overwork:
            return no("R-OVW-1", "limit", spent=state.spent, limit=limit(state), ep=ep)
        return no("R-EP-1", "limit", spent=state.spent, limit=limit(state), ep=ep)
    if ep > state.seats[seat].ep:
        return no("R-EP-2", "track", left=state.seats[seat].ep, ep=ep)
    return None
