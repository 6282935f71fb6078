"""A board that is turned and stretched to learn from: what stands where, and which way bodies lean, turns with it."""

from __future__ import annotations

import numpy as np
import pytest

from tools.pieces.twist import CROP, ROOM, twisted

SIDE, MARKED, AT = 300, (150.0, 130.0), (140.0, 140.0)
MIDDLE = (CROP + ROOM - 1) / 2


def board() -> dict[str, np.ndarray]:
    """A black board with a white dot, on which bodies lean to the right."""
    seen = np.zeros((SIDE, SIDE, 3), np.uint8)
    seen[128:133, 148:153] = 255
    lean = np.zeros((SIDE, SIDE, 2), np.float16)
    lean[..., 0] = 0.5
    plain = np.zeros((SIDE, SIDE), np.uint8)
    made = {"seen": seen, "bare": seen, "lean": lean, "rise": plain + 40, "mask": plain, "inside": plain == 0}
    return {**made, "where": np.array([MARKED], np.float32), "labels": np.array(["archaeologist"])}


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 2, 3.0])
@pytest.mark.parametrize("size", [0.8, 1.0, 1.2])
def test_a_foot_stays_with_what_is_seen_of_it(angle: float, size: float) -> None:
    made = twisted(board(), AT, angle, size)
    assert made["seen"].shape == (CROP + ROOM, CROP + ROOM, 3)
    x, y = np.rint(made["where"][0]).astype(int)
    assert made["seen"][y, x].min() > 200
    assert np.hypot(*(made["where"][0] - MIDDLE)) == pytest.approx(size * np.hypot(10, 10), abs=0.01)


def test_leans_turn_with_the_picture_and_heights_grow_with_it() -> None:
    made = twisted(board(), AT, np.pi / 2, 1.2)
    right = (
        twisted({**board(), "where": np.array([(160.0, 140.0)], np.float32)}, AT, np.pi / 2, 1.2)["where"][0] - MIDDLE
    )
    lean = made["lean"][60, 60]
    np.testing.assert_allclose(lean / np.hypot(*lean), right / np.hypot(*right), atol=1e-3)
    assert np.hypot(*lean) == pytest.approx(0.5, abs=1e-3)
    assert made["rise"][60, 60] == 48


def test_what_lies_beside_the_board_is_not_inside() -> None:
    made = twisted(board(), (5.0, 5.0), 0.3, 1.0)
    assert not made["inside"].all()
    assert made["inside"].any()
