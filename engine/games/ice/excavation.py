"""The dig procedure: announce and pay, collapse, take, allocate, camp, Azulia (R-PROC, R-ALLOC, R-AZU-3)."""

from __future__ import annotations

from dataclasses import replace

from engine.game import TABLE, RuleViolation
from engine.games.ice.actions import (
    Allocate,
    ChooseSlot,
    CountIcons,
    Excavate,
    PlaceCamp,
    PlayRope,
    PlaySurvivors,
    Reveal,
    UseHook,
)  # fmt: skip
from engine.games.ice.board import COVER_MASK, COVERS, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import FRONTS, TALISMANS, UNKNOWN
from engine.games.ice.curse import advance, threshold
from engine.games.ice.digging import (
    collapses,
    dig_cost,
    has_discount,
    is_even,
    merged_places,
    numbers_below,
    spendable,
    why_not_dig,
)  # fmt: skip
from engine.games.ice.draft import Draft
from engine.games.ice.removal import ask_about_tile, gain_artifact, pay_icons, remove, settle_camp
from engine.games.ice.snow import holds, play_front, reinforcements, why_not_in_hand
from engine.games.ice.state import (
    ANIMA_AT,
    DISCOUNTED,
    FIRST_TYPE,
    HOOKED,
    KIND_NAMES,
    OFF,
    PRISMATIC_KIND,
    UNKNOWN_KIND,
    Dig,
    Question,
    State,
)  # fmt: skip
from engine.games.ice.violations import no


def why_not_excavate(box: Box, state: State, action: Excavate) -> RuleViolation | None:
    """Dig the tile under the leader (R-DIG, R-COST)."""
    seat, place = action.by, action.place
    if place >= TILE_COUNT or not state.present >> place & 1:
        return no("R-DIG-5", "no tile", place)
    discount = action.discount
    cost = dig_cost(box, state, seat, place, action.termites, action.talisman, discount)
    rules = why_not_dig(box, state, seat, place, cost)
    covers = tuple(c for c in COVERS[place] if state.present >> c & 1)
    if "R-DIG-1" in rules:
        return no("R-DIG-1", "reserve" if state.leaders[seat] == OFF else "leader", place, state.leaders[seat])
    if "R-DIG-2" in rules:
        return no("R-DIG-2", "covered", place, *covers, count=len(covers))
    if "R-DIG-3" in rules:
        above = tuple(c for c in COVERS[covers[0]] if state.present >> c & 1)
        return no("R-DIG-3", "cover covered", place, *covers, *above)
    if discount and not has_discount(box, state, seat, place):
        used = box.has_ability(seat, "cryoarchitects") and state.used & DISCOUNTED
        return no("R-CRYO-1", "used" if used else "not here", place)
    if refused := _why_not_reduce(box, state, action):
        return refused
    if "R-DIG-4" in rules:
        return no("R-DIG-4", "cost", place, cost=cost.total, can=spendable(state, seat))
    return None


def _why_not_reduce(box: Box, state: State, action: Excavate) -> RuleViolation | None:
    """Termites and talisman (R-TERM, R-TALI)."""
    if action.termites < 0 or (action.termites > 1 and not box.options.termites_combine):
        return no("R-TERM", "combine", count=action.termites)
    if action.termites and (refused := why_not_in_hand(state, action.by, "termites", action.termites)):
        return refused
    if not action.talisman:
        return None
    kind = state.tiles[action.place]
    if action.place in SNOW or kind == PRISMATIC_KIND:
        return no("R-TALI", "wrong tile", action.place, kind=KIND_NAMES[kind])
    if action.termites or action.discount:
        return no("R-TALI", "already free", action.place)
    if find_talisman(state, action.by, kind) is None:
        return no("R-TALI", "not in hand", action.place, kind=KIND_NAMES[kind])
    return None


def find_talisman(state: State, seat: int, kind: int) -> str | None:
    """The talisman a player would use for an artifact kind: the fitting one, else an unknown tile."""
    hand = state.seats[seat].hand
    wanted = TALISMANS if kind == UNKNOWN_KIND else (f"talisman.{KIND_NAMES[kind]}",)
    return next((front for front in wanted if front in hand), UNKNOWN if UNKNOWN in hand else None)


