"""The pretend table through the synthetic camera: what a companion without hardware sees."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.picture_sets import table_layout
from companion.virtual_table import VirtualTable
from engine.spots import Spot
from hardware.cameras import open_camera
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import deal_tiles
from vision.render import Renderer

LAYOUT = table_layout()
SPOT = Spot("snow:4,3,3")


def marker_count(image: np.ndarray) -> int:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    ids = detector.detectMarkers(image)[1]
    return 0 if ids is None else len(ids)


def test_the_camera_sees_the_hand_come_and_go_and_the_tile_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_CAMERA", raising=False)
    table = VirtualTable(LAYOUT, Renderer(LAYOUT, ArtSet(3), "medium", 6), 6)
    table.arrange(deal_tiles(LAYOUT, np.random.default_rng(6)), {})
    with open_camera("synthetic:", pictures=table.live_picture) as camera:
        before = camera.read()
        assert marker_count(before.image) == 4
        table.dig(SPOT)
        during = [camera.read() for _ in range(3)]
        while table.busy:
            after = camera.read()
    assert all(a.time <= b.time for a, b in zip([before, *during], during, strict=False))

    def changed(image: np.ndarray) -> int:
        return int((cv2.absdiff(image, before.image).max(-1) > 60).sum())

    tile_px = (42 * table.renderer.lens.px_per_mm()) ** 2
    assert max(changed(frame.image) for frame in during) > 3 * tile_px
    assert 0.1 * tile_px < changed(after.image) < 1.5 * tile_px
    u, v = table.renderer.lens.project((*LAYOUT.places[SPOT].centre_mm, 6.0))
    ys, xs = np.nonzero(cv2.absdiff(after.image, before.image).max(-1) > 60)
    assert np.hypot(xs.mean() - u, ys.mean() - v) < 12
