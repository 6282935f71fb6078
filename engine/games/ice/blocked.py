"""The forced case: a player who cannot spend EP in any way loses one (R-EP-10, Q-9)."""

from __future__ import annotations

from typing import Any, Final

from engine.game import RuleViolation
from engine.games.ice import actions as a
from engine.games.ice import artifacts, excavation, travel, work
from engine.games.ice.box import Box
from engine.games.ice.digging import dig_cost
from engine.games.ice.draft import Draft
from engine.games.ice.plausible import camp_actions, digs, effects, walks
from engine.games.ice.state import State
from engine.games.ice.violations import no

_SPENDING: Final[dict[type[a.Action], Any]] = {
    a.BuildCamp: travel.why_not_build_camp,
    a.Recruit: work.why_not_recruit,
    a.Sail: travel.why_not_sail,
    a.Study: work.why_not_study,
    a.Plan: work.why_not_plan,
    a.Move: travel.why_not_move,
    a.FluidMove: travel.why_not_fluid_move,
    a.Excavate: excavation.why_not_excavate,
    a.UseExalted: artifacts.why_not_exalted,
}


def can_spend(box: Box, state: State) -> bool:
    """Whether the active player has any legal action that spends EP."""
    by = state.active
    tries = (camp_actions, walks, digs, effects)
    plain = (a.Plan(by), *(a.Study(by, number) for number in range(5)))
    return any(_spends(box, state, action) for action in plain) or any(
        _spends(box, state, action) for group in tries for action in group(box, state)
    )


def _spends(box: Box, state: State, action: a.Action) -> bool:
    check = _SPENDING.get(type(action))
    if check is None or check(box, state, action) is not None:
        return False
    if isinstance(action, a.Excavate):
        cost = dig_cost(box, state, action.by, action.place, action.termites, action.talisman, action.discount)
        return cost.total > 0
    return True


def why_not_lose_blocked_point(box: Box, state: State, action: a.LoseBlockedPoint) -> RuleViolation | None:
    """Only a player who has spent nothing and cannot spend anything (R-EP-10)."""
    if not box.options.blocked_player_loses_ep:
        return no("R-EP-10", "not played")
    if state.spent or not state.seats[action.by].ep:
        return no("R-EP-10", "already spent")
    return no("R-EP-10", "not blocked") if can_spend(box, state) else None


def lose_blocked_point(box: Box, draft: Draft, action: a.LoseBlockedPoint) -> None:
    """Lose 1 EP."""
    draft.spend(1)
