"""Warnings: verdicts that rest on a stand-in or on something nobody has told (§20)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.game import Warned
from engine.games.ice import actions as a
from engine.games.ice.board import AZULIA, SPOTS
from engine.games.ice.box import Box
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.digging import rests_on_guess
from engine.games.ice.dusk import find_request, study_names
from engine.games.ice.excavation import find_talisman
from engine.games.ice.removal import kind_under
from engine.games.ice.requests import judge, payment
from engine.games.ice.state import OFF, UNKNOWN_KIND, State
from engine.games.ice.terrain import has_doubtful_crack

FRONT_OF: Final[dict[type[a.Action], str]] = {
    a.PlaySmilodon: "smilodon", a.PlaySpiders: "spiders", a.PlayManta: "manta", a.PlayRope: "rope",
    a.PlaySailship: "sailship", a.PlayWreck: "wreck", a.PlaySurvivors: "survivors", a.PlayWhistle: "whistle",
    a.PlayRune: "rune",
}  # fmt: skip
"""The snow front that an action plays."""


def _warn(rule: str, reason: str, *places: int, **facts: Any) -> Warned:
    return Warned(rule, reason, tuple(SPOTS[place] for place in places if place >= 0), facts)


def warnings(box: Box, state: State, action: a.Action) -> tuple[Warned, ...]:
    """Doubts about an action that is otherwise legal."""
    return (*_about_steps(box, state, action), *_about_tiles(state, action), *_about_cards(box, state, action))


def _about_steps(box: Box, state: State, action: a.Action) -> Iterator[Warned]:
    """Unknown crack sides (Q-7) and the unknown map of Azulia (Q-1)."""
    if isinstance(action, a.PlaySmilodon):
        start, place = action.start, action.place
    elif isinstance(action, a.Move | a.FluidMove | a.PlaySpiders):
        start, place = state.leaders[action.by], action.place
    else:
        return
    if start == OFF:
        return
    if has_doubtful_crack(state, start, place, box.terrain):
        yield _warn("R-CREV-6", "rotation", start, place)
    if box.data.azulia.stand_in and place in AZULIA:
        yield _warn("R-ADJ-7", "stand-in", start, place)


def _about_tiles(state: State, action: a.Action) -> Iterator[Warned]:
    """Tiles whose kind nobody told."""
    if isinstance(action, a.Excavate):
        if rests_on_guess(state, action.place):
            yield _warn("R-COST-2", "kind", action.place)
        if action.talisman and state.tiles[action.place] == UNKNOWN_KIND:
            yield _warn("R-ART-1", "kind", action.place)
    gem = getattr(action, "means", "") == a.BY_GEM
    if (gem or isinstance(action, a.Study | a.Activate)) and kind_under(state, action.by) == UNKNOWN_KIND:
        yield _warn("R-ART-1", "kind", state.leaders[action.by])


def _about_cards(box: Box, state: State, action: a.Action) -> Iterator[Warned]:
    """Secret hands and cards that are not in the data."""
    for front in _fronts(action):
        if front not in state.seats[action.by].hand:
            yield _warn("R-SNOW-6", "unknown hand", front=front)
    if (
        isinstance(action, a.Excavate)
        and action.talisman
        and find_talisman(state, action.by, state.tiles[action.place]) == UNKNOWN
    ):
        yield _warn("R-SNOW-6", "unknown hand", front="talisman")
    if isinstance(action, a.ValidateRequest):
        if action.card not in state.seats[action.by].requests:
            yield _warn("R-REQ-1", "unknown hand", card=action.card)
        request = find_request(box, action.card)
        if request is None:
            yield _warn("R-REQ-9", "card", card=action.card)
        elif not judge(request, payment(action.artifacts, study_names(action.study))).certain:
            yield _warn("R-REQ-9", "shape", card=action.card)
        elif request.stand_in:
            yield _warn("R-REQ-9", "stand-in", card=action.card)
    if isinstance(action, a.DrawLogbook):
        card = box.data.find_logbook_card(action.card)
        if card is not None and card.stand_in:
            yield _warn("R-LOG-3", "stand-in", card=action.card)
    if isinstance(action, a.DealRequests) and box.options.players == 1:
        yield _warn("R-VAR-SOLO", "practice")


def _fronts(action: a.Action) -> tuple[str, ...]:
    """Snow fronts that an action takes from the hand."""
    if type(action) in FRONT_OF:
        return (FRONT_OF[type(action)],)
    if getattr(action, "means", "") == a.BY_GEM:
        return ("gem",)
    if isinstance(action, a.Excavate) and action.termites:
        return ("termites",)
    return ()
