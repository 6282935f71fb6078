"""The contract suites on real devices: `COMPANION_CAMERA=usb:0 COMPANION_LEDS=spi:0.0 pytest -m pi tests/on_pi`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from hardware.cameras import Camera, CameraOptions, open_camera
from hardware.checkup import check_all
from hardware.leds import LedFrame, Leds, StripOptions, open_leds
from hardware.machine import FAULT, Machine
from hardware.pi import read_model
from tests.contract import test_cameras as camera_contract
from tests.contract import test_leds as leds_contract

pytestmark = [pytest.mark.pi, pytest.mark.skipif(not read_model(), reason="this is not a Raspberry Pi")]

CAMERA = os.environ.get("COMPANION_CAMERA", "picamera:0")
LEDS = os.environ.get("COMPANION_LEDS", "spi:0.0")


@pytest.fixture
def camera() -> Iterator[Camera]:
    with open_camera(CAMERA, CameraOptions()) as opened:
        yield opened


@pytest.fixture
def leds() -> Iterator[Leds]:
    with open_leds(LEDS, StripOptions(count=12, brightness=1.0, gamma=1.0, budget_ma=5000.0)) as opened:
        yield opened


def test_nothing_is_amiss() -> None:
    findings = check_all(Machine(camera=CAMERA, leds=LEDS))
    assert [finding for finding in findings if finding.status == FAULT] == []


def test_camera_gives_colour_pictures_in_order(camera: Camera) -> None:
    frame = camera.read()
    assert frame.image.ndim == 3
    assert frame.image.std() > 1.0, "a picture of something, not of a lens cap"
    camera_contract.test_time_does_not_go_back(camera)
    camera_contract.test_says_whether_its_pictures_are_of_this_moment(camera)


def test_camera_closes(camera: Camera) -> None:
    camera_contract.test_may_be_closed_twice_and_is_not_used_afterwards(camera)


@pytest.mark.parametrize(
    "check",
    [
        leds_contract.test_a_fresh_strip_is_dark,
        leds_contract.test_shows_what_it_is_given,
        leds_contract.test_reckons_its_current,
        leds_contract.test_refuses_a_frame_of_another_length,
        leds_contract.test_may_be_closed_twice_and_is_not_used_afterwards,
    ],
)
def test_strip_keeps_the_contract(check, leds: Leds) -> None:
    check(leds)


def test_the_camera_sees_the_strip(camera: Camera, leds: Leds) -> None:
    """With the strip in view: lit pictures are brighter than dark ones."""
    dark = [camera.read().image.mean() for _ in range(6)][-1]
    leds.show(LedFrame(((255, 255, 255),) * 12))
    lit = [camera.read().image.mean() for _ in range(6)][-1]
    assert lit > dark
