"""Each kind of camera in particular: what it asks of its device and what it says when that fails."""

from __future__ import annotations

import base64
import json
import logging
import sys
from itertools import chain, repeat
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras import CameraOptions, open_camera
from hardware.cameras.clip import ClipCamera
from hardware.cameras.picamera import PiCameraSource
from hardware.cameras.stream import open_stream
from hardware.cameras.usb import open_device
from hardware.errors import BadAddress, BadPicture, CameraLost, ClipEnded, LibraryMissing
from tests.hardware.doubles import PICAMERA, FakeCapture, MjpegServer, jpeg, picture

OPTIONS = CameraOptions()


# usb


def test_usb_asks_for_size_compression_and_fixed_exposure(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[FakeCapture] = []
    monkeypatch.setattr("cv2.VideoCapture", lambda *opened: made.append(FakeCapture(*opened)) or made[-1])
    open_device("/dev/null", CameraOptions(width_px=1920, height_px=1080, exposure_ms=20.0, focus=0.0))
    (capture,) = made
    assert capture.opened == ("/dev/null", cv2.CAP_V4L2)
    assert next(iter(capture.told)) == cv2.CAP_PROP_FOURCC, "the compression decides which sizes there are"
    assert capture.told[cv2.CAP_PROP_FRAME_WIDTH] == 1920
    assert capture.told[cv2.CAP_PROP_FRAME_HEIGHT] == 1080
    assert capture.told[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert capture.told[cv2.CAP_PROP_EXPOSURE] == 200, "in tenths of a millisecond"
    assert capture.told[cv2.CAP_PROP_AUTO_WB] == 0
    assert capture.told[cv2.CAP_PROP_AUTOFOCUS] == 0


def test_usb_says_what_the_camera_did_not_take(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr("cv2.VideoCapture", FakeCapture)
    monkeypatch.setattr(FakeCapture, "stubborn", (cv2.CAP_PROP_FRAME_WIDTH,))
    open_device("/dev/null", OPTIONS)
    assert [record.getMessage() for record in caplog.records] == ["/dev/null: asked for width 1280, the camera has -1"]


def test_usb_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraLost, match=r"video77 does not exist .*is it plugged in\?"):
        open_device("/dev/video77", OPTIONS)
    (tmp_path / "file").touch()
    with pytest.raises(CameraLost, match="does another program use it, or is it no camera"):
        open_device(str(tmp_path / "file"), OPTIONS)
    monkeypatch.setattr("os.access", lambda *asked: False)
    with pytest.raises(CameraLost, match=r"sudo adduser \$USER video"):
        open_device("/dev/null", OPTIONS)


@pytest.mark.parametrize("address", ["usb:", "usb:front", "picamera:", "picamera:x", "http:", "http://h:x/", "rtsp://"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match="expected"):
        open_camera(address)


# picamera


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(PICAMERA))
    monkeypatch.setenv("PICAMERA_RECORD", str(tmp_path / "calls"))
    return tmp_path / "calls"


def told(record: Path) -> list[list]:
    return [json.loads(line) for line in record.read_text().splitlines()]


def open_pi(options: CameraOptions = CameraOptions(width_px=160, height_px=120)) -> PiCameraSource:  # noqa: B008
    return PiCameraSource(1, options, sys.executable)


def test_picamera_locks_focus_exposure_and_white_balance_and_reads_them_back(
    record: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = open_pi()
    assert source.grab().shape == (120, 160, 3)
    source.close()
    calls = told(record)
    assert calls[0] == ["camera", 1]
    assert calls[1][1]["main"] == {"size": [160, 120], "format": "RGB888"}
    assert ["autofocus"] in calls
    locks = [call[1] for call in calls if call[0] == "set"]
    assert locks[0] == {"AfMode": 0, "LensPosition": 1.85}
    assert locks[1]["AeEnable"] is False
    assert locks[1]["AwbEnable"] is False
    assert locks[1]["ExposureTimeMode"] == locks[1]["AnalogueGainMode"] == 1
    assert locks[1]["ExposureTime"] == 20_000, "23.3 ms becomes a whole multiple of 10 ms"
    assert locks[1]["AnalogueGain"] == pytest.approx(2.33), "and the gain makes up for it"
    assert source.locked["LensPosition"] == 1.85
    assert source.locked["ExposureTime"] == 20_000
    assert not caplog.records


def test_picamera_takes_given_exposure_and_focus(record: Path) -> None:
    source = open_pi(CameraOptions(width_px=160, height_px=120, exposure_ms=25.0, focus=2.5))
    source.close()
    assert ["autofocus"] not in told(record)
    assert source.locked["ExposureTime"] == 25_000
    assert source.locked["LensPosition"] == 2.5


def test_picamera_warns_when_a_lock_is_not_kept(
    record: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PICAMERA_FAULT", "unlocked")
    open_pi(CameraOptions(width_px=160, height_px=120, focus=2.5)).close()
    warned = " ".join(entry.getMessage() for entry in caplog.records)
    assert "does not keep its exposure (it has 23300)" in warned
    assert "does not keep its focus" in warned


@pytest.mark.parametrize("fault", ["fixed", "old"])
def test_picamera_without_a_lens_motor_or_with_old_libcamera(
    fault: str, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PICAMERA_FAULT", fault)
    source = open_pi()
    source.close()
    assert ("LensPosition" in source.locked) is (fault == "old")


def test_picamera_faults_name_the_cure(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PICAMERA_FAULT", "absent")
    with pytest.raises(CameraLost, match=r"check the cable, `rpicam-hello"):
        open_pi()
    monkeypatch.setenv("PICAMERA_FAULT", "ends")
    source = open_pi()
    for _ in range(3):
        source.grab()
    with pytest.raises(CameraLost, match="stopped giving pictures"):
        source.grab()
    source.close()
    (tmp_path / "picamera2.py").write_text("import libcamera")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(LibraryMissing, match="sudo apt install python3-picamera2"):
        open_pi()


# http


def first_picture(server: MjpegServer) -> np.ndarray:
    with open_camera(f"http://{server.host}/video") as camera:
        return camera.read().image


@pytest.mark.parametrize("lengths", [True, False])
def test_mjpeg_with_and_without_lengths(lengths: bool) -> None:
    with MjpegServer(lambda: repeat(jpeg()), lengths=lengths) as server:
        source = open_stream(f"http://{server.host}/", OPTIONS)
        for _ in range(3):
            assert np.abs(source.grab().astype(int) - picture()).max() < 8
        source.close()


@pytest.mark.parametrize("lengths", [True, False])
def test_mjpeg_bad_pictures_do_not_end_the_stream(lengths: bool) -> None:
    bad = [jpeg()[:-40], jpeg(picture(1, 1)), b"no picture at all"]
    with MjpegServer(lambda: chain(bad, repeat(jpeg())), lengths=lengths) as server:
        source = open_stream(f"http://{server.host}/", OPTIONS)
        for _ in bad:
            with pytest.raises(BadPicture):
                source.grab()
        assert source.grab().shape == (120, 160, 3)
        source.close()


def test_a_stream_that_ends_is_lost() -> None:
    with MjpegServer(lambda: iter([jpeg()])) as server:
        source = open_stream(f"http://{server.host}/", OPTIONS)
        source.grab()
        with pytest.raises(CameraLost, match="the stream ended"):
            source.grab()
        source.close()


def test_single_pictures_are_asked_for_again_and_again() -> None:
    with MjpegServer(lambda: iter([jpeg()]), kind="image/jpeg") as server:
        source = open_stream(f"http://{server.host}/shot.jpg", CameraOptions(rate_hz=1000.0))
        assert source.grab().shape == source.grab().shape == (120, 160, 3)
        assert len(server.asked) == 3


def test_name_and_password_go_into_the_header() -> None:
    with MjpegServer(lambda: repeat(jpeg())) as server:
        open_stream(f"http://me:p%40ss@{server.host}/", OPTIONS).close()
        assert server.asked[0]["Authorization"] == "Basic " + base64.b64encode(b"me:p@ss").decode()


def test_a_page_that_is_no_camera_says_so() -> None:
    with (
        MjpegServer(lambda: iter([b"<html>hello</html>\n"]), kind="text/html") as server,
        pytest.raises(CameraLost, match="gives no video that can be read"),
    ):
        open_stream(f"http://{server.host}/", OPTIONS)


# clip


def test_clip_of_a_folder_passes_over_what_is_broken(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg())
    (tmp_path / "b.jpg").write_bytes(jpeg()[:-40])
    (tmp_path / "c.png").write_bytes(cv2.imencode(".png", picture())[1].tobytes())
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = ClipCamera(f"clip:{tmp_path}", CameraOptions(rate_hz=4.0), None)
    assert [camera.read().time, camera.read().time] == [0.0, 0.25]
    with pytest.raises(ClipEnded, match="has no picture after 2"):
        camera.read()
    assert "b.jpg is passed over" in caplog.text


def test_clip_of_a_video_gives_every_picture(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (160, 120))
    for i in range(6):
        writer.write(np.full((120, 160, 3), 40 * i, dtype=np.uint8))
    writer.release()
    with open_camera(f"clip:{path}") as camera:
        frames = [camera.read() for _ in range(6)]
        with pytest.raises(ClipEnded):
            camera.read()
    assert [round(float(frame.image.mean()) / 40) for frame in frames] == list(range(6))
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])


def test_clip_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadAddress, match="neither a video nor a folder"):
        open_camera(f"clip:{tmp_path / 'absent'}")
    (tmp_path / "x.mp4").write_bytes(b"nonsense")
    with pytest.raises(BadAddress, match="not a video that can be read"):
        open_camera(f"clip:{tmp_path / 'x.mp4'}")
