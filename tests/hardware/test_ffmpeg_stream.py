"""A real MJPEG stream: ffmpeg serves it over HTTP, is killed in the middle and started again."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hardware.cameras import Camera, CameraOptions, Frame, open_camera
from hardware.cameras import reader as reader_module
from hardware.cameras.capture import CaptureSource
from hardware.cameras.stream import open_stream
from hardware.errors import CameraLost
from tests.hardware.doubles import MjpegServer, jpeg
from tests.programs import need

MOST_READS = 60


def grey(shade: int) -> bytes:
    return jpeg(np.full((240, 320, 3), shade, dtype=np.uint8))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., subprocess.Popen]]:
    """Starts ffmpeg with a picture on a port; ended with the test."""
    program = need("ffmpeg", "ffmpeg")
    monkeypatch.setattr(reader_module, "RETRY_FIRST_S", 0.05)
    monkeypatch.setattr(reader_module, "RETRY_MOST_S", 0.1)
    running: list[subprocess.Popen] = []

    def start(port: int, picture: bytes, *output: str) -> subprocess.Popen:
        path = tmp_path / f"{len(running)}.jpg"
        path.write_bytes(picture)
        command = [program, "-loglevel", "error", "-re", "-loop", "1", "-framerate", "15"]
        command += ["-i", str(path), *output, "-listen", "1", f"http://127.0.0.1:{port}/video"]
        running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def read_through(camera: Camera, wanted: Callable[[Frame], bool]) -> Frame:
    """The first wanted frame; losses on the way are what is being tested."""
    for _ in range(MOST_READS):
        try:
            frame = camera.read()
        except CameraLost:
            continue
        if wanted(frame):
            return frame
    raise AssertionError(f"no such frame in {MOST_READS} reads; the camera says '{camera.lost}'")


def read_until_lost(camera: Camera) -> None:
    for _ in range(MOST_READS):
        camera.read()


OUTPUTS = {
    "declared": ("-f", "mpjpeg", "-content_type", "multipart/x-mixed-replace;boundary=ffmpeg"),
    "undeclared": ("-f", "mpjpeg"),
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_a_stream_is_killed_and_comes_back(kind: str, serve: Callable[..., subprocess.Popen]) -> None:
    port = free_port()
    first = serve(port, grey(60), *OUTPUTS[kind])
    with open_camera(f"http://127.0.0.1:{port}/video", CameraOptions(loss_s=2.0)) as camera:
        image = read_through(camera, lambda frame: True).image
        assert image.shape == (240, 320, 3)
        assert abs(float(image.mean()) - 60) < 6
        first.kill()
        first.wait()
        with pytest.raises(CameraLost):
            read_until_lost(camera)
        assert camera.lost
        serve(port, grey(200), *OUTPUTS[kind])
        read_through(camera, lambda frame: abs(float(frame.image.mean()) - 200) < 6)
        assert camera.lost == ""


def test_other_video_is_left_to_opencv(tmp_path: Path) -> None:
    path = tmp_path / "grey.ts"
    command = [need("ffmpeg", "ffmpeg"), "-loglevel", "error", "-f", "lavfi", "-i", "color=gray:s=320x240:d=2:r=15"]
    subprocess.run([*command, "-c:v", "mpeg2video", "-f", "mpegts", str(path)], check=True, stdin=subprocess.DEVNULL)
    with MjpegServer(lambda: iter([path.read_bytes()]), kind="video/mp2t") as server:
        source = open_stream(f"http://{server.host}/video", CameraOptions())
        assert isinstance(source, CaptureSource)
        assert abs(float(source.grab().mean()) - 128) < 6
        source.close()
