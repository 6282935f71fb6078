"""The eye on a real network stream: ffmpeg serves pictures of the simulated table, is killed and started again."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import numpy as np

from companion.picture_sets import table_layout
from hardware.cameras import CameraOptions, open_camera
from tests.hardware.test_ffmpeg_stream import OUTPUTS, free_port, read_through, serve  # noqa: F401, a fixture
from vision.locate import locate
from vision.render import Renderer, Scene
from vision.view import Markers


def test_the_board_is_found_through_a_stream_that_breaks(
    serve: Callable[..., subprocess.Popen],  # noqa: F811
) -> None:
    renderer = Renderer(table_layout(), condition="mild", seed=3)
    seen = renderer.markers
    markers = Markers("DICT_4X4_50", seen.size_mm, seen.z_mm, dict(enumerate(seen.centres_mm)))
    direct = locate(renderer.picture(Scene()), markers)
    picture = renderer.jpeg(Scene())
    port = free_port()
    server = serve(port, picture, *OUTPUTS["declared"], "-q:v", "2")
    with open_camera(f"http://127.0.0.1:{port}/video", CameraOptions(loss_s=2.0)) as camera:
        for _ in range(2):
            image = read_through(camera, lambda frame: True).image
            found = locate(image, markers)
            points = [(x, y, 0.0) for x in (-100, 0, 100) for y in (-100, 0, 100)]
            assert np.abs(found.project(points) - direct.project(points)).max() < 2.0, "pixels"
            server.kill()
            server.wait()
            server = serve(port, picture, *OUTPUTS["declared"], "-q:v", "2")
