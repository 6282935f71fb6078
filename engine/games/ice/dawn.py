"""Sunrise and logbook cards (R-SUN, R-LOG, R-VAR-FC)."""

from __future__ import annotations

from dataclasses import replace

from engine.game import TABLE, RuleViolation
from engine.games.ice.actions import ChooseForCard, ConfirmBoard, DrawLogbook, MovePrismatic, StartDay, TakeStudy
from engine.games.ice.board import BELOW, CELL, CENTRAL, COVER_MASK, INDEX, NEIGHBOURS, SNOW, TILE_COUNT, spot_name
from engine.games.ice.box import Box
from engine.games.ice.cards import PRISMATIC, SNOW_BACKS, UNKNOWN, Artifact, Op
from engine.games.ice.digging import chain, cover_count
from engine.games.ice.draft import Draft
from engine.games.ice.possible_board import is_supported, why_impossible
from engine.games.ice.removal import remove
from engine.games.ice.state import (
    CAMPSITE,
    EXPLORATION,
    KIND,
    OFF,
    SUNRISE,
    TOKEN_READY,
    TOTAL_STUDY,
    UNKNOWN_KIND,
    Board,
    Question,
    Seat,
    State,
    present_mask,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import is_open
from engine.games.ice.violations import no
from engine.hexes import STEPS, add

EP_LIMIT = 6  # R-EP-3
HOOKS = 2  # R-ICEW-2


def guild_reset(box: Box, draft: Draft) -> None:
    """EP, planning tokens, guild components and fluid tokens at sunrise (R-SUN-1, R-FLUID-2)."""
    start_ep, fluid = box.options.start_ep, box.options.fluid_tokens
    for number, seat in enumerate(draft.seats):
        back = _given_back(box, draft, seat) if box.has_abilities else {}
        ep = min(EP_LIMIT, start_ep + seat.planning)
        draft.seat(number, ep=ep, planning=False, fluid=fluid, asleep=False, reslotted=0, **back)


def _given_back(box: Box, draft: Draft, seat: Seat) -> dict[str, int]:
    """What a guild gets back at sunrise (R-NAV-3, R-INC-4, R-ICEW-2, R-NUR-2, R-CRYO-3)."""
    if seat.guild == "icewalkers":
        return {"hooks": min(HOOKS, seat.hooks + 1)}
    if seat.guild == "nurturers":
        more = min(2, max(0, box.options.nurturers_capacity - seat.tended), draft.supply())
        return {"tended": seat.tended + more}
    if seat.guild == "incandescents":
        stays = seat.activation >= 0 and not box.options.activation_expires
        return {} if stays else {"activation": TOKEN_READY}
    return {"grey": False}


def sunrise(box: Box, draft: Draft) -> None:
    """Begin the next day: reset, artifacts face up, first player, then the logbook (R-SUN)."""
    guild_reset(box, draft)
    for number, seat in enumerate(draft.seats):
        if any(seat.down):
            draft.seat(number, down=(0, 0, 0, 0, 0))  # R-SUN-2
    if box.options.expert and box.options.friendly_curse:
        help_the_last(draft)
    draft.first = (draft.first + 1) % len(draft.seats)  # R-SUN-3
    draft.day += 1
    draft.phase, draft.active = SUNRISE, draft.first
    if not box.options.logbook and not any(prismatics(seat) for seat in draft.seats):
        draft.phase = EXPLORATION


def prismatics(seat: Seat) -> list[tuple[int, Artifact]]:
    """The prismatic artifacts on a guild board, with their slots."""
    return [(slot, tile) for slot, tiles in enumerate(seat.slots) for tile in tiles if tile.kind == PRISMATIC]


def help_the_last(draft: Draft) -> None:
    """The last on the curse track take a study token, or 2 RP tokens when they own all (R-VAR-FC)."""
    last = min(seat.curse for seat in draft.seats)
    for number, seat in enumerate(draft.seats):
        if seat.curse != last:
            continue
        owned = seat.ready | seat.spent
        if owned == 0b11111:
            draft.gain_rp(number, 2)
        choices = tuple(t for t in range(5) if not owned >> t & 1 and study_left(draft, t) > 0)
        if choices:
            draft.ask(Question("study", number, seat=number, choices=choices))


def study_left(draft: Draft, type_number: int) -> int:
    """Study tokens of a type that nobody owns."""
    return TOTAL_STUDY - sum((seat.ready | seat.spent) >> type_number & 1 for seat in draft.seats)


def why_not_take_study(box: Box, state: State, action: TakeStudy) -> RuleViolation | None:
    """A token the player lacks (R-VAR-FC)."""
    return None if action.type in state.asked[0].choices else no("R-VAR-FC", "owned")


def take_study(box: Box, draft: Draft, action: TakeStudy) -> None:
    """Take the token."""
    draft.answered()
    draft.seat(action.by, ready=draft.seats[action.by].ready | 1 << action.type)


def why_not_move_prismatic(box: Box, state: State, action: MovePrismatic) -> RuleViolation | None:
    """A prismatic on the guild board may change its slot at sunrise (R-SUN-2, R-ART-4)."""
    seat = state.seats[action.by]
    there = [tile for slot, tile in prismatics(seat) if slot == action.start and tile.anima == action.anima]
    if not there or not 0 <= action.slot < 5 or action.slot == action.start:
        return no("R-SUN-2", "no prismatic")
    return no("R-SUN-2", "moved") if seat.reslotted >= len(prismatics(seat)) else None


def move_prismatic(box: Box, draft: Draft, action: MovePrismatic) -> None:
    """Move it."""
    seat = draft.seats[action.by]
    tile = Artifact(PRISMATIC, action.anima, None)
    slots = list(seat.slots)
    if tile in slots[action.start]:
        at = slots[action.start].index(tile)
        slots[action.start] = slots[action.start][:at] + slots[action.start][at + 1 :]
        slots[action.slot] = (*slots[action.slot], tile)
    draft.seat(action.by, slots=tuple(slots), reslotted=seat.reslotted + 1)


def why_not_start_day(box: Box, state: State, action: StartDay) -> RuleViolation | None:
    """With logbook cards one is turned up first (R-SUN-4)."""
    return no("R-SUN-4", "logbook") if box.options.logbook else None


def start_day(box: Box, draft: Draft, action: StartDay) -> None:
    """Exploration begins with the first player (R-EXP-1)."""
    draft.phase, draft.active = EXPLORATION, draft.first


def icon_of(box: Box, action: DrawLogbook) -> str:
    """The snow-tile icon of a card: from the data, else as told (R-LOG-5)."""
    card = box.data.find_logbook_card(action.card)
    return action.icon if card is None or card.icon == UNKNOWN else card.icon


def why_not_draw_logbook(box: Box, state: State, action: DrawLogbook) -> RuleViolation | None:
    """A card is turned up once at each sunrise, or for the logbook setup (R-LOG-1, R-VAR-LOG)."""
    if not box.options.logbook:
        return no("R-LOG-1", "not in this game")
    if action.card != UNKNOWN and action.card in state.logbook:
        return no("R-LOG-1", "seen", card=action.card)
    if action.icon not in (*SNOW_BACKS, UNKNOWN):
        return no("R-LOG-5", "icon", icon=action.icon)
    if state.phase != SUNRISE and icon_of(box, action) == UNKNOWN:
        return no("R-VAR-LOG", "icon", card=action.card)
    return None


def draw_logbook(box: Box, draft: Draft, action: DrawLogbook) -> None:
    """Carry out the card's program, or wait until the players have done so (R-LOG-6)."""
    draft.logbook += (action.card,)
    if draft.phase != SUNRISE:
        draft.answered()
        lay_out_by_icon(draft, icon_of(box, action))
        return
    card = box.data.find_logbook_card(action.card)
    start_day(box, draft, StartDay(TABLE))
    if card is None or card.effect is None:
        draft.ask(Question("logbook", TABLE))
        return
    for op in card.effect:
        run(box, draft, op)


def lay_out_by_icon(draft: Draft, icon: str) -> None:
    """Archaeologists of the logbook setup, and one on the campsite (R-VAR-LOG, R-SET-6)."""
    site = next((i for i in SNOW if draft.tiles[i] == CAMPSITE), CENTRAL[0])
    if icon == "campsite":
        cells = [*NEIGHBOURS[site]]
        twice = [add(add(CELL[site], step), step) for step in STEPS]
        cells += [INDEX[spot_name("snow", cell)] for cell in twice if spot_name("snow", cell) in INDEX]
    else:
        cells = [i for i in SNOW if draft.tiles[i] == KIND.get(icon)]
    for cell in cells:
        draft.shift(OFF, cell, 1)


def run(box: Box, draft: Draft, op: Op) -> None:
    """One step of a card's program; what must be chosen is asked (R-LOG-3)."""
    state: State = draft
    if op.name == "gain_rp":
        for number in range(len(draft.seats)):
            draft.gain_rp(number, op.count)
    elif op.name == "place_archaeologists":
        places = targets(box, state, op.where)
        if len(places) * op.count <= draft.supply():
            for place in places:
                draft.shift(OFF, place, op.count)
        else:  # J3, J5: the first player chooses who gets one
            draft.ask(*(_choice("place", draft.first, places) for _ in range(draft.supply())))
    else:
        verb = "discard" if op.name == "discard_tile" else "return"
        seats = range(len(draft.seats)) if op.by == "each" else (0,)
        for step in seats:
            for _ in range(op.count if verb == "return" else 1):
                draft.ask(_choice(verb, (draft.first + step) % len(draft.seats), targets(box, state, op.where)))


def _choice(verb: str, by: int, places: tuple[int, ...]) -> Question:
    return Question(f"card {verb}", by, choices=places)


def targets(box: Box, state: State, where: str) -> tuple[int, ...]:
    """Visible tiles of a kind, or tiles with a camp."""
    if where == "camp":
        return tuple(sorted(place for place in (*state.camps, *state.neutral_camps) if place >= 0))
    kind = KIND.get(where, UNKNOWN_KIND)
    return tuple(i for i in range(TILE_COUNT) if state.tiles[i] == kind and is_open(box.terrain, state.present, i))


def may_return_snow(state: State, place: int) -> bool:
    """Whether a snow tile may lie on an empty cell: every tile place under it holds one (R-LOG-4)."""
    return place in SNOW and not state.present >> place & 1 and is_supported(state.present, place)


def card_choices(state: State) -> tuple[int, ...]:
    """Where the logbook card's order at the head of the queue may be carried out."""
    question = state.asked[0]
    if question.kind == "card place":
        return question.choices if supply(state) else ()
    if question.kind == "card discard":
        return tuple(i for i in question.choices if state.present >> i & 1 and not cover_count(state, i))
    return tuple(i for i in SNOW if state.discarded[0] and may_return_snow(state, i) and not _occupied(state, i))


def _occupied(state: State, place: int) -> bool:
    """Whether laying a snow tile would hide a place under it that holds somebody (the players settle that by hand)."""
    hidden = [b for b in BELOW[place] if b < TILE_COUNT and _would_hide(state, b, place)]
    return any(state.archaeologists[b] or b in state.leaders or b in state.camps for b in hidden)


def _would_hide(state: State, lower: int, place: int) -> bool:
    return not COVER_MASK[lower] & ~(state.present | 1 << place)


def why_not_choose_for_card(box: Box, state: State, action: ChooseForCard) -> RuleViolation | None:
    """One of the places the card names; OFF when none is left (R-LOG-2, R-LOG-4)."""
    choices = card_choices(state)
    if action.place in choices or (not choices and action.place == OFF):
        return None
    return no("R-LOG-4" if state.asked[0].kind == "card return" else "R-LOG-2", "choice", action.place)


def choose_for_card(box: Box, draft: Draft, action: ChooseForCard) -> None:
    """Carry out the card's order at the chosen place."""
    question = draft.answered()
    if action.place == OFF:
        return
    if question.kind == "card place":
        draft.shift(OFF, action.place, 1)
        rest = tuple(
            replace(q, choices=tuple(c for c in q.choices if c != action.place)) if q.kind == "card place" else q
            for q in draft.asked
        )
        draft.asked = rest
    elif question.kind == "card discard":
        lone_too = box.options.lone_tile_collapses
        fallen = chain(draft.present & ~(1 << action.place), (action.place,), lone_too)
        remove(box, draft, (action.place, *fallen))
        draft.lost = ()
    else:
        draft.lay_tile(action.place, UNKNOWN_KIND)
        draft.discard_tile(action.place, -1)


def why_not_confirm_board(box: Box, state: State, action: ConfirmBoard) -> RuleViolation | None:
    """The board must be possible (R-LOG-4, R-LOG-6)."""
    return None if action.board is None else why_impossible(box, state, action.board)


def confirm_board(box: Box, draft: Draft, action: ConfirmBoard) -> None:
    """Accept the board as it now is; tiles that left or returned are counted in the discard pile."""
    draft.answered()
    if action.board is None:
        return
    accept(draft, action.board)
    if box.options.returned_snow_may_collapse:
        lone = chain(
            draft.present, tuple(i for i in SNOW if not draft.present >> i & 1), box.options.lone_tile_collapses
        )
        remove(box, draft, lone)
        draft.lost = ()


def accept(draft: Draft, board: Board) -> None:
    """Replace the board part of a draft."""
    for place in range(TILE_COUNT):
        if bool(board.tiles[place]) != bool(draft.tiles[place]):
            draft.discard_tile(place, 1 if draft.tiles[place] else -1)
    draft.tiles, draft.turns, draft.present = board.tiles, board.turns, present_mask(board.tiles)
    draft.archaeologists = board.archaeologists
    draft.leaders, draft.camps, draft.neutral_camps = board.leaders, board.camps, board.neutral_camps