def excavate(box: Box, draft: Draft, action: Excavate) -> None:
    """Pay, steps A and B, then ask what the tile is and where its explorers go (R-PROC-1 to R-PROC-5)."""
    seat, place = action.by, action.place
    state: State = draft
    cost = dig_cost(box, state, seat, place, action.termites, action.talisman, action.discount)
    draft.spend(cost.total)
    draft.free_dig = draft.free_dig or not cost.total
    play_front(draft, seat, "termites", action.termites)
    if action.talisman:
        play_front(draft, seat, find_talisman(state, seat, draft.tiles[place]) or UNKNOWN)
    if action.discount:
        draft.used |= DISCOUNTED
    before = threshold(draft.seats[seat])
    fallen = collapses(box, draft.present, place)
    kind = draft.take_tile(place)
    remove(box, draft, fallen)
    draft.dig = Dig(place, kind, before)
    if box.options.expert and place not in SNOW:  # R-CURSE-4
        advance(box, draft, seat, ANIMA_AT[place])
    draft.ask(ask_about_tile(place, kind, seat))
    if draft.archaeologists[place] or place in draft.leaders:
        draft.ask(Question("allocate", TABLE if box.options.allocator == "table" else seat, place))
    else:
        settle_camp(box, draft, place)  # a table insisted on digging without a leader
    pay_icons(box, draft, (place, *fallen), by_dig=True)


def why_not_reveal(box: Box, state: State, action: Reveal) -> RuleViolation | None:
    """Tell a gained tile (R-PROC-3)."""
    question = state.asked[0]
    if question.place in SNOW:
        fits = action.kind == question.tile and action.front in (*FRONTS, UNKNOWN) and not action.shape
    else:
        known = question.tile != UNKNOWN_KIND
        fits = action.kind == question.tile if known else FIRST_TYPE <= action.kind <= PRISMATIC_KIND
        shapes = (0,) if action.kind == PRISMATIC_KIND else (0, 1, 2, 3)
        fits = fits and action.front == UNKNOWN and action.shape in shapes
    return None if fits else no("R-PROC-3", "other tile", question.place, kind=KIND_NAMES[question.tile])


def reveal(box: Box, draft: Draft, action: Reveal) -> None:
    """Put the told tile into the hand or on its slot."""
    question = draft.answered()
    seat = question.seat
    if question.place in SNOW:
        draft.seat(seat, hand=tuple(sorted((*draft.seats[seat].hand, action.front))))
    elif action.kind == PRISMATIC_KIND:
        draft.ask_first(replace(question, kind="slot", by=seat, tile=action.kind))
    else:
        _gain(draft, question, action.kind, action.kind - FIRST_TYPE, action.shape)


def _gain(draft: Draft, question: Question, kind: int, slot: int, shape: int = 0) -> None:
    """Lay a gained artifact on a slot and remember a fresh one (R-PHIL)."""
    gain_artifact(draft, question.seat, question.place, kind, slot, shape)
    if draft.dig is not None and draft.dig.place == question.place:
        draft.dig = draft.dig._replace(fresh=slot)


def why_not_choose_slot(box: Box, state: State, action: ChooseSlot) -> RuleViolation | None:
    """A prismatic artifact goes on any slot (R-ART-3)."""
    return None if 0 <= action.slot < 5 else no("R-ART-3", "slot")


def choose_slot(box: Box, draft: Draft, action: ChooseSlot) -> None:
    """Lay the prismatic artifact."""
    question = draft.answered()
    _gain(draft, question, question.tile, action.slot)


def why_not_allocate(box: Box, state: State, action: Allocate) -> RuleViolation | None:
    """Spread the explorers as evenly as possible (R-ALLOC)."""
    dig = state.dig
    if dig is None:
        return no("R-ALLOC-1", "no dig")
    below = box.terrain.below[dig.place]
    merged = merged_places(box, dig.place)
    pool = state.archaeologists[dig.place]
    standing = tuple(seat for seat, at in enumerate(state.leaders) if at == dig.place)
    counts = list(action.archaeologists)
    if tuple(seat for seat, _ in action.leaders) != standing:
        return no("R-ALLOC-1", "leaders", dig.place)
    used = {i for i, count in enumerate(counts) if count} | {i for _, i in action.leaders}
    if sum(counts) != pool or min(counts) < 0 or not used <= set(merged):
        return no("R-ALLOC-1", "archaeologists", dig.place, *below, count=pool, put=sum(counts))
    received = counts
    for _, i in action.leaders:
        received[i] += 1
    before = numbers_below(box, state, dig.place)
    if any(is_even(before, test, merged) for test in _tested(state, dig, action, received, pool)):
        return None
    after = [n + r for n, r in zip(before, received, strict=True)]
    distinct = sorted(set(merged))
    least = min(distinct, key=lambda i: after[i])
    most = max((i for i in distinct if received[i]), key=lambda i: after[i])
    return no("R-ALLOC-5", "uneven", below[most], below[least], most=after[most], least=after[least])


def _tested(state: State, dig: Dig, action: Allocate, received: list[int], pool: int) -> list[tuple[int, int, int]]:
    """What each place received by the rule, without the pieces of an exception (R-ALLOC-7); one row per reading."""
    own = dict(action.leaders).get(state.active)
    first, second, third = received
    if own is None or not (dig.rope or dig.hook):
        return [(first, second, third)]
    received[own] -= 1
    if not (dig.rope and pool):
        first, second, third = received
        received[own] += 1
        return [(first, second, third)]
    rows = []
    for i in range(3) if dig.hook else (own,):
        if action.archaeologists[i]:
            row = [count - (place == i) for place, count in enumerate(received)]
            rows.append((row[0], row[1], row[2]))
    received[own] += 1
    return rows


