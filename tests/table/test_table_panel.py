"""The panel in a running game, on the real gpiozero with mock pins: buttons, lamp and buzzer follow what happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from companion.game_desk import OFFER
from companion.journal import ActionKept, ActionTaken
from companion.referee import RESTORING, TRACKING
from companion.table_panel import TablePanel
from engine.lights import HINT
from hardware.panel import Panel, PanelOptions
from tests.table.tables import PlainTable

PINS = {"end_turn": 5, "undo": 6, "hint": 16, "yes": 13, "no": 19, "seat:navigators": 26, "seat:icewalkers": 20}
LAMP, BUZZER = 27, 17
CROWD, FAR = "snow:0,7,3", "snow:7,1,2"


class PanelTable(PlainTable):
    """A table with a panel; its pins are pressed by hand."""

    def __init__(self, folder: Path, factory: MockFactory) -> None:
        super().__init__(folder)
        self.factory = factory
        self.beeps: list[int] = []
        self.lamps: list[str] = []
        panel = Panel(PanelOptions(PINS, buzzer=BUZZER, lamp=LAMP), clock=lambda: self.now)
        beep, lamp = panel.beep, panel.lamp
        panel.beep = lambda times=1: (self.beeps.append(times), beep(times))  # type: ignore[method-assign]
        panel.lamp = lambda way: (self.lamps.append(way), lamp(way))  # type: ignore[method-assign]
        self.panel = TablePanel(panel, self.session.desk)
        self.session.presses = self.panel.round

    def press(self, *buttons: str, hold_s: float = 0.1) -> None:
        """Press buttons together, keep them down, let go, and wait a moment."""
        for button in buttons:
            self.factory.pin(PINS[button]).drive_low()
        self.pass_s(hold_s)
        for button in buttons:
            self.factory.pin(PINS[button]).drive_high()
        self.pass_s(0.3)

    @property
    def taken(self) -> list[str]:
        return [step.line for step in self.session.desk.referee.steps if isinstance(step, ActionTaken | ActionKept)]

    def begin(self) -> None:
        """Past the first questions, up to a turn."""
        self.settle()
        desk = self.session.desk
        while desk.referee.question is not None:
            self.press("yes")
        assert desk.referee.mode == TRACKING

    def do_wrong(self) -> None:
        """Hands move an archaeologist across the board in one go: nothing explains that."""
        self.hands("move_pieces", labels=["archaeologist"], start=CROWD, end=FAR)
        self.pass_s(1.5)
        assert self.public["refusal"] is not None

    def put_right(self) -> None:
        self.hands("move_pieces", labels=["archaeologist"], start=FAR, end=CROWD)
        self.pass_s(1.0)

    def camp(self) -> None:
        self.act(next(action["line"] for action in self.public["legal"] if " camp " in action["line"]))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PanelTable]:
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    made = PanelTable(tmp_path, factory)
    yield made
    made.panel.close()
    factory.close()


def test_buttons_are_tried_without_a_word_to_the_game(table: PanelTable) -> None:
    table.begin()
    table.camp()
    before, taken = table.panel.trial.look(), list(table.taken)
    table.press("undo")
    assert table.panel.trial.look() == (before[0] + 1, "undo")
    assert table.taken == taken
    assert table.session.desk.referee.mode == TRACKING
    table.pass_s(4.0)  # nobody looks any more
    table.press("undo")
    assert table.session.desk.referee.mode == RESTORING


def test_buttons_of_seats_end_only_their_own_turn(table: PanelTable) -> None:
    table.begin()
    table.camp()
    assert table.session.desk.in_turn == "navigators"
    table.press("seat:icewalkers")
    assert table.session.desk.in_turn == "navigators"
    table.press("seat:navigators")
    assert table.taken[-1] == "navigators end"
    assert table.session.desk.in_turn == "incandescents"
    table.press("undo")
    assert table.session.desk.in_turn == "navigators"


def test_a_hint_lights_where_something_can_be_done_until_the_game_goes_on(table: PanelTable) -> None:
    table.begin()
    before = set(table.public["lights"])
    table.press("hint")
    hinted = {spot for spot, light in table.public["lights"].items() if light["role"] == HINT}
    assert hinted >= before, "the first camp may be built anywhere"
    table.press("hint")
    assert set(table.public["lights"]) == before
    table.press("hint")
    table.camp()
    assert not any(light["role"] == HINT for light in table.public["lights"].values())


def test_pressed_during_a_refusal(table: PanelTable) -> None:
    """A refused board stays refused whatever is pressed, and nothing of it gets into the game by accident."""
    table.begin()
    table.camp()
    taken = table.taken
    table.do_wrong()
    assert table.lamps[-1] == "fast"
    assert table.beeps == [2]
    for buttons in (("yes",), ("no",), ("yes", "no"), ("seat:icewalkers",), ("hint",)):
        table.press(*buttons)
        assert table.public["refusal"] is not None, buttons
        assert table.taken == taken
    table.press("yes", "no", hold_s=1.5)
    assert table.public["refusal"] is not None, "leaning on the panel is no ruling"
    table.press("end_turn")
    table.pass_s(1.5)
    assert table.taken == [*taken, "navigators end"]
    assert table.session.desk.referee.mode == RESTORING, "the turn may end; nothing is inferred from a wrong board"
    assert table.public["restore"], "and what to put back is still said"
    table.press("undo")
    table.pass_s(1.5)
    assert table.taken == taken
    table.put_right()
    assert table.public["refusal"] is None
    assert table.session.desk.referee.mode == TRACKING
    assert table.lamps[-1] == "on"
    assert table.taken == taken


def test_a_long_yes_keeps_what_was_refused(table: PanelTable) -> None:
    table.begin()
    table.camp()
    table.do_wrong()
    table.press("yes", hold_s=1.5)
    assert table.public["refusal"] is None
    assert table.lamps[-1] in ("on", "slow")


def test_yes_continues_an_unfinished_game(table: PanelTable, tmp_path: Path) -> None:
    table.begin()
    table.camp()
    state = table.state
    table.panel.close()
    again = PanelTable(tmp_path, table.factory)
    assert again.public["question"]["id"] == OFFER
    again.press("yes")
    assert again.public["question"] is None
    assert again.state == state
    again.panel.close()
