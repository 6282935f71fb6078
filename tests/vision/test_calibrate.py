"""How it is told what a network that points at pieces finds, misses and makes up."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from tools.pieces.boards import UNDER_HAND
from tools.pieces.calibrate import MARGIN, asked_of, fit, peaks_of
from vision.mosaic import BOX_STEP
from vision.piece_net import INPUTS, NOW, OUTPUTS, STRIDE, PieceNet

SIDE = 4 * BOX_STEP
SMALL, LEADER = (10.5, 12.5), (40.5, 30.5)


class Pointing:
    """A network that always says the same."""

    def __init__(self, *peaks: tuple[int, tuple[float, float], float]) -> None:
        self.output = np.full((OUTPUTS, SIDE // STRIDE, SIDE // STRIDE), -8.0, np.float32)
        for layer, (x, y), logit in peaks:
            self.output[layer, round((y - 0.5) / STRIDE), round((x - 0.5) / STRIDE)] = logit

    def run(self, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        assert inputs.shape[1:] == (SIDE, SIDE)
        return self.output


def board_of(side: int = SIDE) -> dict[str, npt.NDArray[Any]]:
    """A grey board on which an archaeologist and a leader stand."""
    grey = np.full((side, side, 3), 128, np.uint8)
    return {
        "seen": grey,
        "bare": grey,
        "lean": np.zeros((side, side, 2), np.float16),
        "rise": np.zeros((side, side), np.uint8),
        "mask": np.zeros((side, side), np.uint8),
        "inside": np.ones((side, side), bool),
        "where": np.array([SMALL, LEADER], np.float32),
        "labels": np.array(["archaeologist", "leader.red"]),
    }


def peaks(net: Pointing, board: dict[str, npt.NDArray[Any]]) -> Any:
    return peaks_of(cast(PieceNet, net), board)


def test_a_peak_beside_its_foot_is_right_and_one_elsewhere_is_made_up() -> None:
    near = (SMALL[0] + 2, SMALL[1])
    small, painted, lost = peaks(Pointing((0, near, 3.0), (0, (50.5, 50.5), 1.0), (1, LEADER, 2.0)), board_of())
    assert small == [(3.0, True), (1.0, False)]
    assert painted == [(2.0, True)]
    assert lost == [0, 0]


def test_a_foot_without_a_peak_of_its_kind_is_missed() -> None:
    small, painted, lost = peaks(Pointing((0, LEADER, 2.0)), board_of())
    assert small == [(2.0, False)]
    assert (painted, lost) == ([], [1, 1])


def test_one_foot_makes_one_peak_right() -> None:
    beside = (SMALL[0] + 4, SMALL[1])
    small, _, lost = peaks(Pointing((0, SMALL, 3.0), (0, beside, 2.0)), board_of())
    assert small == [(3.0, True), (2.0, False)]
    assert lost[0] == 0


def test_nobody_is_blamed_for_what_a_hand_hides() -> None:
    board = board_of()
    board["mask"][:] = UNDER_HAND
    assert peaks(Pointing((0, SMALL, 3.0)), board) == ([], [], [0, 0])


@pytest.mark.parametrize("more", [0, 5])
def test_what_is_asked_fits_the_network(more: int) -> None:
    inputs, told = asked_of(board_of(SIDE + more))
    assert inputs.shape == (INPUTS, SIDE, SIDE)
    assert not inputs[NOW:].any()
    assert told.all()


def test_at_the_rim_of_a_window_nothing_is_judged() -> None:
    board = board_of()
    board |= {"earlier": board["seen"], "known": board["where"], "names": board["labels"]}
    inputs, told = asked_of(board)
    assert inputs.shape == (INPUTS, SIDE, SIDE)
    assert inputs[NOW + 3 :].max() == pytest.approx(1, abs=0.1)
    assert told[MARGIN:-MARGIN, MARGIN:-MARGIN].all()
    assert told.sum() == (SIDE // STRIDE - 2 * MARGIN) ** 2


def test_odds_come_true_on_what_they_were_fitted_to() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 2, 4000)
    right = rng.random(4000) < 1 / (1 + np.exp(-(1.5 * logits - 0.5)))
    slope, shift = fit(list(zip(logits.tolist(), right.tolist(), strict=True)))
    assert (slope, shift) == pytest.approx((1.5, -0.5), abs=0.2)
