"""Light that is no print: samples of faces that our own lamps or glare outshine tell nothing of the tile."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.patches import Board
from vision.tuning import Tuning

Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.bool_]
HARDLY = 0.01
"""Share of a face below which what is too bright may be left alone."""


def hide_lamplight(faces: Floats, shown: Floats, light: Floats, board: Board, tuning: Tuning) -> list[int]:
    """Hide samples that a lamp or glare outshines; which of the faces have some.

    Of `faces` (3, n, samples) in their `light` (n, 3) samples brighter than white paper can be, and lit rims. Where
    most of a face is so bright, it is the light that was expected wrongly. What is hidden is set to 0 in `shown`.
    """
    white = light.T[..., None]
    over = np.any(faces > white * np.float32(tuning.glow), axis=0)
    over |= _lit_rims(faces, white, over, board, tuning)
    share = over.mean(axis=1)
    lit = np.flatnonzero((share > HARDLY) & (share < tuning.glow_share))
    # Around a lamp its halo tints the print: there even what is hardly too bright is left out.
    halo = np.any(faces[:, lit] > white[:, lit] * np.float32(tuning.halo), axis=0) | over[lit]
    few = halo.mean(axis=1, keepdims=True) < tuning.glow_share
    shown[lit] *= ~np.where(few, halo, over[lit])
    return [int(i) for i in lit]


def _lit_rims(faces: Floats, white: Floats, over: Marks, board: Board, tuning: Tuning) -> Marks:
    """Samples (n, samples) along edges much brighter than their faces: on dark print lamps need not outshine paper.

    Not where most of the edge is `over` white paper already: there its halo is told by its brightness, too.
    """
    inside = faces[..., ~board.rim].mean(axis=2, keepdims=True)
    bright = np.any(faces[..., board.edge] > inside + white * np.float32(tuning.rim_glow), axis=0)
    lit = (bright.mean(axis=1) > tuning.rim_share) & (over[:, board.edge].mean(axis=1) < 0.5)
    return np.asarray(lit[:, None] & board.rim)
