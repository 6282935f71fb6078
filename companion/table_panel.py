"""The panel beside the board: what its buttons say to the game, and what its lamp and buzzer say to the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from companion import messages as m
from companion.game_desk import CONTINUE, NEW, OFFER, GameDesk
from companion.referee import TRACKING
from hardware.panel import Press

PLAIN: Final[dict[str, m.Command]] = {"end_turn": m.EndTurn(), "undo": m.Undo(), "hint": m.Hint()}
"""Buttons that always say the same."""
SEAT: Final = "seat:"
FOR_A_QUESTION, FOR_A_REFUSAL = 1, 2
"""How often the buzzer sounds."""


TRIAL_ROUNDS: Final = 45
"""So long after somebody looked (some 3 s) buttons are tried and say nothing to the game."""


class PressTrial:
    """The buttons while the table is set up: which one was pressed last, without a word to the game."""

    def __init__(self) -> None:
        self.count, self.button = 0, ""
        self._rounds = 0

    def look(self) -> tuple[int, str]:
        """How many presses there were and the last one's name; may be called from any thread."""
        self._rounds = TRIAL_ROUNDS
        return self.count, self.button

    def takes(self, presses: tuple[Press, ...]) -> bool:
        """Once a round: whether these presses are only tried."""
        if presses:
            self.count, self.button = self.count + len(presses), presses[-1].button
        self._rounds = max(0, self._rounds - 1)
        return self._rounds > 0


class Panel(Protocol):
    """Buttons, a lamp and a buzzer; any of them may be missing."""

    def poll(self) -> tuple[Press, ...]:
        """What was pressed since the last call."""

    def lamp(self, way: str) -> None:
        """Set the lamp: `off`, `on`, `slow` or `fast`."""

    def beep(self, times: int = 1) -> None:
        """Sound the buzzer."""

    def close(self) -> None:
        """Let go of the pins."""


class TablePanel:
    """Joins the panel and the game; its round is part of each round of the session."""

    def __init__(self, panel: Panel, desk: GameDesk, is_well: Callable[[], bool] = lambda: True) -> None:
        self._panel, self._desk, self._is_well = panel, desk, is_well
        self.trial = PressTrial()
        self._lamp = ""
        self._heard: tuple[object, object] = (None, None)

    def round(self) -> Iterator[m.Command]:
        """What the buttons say; lamp and buzzer follow the game."""
        self._show()
        presses = self._panel.poll()
        if self.trial.takes(presses):
            return
        for press in presses:
            command = self._meaning(press)
            if command is not None:
                yield command

    def close(self) -> None:
        """Let go of the pins."""
        self._panel.close()

    def _meaning(self, press: Press) -> m.Command | None:
        desk, question = self._desk, self._desk.referee.question
        if press.held:
            # a house ruling is no accident: it takes a long press
            return m.Keep() if press.button == "yes" and question is None and desk.referee.refusal else None
        if press.button.startswith(SEAT):
            return m.EndTurn() if press.button.removeprefix(SEAT) == desk.in_turn else None
        if press.button in PLAIN:
            return PLAIN[press.button]
        is_yes = press.button == "yes"
        if desk.offers:
            return m.Answer(OFFER, CONTINUE if is_yes else NEW)
        if question is None:
            return None
        last = len(question.options) if question.key == "which" else len(question.options) - 1
        return m.Answer(question.number, 0 if is_yes else last)

    def _show(self) -> None:
        referee = self._desk.referee
        way = "on" if referee.mode == TRACKING else "slow"
        if referee.refusal is not None or not self._is_well():
            way = "fast"
        if way != self._lamp:
            self._lamp = way
            self._panel.lamp(way)
        heard = (referee.refusal, referee.question)
        if referee.refusal is not None and referee.refusal != self._heard[0]:
            self._panel.beep(FOR_A_REFUSAL)
        elif referee.question is not None and referee.question != self._heard[1]:
            self._panel.beep(FOR_A_QUESTION)
        self._heard = heard
