"""From the settings of a table to the options of its devices."""

from __future__ import annotations

from pathlib import Path

from companion.settings import Settings, SettingsError
from hardware.cameras import CameraOptions
from hardware.errors import BadAddress
from hardware.leds import Segment, StripOptions
from hardware.machine import Machine
from hardware.panel import PanelOptions


def camera_options(settings: Settings) -> CameraOptions:
    """What to ask of the camera."""
    eye = settings.eye
    return CameraOptions(width_px=eye.width, height_px=eye.height, exposure_ms=eye.exposure_ms or None)


def machine_of(settings: Settings, data: Path | None = None) -> Machine:
    """What this machine has to offer to the devices of the settings."""
    return Machine(
        camera=settings.table.camera,
        leds=settings.table.leds,
        led_count=settings.lights.count,
        buttons=bool(settings.panel.buttons),
        data_folder=data or Path.home(),
    )


def strip_options(settings: Settings, count: int | None = None) -> StripOptions:
    """How the strip is built, or with another number of LEDs.

    The strip applies brightness and gamma: colours composed for it come with neither (`brightness=1, gamma=1`).
    """
    lights = settings.lights
    return StripOptions(
        lights.count if count is None else count,
        order=lights.order,
        gamma=lights.gamma,
        brightness=lights.brightness,
        skip=lights.skip,
        reverse=lights.reverse,
        segments=segments_of(lights.segments) if count is None else (),
        budget_ma=float(lights.budget_ma),
    )


def segments_of(text: str) -> tuple[Segment, ...]:
    """The runs of a strip: `0-149 299-150` is a run of 150 LEDs and another one that is used from its far end."""
    found = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        if not dash or not first.isdecimal() or not last.isdecimal():
            raise SettingsError(
                f"lights: expected runs such as 0-149 299-150, got '{word}'; correct it in the settings"
            )
        low, high = sorted((int(first), int(last)))
        found.append(Segment(low, high - low + 1, reverse=int(first) > int(last)))
    return tuple(found)


def panel_options(settings: Settings) -> PanelOptions:
    """Which pin does what: `end_turn=5 undo=6` in the settings."""
    panel = settings.panel
    try:
        buttons = {}
        for word in panel.buttons.replace(",", " ").split():
            name, sign, pin = word.partition("=")
            if not sign or not pin.isdecimal():
                raise BadAddress(f"expected BUTTON=PIN such as end_turn=5, got '{word}'")
            buttons[name] = int(pin)
        return PanelOptions(buttons, _pin(panel.buzzer), _pin(panel.lamp))
    except BadAddress as error:
        raise SettingsError(f"panel: {error}; correct it in the settings") from error


def _pin(number: int) -> int | None:
    return None if number < 0 else number
