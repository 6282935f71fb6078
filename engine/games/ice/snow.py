"""Snow tiles played from the hand: Smilodon, Sailship, Wreck, Whistle, and what all fronts share (R-SNOW)."""

from __future__ import annotations

from functools import lru_cache

from engine.game import RuleViolation
from engine.games.ice.actions import PlaySailship, PlaySmilodon, PlayWhistle, PlayWreck
from engine.games.ice.board import SNOW
from engine.games.ice.box import Box
from engine.games.ice.cards import FRONTS, UNKNOWN
from engine.games.ice.draft import Draft
from engine.games.ice.state import OFF, State, camp_owner, supply
from engine.games.ice.terrain import is_crossed_by_crack, is_open
from engine.games.ice.violations import no


def holds(hand: tuple[str, ...], front: str, count: int = 1) -> bool:
    """Whether a hand has, or may have, tiles with a front: an unknown tile can be anything."""
    return hand.count(front) + hand.count(UNKNOWN) >= count


@lru_cache(maxsize=1024)
def possible_fronts(hand: tuple[str, ...]) -> frozenset[str]:
    """The fronts that a hand has, or may have."""
    return frozenset(FRONTS if UNKNOWN in hand else hand)


def why_not_in_hand(state: State, seat: int, front: str, count: int = 1) -> RuleViolation | None:
    """Only tiles in the hand may be played (R-SNOW-6)."""
    hand = state.seats[seat].hand
    return None if holds(hand, front, count) else no("R-SNOW-6", "not in hand", front=front, hand=len(hand))


def without_front(hand: tuple[str, ...], front: str) -> tuple[str, ...]:
    """The hand after a tile left it; an unknown tile stands for a front that is not there."""
    gone = front if front in hand else UNKNOWN
    if gone not in hand:
        return hand
    index = hand.index(gone)
    return hand[:index] + hand[index + 1 :]


def play_front(draft: Draft, seat: int, front: str, count: int = 1) -> None:
    """Move played tiles from the hand to the discard pile (R-FREE-1)."""
    if not count:
        return
    hand = draft.seats[seat].hand
    for _ in range(count):
        hand = without_front(hand, front)
    draft.discard_tile(SNOW.start, len(draft.seats[seat].hand) - len(hand))
    draft.seat(seat, hand=hand)


def why_not_smilodon(box: Box, state: State, action: PlaySmilodon) -> RuleViolation | None:
    """All archaeologists of a place to an adjacent one (R-SMIL)."""
    if refused := why_not_in_hand(state, action.by, "smilodon"):
        return refused
    if not state.archaeologists[action.start]:
        return no("R-SMIL", "nobody", action.start)
    step = next((step for step in box.terrain.steps[action.start] if step.to == action.place), None)
    if step is None or step.apart & state.present:
        return no("R-SMIL", "not adjacent", action.start, action.place)
    if not is_open(box.terrain, state.present, action.place):
        return no("R-GEO-9", "hidden", action.place)
    if is_crossed_by_crack(box.terrain, state, action.start, step):
        return no("R-CREV-2", "crack", action.start, action.place)
    return None


def play_smilodon(box: Box, draft: Draft, action: PlaySmilodon) -> None:
    """Chase all archaeologists of a place to the next."""
    play_front(draft, action.by, "smilodon")
    draft.shift(action.start, action.place, draft.archaeologists[action.start])


def reinforcements(box: Box, state: State, wanted: int) -> int:
    """How many of the wanted archaeologists come from the supply; 0 = the tile cannot be used (R-SNOW-7)."""
    left = supply(state)
    return wanted if left >= wanted else left if box.options.partial_reinforcements else 0


def why_not_sailship(box: Box, state: State, action: PlaySailship) -> RuleViolation | None:
    """One archaeologist to the own leader, one to another leader (R-SHIP)."""
    if refused := why_not_in_hand(state, action.by, "sailship"):
        return refused
    if state.leaders[action.by] == OFF:
        return no("R-SHIP", "reserve")
    others = [seat for seat, at in enumerate(state.leaders) if at != OFF and seat != action.by]
    if action.leader == OFF:
        if others:
            return no("R-SHIP", "name a leader", *(state.leaders[seat] for seat in others))
        if not box.options.sailship_without_others:
            return no("R-SHIP", "no other leader")
    elif action.leader not in others:
        return no("R-SHIP", "not on the board")
    wanted = 1 if action.leader == OFF else 2
    if not reinforcements(box, state, wanted):
        return no("R-SNOW-7", "supply", left=supply(state))
    return None


def play_sailship(box: Box, draft: Draft, action: PlaySailship) -> None:
    """Bring archaeologists to two leaders; the own one first when only one is left."""
    play_front(draft, action.by, "sailship")
    for seat in (action.by, action.leader)[: draft.supply()]:
        if seat != OFF:
            draft.shift(OFF, draft.leaders[seat], 1)


def why_not_wreck(box: Box, state: State, action: PlayWreck) -> RuleViolation | None:
    """+1 EP and an RP token (R-WREC)."""
    return why_not_in_hand(state, action.by, "wreck")


def play_wreck(box: Box, draft: Draft, action: PlayWreck) -> None:
    """Gain EP and renown."""
    play_front(draft, action.by, "wreck")
    draft.gain_ep(action.by)
    draft.gain_rp(action.by)


def why_not_whistle(box: Box, state: State, action: PlayWhistle) -> RuleViolation | None:
    """1 or 2 archaeologists from one place to a tile with a camp (R-WHIS)."""
    if refused := why_not_in_hand(state, action.by, "whistle"):
        return refused
    if not 1 <= action.archaeologists <= 2:
        return no("R-WHIS", "count", action.start, count=action.archaeologists)
    if state.archaeologists[action.start] < action.archaeologists:
        return no("R-WHIS", "not there", action.start, here=state.archaeologists[action.start])
    if camp_owner(state, action.place) is None:
        return no("R-WHIS", "no camp", action.place)
    if action.start == action.place:
        return no("R-WHIS", "already there", action.place)
    return None


def play_whistle(box: Box, draft: Draft, action: PlayWhistle) -> None:
    """Call archaeologists to a camp."""
    play_front(draft, action.by, "whistle")
    draft.shift(action.start, action.place, action.archaeologists)
