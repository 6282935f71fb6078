"""The end of a turn, Sunset and the end of a day (R-EXP, R-DUSK, R-REQ)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from engine.game import TABLE, RuleViolation
from engine.games.ice.actions import (
    DiscardRequest,
    EndSunset,
    EndTurn,
    LayRequests,
    TakeRequest,
    ValidateRequest,
)  # fmt: skip
from engine.games.ice.box import Box
from engine.games.ice.cards import TYPES, UNKNOWN, Artifact, Request
from engine.games.ice.dawn import sunrise
from engine.games.ice.draft import Draft
from engine.games.ice.requests import judge, payment
from engine.games.ice.state import EXHAUSTED, EXPLORATION, OVER, SUNSET, Question, Seat, State, Validated
from engine.games.ice.violations import no

REQUEST_LIMIT = 4  # R-DUSK-3
LAST_DAY = 4
REQUESTS_A_DAY = 2  # R-REQ-2


def end_turn(box: Box, draft: Draft, action: EndTurn) -> None:
    """Pass the turn on, or go to Sunset without EP (R-EXP-2, R-EP-9)."""
    ran_out = not box.options.gained_ep_prevents_sunset and draft.used & EXHAUSTED
    if draft.seats[draft.active].ep and not ran_out:
        next_turn(box, draft)
        return
    draft.seat(draft.active, asleep=True, ep=0)
    draft.phase, draft.taken, draft.fresh_request = SUNSET, False, ""
    draft.spent = draft.overwork = draft.used = 0
    draft.free_dig = False
    if draft.row is None:
        draft.ask(Question("row", TABLE))


def next_turn(box: Box, draft: Draft) -> None:
    """The next player clockwise who is not in Sunset; without one the day ends (R-EXP-1, R-EXP-3)."""
    draft.spent = draft.overwork = draft.used = 0
    draft.free_dig = draft.taken = False
    draft.fresh_request = ""
    count = len(draft.seats)
    for step in range(1, count + 1):
        seat = (draft.active + step) % count
        if not draft.seats[seat].asleep:
            draft.active, draft.phase = seat, EXPLORATION
            return
    draft.requests_discarded += len(draft.row or ())
    draft.row = None
    if draft.day == LAST_DAY:
        draft.phase = OVER  # R-END-1
    else:
        sunrise(box, draft)


def row_size(state: State) -> int:
    """Cards to lay out: players + 2, or what the deck still has (R-DUSK-1, Q-17)."""
    return min(len(state.seats) + 2, state.requests_left + state.requests_discarded)


def why_not_lay_requests(box: Box, state: State, action: LayRequests) -> RuleViolation | None:
    """The first player in Sunset lays out players + 2 requests (R-DUSK-1)."""
    if len(action.cards) != row_size(state):
        return no("R-DUSK-1", "row", wanted=row_size(state), got=len(action.cards))
    return None


def lay_requests(box: Box, draft: Draft, action: LayRequests) -> None:
    """Lay out the row; a deck that runs out is reshuffled (Q-17)."""
    draft.answered()
    draft.row = tuple(sorted(action.cards))
    if len(action.cards) > draft.requests_left:
        draft.requests_left += draft.requests_discarded
        draft.requests_discarded = 0
    draft.requests_left -= len(action.cards)


def why_not_take_request(box: Box, state: State, action: TakeRequest) -> RuleViolation | None:
    """One card of the row, before validating (R-DUSK-1, R-DUSK-4)."""
    if state.taken:
        return no("R-DUSK-4", "too late")
    return None if action.card in (state.row or ()) else no("R-DUSK-1", "not in the row", card=action.card)


def take_request(box: Box, draft: Draft, action: TakeRequest) -> None:
    """The card goes to the hand; a player with nothing to pay with is done."""
    row = list(draft.row or ())
    if action.card in row:
        row.remove(action.card)
    draft.row = tuple(row)
    draft.seat(draft.active, requests=tuple(sorted((*draft.seats[draft.active].requests, action.card))))
    draft.taken, draft.fresh_request = True, action.card
    seat = draft.seats[draft.active]
    can_pay = bool(seat.ready) or any(seat.slots)
    if draft.day == 1 or not (can_pay or len(seat.requests) > REQUEST_LIMIT):
        next_turn(box, draft)  # nothing is left to validate or to discard


def validated_today(seat: Seat, day: int) -> int:
    """Requests validated on a day."""
    return sum(1 for entry in seat.validated if entry.day == day)


def find_request(box: Box, card: str) -> Request | None:
    """The card's record; a card that is not in the data is judged by the players."""
    return box.data.requests.find(card)


def holds_request(box: Box, state: State, seat: int, card: str) -> bool:
    """Whether a hand has, or may have, a card; one just taken may have to wait (R-DUSK-4)."""
    hand = list(state.seats[seat].requests)
    if not box.options.taken_request_may_pay and state.fresh_request in hand:
        hand.remove(state.fresh_request)
    return card in hand or UNKNOWN in hand


