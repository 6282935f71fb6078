"""A referee of I C E as snapshots show it: the position, what is refused or asked, what to put right, the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from companion import showing
from companion.ice_laying import TITLES, Laying, reminders, steps
from companion.journal import Corrected
from companion.referee import RESTORING, SETUP, Referee
from companion.restoring import lifted, restoring_lights
from engine import lights as roles
from engine.games.ice import Ice
from engine.games.ice.actions import Action
from engine.games.ice.cures import cure
from engine.games.ice.state import State
from engine.lights import Light
from engine.sayings import Saying
from engine.spots import Spot

IceReferee: TypeAlias = Referee[State, Action]

MOST_LOGGED: Final = 40
MOST_CURES: Final = 8
"""Sentences about a board that is wrong in many places."""


class IceView:
    """Turns the belief about a game of I C E into what a page and a strip show."""

    def __init__(self, game: Ice) -> None:
        self.game = game

    def public(self, referee: IceReferee, laying: Laying | None = None) -> dict[str, Any]:
        """What everybody at the table may know."""
        shown = self._shown(referee)
        return shown if referee.mode != SETUP else shown | self._setting_up(referee, laying, shown)

    def _setting_up(self, referee: IceReferee, laying: Laying | None, shown: dict[str, Any]) -> dict[str, Any]:
        """The steps of setting the game up; while tiles are missing, only what lies is drawn."""
        layer = laying.layer if laying is not None else ""
        guide = {"steps": steps(layer or "pieces"), "reminders": reminders(self.game, referee.state)}
        if laying is None:
            return {"laying": guide}
        position = {**shown["position"], "tiles": laying.tiles(), "pieces": {}}
        return {
            "laying": guide,
            "headline": TITLES[laying.layer],
            "position": position,
            "lights": showing.coloured(laying.lights()),
            "legal": [],
            "digs": {},
            "restore": laying.say(),
        }

    def _shown(self, referee: IceReferee) -> dict[str, Any]:
        return {
            "mode": referee.mode,
            **showing.shown(self.game, referee.state),
            "lights": showing.coloured(self.lights(referee)),
            "refusal": self._refusal(referee),
            "question": self._question(referee),
            "restore": self.cures(referee) if referee.mode in (RESTORING, SETUP) else [],
            "log": self._log(referee),
        }

    def private(self, referee: IceReferee) -> dict[str, dict[str, Any]]:
        """What each seat alone may know, a question that is for it alone among it."""
        private = showing.private(self.game, referee.state)
        question = referee.question
        if question is not None:
            state = referee.states[-1 - question.undo_first]
            seat = showing.asked_alone(self.game, state, question.options)
            if seat is not None:
                private[seat]["question"] = showing.asked_openly(
                    self.game, state, question.number, question.key, question.options
                )
        return private

    def layout(self) -> Mapping[str, Any]:
        """Outlines of all spots in millimetres."""
        return showing.layout(self.game)

    def why(self, referee: IceReferee, spot: str) -> Mapping[str, Any]:
        """What can happen at a spot now, and why the rest cannot."""
        return showing.why(self.game, referee.state, spot)

    def lights(self, referee: IceReferee) -> Mapping[Spot, Light]:
        """What the strip says: what is legal, where a lifted piece or tile leads, or what must be put right."""
        lit: dict[Spot, Light] = {}
        if referee.mode in (RESTORING, SETUP):
            lit = restoring_lights(referee.off)
        else:
            lit = dict(self.game.lights(referee.state, lifted(referee.off)))
        if referee.refusal is not None:
            lit |= {spot: Light(roles.ILLEGAL) for spot in referee.refusal.spots}
        return lit

    def hint(self, referee: IceReferee) -> Mapping[Spot, Light]:
        """Every spot where something can be done now, also by what is not lit all the time."""
        state = referee.state
        spots = [self.game.touched(state, action) for action in self.game.legal_actions(state)]
        return dict.fromkeys(frozenset().union(*spots), Light(roles.HINT))

    def cures(self, referee: IceReferee) -> list[Saying]:
        """What to put where, one sentence each."""
        return [cure(off.spot, off.kind, off.wanted, off.seen) for off in referee.off[:MOST_CURES]]

    def _refusal(self, referee: IceReferee) -> dict[str, Any] | None:
        refusal = referee.refusal
        if refusal is None:
            return None
        cures = tuple(self.cures(referee)) if refusal.by_picture else ()
        return showing.refused(refusal.violation, refusal.spots, cures)

    def _question(self, referee: IceReferee) -> dict[str, Any] | None:
        question = referee.question
        if question is None:
            return None
        state = referee.states[-1 - question.undo_first]
        return showing.asked(self.game, state, question.number, question.key, question.options)

    def _log(self, referee: IceReferee) -> list[Saying]:
        """The newest steps, the last one first."""
        first = max(0, len(referee.steps) - MOST_LOGGED)
        return [self._logged(referee, index) for index in range(len(referee.steps) - 1, first - 1, -1)]

    def _logged(self, referee: IceReferee, index: int) -> Saying:
        step = referee.steps[index]
        if isinstance(step, Corrected):
            return Saying("Corrected: {why}", {"why": step.why})
        return showing.told(self.game, referee.states[index], self.game.parse(step.line))
