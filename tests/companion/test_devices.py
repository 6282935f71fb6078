"""Settings become options of devices."""

from __future__ import annotations

import pytest

from companion.devices import camera_options, panel_options, strip_options
from companion.settings import Settings, SettingsError, from_tree
from hardware.leds import Segment
from hardware.leds.strip import positions


def settings(**groups: dict) -> Settings:
    return from_tree(groups, "test")


def test_defaults_give_working_options() -> None:
    assert camera_options(Settings()).exposure_ms is None
    assert strip_options(Settings()).count == 300
    assert panel_options(Settings()).buttons == {}
    assert panel_options(Settings()).buzzer is None


def test_everything_is_passed_on() -> None:
    made = settings(
        table={"leds": "spi:0.0"},
        eye={"width": 1920, "height": 1080, "exposure_ms": 20},
        lights={"count": 120, "order": "GRBW", "skip": 1, "reverse": True, "budget_ma": 3000, "brightness": 0.2},
        panel={"buttons": "end_turn=5, undo=6 seat:navigators=26", "lamp": 17},
    )
    camera, strip, panel = camera_options(made), strip_options(made), panel_options(made)
    assert (camera.width_px, camera.height_px, camera.exposure_ms) == (1920, 1080, 20.0)
    assert (strip.count, strip.order, strip.skip, strip.reverse) == (120, "GRBW", 1, True)
    assert (strip.budget_ma, strip.brightness) == (3000.0, 0.2)
    assert panel.buttons == {"end_turn": 5, "undo": 6, "seat:navigators": 26}
    assert (panel.lamp, panel.buzzer) == (17, None)


def test_segments_are_runs_of_the_strip() -> None:
    made = strip_options(settings(lights={"count": 5, "segments": "0-1, 4-2"}))
    assert made.segments == (Segment(0, 2), Segment(2, 3, reverse=True))
    assert positions(made).tolist() == [0, 1, 4, 3, 2]
    with pytest.raises(SettingsError, match="got '3'"):
        strip_options(settings(lights={"segments": "0-1 3"}))


@pytest.mark.parametrize(
    ("buttons", "message"),
    [("undo", "got 'undo'"), ("undo=x", "got 'undo=x'"), ("fly=5", "got 'fly'"), ("yes=5 no=5", "different pins")],
)
def test_bad_buttons_are_named(buttons: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        panel_options(settings(panel={"buttons": buttons}))
