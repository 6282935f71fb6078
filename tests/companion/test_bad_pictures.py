"""What the eye of a table does with pictures that cannot be used: it says so, never crashes, and goes on afterwards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.picture_sets import table_layout
from companion.table_eye import TROUBLES, Look, TableEye
from engine.sighting import Sighting
from engine.spots import Cue, Spot
from tests.vision.sheet import MARKERS, draw_sheet, make_view
from vision.locate import NotLocated, decode
from vision.pieces import Candidate
from vision.view import Image, View

SEEN = Sighting({Cue(Spot("snow:4,3,3"), "tile"): {"blank": 1.0}})


@dataclass
class Noting:
    """A reader that notes how often it was asked; what it reads does not matter here."""

    sighting: Sighting = SEEN
    unsure: frozenset[Spot] = frozenset()
    candidates: tuple[Candidate, ...] = ()
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    views: list[View | None] = field(default_factory=list)
    """The views of whole readings; what changed is read in the last one."""

    def read(self, image: Image, view: View | None = None) -> Noting:
        self.shapes.append(image.shape)
        self.views.append(view)
        return self

    def read_changes(self, image: Image, cells: Collection[Spot]) -> Noting:
        self.shapes.append(image.shape)
        return self

    def trust(self, image: Image, tiles: Mapping[Spot, str | None]) -> None:
        pass


GOOD = draw_sheet(make_view())


def make_eye(reader: Noting | None = None) -> TableEye:
    return TableEye(reader or Noting(), table_layout(), MARKERS)


def settle(eye: TableEye, image: Image, frames: int = 4) -> Look:
    look = eye.look(image)
    for _ in range(frames - 1):
        look = eye.look(image)
    return look


def one_corner() -> Image:
    return draw_sheet(make_view(), hidden=(0, 1, 2))


def beside_the_board() -> Image:
    """Two markers are in the picture, but half of the board is not."""
    return draw_sheet(replace(make_view(tilt_deg=0, turn_deg=0), translation=(-330.0, 0.0, 680.0)))


BAD = {
    "no_marker": np.full((960, 1280, 3), 130, np.uint8),
    "one_marker": one_corner(),
    "mirrored": np.ascontiguousarray(GOOD[:, ::-1]),
    "dark": np.zeros((960, 1280, 3), np.uint8),
    "too_small": np.full((1, 1, 3), 200, np.uint8),
    "no_picture": np.zeros((0, 0, 3), np.uint8),
    "cut_off": beside_the_board(),
}


def test_a_good_picture_is_read() -> None:
    look = settle(make_eye(), GOOD)
    assert look.ok
    assert look.sighting is not None


@pytest.mark.parametrize("reason", BAD)
def test_a_bad_picture_at_the_start_says_what_to_do_and_is_not_read(reason: str) -> None:
    eye = make_eye()
    look = settle(eye, BAD[reason])
    assert not look.ok
    assert look.sighting is None
    assert look.say == TROUBLES[reason]
    assert settle(eye, GOOD).sighting is not None, "the next good picture is read"


@pytest.mark.parametrize("reason", ["dark", "too_small", "no_picture"])
def test_a_picture_that_goes_bad_in_a_game_is_told_and_read_again_afterwards(reason: str) -> None:
    eye = make_eye()
    assert settle(eye, GOOD).ok
    bad = settle(eye, BAD[reason])
    assert not bad.ok
    assert bad.say == TROUBLES[reason]
    assert bad.sighting is None, "nothing is told about a board that cannot be seen"
    assert settle(eye, GOOD).sighting is not None


def test_three_markers_suffice() -> None:
    assert settle(make_eye(), draw_sheet(make_view(), hidden=(2,))).ok


def test_grey_pictures_are_read_as_colour() -> None:
    reader = Noting()
    assert settle(make_eye(reader), np.asarray(cv2.cvtColor(GOOD, cv2.COLOR_BGR2GRAY), dtype=np.uint8)).ok
    assert {len(shape) for shape in reader.shapes} == {3}


def test_a_camera_that_changes_its_size_is_located_anew() -> None:
    reader = Noting()
    eye = make_eye(reader)
    assert settle(eye, GOOD).ok
    eye.look(GOOD)
    small = draw_sheet(make_view(width=960, height=720, focal=750.0))
    look = settle(eye, small, 6)
    assert look.ok
    assert look.sighting is not None
    assert eye.view is not None
    assert (eye.view.lens.width, eye.view.lens.height) == (960, 720)
    assert reader.views[-1] is eye.view, "the whole board is read again, as nothing is known in the new view"


def test_a_camera_turned_away_in_a_game_is_told_until_it_is_back() -> None:
    reader = Noting()
    eye = make_eye(reader)
    assert settle(eye, GOOD).ok
    read = len(reader.shapes)
    looks = [eye.look(BAD["cut_off"]) for _ in range(12)]
    assert all(look.sighting is None for look in looks[1:]), "a view that no longer holds is not read with"
    assert {look.say for look in looks[-8:]} == {TROUBLES["cut_off"]}
    assert len(reader.shapes) == read
    assert settle(eye, GOOD).sighting is not None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_truncated_file_is_refused(share: float) -> None:
    data = cv2.imencode(".jpg", GOOD)[1].tobytes()
    with pytest.raises(NotLocated) as caught:
        decode(data[: int(share * len(data))])
    assert caught.value.reason in ("truncated", "no_picture")
    assert str(caught.value).count(";") == 1, "what is wrong; what to do"
