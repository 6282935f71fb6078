"""Artifact effects: when they may be triggered, and what the five types do (R-ART, R-INC, R-GEM)."""

from __future__ import annotations

from engine.game import RuleViolation
from engine.games.ice.actions import (
    BY_ARTIFACT,
    BY_GEM,
    BY_TOKEN,
    Activate,
    UseAchievement,
    UseExalted,
    UseHarmony,
    UseObliteration,
    UsePhilosophical,
)  # fmt: skip
from engine.games.ice.board import SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import TYPES
from engine.games.ice.curse import advance, threshold
from engine.games.ice.digging import destroys
from engine.games.ice.draft import Draft
from engine.games.ice.excavation import is_fully_uncovered
from engine.games.ice.removal import ask_about_tile, kind_under, pay_icons, remove, type_matches
from engine.games.ice.snow import play_front, why_not_in_hand
from engine.games.ice.state import (
    ACHIEVEMENT,
    ANIMA_AT,
    EXALTED,
    HARMONY,
    OBLITERATION,
    OFF,
    PHILOSOPHICAL,
    PRISMATIC_KIND,
    TOKEN_READY,
    TOKEN_SPENT,
    State,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import are_adjacent, is_crossed_by_crack
from engine.games.ice.violations import no, why_cannot_pay


def anima_on(state: State, seat: int, type_number: int) -> int:
    """Anima that counts for triggering: the slot's artifacts and a ready study token (R-ART-5)."""
    board = state.seats[seat]
    return sum(tile.anima for tile in board.slots[type_number]) + (board.ready >> type_number & 1)


def why_no_effect(box: Box, state: State, seat: int, type_number: int, means: str) -> RuleViolation | None:
    """Whether an effect may be triggered by the named means now."""
    if means == BY_TOKEN:
        if not box.has_ability(seat, "incandescents"):
            return no("R-INC-2", "other guild")
        if state.seats[seat].activation != type_number:
            return no("R-INC-2", "token elsewhere", type=TYPES[type_number])
        return None
    if means == BY_GEM:
        return _why_no_gem(box, state, seat, type_number)
    if means != BY_ARTIFACT:
        return no("R-FREE-2", "means", means=means)
    board = state.seats[seat]
    if not board.slots[type_number]:
        return no("R-ART-6", "empty slot", type=TYPES[type_number])
    if board.down[type_number]:
        return no("R-ART-7", "used", type=TYPES[type_number])
    anima, needed = anima_on(state, seat, type_number), threshold(board)
    if anima < needed:
        return no("R-ART-5", "anima", type=TYPES[type_number], anima=anima, needed=needed)
    return None


def _why_no_gem(box: Box, state: State, seat: int, type_number: int) -> RuleViolation | None:
    """An Anima Gem triggers the type of the artifact tile under the leader (R-GEM)."""
    if refused := why_not_in_hand(state, seat, "gem"):
        return refused
    kind = kind_under(state, seat)
    prismatic = kind == PRISMATIC_KIND and box.options.gem_on_prismatic
    if not kind or not (prismatic or type_matches(kind, type_number)):
        return no("R-GEM", "tile", state.leaders[seat], type=TYPES[type_number])
    if box.options.gem_uses_up_effect and state.seats[seat].down[type_number]:
        return no("R-ART-7", "used", type=TYPES[type_number])
    return None


def use_up(box: Box, draft: Draft, seat: int, type_number: int, means: str) -> None:
    """Mark what triggered an effect (R-ART-7, R-INC-2, R-ART-9)."""
    board = draft.seats[seat]
    if means == BY_TOKEN:
        draft.seat(seat, activation=TOKEN_SPENT)
        return
    if means == BY_GEM:
        play_front(draft, seat, "gem")
        if not box.options.gem_uses_up_effect:
            return
    if board.slots[type_number] and not board.down[type_number]:
        draft.seat(seat, down=(*board.down[:type_number], 1, *board.down[type_number + 1 :]))


def why_not_harmony(box: Box, state: State, action: UseHarmony) -> RuleViolation | None:
    """Harmony in step C of a dig (R-HARM)."""
    if state.dig is None or not state.dig.allocated:
        return no("R-GEM" if action.means == BY_GEM else "R-HARM", "no dig")
    if refused := why_no_effect(box, state, action.by, HARMONY, action.means):
        return refused
    return None if supply(state) > 0 else no("R-HARM", "supply")


def use_harmony(box: Box, draft: Draft, action: UseHarmony) -> None:
    """An archaeologist joins the leader."""
    use_up(box, draft, action.by, HARMONY, action.means)
    if draft.leaders[action.by] != OFF:
        draft.shift(OFF, draft.leaders[action.by], 1)


def why_not_destroy(box: Box, state: State, place: int, rule: str) -> RuleViolation | None:
    """Only a fully uncovered tile can be destroyed (R-COL-9)."""
    if place >= TILE_COUNT:
        return no(rule, "not a tile", place)
    if not state.present >> place & 1:
        return no(rule, "gone", place)
    return None if is_fully_uncovered(state, place) else no(rule, "covered", place)


def why_not_obliteration(box: Box, state: State, action: UseObliteration) -> RuleViolation | None:
    """Destroy an uncovered tile next to or under the leader (R-OBLI)."""
    if refused := why_no_effect(box, state, action.by, OBLITERATION, action.means):
        return refused
    start, place = state.leaders[action.by], action.place
    if start == OFF:
        return no("R-OBLI", "reserve")
    if refused := why_not_destroy(box, state, place, "R-OBLI"):
        return refused
    if place != start:
        if not are_adjacent(box.terrain, state.present, start, place):
            return no("R-OBLI", "not adjacent", start, place)
        step = next(step for step in box.terrain.steps[start] if step.to == place)
        if box.options.cracks_stop_destruction and is_crossed_by_crack(box.terrain, state, start, step):
            return no("R-CREV-4", "crack", start, place)
    return None


def use_obliteration(box: Box, draft: Draft, action: UseObliteration) -> None:
    """Destroy the tile."""
    use_up(box, draft, action.by, OBLITERATION, action.means)
    destroy(box, draft, action.place)


def destroy(box: Box, draft: Draft, place: int) -> None:
    """Remove a tile and its chain; the active player may take one of them (R-COL-9, R-PHIL)."""
    places = destroys(box, draft.present, place)
    remove(box, draft, places)
    pay_icons(box, draft, places, by_dig=False)


def why_not_philosophical(box: Box, state: State, action: UsePhilosophical) -> RuleViolation | None:
    """Take a tile that collapsed or was destroyed just now (R-PHIL)."""
    if action.place not in {place for place, _ in state.lost}:
        gem = action.means == BY_GEM
        return no("R-GEM", "too late", action.place) if gem else no("R-PHIL", "nothing falls", action.place)
    if refused := why_no_effect(box, state, action.by, PHILOSOPHICAL, action.means):
        return refused
    dig = state.dig
    if action.means != BY_ARTIFACT or dig is None or dig.allocated:
        return None
    anima = anima_on(state, action.by, PHILOSOPHICAL)
    tiles = len(state.seats[action.by].slots[PHILOSOPHICAL])
    if dig.fresh == PHILOSOPHICAL:
        anima, tiles = anima - ANIMA_AT[dig.place], tiles - 1
    if not tiles or anima < dig.threshold:
        return no("R-PHIL", "fresh", dig.place)
    return None


def use_philosophical(box: Box, draft: Draft, action: UsePhilosophical) -> None:
    """The tile goes to the player instead of the discard pile."""
    use_up(box, draft, action.by, PHILOSOPHICAL, action.means)
    kind = dict(draft.lost)[action.place]
    draft.lost = tuple(entry for entry in draft.lost if entry[0] != action.place)
    draft.discard_tile(action.place, -1)
    draft.ask_first(ask_about_tile(action.place, kind, action.by))
    if box.options.expert and box.options.taken_artifacts_curse and action.place not in SNOW:
        advance(box, draft, action.by, ANIMA_AT[action.place])


def gatherable(box: Box, state: State, seat: int) -> list[int]:
    """Adjacent places from which an archaeologist can walk to the leader (R-EXAL, R-CREV-2)."""
    here = state.leaders[seat]
    if here == OFF:
        return []
    return sorted(
        step.to
        for step in box.terrain.steps[here]
        if state.archaeologists[step.to]
        and not step.apart & state.present
        and not is_crossed_by_crack(box.terrain, state, here, step)
    )


def why_not_exalted(box: Box, state: State, action: UseExalted) -> RuleViolation | None:
    """Gather one archaeologist from each of some adjacent places (R-EXAL, Q-15)."""
    if refused := why_no_effect(box, state, action.by, EXALTED, action.means):
        return refused
    here = state.leaders[action.by]
    if here == OFF:
        return no("R-EXAL", "reserve")
    can = gatherable(box, state, action.by)
    for place in action.places:
        if place in can:
            continue
        if not state.archaeologists[place]:
            return no("R-EXAL", "nobody", place)
        if not are_adjacent(box.terrain, state.present, here, place):
            return no("R-EXAL", "not adjacent", here, place)
        return no("R-CREV-2", "crack", here, place)
    if list(action.places) != sorted(set(action.places)):
        return no("R-EXAL", "one each", *action.places)
    if not action.places and box.options.exalted_needs_archaeologist:
        return no("R-EXAL", "nobody near", here)
    if box.options.exalted_takes_every and list(action.places) != can:
        return no("R-EXAL", "every", *can)
    if why_cannot_pay(state, action.by):
        return no("R-GEM" if action.means == BY_GEM else "R-EXAL", "ep")
    return None


def use_exalted(box: Box, draft: Draft, action: UseExalted) -> None:
    """Archaeologists walk to the leader for 1 EP in total."""
    use_up(box, draft, action.by, EXALTED, action.means)
    draft.spend(1)
    for place in action.places:
        draft.shift(place, draft.leaders[action.by], 1)


def why_not_achievement(box: Box, state: State, action: UseAchievement) -> RuleViolation | None:
    """+1 EP (R-ACHI)."""
    return why_no_effect(box, state, action.by, ACHIEVEMENT, action.means)


def use_achievement(box: Box, draft: Draft, action: UseAchievement) -> None:
    """Gain 1 EP; the turn's maximum stays (R-EP-6)."""
    use_up(box, draft, action.by, ACHIEVEMENT, action.means)
    draft.gain_ep(action.by)


def why_not_activate(box: Box, state: State, action: Activate) -> RuleViolation | None:
    """Incandescents: token on the slot of the artifact under the leader (R-INC-1)."""
    if not box.has_ability(action.by, "incandescents"):
        return no("R-INC-1", "other guild")
    if state.seats[action.by].activation != TOKEN_READY:
        return no("R-INC-1", "used")
    kind = kind_under(state, action.by)
    if not kind:
        return no("R-INC-1", "no artifact", state.leaders[action.by])
    if not 0 <= action.slot < 5 or not (kind == PRISMATIC_KIND or type_matches(kind, action.slot)):
        return no("R-INC-1", "other type", state.leaders[action.by])
    return None


def activate(box: Box, draft: Draft, action: Activate) -> None:
    """Put the token on a slot."""
    draft.seat(action.by, activation=action.slot)


def close_windows(draft: Draft, keeps_lost: bool, keeps_step_c: bool) -> None:
    """Moments pass by themselves with the next action: taking fallen tiles, Harmony after a dig."""
    if draft.lost and not keeps_lost:
        draft.lost = ()
    if draft.dig is not None and draft.dig.allocated and not keeps_step_c:
        draft.dig = None
