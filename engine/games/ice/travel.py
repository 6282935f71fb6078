"""Everything that moves the own leader: camps, sailing, walking, spiders, mantas (R-CAMP, R-SAIL, R-MOVE, R-FLUID)."""

from __future__ import annotations

from functools import lru_cache

from engine.game import RuleViolation
from engine.games.ice.actions import BuildCamp, FluidMove, Move, PlayManta, PlaySpiders, Recall, Sail
from engine.games.ice.board import AZULIA, COVER_MASK, EDGE, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.curse import carry_limit
from engine.games.ice.draft import Draft
from engine.games.ice.snow import play_front, why_not_in_hand
from engine.games.ice.state import FOLLOWED, NEUTRAL, OFF, State, camp_owner, neutral_supply
from engine.games.ice.terrain import Terrain, is_crossed_by_crack, is_open, places_of, walk_mask, walkable
from engine.games.ice.violations import no, why_cannot_pay


def why_no_followers(
    box: Box, state: State, seat: int, followers: int, rule: str, free: int = 0
) -> RuleViolation | None:
    """Whether archaeologists may come along: `free` of them always, one more with the Navigators (R-NAV-1)."""
    if followers < 0:
        return no(rule, "negative")
    start = state.leaders[seat]
    here = state.archaeologists[start] if start >= 0 else 0
    if followers > free:
        if not box.has_ability(seat, "navigators") or followers > free + 1:
            return no(rule, "followers", start, followers=followers, most=free + box.has_ability(seat, "navigators"))
        if state.used & FOLLOWED:
            return no("R-NAV-1", "used", start)
    if followers > here:
        return no(rule, "not there", start, followers=followers, here=here)
    return None


def travel(draft: Draft, seat: int, place: int, followers: int, free: int = 0) -> None:
    """Move a leader and those who come along; more than `free` uses the Navigators' ability."""
    draft.shift(draft.leaders[seat], place, followers)
    draft.put_leader(seat, place)
    if followers > free:
        draft.used |= FOLLOWED


def why_not_across_crack(box: Box, state: State, start: int, place: int) -> RuleViolation | None:
    """Cracks do not matter to camp travel unless the table decides so (R-CREV-3)."""
    if box.options.cracks_stop_camp_travel and start >= 0:
        for step in box.terrain.steps[start]:
            if step.to == place and is_crossed_by_crack(box.terrain, state, start, step):
                return no("R-CREV-1", "crack", start, place)
    return None


def can_rebuild(box: Box, state: State, seat: int) -> bool:
    """Whether the Cryoarchitects may rebuild their camp today (R-CRYO-2)."""
    return box.has_ability(seat, "cryoarchitects") and state.camps[seat] != OFF and not state.seats[seat].grey


def why_no_camp_site(state: State, place: int) -> RuleViolation | None:
    """Whether a camp may be built on a place (R-CAMP-1, R-CAMP-3, R-CAMP-4)."""
    if place >= TILE_COUNT:
        return no("R-CAMP-4", "not a tile", place)
    if not state.present >> place & 1:
        return no("R-CAMP-1", "gone", place)
    if COVER_MASK[place] & state.present:
        return no("R-CAMP-1", "covered", place)
    if camp_owner(state, place) is not None:
        return no("R-CAMP-3", "two camps", place)
    return None


def why_not_build_camp(box: Box, state: State, action: BuildCamp) -> RuleViolation | None:
    """Build a camp (R-CAMP)."""
    seat = action.by
    if action.neutral and not neutral_supply(state, box.options.neutral_camps):
        return no("R-CAMP-1", "no neutral camp")
    if not action.neutral and state.camps[seat] != OFF and not can_rebuild(box, state, seat):
        if box.has_ability(seat, "cryoarchitects"):
            return no("R-CRYO-2", "used", state.camps[seat])
        return no("R-CAMP-1", "already built", state.camps[seat])
    if refused := why_no_camp_site(state, action.place):
        return refused
    if box.has_ability(seat, "navigators") and action.place not in SNOW:
        if not action.neutral:
            return no("R-CAMP-5", "artifact", action.place)
        if not box.options.navigators_neutral_camp_anywhere:
            return no("R-NAV-5", "artifact", action.place)
    return (
        why_not_across_crack(box, state, state.leaders[seat], action.place)
        or why_no_followers(box, state, seat, action.followers, "R-CAMP-2")
        or why_cannot_pay(state, seat)
    )


