"""Legality and effect of every action: one table from action to check and effect (R-EXP, R-FREE)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.game import TABLE, RuleViolation
from engine.games.ice import actions as a
from engine.games.ice import artifacts, blocked, dawn, dusk, excavation, setup, snow, travel, work
from engine.games.ice.artifacts import close_windows
from engine.games.ice.box import Box
from engine.games.ice.draft import Draft
from engine.games.ice.state import EXPLORATION, OVER, SETUP, SUNRISE, SUNSET, State
from engine.games.ice.violations import no

Check = Callable[[Box, State, Any], RuleViolation | None]
Effect = Callable[[Box, Draft, Any], None]

RULES_OF: Final[dict[type[a.Action], tuple[Check, Effect]]] = {
    a.BuildCamp: (travel.why_not_build_camp, travel.build_camp),
    a.Recruit: (work.why_not_recruit, work.recruit),
    a.Sail: (travel.why_not_sail, travel.sail),
    a.Study: (work.why_not_study, work.study),
    a.Plan: (work.why_not_plan, work.plan),
    a.Move: (travel.why_not_move, travel.move),
    a.FluidMove: (travel.why_not_fluid_move, travel.fluid_move),
    a.Overwork: (work.why_not_overwork, work.overwork),
    a.Excavate: (excavation.why_not_excavate, excavation.excavate),
    a.Reveal: (excavation.why_not_reveal, excavation.reveal),
    a.ChooseSlot: (excavation.why_not_choose_slot, excavation.choose_slot),
    a.Allocate: (excavation.why_not_allocate, excavation.allocate),
    a.PlaceCamp: (excavation.why_not_place_camp, excavation.place_camp),
    a.CountIcons: (excavation.why_not_count_icons, excavation.count_icons),
    a.UseHarmony: (artifacts.why_not_harmony, artifacts.use_harmony),
    a.UseObliteration: (artifacts.why_not_obliteration, artifacts.use_obliteration),
    a.UsePhilosophical: (artifacts.why_not_philosophical, artifacts.use_philosophical),
    a.UseExalted: (artifacts.why_not_exalted, artifacts.use_exalted),
    a.UseAchievement: (artifacts.why_not_achievement, artifacts.use_achievement),
    a.PlaySmilodon: (snow.why_not_smilodon, snow.play_smilodon),
    a.PlaySpiders: (travel.why_not_spiders, travel.play_spiders),
    a.PlayManta: (travel.why_not_manta, travel.play_manta),
    a.PlayRope: (excavation.why_not_rope, excavation.play_rope),
    a.PlaySailship: (snow.why_not_sailship, snow.play_sailship),
    a.PlayWreck: (snow.why_not_wreck, snow.play_wreck),
    a.PlaySurvivors: (excavation.why_not_survivors, excavation.play_survivors),
    a.PlayWhistle: (snow.why_not_whistle, snow.play_whistle),
    a.PlayRune: (work.why_not_rune, work.play_rune),
    a.Recall: (travel.why_not_recall, travel.recall),
    a.Activate: (artifacts.why_not_activate, artifacts.activate),
    a.UseHook: (excavation.why_not_hook, excavation.use_hook),
    a.Nurture: (work.why_not_nurture, work.nurture),
    a.DiscardSnow: (work.why_not_discard_snow, work.discard_snow),
    a.LoseBlockedPoint: (blocked.why_not_lose_blocked_point, blocked.lose_blocked_point),
    a.EndTurn: (work.why_not_end_turn, dusk.end_turn),
    a.LayRequests: (dusk.why_not_lay_requests, dusk.lay_requests),
    a.TakeRequest: (dusk.why_not_take_request, dusk.take_request),
    a.ValidateRequest: (dusk.why_not_validate_request, dusk.validate_request),
    a.DiscardRequest: (dusk.why_not_discard_request, dusk.discard_request),
    a.EndSunset: (dusk.why_not_end_sunset, dusk.end_sunset),
    a.MovePrismatic: (dawn.why_not_move_prismatic, dawn.move_prismatic),
    a.TakeStudy: (dawn.why_not_take_study, dawn.take_study),
    a.StartDay: (dawn.why_not_start_day, dawn.start_day),
    a.DrawLogbook: (dawn.why_not_draw_logbook, dawn.draw_logbook),
    a.ConfirmBoard: (dawn.why_not_confirm_board, dawn.confirm_board),
    a.ChooseForCard: (dawn.why_not_choose_for_card, dawn.choose_for_card),
    a.DealRequests: (setup.why_not_deal_requests, setup.deal_requests),
    a.KeepRequests: (setup.why_not_keep_requests, setup.keep_requests),
    a.DrawDecrees: (setup.why_not_draw_decrees, setup.draw_decrees),
    a.ShowTile: (work.why_not_show_tile, work.show_tile),
}

ANSWERS: Final[dict[str, tuple[type[a.Action], str]]] = {
    "reveal": (a.Reveal, "R-PROC-3"),
    "slot": (a.ChooseSlot, "R-ART-3"),
    "allocate": (a.Allocate, "R-PROC-5"),
    "camp": (a.PlaceCamp, "R-ALLOC-8"),
    "icons": (a.CountIcons, "R-PROC-6"),
    "study": (a.TakeStudy, "R-VAR-FC"),
    "logbook": (a.ConfirmBoard, "R-LOG-2"),
    "card place": (a.ChooseForCard, "R-LOG-2"),
    "card discard": (a.ChooseForCard, "R-LOG-2"),
    "card return": (a.ChooseForCard, "R-LOG-2"),
    "deal": (a.DealRequests, "R-SET-15"),
    "keep": (a.KeepRequests, "R-SET-15"),
    "decrees": (a.DrawDecrees, "R-SET-9"),
    "row": (a.LayRequests, "R-DUSK-1"),
    "setup": (a.DrawLogbook, "R-VAR-LOG"),
}
"""The action that answers a question, and the rule that makes everything else wait."""

BEFORE_ALLOCATION: Final = frozenset({a.UsePhilosophical, a.PlayRope, a.PlaySurvivors, a.UseHook})
SUNRISE_ACTIONS: Final = frozenset({a.MovePrismatic, a.DrawLogbook, a.StartDay})
SUNSET_ACTIONS: Final = frozenset({a.TakeRequest, a.ValidateRequest, a.DiscardRequest, a.EndSunset})
ANSWERING: Final = frozenset(kind for kind, _ in ANSWERS.values())
TURN_ACTIONS: Final = frozenset(RULES_OF) - SUNRISE_ACTIONS - SUNSET_ACTIONS - ANSWERING - {a.ShowTile}
KEEPS_LOST: Final = (ANSWERING - {a.Allocate}) | BEFORE_ALLOCATION | {a.ShowTile}
"""Actions after which a fallen tile may still be taken (R-PHIL)."""
KEEPS_STEP_C: Final = frozenset({a.UseHarmony, a.PlaceCamp, a.CountIcons, a.ShowTile})
"""Actions after which Harmony may still be used (R-HARM)."""


def why_not_now(box: Box, state: State, action: a.Action) -> RuleViolation | None:
    """Whether it is the moment and the actor for an action, whatever else it needs."""
    kind = type(action)
    if kind is a.ShowTile:
        return None if action.by == TABLE else no("R-EXP-1", "table")
    if state.asked:
        head = state.asked[0]
        answer, rule = ANSWERS[head.kind]
        if kind is answer:
            return None if action.by == head.by else no(rule, "asked of another", head.place)
        if head.kind == "allocate" and kind in BEFORE_ALLOCATION and action.by == state.active:
            return None
        return no(rule, "first", head.place, asked=head.kind)
    if state.phase == OVER:
        return no("R-END-1", "over")
    if kind in ANSWERING and not (state.phase == SUNRISE and kind is a.DrawLogbook):
        return no(next(rule for answer, rule in ANSWERS.values() if answer is kind), "not asked")
    if state.phase == SUNRISE:
        return _why_not_at_sunrise(state, action)
    if kind in SUNRISE_ACTIONS:
        return no("R-SUN-2", "not sunrise")
    return _why_not_in_turn(state, action)


def _why_not_at_sunrise(state: State, action: a.Action) -> RuleViolation | None:
    if type(action) not in SUNRISE_ACTIONS:
        return no("R-DAY-1", "sunrise")
    if isinstance(action, a.MovePrismatic):
        return None if 0 <= action.by < len(state.seats) else no("R-EXP-1", "table")
    return None if action.by == TABLE else no("R-EXP-1", "table")


def _why_not_in_turn(state: State, action: a.Action) -> RuleViolation | None:
    """Exploration and Sunset belong to the active player (R-EXP-1, R-EXP-2)."""
    if not 0 <= action.by < len(state.seats):
        return no("R-EXP-1", "table")
    sunset = type(action) in SUNSET_ACTIONS
    if action.by != state.active:
        if state.seats[action.by].asleep:
            return no("R-EXP-2", "asleep", seat=action.by)
        return no("R-EXP-1", "other turn", seat=action.by, active=state.active)
    if sunset and state.phase != SUNSET:
        return no("R-DUSK-1", "not sunset")
    if not sunset and state.phase != EXPLORATION:
        return no("R-EXP-2", "sunset")
    return None


def why_illegal(box: Box, state: State, action: a.Action) -> RuleViolation | None:
    """The first rule that forbids an action, or None."""
    return why_not_now(box, state, action) or RULES_OF[type(action)][0](box, state, action)


def apply(box: Box, state: State, action: a.Action) -> State:
    """The next state; legality is not asked."""
    kind = type(action)
    if kind in ANSWERING and not _is_awaited(state, kind):
        return state  # an answer that nobody asked for changes nothing
    draft = Draft.of(state)
    close_windows(draft, kind in KEEPS_LOST, kind in KEEPS_STEP_C)
    RULES_OF[kind][1](box, draft, action)
    if draft.phase == SETUP and not draft.asked:
        draft.phase = EXPLORATION
    return draft.freeze()


def _is_awaited(state: State, kind: type[a.Action]) -> bool:
    if state.asked:
        return ANSWERS[state.asked[0].kind][0] is kind
    return kind is a.DrawLogbook and state.phase == SUNRISE
