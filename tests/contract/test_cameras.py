"""What every camera must keep, run over every registered one; a camera without a stand-in here fails."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

from hardware.cameras import CAMERAS, Camera, CameraOptions, open_camera
from hardware.cameras.synthetic import SyntheticCamera
from hardware.errors import BadAddress, DeviceClosed
from tests.hardware.doubles import PICAMERA, FakeCapture, MjpegServer, jpeg, picture


@contextmanager
def synthetic() -> Iterator[Camera]:
    with open_camera("synthetic:", pictures=picture) as camera:
        yield camera


@contextmanager
def clip() -> Iterator[Camera]:
    with tempfile.TemporaryDirectory() as folder:
        for i in range(5):
            (Path(folder) / f"{i}.jpg").write_bytes(jpeg())
        with open_camera(f"clip:{folder}") as camera:
            yield camera


@contextmanager
def http() -> Iterator[Camera]:
    with MjpegServer(lambda: repeat(jpeg())) as server, open_camera(f"http://{server.host}/video") as camera:
        yield camera


@contextmanager
def captured(address: str) -> Iterator[Camera]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cv2.VideoCapture", FakeCapture)
        with open_camera(address) as camera:
            yield camera


@contextmanager
def picamera() -> Iterator[Camera]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardware.cameras.picamera.SYSTEM_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(PICAMERA))
        patch.setenv("PICAMERA_RECORD", os.devnull)
        with open_camera("picamera:0", CameraOptions(width_px=160, height_px=120)) as camera:
            yield camera


STAND_INS: dict[str, Callable[[], AbstractContextManager[Camera]]] = {
    "clip": clip,
    "http": http,
    "https": http,  # the same code; certificates are the library's affair
    "picamera": picamera,
    "rtsp": lambda: captured("rtsp://camera.example/stream"),
    "synthetic": synthetic,
    "usb": lambda: captured("usb:/dev/null"),
}
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
    assert camera.lost == ""


def test_says_whether_its_pictures_are_of_this_moment(camera: Camera) -> None:
    assert camera.takes_when_read == isinstance(camera, SyntheticCamera)


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