def build_camp(box: Box, draft: Draft, action: BuildCamp) -> None:
    """Put camp and leader on a tile."""
    draft.spend(1)
    if not action.neutral and draft.camps[action.by] != OFF:
        draft.seat(action.by, grey=True)  # R-CRYO-2
    draft.put_camp(NEUTRAL if action.neutral else action.by, action.place)
    travel(draft, action.by, action.place, action.followers)


def why_not_sail(box: Box, state: State, action: Sail) -> RuleViolation | None:
    """Sail to a camp (R-SAIL)."""
    if camp_owner(state, action.place) is None:
        return no("R-SAIL-3", "no camp", action.place)
    start = state.leaders[action.by]
    if start == action.place and box.options.sail_must_change_place:
        return no("R-SAIL-3", "already there", action.place)
    return (
        why_not_across_crack(box, state, start, action.place)
        or why_no_followers(box, state, action.by, action.followers, "R-SAIL-2")
        or why_cannot_pay(state, action.by)
    )


def sail(box: Box, draft: Draft, action: Sail) -> None:
    """Move the leader to a camp."""
    draft.spend(1)
    travel(draft, action.by, action.place, action.followers)


def why_not_carry(box: Box, state: State, seat: int, count: int, cursed: bool = True) -> RuleViolation | None:
    """Whether a walking leader may take archaeologists along (R-MOVE-2, R-MOVE-3, R-CURSE-8)."""
    start = state.leaders[seat]
    most = carry_limit(box, state.seats[seat]) if cursed else 3
    if count > most:
        return no("R-CURSE-8" if most < 3 else "R-MOVE-2", "too many", start, count=count, most=most)
    if not 0 <= count <= state.archaeologists[start]:
        return no("R-MOVE-3", "not there", start, count=count, here=state.archaeologists[start])
    return None


def why_no_step(box: Box, state: State, start: int, place: int) -> RuleViolation | None:
    """Whether one step leads from a place to another (R-ADJ-1, R-GEO-9, R-CREV-1)."""
    step = next((step for step in box.terrain.steps[start] if step.to == place), None)
    if place < TILE_COUNT and not state.present >> place & 1:
        return no("R-MOVE-1", "gone", place)
    if step is None or step.apart & state.present:
        return no("R-ADJ-1", "not adjacent", start, place)
    if not is_open(box.terrain, state.present, place) and box.options.hidden_places_closed:
        return no("R-GEO-9", "hidden", place)
    if is_crossed_by_crack(box.terrain, state, start, step):
        return no("R-CREV-1", "crack", start, place)
    return None


def why_not_move(box: Box, state: State, action: Move) -> RuleViolation | None:
    """Move one step (R-MOVE)."""
    start = state.leaders[action.by]
    if start == OFF:
        return no("R-MOVE-1", "reserve")
    return (
        why_no_step(box, state, start, action.place)
        or why_not_carry(box, state, action.by, action.archaeologists)
        or why_cannot_pay(state, action.by)
    )


def move(box: Box, draft: Draft, action: Move) -> None:
    """Walk one step."""
    draft.spend(1)
    draft.shift(draft.leaders[action.by], action.place, action.archaeologists)
    draft.put_leader(action.by, action.place)


def two_steps(box: Box, state: State, start: int) -> tuple[int, ...]:
    """Places that one or two steps lead to; the start itself is left out."""
    return _two_steps(box.terrain, start, state.present, state.tiles, state.turns)


@lru_cache(maxsize=4096)
def _two_steps(terrain: Terrain, start: int, present: int, tiles: bytes, turns: bytes) -> tuple[int, ...]:
    """The same from the values that matter, so that nearby states share the answer."""
    ends = near = walk_mask(terrain, start, present, tiles, turns)
    for via in places_of(near):
        ends |= walk_mask(terrain, via, present, tiles, turns)
    return places_of(ends & ~(1 << start))


def why_not_two_steps(box: Box, state: State, start: int, place: int) -> RuleViolation | None:
    """Whether one or two steps lead to a place; names the rule that stops the last step."""
    if place in two_steps(box, state, start):
        return None
    near = [p for p in walkable(box.terrain, state, start) if place in box.terrain.adjacent[p]]
    if near and place != start:
        return why_no_step(box, state, near[0], place)
    return why_no_step(box, state, start, place) or no("R-ADJ-1", "not adjacent", start, place)


