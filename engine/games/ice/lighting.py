"""Which spot says what to the player to act: digs by their cost, moves, pieces to put, tiles that fall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine import lights as roles
from engine.games.ice import actions as a
from engine.games.ice.artifacts import gatherable
from engine.games.ice.board import INDEX, SPOTS, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.dawn import card_choices
from engine.games.ice.digging import allocation_actions, allocations, collapses, dig_cost, has_discount
from engine.games.ice.generate import legal_actions
from engine.games.ice.rules import why_illegal
from engine.games.ice.state import EXPLORATION, OFF, State, camp_owner
from engine.lights import Light
from engine.spots import Cue, Spot

DEAREST = 5
"""EP of the dearest dig: its light is the weakest."""


class Lamps:
    """Lights being collected; on a shared spot the role that comes first in `roles.ROLES` wins."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.found: dict[Spot, Light] = {}

    def add(self, place: int, role: str, strength: float = 1.0) -> None:
        """Light all parts of a place."""
        for part in self.box.terrain.parts[self.box.terrain.rep[place]]:
            old = self.found.get(SPOTS[part])
            if old is None or (roles.ROLES.index(role), -strength) < (roles.ROLES.index(old.role), -old.strength):
                self.found[SPOTS[part]] = Light(role, strength)


def lights(box: Box, state: State, focus: Spot | Cue | None = None) -> Mapping[Spot, Light]:
    """Role per spot for the player to act; a lifted piece or tile (`focus`) shows where it leads."""
    lamps = Lamps(box)
    if focus is not None:
        spot = focus.spot if isinstance(focus, Cue) else focus
        if spot in INDEX:
            _light_focus(lamps, state, INDEX[spot], focus)
    elif state.asked:
        _light_question(lamps, state)
    elif state.phase == EXPLORATION:
        _light_turn(lamps, state)
    for place, _ in state.lost:
        lamps.add(place, roles.COLLAPSED)
    return lamps.found


def strength_of(cost: int) -> float:
    """A cheaper dig is brighter."""
    return round(1.0 - cost / (DEAREST + 1), 3)


def _light_turn(lamps: Lamps, state: State) -> None:
    """The own leader, where it may go, and whether its tile can be dug."""
    here = state.leaders[state.active]
    digs = [action for action in legal_actions(lamps.box, state) if isinstance(action, a.Excavate)]
    _light_moves(lamps, state, _leader_moves(lamps.box, state))
    if here == OFF:
        return
    if digs:
        lamps.found.pop(SPOTS[here], None)
        lamps.add(here, roles.LEGAL_DIG, strength_of(min(cost_of(lamps.box, state, dig) for dig in digs)))
    else:
        lamps.add(here, roles.YOUR_LEADER)


def cost_of(box: Box, state: State, action: a.Excavate) -> int:
    """EP that a dig would cost."""
    return dig_cost(box, state, action.by, action.place, action.termites, action.talisman, action.discount).total


def _leader_moves(box: Box, state: State) -> Iterable[tuple[int, float]]:
    """Where the active leader may go now, with a strength by how it gets there."""
    for action in legal_actions(box, state):
        if isinstance(action, a.Move):
            yield action.place, 1.0
        elif isinstance(action, a.Sail | a.FluidMove):
            yield action.place, 0.8
        elif isinstance(action, a.Recall):
            yield state.camps[action.by], 0.8
        elif isinstance(action, a.BuildCamp) and state.leaders[action.by] == OFF:
            yield action.place, 0.4


def _light_moves(lamps: Lamps, state: State, moves: Iterable[tuple[int, float]]) -> None:
    for place, strength in moves:
        lamps.add(place, roles.LEGAL_MOVE, strength)


def _light_question(lamps: Lamps, state: State) -> None:
    """Where the answer to the first question goes."""
    question = state.asked[0]
    if question.kind == "allocate":
        for action in allocation_actions(lamps.box, state):
            below = lamps.box.terrain.below[question.place]
            for i, place in enumerate(below):
                if action.archaeologists[i] or any(at == i for _, at in action.leaders):
                    lamps.add(place, roles.PUT_HERE)
    elif question.kind == "camp":
        for place in question.choices:
            if place != OFF:
                lamps.add(place, roles.PUT_HERE)
    elif question.kind.startswith("card"):
        for place in card_choices(state):
            lamps.add(place, roles.PUT_HERE)
    elif question.place != OFF:
        lamps.add(question.place, roles.WAITING)


def _light_focus(lamps: Lamps, state: State, place: int, focus: Spot | Cue) -> None:
    """What a lifted piece or tile leads to."""
    lifted = focus.kind if isinstance(focus, Cue) else ""
    own = 0 <= state.active < len(state.leaders) and state.leaders[state.active] == place
    if lifted == "leaders" or (not lifted and own):
        _light_lifted_leader(lamps, state, place)
    elif lifted == "archaeologists":
        lamps.add(place, roles.HINT if place in gatherable(lamps.box, state, state.active) else roles.TAKE_AWAY)
    elif place < TILE_COUNT and state.present >> place & 1:
        _light_lifted_tile(lamps, state, place)


def _light_lifted_leader(lamps: Lamps, state: State, place: int) -> None:
    """Where the own leader may go; another player's leader goes back."""
    if state.leaders[state.active] != place:
        lamps.add(place, roles.PUT_HERE)
        return
    lamps.add(place, roles.YOUR_LEADER, 0.5)
    _light_moves(lamps, state, _leader_moves(lamps.box, state))
    for action in legal_actions(lamps.box, state):
        if isinstance(action, a.PlaySpiders | a.PlayManta):
            lamps.add(action.place, roles.HINT, 0.5)
        elif isinstance(action, a.BuildCamp):
            lamps.add(action.place, roles.HINT, 0.3)


def _light_lifted_tile(lamps: Lamps, state: State, place: int) -> None:
    """What falls if the tile is dug and where its explorers must go; a forbidden dig is marked."""
    box, seat = lamps.box, state.active
    discount = has_discount(box, state, seat, place)
    if why_illegal(box, state, a.Excavate(seat, place, discount=discount)) is not None:
        lamps.add(place, roles.ILLEGAL)
        return
    cost = dig_cost(box, state, seat, place, discount=discount)
    lamps.add(place, roles.LEGAL_DIG, strength_of(cost.total))
    for tile in collapses(box, state.present, place):
        lamps.add(tile, roles.COLLAPSED)
    below = box.terrain.below[place]
    for result in allocations(box, state, place):
        for i, total in enumerate(result):
            if total:
                lamps.add(below[i], roles.PUT_HERE)
    if camp_owner(state, place) is not None:
        for tile in below:
            if tile < TILE_COUNT and camp_owner(state, tile) is None:
                lamps.add(tile, roles.PUT_HERE)
