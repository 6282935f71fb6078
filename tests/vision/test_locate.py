"""Registration: accuracy against a known camera, few markers, and every way a picture can be unusable."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.sheet import MARKERS, draw_sheet, make_view
from vision.locate import (
    NotLocated,
    check_inside,
    decode,
    find_markers,
    fit_views,
    locate,
    locate_by_corners,
    locate_match,
    match_picture,
)
from vision.view import Markers, View

BOARD_MM = np.array([(150 * np.cos(t), 150 * np.sin(t), z) for t in np.arange(0, 6.28, 0.5) for z in (0.0, 9.0)])


def miss_px(found: View, true: View) -> float:
    return float(np.linalg.norm(found.project(BOARD_MM) - true.project(BOARD_MM), axis=1).max())


@pytest.mark.parametrize(
    ("focal", "k1", "tilt", "turn"),
    [(1000.0, -0.06, 10.0, 15.0), (760.0, -0.12, 22.0, 200.0), (1500.0, 0.04, 6.0, 95.0)],
)
def test_four_markers_give_the_board_to_a_third_of_a_pixel(focal: float, k1: float, tilt: float, turn: float) -> None:
    true = make_view(focal=focal, k1=k1, tilt_deg=tilt, turn_deg=turn, distance_mm=0.68 * focal)
    found = locate(draw_sheet(true), MARKERS)
    assert miss_px(found, true) < 0.35
    assert found.residual_px < 0.2


def test_straight_from_above_the_focal_length_is_unknown_and_costs_little() -> None:
    true = make_view(k1=0.0, tilt_deg=0.0, turn_deg=0.0)
    assert miss_px(locate(draw_sheet(true), MARKERS), true) < 1.5


@pytest.mark.parametrize("hidden", [(0,), (2,), (0, 1), (1, 3)])
def test_two_or_three_markers_suffice(hidden: tuple[int, ...]) -> None:
    true = make_view()
    found = locate(draw_sheet(true, hidden), MARKERS)
    assert miss_px(found, true) < (1.0 if len(hidden) == 1 else 4.0)


def test_two_markers_with_a_known_lens_are_nearly_as_good_as_four() -> None:
    true = make_view()
    lens = locate(draw_sheet(true), MARKERS).lens
    other = make_view(tilt_deg=14, turn_deg=40)
    assert miss_px(locate(draw_sheet(other, (0, 1)), MARKERS, lens), other) < 1.2


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_small_markers_are_found_in_a_dark_blurred_and_grainy_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    small = cv2.resize(draw_sheet(make_view(turn_deg=90.0 * seed)), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    dark = cv2.GaussianBlur(small, (0, 0), 1.3).astype(np.float32) * 0.25 + 8
    grain = cv2.GaussianBlur(rng.normal(0, 26, dark.shape).astype(np.float32), (0, 0), 0.8)
    picture = np.clip(dark + grain, 0, 255).astype(np.uint8)
    assert set(find_markers(picture, MARKERS)) == set(MARKERS.centres_mm)


def test_pictures_of_one_camera_are_fused() -> None:
    views = [make_view(tilt_deg=t, turn_deg=a) for t, a in ((4, 0), (12, 50), (18, 120), (9, 250))]
    lens, found = fit_views([match_picture(draw_sheet(v), MARKERS) for v in views], 1280, 960)
    assert abs(lens.focal_px / 1000 - 1) < 0.01
    assert abs(lens.k1 + 0.06) < 0.01
    assert max(miss_px(f, v) for f, v in zip(found, views, strict=True)) < 0.3


def test_a_marker_that_was_moved_is_left_out() -> None:
    true = make_view()
    sheet = draw_sheet(true, markers=Markers("DICT_4X4_50", 40.0, 0.0, {**MARKERS.centres_mm, 2: (195.0, -190.0)}))
    assert miss_px(locate(sheet, MARKERS), true) < 1.0


def test_dragged_corners_are_an_alternative() -> None:
    true = make_view()
    corners = [(160 * np.cos(t), 160 * np.sin(t), 9.0) for t in np.arange(0, 6.2, np.pi / 3)]
    dragged = true.project(corners) + np.random.default_rng(1).normal(0, 0.7, (6, 2))
    assert miss_px(locate_by_corners(dragged, corners, 1280, 960), true) < 4.0
    with pytest.raises(NotLocated, match="four corners"):
        locate_by_corners(dragged[:3], corners[:3], 1280, 960)


def test_project_and_unproject_are_inverse() -> None:
    view = make_view(k1=-0.12, tilt_deg=20)
    for z in (0.0, 9.0):
        points = np.random.default_rng(2).uniform(-150, 150, (50, 2))
        pixels = view.project(np.column_stack([points, np.full(50, z)]))
        assert np.abs(view.unproject(pixels, z) - points).max() < 1e-3


def test_the_homography_is_the_projection_of_an_ideal_lens() -> None:
    view = make_view(k1=0.0)
    flat = np.column_stack([BOARD_MM[1::2, :2], np.ones(len(BOARD_MM) // 2)]) @ view.homography(9.0).T
    assert np.allclose(flat[:, :2] / flat[:, 2:], view.project(BOARD_MM[1::2]), atol=1e-6)


def failure(image: object) -> str:
    with pytest.raises(NotLocated) as caught:
        locate(image, MARKERS)  # type: ignore[arg-type]
    assert str(caught.value)
    return caught.value.reason


def test_every_unusable_picture_says_why() -> None:
    sheet = draw_sheet(make_view())
    assert failure(np.ascontiguousarray(sheet[:, ::-1])) == "mirrored"
    assert failure(draw_sheet(make_view(), (0, 1, 2))) == "one_marker"
    assert failure(np.full((960, 1280, 3), 130, np.uint8)) == "no_marker"
    assert failure(np.zeros((960, 1280, 3), np.uint8)) == "dark"
    assert failure(np.zeros((1, 1, 3), np.uint8)) == "too_small"
    assert failure(None) == "no_picture"


def test_damaged_files_are_refused() -> None:
    data = cv2.imencode(".jpg", draw_sheet(make_view()))[1].tobytes()
    assert decode(data).shape == (960, 1280, 3)
    for damaged, reason in ((data[: len(data) // 2], "truncated"), (b"", "no_picture"), (b"no picture", "no_picture")):
        with pytest.raises(NotLocated) as caught:
            decode(damaged)
        assert caught.value.reason == reason


def test_a_cut_off_board_is_refused_and_the_side_is_named() -> None:
    view = make_view(turn_deg=0.0)
    check_inside(view, BOARD_MM)
    aside = View(view.lens, view.rotation, (-380.0, 0.0, 680.0))
    with pytest.raises(NotLocated, match="on the left"):
        check_inside(aside, BOARD_MM)


def test_grey_pictures_are_read_too() -> None:
    sheet = draw_sheet(make_view())
    match = match_picture(np.asarray(cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY)), MARKERS)
    assert miss_px(locate_match(match, 1280, 960), make_view()) < 0.35