def why_not_fluid_move(box: Box, state: State, action: FluidMove) -> RuleViolation | None:
    """Move up to two steps for 1 EP (R-FLUID)."""
    start = state.leaders[action.by]
    if not box.options.fluid_tokens:
        return no("R-FLUID-4", "not in this game", players=box.options.players)
    if not state.seats[action.by].fluid:
        return no("R-FLUID-4", "no token")
    if start == OFF:
        return no("R-MOVE-1", "reserve")
    refused = (
        why_not_exchange(box, state, action) if action.half_way else why_not_two_steps(box, state, start, action.place)
    )
    if not refused and action.via != OFF and not action.half_way:
        refused = no("R-FLUID-3", "via", action.via)
    cursed = box.options.curse_limits_fluid_move
    return (
        refused
        or why_not_carry(box, state, action.by, action.archaeologists, cursed)
        or why_cannot_pay(state, action.by)
    )


def why_not_exchange(box: Box, state: State, action: FluidMove) -> RuleViolation | None:
    """Picking up or dropping half way, where the table allows it (R-FLUID-3)."""
    start = state.leaders[action.by]
    if not box.options.fluid_exchange_half_way or action.via == OFF:
        return no("R-FLUID-3", "half way", action.via)
    most = carry_limit(box, state.seats[action.by]) if box.options.curse_limits_fluid_move else 3
    carried = action.archaeologists + action.half_way
    here = state.archaeologists[action.via]
    if not 0 <= carried <= most or action.half_way > here or action.place in (start, action.via):
        return no("R-FLUID-3", "half way", action.via)
    return why_no_step(box, state, start, action.via) or why_no_step(box, state, action.via, action.place)


def fluid_move(box: Box, draft: Draft, action: FluidMove) -> None:
    """Walk up to two steps and turn a token grey."""
    draft.spend(1)
    draft.seat(action.by, fluid=draft.seats[action.by].fluid - 1)
    draft.shift(draft.leaders[action.by], action.place, action.archaeologists)
    if action.half_way:
        draft.shift(action.via, action.place, action.half_way)
    draft.put_leader(action.by, action.place)


def why_not_recall(box: Box, state: State, action: Recall) -> RuleViolation | None:
    """Navigators: leader to the own camp (R-NAV-2)."""
    seat, camp = action.by, state.camps[action.by]
    if not box.has_ability(seat, "navigators"):
        return no("R-NAV-2", "other guild")
    if camp == OFF:
        return no("R-NAV-2", "no camp")
    if state.seats[seat].grey:
        return no("R-NAV-2", "used", camp)
    if state.leaders[seat] == camp:
        return no("R-NAV-2", "already there", camp)
    return why_not_across_crack(box, state, state.leaders[seat], camp) or why_no_followers(
        box, state, seat, action.followers, "R-NAV-1"
    )


def recall(box: Box, draft: Draft, action: Recall) -> None:
    """Move the leader home and turn the camp grey."""
    travel(draft, action.by, draft.camps[action.by], action.followers)
    draft.seat(action.by, grey=True)


def why_not_spiders(box: Box, state: State, action: PlaySpiders) -> RuleViolation | None:
    """White Spiders: 1 or 2 steps, one archaeologist may follow (R-SPID)."""
    if refused := why_not_in_hand(state, action.by, "spiders"):
        return refused
    start = state.leaders[action.by]
    if start == OFF:
        return no("R-SPID", "reserve")
    if refused := why_not_two_steps(box, state, start, action.place):
        return no("R-SPID", "too far", start, action.place) if refused.rule == "R-ADJ-1" else refused
    return why_no_followers(box, state, action.by, action.followers, "R-SPID", free=1)


def play_spiders(box: Box, draft: Draft, action: PlaySpiders) -> None:
    """Walk up to two steps for free."""
    play_front(draft, action.by, "spiders")
    travel(draft, action.by, action.place, action.followers, free=1)


def why_not_manta(box: Box, state: State, action: PlayManta) -> RuleViolation | None:
    """Ice Manta: the leader to any visible tile (R-MANT, Q-8)."""
    if refused := why_not_in_hand(state, action.by, "manta"):
        return refused
    start, place, options = state.leaders[action.by], action.place, box.options
    if start == OFF and not options.manta_from_reserve:
        return no("R-MANT", "reserve")
    if place in AZULIA and not options.manta_to_azulia:
        return no("R-MANT", "azulia", place)
    if place in EDGE and not options.manta_to_edges:
        return no("R-MANT", "edge", place)
    if not is_open(box.terrain, state.present, place) or box.terrain.rep[place] != place:
        return no("R-MANT", "hidden", place)
    if place == start:
        return no("R-MANT", "already there", place)
    return why_no_followers(box, state, action.by, action.followers, "R-MANT")


def play_manta(box: Box, draft: Draft, action: PlayManta) -> None:
    """Fly the leader to a tile."""
    play_front(draft, action.by, "manta")
    travel(draft, action.by, action.place, action.followers)
