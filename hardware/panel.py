"""Buttons, buzzer and status lamp on the pins of a Raspberry Pi, through gpiozero; every part is optional."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hardware.closing import Closing
from hardware.errors import BadAddress, DeviceRefused, LibraryMissing

BUTTONS: Final = ("end_turn", "undo", "hint", "yes", "no")
"""What a button can mean, beside `seat:GUILD` for the player of a guild."""
CONTRARY: Final = {"yes": "no", "no": "yes"}
"""Pressed together these cancel each other: somebody leaned on the panel."""

LAMP: Final = {"off": (0.0, 0.0), "on": (0.0, 0.0), "slow": (0.1, 1.9), "fast": (0.15, 0.15)}
"""Seconds on and off for each way the status lamp can be."""


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """Which pin (by its GPIO number) does what."""

    buttons: Mapping[str, int] = field(default_factory=dict)
    """Meaning to pin; a button connects its pin to ground."""
    buzzer: int | None = None
    lamp: int | None = None
    settle_s: float = 0.03
    """A press counts when its line was quiet for so long before: contacts bounce for a few milliseconds."""
    hold_s: float = 1.0
    together_s: float = 0.1

    def __post_init__(self) -> None:
        for name in self.buttons:
            if name not in BUTTONS and not (name.startswith("seat:") and len(name) > 5):
                raise BadAddress(f"expected a button among {', '.join(BUTTONS)} or seat:GUILD, got '{name}'")
        pins = [*self.buttons.values(), *(pin for pin in (self.buzzer, self.lamp) if pin is not None)]
        twice = sorted({pin for pin in pins if pins.count(pin) > 1})
        if twice or not all(0 <= pin <= 27 for pin in pins):
            raise BadAddress(f"expected different pins from 0 to 27, got {pins}")


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down, or has been held down."""

    button: str
    held: bool = False


class Line:
    """The edges of one button turned into presses; knows nothing of pins."""

    def __init__(self, settle_s: float, hold_s: float) -> None:
        self._settle_s = settle_s
        self._hold_s = hold_s
        self._edge_at = float("-inf")
        self._down_since: float | None = None
        self._held = False

    def edge(self, down: bool, now: float) -> bool:
        """Take an edge of the line; whether it is a new press."""
        quiet = now - self._edge_at >= self._settle_s
        self._edge_at = now
        if not down:
            self._down_since = None
        elif quiet:
            self._down_since, self._held = now, False
        elif not self._held:
            self._down_since = now  # it bounced; what counts for a hold is that it is down now
        return down and quiet

    @property
    def is_down(self) -> bool:
        """Whether the button is pressed now."""
        return self._down_since is not None

    def is_held(self, now: float) -> bool:
        """Whether the button has just been held long enough; true once per press."""
        if self._held or self._down_since is None or now - self._down_since < self._hold_s:
            return False
        self._held = True
        return True


class Panel(Closing):
    """Collects presses for `poll()`; shows the state with lamp and buzzer."""

    def __init__(self, options: PanelOptions, clock: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._clock = clock
        self._presses: deque[tuple[float, str]] = deque()
        self._lines: dict[str, Line] = {}
        self._devices: list[Any] = []
        self._buzzer: Any = None
        self._lamp: Any = None
        if options.buttons or options.buzzer is not None or options.lamp is not None:
            try:
                self._open(options)
            except BaseException:
                self.close()
                raise

    def _open(self, options: PanelOptions) -> None:
        try:
            import gpiozero
        except ImportError as error:
            raise LibraryMissing("gpiozero is not installed: `pip install 'icelight[pi]'`") from error
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # it warns of each way to the pins it tries; what counts is whether one works
            try:
                for name, pin in options.buttons.items():
                    self._add_button(gpiozero.Button(pin, pull_up=True), name)
                if options.buzzer is not None:
                    self._buzzer = gpiozero.Buzzer(options.buzzer)
                    self._devices.append(self._buzzer)
                if options.lamp is not None:
                    self._lamp = gpiozero.LED(options.lamp)
                    self._devices.append(self._lamp)
            except gpiozero.BadPinFactory as error:
                raise DeviceRefused(
                    "the pins cannot be reached: on a Raspberry Pi `sudo apt install python3-lgpio`, add yourself to "
                    "the group gpio; elsewhere leave the panel out of the settings"
                ) from error
            except gpiozero.GPIOZeroError as error:
                raise DeviceRefused(
                    f"a pin of the panel cannot be used ({error}): does something else use it?"
                ) from error

    def _add_button(self, button: Any, name: str) -> None:
        self._devices.append(button)
        self._lines[name] = Line(self._options.settle_s, self._options.hold_s)
        button.when_pressed = lambda: self._edge(name, True)
        button.when_released = lambda: self._edge(name, False)

    def _edge(self, name: str, down: bool) -> None:
        now = self._clock()
        if self._lines[name].edge(down, now):
            self._presses.append((now, name))

    def poll(self) -> tuple[Press, ...]:
        """What was pressed since the last call, in order; called by the game loop."""
        self._require_open()
        now = self._clock()
        found: list[Press] = []
        while self._presses:
            at, name = self._presses[0]
            if name in CONTRARY and now - at < self._options.together_s:
                break  # its contrary may still come
            self._presses.popleft()
            contrary = next((p for p in self._presses if p[1] == CONTRARY.get(name)), None)
            if contrary and contrary[0] - at < self._options.together_s:
                self._presses.remove(contrary)
            else:
                found.append(Press(name))
        held = [name for name, line in self._lines.items() if line.is_held(now)]
        found += [Press(name, held=True) for name in held if not self._is_down(CONTRARY.get(name, ""))]
        return tuple(found)

    def _is_down(self, name: str) -> bool:
        return name in self._lines and self._lines[name].is_down

    def beep(self, times: int = 1) -> None:
        """Sound the buzzer, if there is one."""
        self._require_open()
        if self._buzzer is not None:
            self._buzzer.beep(on_time=0.08, off_time=0.12, n=times)

    def lamp(self, way: str) -> None:
        """Set the status lamp, if there is one: `off`, `on`, `slow` or `fast`."""
        self._require_open()
        on_s, off_s = LAMP[way]
        if self._lamp is None:
            return
        if on_s:
            self._lamp.blink(on_time=on_s, off_time=off_s)
        else:
            self._lamp.value = way == "on"

    def _release(self) -> None:
        for device in self._devices:
            device.close()


def open_panel(options: PanelOptions) -> Panel:
    """The panel; without any pin it is there and does nothing."""
    return Panel(options)