def allocate(box: Box, draft: Draft, action: Allocate) -> None:
    """Step C: explorers go down, then the camp (R-PROC-5)."""
    dig = draft.dig
    draft.answered()
    draft.lost = ()
    if dig is None:
        return
    below = box.terrain.below[dig.place]
    for place, count in zip(below, action.archaeologists, strict=True):
        draft.shift(dig.place, place, count)
    for seat, i in action.leaders:
        draft.put_leader(seat, below[i])
    draft.dig = dig._replace(allocated=True)
    settle_camp(box, draft, dig.place)


def why_not_place_camp(box: Box, state: State, action: PlaceCamp) -> RuleViolation | None:
    """A camp that lost its tile goes where it may (R-ALLOC-9, R-NAV-4)."""
    question = state.asked[0]
    if action.place in question.choices:
        return None
    navigators = question.seat >= 0 and box.has_ability(question.seat, "navigators")
    return no("R-NAV-4" if navigators else "R-ALLOC-9", "camp", action.place, *question.choices)


def place_camp(box: Box, draft: Draft, action: PlaceCamp) -> None:
    """Put the camp, or let it return."""
    question = draft.answered()
    if action.place != OFF:
        draft.put_camp(question.seat, action.place)


def why_not_count_icons(box: Box, state: State, action: CountIcons) -> RuleViolation | None:
    """A removed tile shows at most a few icons (R-AZU-3)."""
    return None if 0 <= action.found <= 3 else no("R-AZU-3", "count", found=action.found)


def count_icons(box: Box, draft: Draft, action: CountIcons) -> None:
    """Pay the icons that the players see."""
    question = draft.answered()
    draft.gain_rp(question.seat, action.found)


def _why_not_in_dig(state: State, rule: str) -> RuleViolation | None:
    """Rope, Survivors and hook belong before the allocation of a dig."""
    if state.dig is None or state.dig.allocated or not state.asked or state.asked[0].kind != "allocate":
        return no(rule, "no dig")
    return None


def why_not_rope(box: Box, state: State, action: PlayRope) -> RuleViolation | None:
    """Climbing Rope (R-ROPE)."""
    if refused := _why_not_in_dig(state, "R-ROPE") or why_not_in_hand(state, action.by, "rope"):
        return refused
    assert state.dig is not None
    return no("R-ROPE", "already") if state.dig.rope else None


def play_rope(box: Box, draft: Draft, action: PlayRope) -> None:
    """Let leader and one archaeologist be allocated last."""
    play_front(draft, action.by, "rope")
    if draft.dig is not None:
        draft.dig = draft.dig._replace(rope=True)


def why_not_survivors(box: Box, state: State, action: PlaySurvivors) -> RuleViolation | None:
    """Expedition Survivors (R-SURV)."""
    if refused := _why_not_in_dig(state, "R-SURV") or why_not_in_hand(state, action.by, "survivors"):
        return refused
    return None if reinforcements(box, state, 2) else no("R-SNOW-7", "supply", left=0)


def play_survivors(box: Box, draft: Draft, action: PlaySurvivors) -> None:
    """Two archaeologists join those to be allocated."""
    play_front(draft, action.by, "survivors")
    if draft.dig is not None:
        draft.shift(OFF, draft.dig.place, reinforcements(box, draft, 2))


def why_not_hook(box: Box, state: State, action: UseHook) -> RuleViolation | None:
    """Icewalkers: the own leader is allocated last, anywhere (R-ICEW-1)."""
    if not box.has_ability(action.by, "icewalkers"):
        return no("R-ICEW-1", "other guild")
    if state.used & HOOKED:
        return no("R-ICEW-1", "used")
    if not state.seats[action.by].hooks:
        return no("R-ICEW-1", "no token")
    return _why_not_in_dig(state, "R-ICEW-1")


def use_hook(box: Box, draft: Draft, action: UseHook) -> None:
    """Turn a hook token."""
    draft.seat(action.by, hooks=draft.seats[action.by].hooks - 1)
    draft.used |= HOOKED
    if draft.dig is not None:
        draft.dig = draft.dig._replace(hook=True)


def is_fully_uncovered(state: State, place: int) -> bool:
    """Whether a tile lies there and nothing lies on it (R-GEO-8)."""
    return place < TILE_COUNT and bool(state.present >> place & 1) and not COVER_MASK[place] & state.present


def may_hold(state: State, seat: int, front: str) -> bool:
    """Whether a seat's hand has, or may have, a front."""
    return holds(state.seats[seat].hand, front)
