"""From the settings of a table to the options of its devices."""

from __future__ import annotations

from companion.settings import Settings, SettingsError
from hardware.cameras import CameraOptions
from hardware.errors import BadAddress
from hardware.leds import StripOptions
from hardware.panel import PanelOptions


def camera_options(settings: Settings) -> CameraOptions:
    """What to ask of the camera."""
    eye = settings.eye
    return CameraOptions(width_px=eye.width, height_px=eye.height, exposure_ms=eye.exposure_ms or None)


def strip_options(settings: Settings, count: int | None = None) -> StripOptions:
    """How the strip is built, or with another number of LEDs; a WLED controller knows the order of its colours itself.

    The strip applies brightness and gamma: colours composed for it come with neither (`brightness=1, gamma=1`).
    """
    lights = settings.lights
    by_controller = settings.table.leds.startswith("wled:")
    order = ("RGBW" if "W" in lights.order else "RGB") if by_controller else lights.order
    return StripOptions(
        lights.count if count is None else count,
        order=order,
        gamma=lights.gamma,
        brightness=lights.brightness,
        skip=lights.skip,
        reverse=lights.reverse,
        budget_ma=float(lights.budget_ma),
    )


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