def payable(box: Box, seat: Seat) -> list[Artifact]:
    """Artifacts on the guild board that may pay (R-REQ-3)."""
    if box.options.face_down_pays:
        return [tile for slot in seat.slots for tile in slot]
    return [tile for slot, down in zip(seat.slots, seat.down, strict=True) for tile in slot[: len(slot) - down]]


def taken_for(told: Iterable[Artifact], stock: Iterable[Artifact]) -> Counter[Artifact] | None:
    """What leaves the guild board for a payment as told: the very artifact, else one whose shape nobody has told."""
    left = Counter(stock)
    taken: Counter[Artifact] = Counter()
    for tile in told:
        found = tile if left[tile] else replace(tile, shape=UNKNOWN)
        if not left[found]:
            return None
        left[found] -= 1
        taken[found] += 1
    return taken


def study_names(mask: int) -> tuple[str, ...]:
    """The types of a set of study tokens."""
    return tuple(name for number, name in enumerate(TYPES) if mask >> number & 1)


def why_not_validate_request(box: Box, state: State, action: ValidateRequest) -> RuleViolation | None:
    """Pay a request (R-REQ)."""
    seat = state.seats[action.by]
    if state.day == 1:
        return no("R-REQ-1", "day 1")
    if state.day < LAST_DAY and validated_today(seat, state.day) >= REQUESTS_A_DAY:
        return no("R-REQ-2", "two today")
    if not holds_request(box, state, action.by, action.card):
        return no("R-REQ-1", "not in hand", card=action.card)
    if taken_for(action.artifacts, payable(box, seat)) is None or action.study & ~seat.ready:
        return no("R-REQ-3", "not on the board")
    request = find_request(box, action.card)
    if request is None:
        return None if action.artifacts or action.study else no("R-REQ-9", "nothing paid", card=action.card)
    paid = payment(action.artifacts, study_names(action.study))
    if paid.artifacts != action.artifacts:
        return no("R-REQ-3", "order")
    verdict = judge(request, paid)
    if not verdict.met and not request.stand_in:
        return no("R-REQ-9", "not met", card=action.card, have=verdict.have, need=verdict.need)
    return None


def validate_request(box: Box, draft: Draft, action: ValidateRequest) -> None:
    """Artifacts go to the hold, study tokens are turned, the card is laid at the day (R-REQ-2, R-REQ-7)."""
    draft.taken = True
    number, seat = draft.active, draft.seats[draft.active]
    left = taken_for(action.artifacts, payable(box, seat)) or Counter(action.artifacts)
    slots, down = [], []
    for tiles, turned in zip(seat.slots, seat.down, strict=True):
        kept: list[Artifact] = []
        for i, tile in enumerate(tiles):
            if left[tile]:
                left[tile] -= 1
                turned -= i >= len(tiles) - turned
            else:
                kept.append(tile)
        slots.append(tuple(kept))
        down.append(max(0, min(turned, len(kept))))
    request = find_request(box, action.card)
    reward: int | str = UNKNOWN
    if request is not None:
        verdict = judge(request, payment(action.artifacts, study_names(action.study)))
        reward = verdict.points.least if verdict.met and verdict.points.exact else UNKNOWN
    hand = list(seat.requests)
    gone = action.card if action.card in hand else UNKNOWN
    if gone in hand:
        hand.remove(gone)
    first_today = draft.day < LAST_DAY and not validated_today(seat, draft.day)
    draft.seat(
        number,
        slots=tuple(slots),
        down=tuple(down),
        hold=(*seat.hold, *action.artifacts),
        ready=seat.ready & ~action.study,
        spent=seat.spent | action.study,
        requests=tuple(hand),
        validated=(*seat.validated, Validated(draft.day, action.card, reward)),
        rp=seat.rp + first_today,
    )


def why_not_discard_request(box: Box, state: State, action: DiscardRequest) -> RuleViolation | None:
    """Only more than four are reduced, and not on day 1 (R-DUSK-3)."""
    hand = state.seats[action.by].requests
    if state.day == 1 or len(hand) <= REQUEST_LIMIT:
        return no("R-DUSK-3", "not needed", hand=len(hand))
    return None if action.card in hand else no("R-DUSK-3", "not in hand", card=action.card)


def discard_request(box: Box, draft: Draft, action: DiscardRequest) -> None:
    """The card goes to the discard pile."""
    draft.taken = True
    hand = list(draft.seats[draft.active].requests)
    if action.card in hand:
        hand.remove(action.card)
    draft.requests_discarded += 1
    draft.seat(draft.active, requests=tuple(hand))


def why_not_end_sunset(box: Box, state: State, action: EndSunset) -> RuleViolation | None:
    """At most four requests stay (R-DUSK-3, R-REQ-8)."""
    hand = len(state.seats[action.by].requests)
    if state.day > 1 and hand > REQUEST_LIMIT:
        return no("R-DUSK-3", "hand", hand=hand, over=hand - REQUEST_LIMIT)
    return None


def end_sunset(box: Box, draft: Draft, action: EndSunset) -> None:
    """The next player goes on."""
    next_turn(box, draft)
