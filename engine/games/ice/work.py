"""Actions that do not move the leader: recruit, study, plan, overwork, nurture, runes, and the end of a turn."""

from __future__ import annotations

from engine.game import RuleViolation
from engine.games.ice.actions import (
    DiscardSnow,
    EndTurn,
    Nurture,
    Overwork,
    Plan,
    PlayRune,
    Recruit,
    ShowTile,
    Study,
)  # fmt: skip
from engine.games.ice.artifacts import destroy, why_not_destroy
from engine.games.ice.board import SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import TYPES
from engine.games.ice.draft import Draft
from engine.games.ice.removal import kind_under, type_matches
from engine.games.ice.snow import play_front, why_not_in_hand
from engine.games.ice.state import (
    FIRST_TYPE,
    NURTURED,
    OFF,
    PRISMATIC_KIND,
    TOTAL_PLANNING,
    TOTAL_STUDY,
    UNKNOWN_KIND,
    UNKNOWN_TURN,
    State,
    camp_owner,
    camp_places,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import is_open
from engine.games.ice.violations import no, why_cannot_pay

HAND_LIMIT = 3  # R-EP-11


def why_not_recruit(box: Box, state: State, action: Recruit) -> RuleViolation | None:
    """An archaeologist from the supply to a camp (R-REC)."""
    if not supply(state):
        return no("R-REC-2", "supply")
    if not camp_places(state):
        return no("R-REC-2", "no camp on the board")
    if camp_owner(state, action.place) is None:
        return no("R-REC-2", "no camp", action.place)
    return why_cannot_pay(state, action.by)


def recruit(box: Box, draft: Draft, action: Recruit) -> None:
    """Put an archaeologist on the camp's tile."""
    draft.spend(1)
    draft.shift(OFF, action.place, 1)


def study_supply(state: State, type_number: int) -> int:
    """Study tokens of a type that nobody owns (R-CMP-15)."""
    return TOTAL_STUDY - sum([(seat.ready | seat.spent) >> type_number & 1 for seat in state.seats])


def why_not_study(box: Box, state: State, action: Study) -> RuleViolation | None:
    """Take the study token of the artifact under the leader (R-STU)."""
    seat, here = state.seats[action.by], state.leaders[action.by]
    kind = kind_under(state, action.by)
    if not kind:
        return no("R-STU-2", "no artifact", here)
    if kind == PRISMATIC_KIND:
        return no("R-STU-2", "prismatic", here)
    if not type_matches(kind, action.type):
        return no("R-STU-1", "other type", here, type=TYPES[action.type])
    owned = seat.ready | (seat.spent if box.options.spent_study_counts_as_owned else 0)
    if owned >> action.type & 1:
        return no("R-STU-2", "owned", here, type=TYPES[action.type])
    if study_supply(state, action.type) <= 0:
        return no("R-STU-2", "supply", here, type=TYPES[action.type])
    return why_cannot_pay(state, action.by)


def study(box: Box, draft: Draft, action: Study) -> None:
    """Take the token."""
    draft.spend(1)
    draft.seat(action.by, ready=draft.seats[action.by].ready | 1 << action.type)


def why_not_plan(box: Box, state: State, action: Plan) -> RuleViolation | None:
    """Take a planning token (R-PLAN)."""
    if not box.options.may_plan:
        return no("R-PLAN-2", "two players")
    if state.seats[action.by].planning:
        return no("R-PLAN-2", "owned")
    if sum(seat.planning for seat in state.seats) >= TOTAL_PLANNING:
        return no("R-PLAN-2", "supply")
    return why_cannot_pay(state, action.by)


def plan(box: Box, draft: Draft, action: Plan) -> None:
    """Take the token."""
    draft.spend(1)
    draft.seat(action.by, planning=True)


def why_not_overwork(box: Box, state: State, action: Overwork) -> RuleViolation | None:
    """Pay an RP token for a higher limit (R-OVW)."""
    if state.overwork and box.options.overwork_once:
        return no("R-OVW-3", "once")
    if not state.seats[action.by].rp:
        return no("R-OVW-2", "no token")
    counted = state.seats[action.by].ep + (state.spent if box.options.overwork_counts_spent else 0)
    if counted < 3 + state.overwork:
        return no("R-OVW-2", "no use", left=state.seats[action.by].ep, spent=state.spent)
    return None


def overwork(box: Box, draft: Draft, action: Overwork) -> None:
    """Pay and raise the limit."""
    draft.gain_rp(action.by, -1)
    draft.overwork += 1


def why_not_nurture(box: Box, state: State, action: Nurture) -> RuleViolation | None:
    """Nurturers: an archaeologist from the guild board to a snow tile (R-NUR-1)."""
    if not box.has_ability(action.by, "nurturers"):
        return no("R-NUR-1", "other guild")
    if state.used & NURTURED:
        return no("R-NUR-1", "used")
    if not state.seats[action.by].tended:
        return no("R-NUR-1", "nobody")
    if action.place not in SNOW or not state.present >> action.place & 1:
        return no("R-NUR-1", "not snow", action.place)
    return None


def nurture(box: Box, draft: Draft, action: Nurture) -> None:
    """Put the archaeologist on the snow."""
    draft.seat(action.by, tended=draft.seats[action.by].tended - 1)
    draft.shift(OFF, action.place, 1)
    draft.used |= NURTURED


def why_not_rune(box: Box, state: State, action: PlayRune) -> RuleViolation | None:
    """Explosive Rune: destroy an uncovered tile without a leader (R-RUNE)."""
    if refused := why_not_in_hand(state, action.by, "rune"):
        return refused
    if refused := why_not_destroy(box, state, action.place, "R-RUNE"):
        return refused
    return no("R-RUNE", "leader", action.place) if action.place in state.leaders else None


def play_rune(box: Box, draft: Draft, action: PlayRune) -> None:
    """Blow up the tile."""
    play_front(draft, action.by, "rune")
    destroy(box, draft, action.place)


def why_not_discard_snow(box: Box, state: State, action: DiscardSnow) -> RuleViolation | None:
    """Only a hand of more than three is reduced (R-EP-11)."""
    if len(state.seats[action.by].hand) <= HAND_LIMIT:
        return no("R-EP-11", "not needed", hand=len(state.seats[action.by].hand))
    return why_not_in_hand(state, action.by, action.front)


def discard_snow(box: Box, draft: Draft, action: DiscardSnow) -> None:
    """The tile goes to the discard pile."""
    play_front(draft, action.by, action.front)


def has_met_minimum(box: Box, state: State) -> bool:
    """Whether enough was done to end the turn (R-EP-1, R-EP-5)."""
    return state.spent > 0 or (state.free_dig and box.options.free_dig_meets_minimum)


def why_not_end_turn(box: Box, state: State, action: EndTurn) -> RuleViolation | None:
    """End the turn (R-EP-1, R-EP-8, R-EP-11)."""
    if not has_met_minimum(box, state):
        return no("R-EP-1", "minimum")
    hand = len(state.seats[action.by].hand)
    return no("R-EP-11", "hand", hand=hand, over=hand - HAND_LIMIT) if hand > HAND_LIMIT else None


def why_not_show_tile(box: Box, state: State, action: ShowTile) -> RuleViolation | None:
    """A tile can be told once a part of it is visible and while it is unknown (R-ART-1)."""
    place = action.place
    if place >= TILE_COUNT or not is_open(box.terrain, state.present, place):
        return no("R-GEO-9", "hidden", place)
    kinds = range(1, FIRST_TYPE) if place in SNOW else range(FIRST_TYPE, UNKNOWN_KIND)
    if action.kind not in kinds:
        return no("R-ART-1", "kind", place)
    if state.tiles[place] not in (action.kind, UNKNOWN_KIND):
        return no("R-ART-1", "known", place)
    told = state.tiles[place] == action.kind and state.turns[place] != UNKNOWN_TURN
    if told or (action.turn > 5 and (action.turn != UNKNOWN_TURN or state.tiles[place] == action.kind)):
        return no("R-ART-1", "known", place)
    return None


def show_tile(box: Box, draft: Draft, action: ShowTile) -> None:
    """Remember what is seen."""
    turn = action.turn if action.turn != UNKNOWN_TURN else draft.turns[action.place]
    draft.lay_tile(action.place, action.kind, turn)
