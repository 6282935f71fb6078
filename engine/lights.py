"""Roles that a light can have; games give roles and strengths, the companion gives colours and rhythms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LEGAL_DIG: Final = "legal dig"
LEGAL_MOVE: Final = "legal move"
YOUR_LEADER: Final = "your leader"
ILLEGAL: Final = "illegal"
PUT_HERE: Final = "put here"
TAKE_AWAY: Final = "take away"
COLLAPSED: Final = "collapsed"
HINT: Final = "hint"
WAITING: Final = "waiting"

ROLES: Final = (
    ILLEGAL,
    TAKE_AWAY,
    PUT_HERE,
    COLLAPSED,
    YOUR_LEADER,
    LEGAL_DIG,
    LEGAL_MOVE,
    HINT,
    WAITING,
)
"""All roles, the one that wins on a shared spot first."""


@dataclass(frozen=True, slots=True)
class Light:
    """What one spot should say: its role, and how strongly (a cheaper dig is brighter)."""

    role: str
    strength: float = 1.0
    """0 to 1."""
