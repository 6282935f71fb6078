"""The panel on the real gpiozero with its mock pins: press, hold, bounce, two at once, lamp, buzzer."""

from __future__ import annotations

from collections.abc import Iterator

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import BadAddress, DeviceClosed, DeviceRefused
from hardware.panel import Panel, PanelOptions, Press
from hardware.pi import read_model

PINS = {"end_turn": 5, "undo": 6, "yes": 13, "no": 19, "seat:navigators": 26}


class Table:
    """A panel, its pins and a clock that a test moves."""

    def __init__(self, options: PanelOptions) -> None:
        self.now = 100.0
        self.panel = Panel(options, clock=lambda: self.now)

    def move(self, button: str, down: bool, after_s: float = 0.0) -> None:
        self.now += after_s
        pin = gpiozero.Device.pin_factory.pin(PINS[button])
        pin.drive_low() if down else pin.drive_high()

    def poll(self, after_s: float = 0.0) -> list[str]:
        self.now += after_s
        return [press.button + (" held" if press.held else "") for press in self.panel.poll()]


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    made = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    yield made
    made.close()


@pytest.fixture
def table(factory: MockFactory) -> Iterator[Table]:
    made = Table(PanelOptions(buttons=PINS, buzzer=17, lamp=27))
    yield made
    made.panel.close()


def test_a_press_is_told_once(table: Table) -> None:
    table.move("end_turn", True)
    assert table.poll(0.01) == ["end_turn"]
    assert table.poll(0.01) == []
    table.move("end_turn", False, 0.1)
    assert table.poll(0.01) == []
    table.move("end_turn", True, 0.1)
    assert table.poll(0.01) == ["end_turn"]


def test_a_hold_is_told_once_and_only_while_it_lasts(table: Table) -> None:
    table.move("undo", True)
    assert table.poll(0.5) == ["undo"]
    assert table.poll(0.4) == []
    assert table.poll(0.2) == ["undo held"]
    assert table.poll(5.0) == []
    table.move("undo", False)
    table.move("undo", True, 0.5)
    table.move("undo", False, 0.5)
    assert table.poll(3.0) == ["undo"], "pressed twice, but the second time not held"


def test_bounces_make_one_press(table: Table) -> None:
    table.move("end_turn", True)
    for _ in range(4):
        table.move("end_turn", False, 0.002)
        table.move("end_turn", True, 0.003)
    assert table.poll(0.2) == ["end_turn"]
    assert table.poll(1.0) == ["end_turn held"], "a bounce at the start does not spoil a hold"
    table.move("end_turn", False, 0.2)
    for _ in range(4):
        table.move("end_turn", True, 0.002)
        table.move("end_turn", False, 0.003)
    assert table.poll(2.0) == []


def test_a_short_glitch_does_not_jam_the_button(table: Table) -> None:
    table.move("undo", True)
    table.move("undo", False, 0.001)
    assert table.poll(2.0) == ["undo"]
    table.move("undo", True, 0.5)
    assert table.poll() == ["undo"]


def test_two_at_once_are_both_told_in_order(table: Table) -> None:
    table.move("seat:navigators", True)
    table.move("end_turn", True, 0.001)
    assert table.poll() == ["seat:navigators", "end_turn"]


@pytest.mark.parametrize("first", ["yes", "no"])
def test_yes_and_no_together_are_neither(table: Table, first: str) -> None:
    second = {"yes": "no", "no": "yes"}[first]
    table.move(first, True)
    assert table.poll(0.02) == [], "an answer waits a moment for its contrary"
    table.move(second, True, 0.02)
    table.move("undo", True, 0.02)
    assert table.poll(0.2) == ["undo"]
    table.move(first, False)
    table.move(first, True, 0.5)
    assert table.poll(0.2) == [first]


def test_yes_and_no_held_together_are_neither(table: Table) -> None:
    table.move("yes", True)
    table.move("no", True, 0.02)
    assert table.poll(0.2) == []
    assert table.poll(2.0) == []
    table.move("no", False)
    table.move("yes", False)
    table.move("yes", True, 0.5)
    assert table.poll(0.2) == ["yes"]
    assert table.poll(1.0) == ["yes held"]


def test_yes_then_no_are_both_told(table: Table) -> None:
    table.move("yes", True)
    table.move("no", True, 0.3)
    assert table.poll(0.3) == ["yes", "no"]


def test_lamp_and_buzzer(table: Table, factory: MockFactory) -> None:
    lamp, buzzer = factory.pin(27), factory.pin(17)
    table.panel.lamp("on")
    assert lamp.state
    table.panel.lamp("off")
    assert not lamp.state
    lamp.clear_states()
    table.panel.lamp("fast")
    table.panel.beep(1)
    table.panel._buzzer._blink_thread.join(5)
    assert [state.state for state in buzzer.states] == [False, True, False]
    table.panel.close()
    assert any(state.state for state in lamp.states)


def test_an_empty_panel_needs_no_pins() -> None:
    with Panel(PanelOptions()) as panel:
        panel.beep()
        panel.lamp("slow")
        assert panel.poll() == ()
    panel.close()
    with pytest.raises(DeviceClosed):
        panel.poll()


def test_a_pin_in_use_is_named(factory: MockFactory) -> None:
    with gpiozero.LED(5), pytest.raises(DeviceRefused, match=r"GPIO5.*does something else use it\?"):
        Panel(PanelOptions(buttons=PINS))
    Panel(PanelOptions(buttons=PINS)).close()


def test_without_pins_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    if read_model():
        pytest.skip("this is a Raspberry Pi: its pins can be reached")
    with pytest.raises(DeviceRefused, match="apt install python3-lgpio"):
        Panel(PanelOptions(buttons={"yes": 5}))


def test_the_variable_of_gpiozero_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with Panel(PanelOptions(buttons={"yes": 5})):
        assert isinstance(gpiozero.Device.pin_factory, MockFactory)
    gpiozero.Device.pin_factory.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buttons": {"jump": 4}}, "got 'jump'"),
        ({"buttons": {"seat:": 4}}, "got 'seat:'"),
        ({"buttons": {"yes": 4, "no": 4}}, "different pins"),
        ({"buttons": {"yes": 4}, "lamp": 4}, "different pins"),
        ({"buzzer": 40}, "from 0 to 27"),
    ],
)
def test_impossible_panels(options: dict, message: str) -> None:
    with pytest.raises(BadAddress, match=message):
        PanelOptions(**options)


def test_presses_are_values() -> None:
    assert Press("yes") == Press("yes", held=False)
