"""How the network is asked: what it is shown, and its answers to mirror images."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.mosaic import BOX_STEP
from vision.piece_net import INPUTS, LEAN_ALONG, NOW, OUTPUTS, STRIDE, PieceNet, mark_feet, stack

SIDE = 4 * BOX_STEP
Floats = npt.NDArray[np.float32]


class Telling(PieceNet):
    """A network that tells one of its inputs, and what lies one step of the output to the right."""

    def __init__(self, layer: int) -> None:
        self.layer = layer

    def run(self, inputs: Floats) -> Floats:
        told = inputs[self.layer, ::STRIDE, ::STRIDE] + inputs[self.layer, 1::STRIDE, 1::STRIDE]
        return np.stack([told, np.roll(told, -1, axis=1)])


def some_inputs() -> Floats:
    return np.random.default_rng(5).normal(size=(INPUTS, SIDE, SIDE)).astype(np.float32)


def test_mirror_images_even_out_what_is_seen_on_one_side_only() -> None:
    inputs = some_inputs()
    net = Telling(0)
    told = net.run(inputs)[0]
    plain, leaning = net.run_mirrored(inputs)
    both = (inputs[0, ::2, ::2] + inputs[0, 1::2, 1::2] + inputs[0, ::2, 1::2] + inputs[0, 1::2, ::2]) / 2
    np.testing.assert_allclose(plain, both, atol=1e-5)
    assert not np.allclose(plain, told, atol=0.1)
    middle = slice(1, -1)
    np.testing.assert_allclose(leaning[:, middle], (both[:, :-2] + both[:, 2:]) / 2, atol=1e-5)


@pytest.mark.parametrize("axis", [1, 2])
def test_bodies_lean_the_other_way_in_a_mirror(axis: int) -> None:
    inputs = np.zeros((INPUTS, SIDE, SIDE), np.float32)
    inputs[LEAN_ALONG[axis]] = 1
    assert not Telling(LEAN_ALONG[axis]).run_mirrored(inputs).any()
    assert Telling(LEAN_ALONG[axis]).run(inputs).all()


def test_lean_along_each_axis_is_where_the_network_is_shown_it() -> None:
    grey, rise = np.zeros((SIDE, SIDE, 3), np.uint8), np.zeros((SIDE, SIDE), np.float32)
    lean = np.zeros((SIDE, SIDE, 2), np.float32)
    lean[..., 0], lean[..., 1] = 0.1, 0.2
    made = stack(grey, grey, lean, rise)
    assert made[LEAN_ALONG[2]].max() * 2 == pytest.approx(made[LEAN_ALONG[1]].max())


def test_nothing_is_shown_of_before_unless_it_is_known() -> None:
    grey, lean = np.full((SIDE, SIDE, 3), 90, np.uint8), np.zeros((SIDE, SIDE, 2), np.float32)
    rise = np.zeros((SIDE, SIDE), np.float32)
    room = np.full(INPUTS * SIDE * SIDE, 7, np.float32)
    assert not stack(grey, grey, lean, rise, room)[NOW:].any()
    marks = mark_feet([("archaeologist", 20.0, 30.0)], (SIDE, SIDE))
    known = stack(grey, grey, lean, rise, room, (grey, marks))
    np.testing.assert_array_equal(known[NOW : NOW + 3], known[:3])
    assert np.unravel_index(known[NOW + 3].argmax(), (SIDE, SIDE)) == (30, 20)


def test_the_network_that_is_shipped_answers_for_every_second_sample() -> None:
    assert PieceNet().run(some_inputs()).shape == (OUTPUTS, SIDE // STRIDE, SIDE // STRIDE)
