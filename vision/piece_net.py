"""The small network that points at pieces: a mosaic and its bare twin in, peaks at the pieces' feet and colours out."""

from __future__ import annotations

import math
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
INPUTS = 9
"""Seen and bare (three each), lean (two), rise."""
OUTPUTS = len(HEATS) + len(COLOURS) + 3
"""Peaks, colours, and three masks: behind a piece, behind a hand, in the shadow of a piece."""
PEAKS, PAINTS = slice(0, 3), slice(3, 9)
BODY, HAND, SHADE = 9, 10, 11
STRIDE = 2
"""Samples of the mosaic to one of the output."""
MODEL = Path(__file__).parent / "models" / "pieces.onnx"


def stack(seen: Numbers, bare: Numbers, lean: Floats, rise_mm: Floats, room: Floats | None = None) -> Floats:
    """The network's input (9, height, width) from a mosaic's parts, all of about the same size.

    It is written into some `room` that is large enough, where there is any: fresh memory takes time.
    """
    shape = (INPUTS, *rise_mm.shape)
    made = np.empty(shape, np.float32) if room is None else room[: math.prod(shape)].reshape(shape)
    for at, plane in enumerate((*cv2.split(seen), *cv2.split(bare))):
        np.multiply(plane, np.float32(1 / WHITE), out=made[at])
        made[at] -= np.float32(0.5)
    made[6:8] = lean.transpose(2, 0, 1) * 2
    made[8] = rise_mm / 4
    return made


class PieceNet:
    """The trained network, loaded when it is first needed."""

    def __init__(self, model: Path = MODEL) -> None:
        self.model = model

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(self.model))

    def run(self, inputs: Floats) -> Floats:
        """Raw outputs (12, height / 2, width / 2) of inputs (9, height, width); sides are multiples of 8."""
        self._net.setInput(inputs[None])
        return np.asarray(self._net.forward()[0], dtype=np.float32)
