"""Setting a table up: the printed markers, meters, corners by hand, groups of tiles, the order of colours."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import gamedata, workshop
from companion.marker_sheet import bits, marker_sheet
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from vision.locate import NotLocated, find_markers
from vision.view import Image


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(Ice(Options(players=3), gamedata.shipped()), "mild", 1, (1280, 720), 1)


@pytest.fixture(scope="module")
def picture(table: SimulatedTable) -> Image:
    table.lay_layers("snow")
    return table.table.picture()


def test_the_sheet_holds_every_marker_and_a_bar(table: SimulatedTable) -> None:
    pdf = marker_sheet(table.markers, "Icelight (test)").decode("ascii")
    assert pdf.startswith("%PDF-1.4")
    assert "/Count 4" in pdf
    start = int(pdf.split("startxref\n")[1].split("\n")[0])
    assert pdf[start:].startswith("xref")
    first = re.search(r"^0000000009 00000 n", pdf, re.M)
    assert first
    assert pdf[9:].startswith("1 0 obj")
    assert pdf.count("283.465 5.669 re f") == 4  # 100 mm x 2 mm in points
    assert r"Icelight \(test\): marker 3" in pdf
    assert "marker 1 410 mm" in pdf


def test_printed_markers_are_found_again(table: SimulatedTable) -> None:
    page = np.full((200, 200), 255, np.uint8)
    drawn = np.where(bits(table.markers, 2), 0, 255).astype(np.uint8)
    page[40:160, 40:160] = cv2.resize(drawn, (120, 120), interpolation=cv2.INTER_NEAREST)
    assert list(find_markers(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), table.markers)) == [2]


def test_a_good_picture_is_called_good(table: SimulatedTable, picture: Image) -> None:
    view = workshop.find_board(picture, table.markers, table.layout)
    assert view.residual_px < 0.5
    found = workshop.meters(picture, view, table.markers, table.layout)
    assert [meter.name.text for meter in found] == ["Light", "Glare", "Focus", "Size"]
    assert all(meter.ok for meter in found)


@pytest.mark.parametrize(
    ("spoil", "meter"),
    [
        (lambda image: image // 8, "Light"),
        (lambda image: np.clip(image.astype(int) * 3, 0, 255).astype(np.uint8), "Glare"),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 4), "Focus"),
    ],
)
def test_what_is_wrong_with_a_picture_is_named(table: SimulatedTable, picture: Image, spoil, meter: str) -> None:
    view = workshop.find_board(picture, table.markers, table.layout)
    found = {one.name.text: one for one in workshop.meters(spoil(picture), view, table.markers, table.layout)}
    assert not found[meter].ok
    assert 0 <= found[meter].value <= 1
    blind = {one.name.text: one.ok for one in workshop.meters(spoil(picture), None, table.markers, table.layout)}
    assert not blind[meter]


@pytest.mark.parametrize(("count", "most_px"), [(4, 6.0), (6, 4.0)])
def test_corners_dragged_by_hand_give_the_same_view(
    table: SimulatedTable, picture: Image, count: int, most_px: float
) -> None:
    view = workshop.find_board(picture, table.markers, table.layout)
    dragged = view.project(workshop.corner_places(table.layout))[:count]
    pixels = dragged + np.random.default_rng(1).normal(0, 0.7, (count, 2))
    by_hand = workshop.view_by_corners(pixels.tolist(), table.layout, 1280, 720)
    outline = workshop.board_outline(table.layout)
    assert np.abs(by_hand.project(outline) - view.project(outline)).max() < most_px
    assert len(set(workshop.hand_corners(table.layout))) == 6
    for wrong in (pixels.tolist()[:3], [*pixels.tolist(), *pixels.tolist()]):
        with pytest.raises(NotLocated, match="at least four"):
            workshop.view_by_corners(wrong, table.layout, 1280, 720)


def test_tiles_are_learnt_in_groups_and_single_ones_put_right(table: SimulatedTable, picture: Image) -> None:
    draft = workshop.draft_layer(picture, table.markers, table.layout, "snow", 8)
    truth = {spot: kind for spot, (kind, _) in table._deal().items()}
    kinds = [truth[draft.spots[group.members[0]]] for group in draft.groups]
    wrong = {
        member: truth[draft.spots[member]]
        for group, kind in zip(draft.groups, kinds, strict=True)
        for member in group.members
        if truth[draft.spots[member]] != kind
    }
    assert len(wrong) <= 2
    learnt = draft.named(kinds, corrections={0: "campsite"})
    assert len(learnt.prints) == 48
    assert sum(one.kind == "campsite" for one in learnt.prints) == 2
    assert workshop.picture_of(draft, 0).startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="8 groups"):
        draft.named(kinds[:-1])


@pytest.mark.parametrize(
    ("order", "seen", "true"),
    [
        ("GRB", {"R": "R", "G": "G", "B": "B"}, "GRB"),
        ("GRB", {"R": "G", "G": "R", "B": "B"}, "RGB"),
        ("RGB", {"R": "B", "G": "R", "B": "G"}, "BRG"),
        ("GRBW", {"R": "G", "G": "R", "B": "B"}, "RGBW"),
    ],
)
def test_the_order_of_colours_follows_from_what_was_seen(order: str, seen: dict[str, str], true: str) -> None:
    assert workshop.true_order(order, seen) == true


@pytest.mark.parametrize("seen", [{}, {"R": "R", "G": "R", "B": "B"}, {"R": "R"}])
def test_colours_seen_twice_tell_nothing(seen: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="once each"):
        workshop.true_order("GRB", seen)


def test_cameras_of_the_machine_are_found(tmp_path: Path) -> None:
    assert workshop.found_cameras(tmp_path) == ["synthetic:"]
    for name, index in (("video0", "0"), ("video1", "1"), ("video2", "0")):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / name).touch()
        folder = tmp_path / "sys/class/video4linux" / name
        folder.mkdir(parents=True)
        (folder / "index").write_text(index + "\n")
    assert workshop.found_cameras(tmp_path) == ["usb:0", "usb:2", "synthetic:"]


def test_progress_is_remembered_and_a_damaged_file_is_a_fresh_start(tmp_path: Path) -> None:
    assert workshop.read_progress(None) == {"done": []}
    workshop.write_progress(tmp_path, {"done": ["game", "lights"]})
    assert workshop.read_progress(tmp_path) == {"done": ["game", "lights"]}
    for text in ("{", "[]", '{"done": ["x"], "game": 3}'):
        (tmp_path / workshop.PROGRESS_FILE).write_text(text)
        assert workshop.read_progress(tmp_path) == {"done": []}


def test_a_usb_camera_is_called_what_it_calls_itself(tmp_path: Path) -> None:
    (tmp_path / "sys/class/video4linux/video2").mkdir(parents=True)
    (tmp_path / "sys/class/video4linux/video2/name").write_text("Good Webcam\n")
    assert workshop.camera_name("usb:2", tmp_path) == "Good Webcam"
    assert workshop.camera_name("usb:3", tmp_path) == ""
    assert workshop.camera_name("synthetic:", tmp_path) == ""
