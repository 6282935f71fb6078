"""The score of a game under way or over, seat by seat: the pad of `scoring` filled in from a State (R-END)."""

from __future__ import annotations

from typing import Final

from engine.games.ice.cards import TYPES, UNKNOWN, RequestDeck
from engine.games.ice.options import Options
from engine.games.ice.points import ANY_POINTS, Points, exactly
from engine.games.ice.requests import reward_range
from engine.games.ice.scoring import Score, Winners, score, winners
from engine.games.ice.state import State, Validated

DECREES_IN_PLAY: Final = 3  # R-SET-9


def tally(state: State, seat: int, options: Options, deck: RequestDeck) -> Score:
    """What a seat would score if the game ended now; cards that nobody told leave the total open."""
    board = state.seats[seat]
    owned = board.ready | board.spent  # R-END-2: spent study tokens count again
    untold = (UNKNOWN,) * (DECREES_IN_PLAY - len(state.decrees))
    return score(
        decrees=(*state.decrees, *untold),
        artifacts=(*(tile for slot in board.slots for tile in slot), *board.hold),
        study=tuple(kind for number, kind in enumerate(TYPES) if owned >> number & 1),
        validated=tuple((paid.day, _points(paid, deck)) for paid in board.validated),
        rp_tokens=board.rp,
        has_planning=board.planning,
        planning_is_rp_token=options.planning_is_rp_token,
    )


def _points(paid: Validated, deck: RequestDeck) -> Points:
    """What a validated card pays; when nobody told, whatever the card can pay at all."""
    if isinstance(paid.reward, int):
        return exactly(paid.reward)
    card = deck.find(paid.card)
    return ANY_POINTS if card is None else reward_range(card)


def winners_now(state: State, options: Options, deck: RequestDeck) -> Winners:
    """Who wins, or would win if the game ended now (R-END-6)."""
    return winners([tally(state, seat, options, deck).total for seat in range(len(state.seats))])
