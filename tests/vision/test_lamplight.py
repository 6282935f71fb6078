"""What lamps outshine is left out: too bright samples, and rims that are lit on dark print."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.drawn import LAYOUT
from vision.lamplight import hide_lamplight
from vision.patches import Board
from vision.rectify import Grid
from vision.tuning import Tuning

BOARD = Board(LAYOUT, Grid(24, 2.0))
PRINT, PAPER, LAMP = 0.35, 0.8, 1.2
Floats = npt.NDArray[np.float32]


def faces(rim: float, inside: float = PRINT) -> Floats:
    """One face, plain but for its edge."""
    return np.full((3, 1, len(BOARD.face)), inside, np.float32) + np.where(BOARD.edge, np.float32(rim - inside), 0)


def left(face: Floats) -> npt.NDArray[np.bool_]:
    """Which samples still tell."""
    shown = np.ones(face.shape[1:], np.float32)
    hide_lamplight(face, shown, np.full((1, 3), PAPER, np.float32), BOARD, Tuning())
    return shown[0] > 0


def test_a_plain_face_tells_everywhere() -> None:
    assert left(faces(PRINT)).all()


def test_a_lit_rim_is_left_out_though_it_is_no_brighter_than_paper() -> None:
    told = left(faces(rim=PAPER * 0.95))
    assert not told[BOARD.rim].any()
    assert told[~BOARD.rim].all()


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_what_is_bright_along_part_of_the_edge_is_print(share: float) -> None:
    face = faces(PRINT)
    edge = np.flatnonzero(BOARD.edge)
    face[..., edge[: round(share * len(edge))]] = PAPER
    assert left(face).all()


def test_what_outshines_paper_is_left_out_and_nothing_beside_it() -> None:
    told = left(faces(rim=LAMP, inside=PAPER * 0.9))
    assert not told[BOARD.edge].any()
    assert told[~BOARD.edge].all()


def test_a_face_that_is_bright_all_over_is_in_other_light() -> None:
    assert left(faces(LAMP, LAMP)).all()
