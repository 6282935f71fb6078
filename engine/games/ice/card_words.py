"""Request and decree cards in words: what they ask for and what they pay."""

from __future__ import annotations

from typing import Any, Final

from engine.games.ice.cards import DECREE, RequestDeck
from engine.games.ice.rule_titles import RULES
from engine.games.ice.terms import term
from engine.sayings import Saying

DEMANDS: Final[dict[str, str]] = {
    "K1": "{n} anima from prismatic artifacts",
    "K2": "{n} anima among {types}",
    "K3": "{n} different types of {types}",
    "K4": "{n} anima of one type: {types}",
    "K5": "different shapes of {types}",
    "K6": "{n} anima of {types}",
}
"""What a request asks for, by its kind (R-REQ)."""
PAYS: Final = "{demand} ({points} RP)"


def request_name(deck: RequestDeck, card: str) -> Any:
    """A request card as people say it; a card that is not in the data by its id."""
    found = deck.find(card)
    if found is None:
        return term(card)
    demand = Saying(DEMANDS[found.kind], {"n": found.n, "types": [term(kind) for kind in found.types]})
    points = sorted({reward for reward in found.rewards if isinstance(reward, int)})
    return Saying(PAYS, {"demand": demand, "points": "/".join(map(str, points))}) if points else demand


def decree_name(decree: str) -> Any:
    """A decree as people say it."""
    return Saying(RULES[f"R-DEC-{decree}"]) if decree in DECREE else term(decree)
