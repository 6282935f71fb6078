"""What every camera must keep, run over every registered one; a camera without a stand-in here fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np
import pytest

from hardware.cameras import CAMERAS, Camera, open_camera
from hardware.errors import BadAddress, DeviceClosed


def picture() -> np.ndarray:
    return np.full((120, 160, 3), (10, 120, 240), dtype=np.uint8)


@contextmanager
def synthetic() -> Iterator[Camera]:
    with open_camera("synthetic:", pictures=picture) as camera:
        yield camera


STAND_INS: dict[str, Callable[[], AbstractContextManager[Camera]]] = {"synthetic": synthetic}
"""For every scheme: an open camera that looks at `picture()`."""


@pytest.fixture(params=sorted(CAMERAS))
def camera(request: pytest.FixtureRequest) -> Iterator[Camera]:
    with STAND_INS[request.param]() as opened:
        yield opened


def test_every_camera_is_tested() -> None:
    assert set(STAND_INS) == set(CAMERAS)


def test_gives_colour_pictures(camera: Camera) -> None:
    image = camera.read().image
    assert image.dtype == np.uint8
    assert image.shape == (120, 160, 3)
    assert np.abs(image.astype(int).mean(axis=(0, 1)) - (10, 120, 240)).max() < 6


def test_time_does_not_go_back(camera: Camera) -> None:
    times = [camera.read().time for _ in range(3)]
    assert times == sorted(times)


def test_may_be_closed_twice_and_is_not_used_afterwards(camera: Camera) -> None:
    camera.read()
    camera.close()
    camera.close()
    with pytest.raises(DeviceClosed):
        camera.read()


def test_an_unknown_address_names_the_known_ones() -> None:
    with pytest.raises(BadAddress, match=r"synthetic:.*got 'eye:3'"):
        open_camera("eye:3")


def test_an_environment_variable_overrides_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", "synthetic:")
    with open_camera("usb:0", pictures=picture) as opened:
        assert opened.read().image.shape == (120, 160, 3)


def test_a_synthetic_camera_needs_a_table() -> None:
    with pytest.raises(BadAddress, match="needs a simulated table"):
        open_camera("synthetic:")
