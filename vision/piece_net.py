"""The small network that points at pieces: a mosaic and its bare twin in, peaks at the pieces' feet and colours out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.enrolment import WHITE

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float32] | npt.NDArray[np.uint8]

HEATS = ("archaeologist", "leader", "camp")
COLOURS = ("blue", "red", "green", "yellow", "purple", "white")
NOW = 9
"""Inputs that tell how the board looks: seen and bare (three each), lean (two), rise."""
INPUTS = NOW + 6
"""The same, an earlier look (three), and where pieces of each kind stood then; these are 0 where nothing is known."""
OUTPUTS = len(HEATS) + len(COLOURS) + 3
"""Peaks, colours, and three masks: behind a piece, behind a hand, in the shadow of a piece."""
PEAKS, PAINTS = slice(0, 3), slice(3, 9)
BODY, HAND, SHADE = 9, 10, 11
STRIDE = 2
"""Samples of the mosaic to one of the output."""
LEAN_ALONG = {1: 7, 2: 6}
"""The input that tells how far bodies lean, by the axis along which they do."""
MODEL = Path(__file__).parent / "models" / "pieces.onnx"
MARK = 1.7
"""Width of the mark at a known foot, in samples."""


def stack(
    seen: Numbers,
    bare: Numbers,
    lean: Floats,
    rise_mm: Floats,
    room: Floats | None = None,
    before: tuple[Numbers, Floats] | None = None,
) -> Floats:
    """The network's input (15, height, width) from a mosaic's parts, all of about the same size.

    `before` is an earlier look and the marks of what stood there, if that is known. The input is written into some
    `room` that is large enough, where there is any: fresh memory takes time.
    """
    shape = (INPUTS, *rise_mm.shape)
    made = np.empty(shape, np.float32) if room is None else room[: math.prod(shape)].reshape(shape)
    _whiten((seen, bare), made)
    made[6:8] = lean.transpose(2, 0, 1) * 2
    made[8] = rise_mm / 4
    if before is None:
        made[NOW:] = 0
    else:
        earlier, marks = before
        _whiten((earlier,), made[NOW:])
        made[NOW + 3 :] = marks
    return made


def _whiten(looks: Sequence[Numbers], into: Floats) -> None:
    for at, plane in enumerate(plane for look in looks for plane in cv2.split(look)):
        np.multiply(plane, np.float32(1 / WHITE), out=into[at])
        into[at] -= np.float32(0.5)


def mark_feet(feet: Iterable[tuple[str, float, float]], shape: tuple[int, int]) -> Floats:
    """Marks (3, height, width) at feet, each given by its label and sample, x right and y down."""
    marks = np.zeros((len(HEATS), *shape), np.float32)
    reach = math.ceil(3 * MARK)
    for label, x, y in feet:
        top, left = max(round(y) - reach, 0), max(round(x) - reach, 0)
        part = marks[HEATS.index(label.partition(".")[0]), top : round(y) + reach, left : round(x) + reach]
        v, u = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        np.maximum(part, np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * MARK**2)), out=part, casting="unsafe")
    return marks


class PieceNet:
    """The trained network, loaded when it is first needed."""

    def __init__(self, model: Path = MODEL) -> None:
        self.model = model

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(self.model))

    def run(self, inputs: Floats) -> Floats:
        """Raw outputs (12, height / 2, width / 2) of inputs (15, height, width); sides are multiples of 16."""
        self._net.setInput(inputs[None])
        return np.asarray(self._net.forward()[0], dtype=np.float32)

    def run_mirrored(self, inputs: Floats) -> Floats:
        """The mean of what it says of inputs and of their mirror images: what it wavers about evens out."""
        total = self.run(inputs)
        for axes in ((1,), (2,), (1, 2)):
            mirrored = np.ascontiguousarray(np.flip(inputs, axes))
            for axis in axes:
                mirrored[LEAN_ALONG[axis]] *= -1
            total += np.flip(self.run(mirrored), axes)
        return total / np.float32(4)
