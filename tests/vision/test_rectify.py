"""Sampling maps: interpolated between points that are really projected, and as good as exact."""

from __future__ import annotations

import numpy as np

from tests.vision.drawn import LAYOUT
from vision.mosaic import Plan
from vision.patches import Board
from vision.rectify import Grid, plane_map
from vision.view import Lens, View

STEEP = View(Lens(1280, 960, 900.0, (640.0, 480.0), -0.2, 0.03), (np.pi - 0.5, 0.2, 0.1), (5.0, 3.0, 700.0))
"""A steep view through a lens that bends a lot."""


def test_a_map_of_the_plan_is_right_to_a_small_part_of_a_pixel() -> None:
    plan = Plan(Board(LAYOUT, Grid(8, 4.0)))
    flat = plan.points.reshape(-1, 2)
    exact = STEEP.project(np.column_stack([flat, np.full(len(flat), 6.0)])).reshape(*plan.shape, 2)
    np.testing.assert_allclose(plane_map(STEEP, plan.points, 6.0), exact, atol=0.03)


def test_maps_of_tiles_are_right_to_a_small_part_of_a_pixel() -> None:
    board = Board(LAYOUT, Grid(41, 1.1))
    centres, offsets = board.centres(), board.grid.points().reshape(-1, 2)
    points = np.concatenate(
        [
            centres[:, None, :2] + offsets,
            np.broadcast_to(centres[:, None, 2:], (len(centres), len(offsets), 1)),
        ],
        axis=-1,
    )
    maps = board.cutter(STEEP).maps
    np.testing.assert_allclose(maps, STEEP.project(points.reshape(-1, 3)).reshape(maps.shape), atol=0.03)
