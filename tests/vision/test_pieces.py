"""What the network's output means for places: hands over them, and pieces that the box can hold."""

import numpy as np
import pytest

from vision.mosaic import Mosaic
from vision.piece_net import HAND, OUTPUTS, STRIDE
from vision.pieces import Candidate, apart, hidden_rows, share_out
from vision.tuning import Tuning

SIDE = 40
BLUE, RED = "leader.blue", "leader.red"


def _one_place() -> Mosaic:
    flat = np.zeros((SIDE, SIDE, 3), np.uint8)
    lean, rise = np.zeros((SIDE, SIDE, 2), np.float32), np.zeros((SIDE, SIDE), np.float32)
    return Mosaic((slice(0, SIDE), slice(0, SIDE)), np.full((SIDE, SIDE), 7, np.int16), flat, flat, lean, rise)


@pytest.mark.parametrize(("covered", "hidden"), [(0.1, set()), (0.25, {7}), (1.0, {7})])
def test_a_hand_over_a_quarter_of_a_place_hides_it_and_over_a_tenth_does_not(covered: float, hidden: set[int]) -> None:
    """What stands under the fingers cannot be counted, so the place is unsure and nothing is guessed."""
    output = np.full((OUTPUTS, SIDE // STRIDE, SIDE // STRIDE), -9, np.float32)
    output[HAND, : round(covered * SIDE / STRIDE)] = 9
    assert hidden_rows(output, _one_place(), Tuning()) == hidden


def test_of_two_that_claim_one_name_the_surer_has_it() -> None:
    """The box holds one leader of each colour."""
    sure = Candidate(1, (0.0, 0.0), 0.95, {BLUE: 0.9, RED: 0.1})
    less = Candidate(2, (50.0, 0.0), 0.9, {BLUE: 0.6, RED: 0.4})
    named = {c.row: c.label for c in share_out([less, sure])}
    assert named == {1: BLUE, 2: RED}


@pytest.mark.parametrize(("far_mm", "count"), [(4.5, 1), (6.6, 2)])
def test_two_finds_along_one_body_are_one_piece_and_two_that_touch_are_two(far_mm: float, count: int) -> None:
    """The narrowest archaeologists are 6.2 mm wide, so nothing stands closer; a tall one may be pointed at twice."""
    wood = {"archaeologist": 1.0}
    assert len(apart([Candidate(1, (0.0, 0.0), 0.9, wood), Candidate(1, (far_mm, 0.0), 0.8, wood)])) == count
