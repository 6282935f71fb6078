"""Boards turned by any angle and stretched: what the piece network learns from looks like other pieces then."""

from __future__ import annotations

import cv2
import numpy as np

CROP = 112
"""Side of what the network is shown at a time, in samples."""
ROOM = 4
"""So many samples more are twisted: bare prints are laid a sample beside their place."""
IN_PLAN = ("where", "known", "changed")
"""Which entries of a board are points."""
Board = dict[str, np.ndarray]


def twisted(board: Board, at: tuple[float, float], angle: float, size: float) -> Board:
    """The surroundings of a point, a little more than a crop, turned and with all bodies so much larger.

    Its two sides are the crop's: leans turn with it, heights grow with it.
    """
    side, middle = CROP + ROOM, (CROP + ROOM - 1) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    way = np.column_stack([turn / size, np.array(at) - turn @ [middle, middle] / size])

    def laid(image: np.ndarray, how: int, border: int) -> np.ndarray:
        return cv2.warpAffine(image, way, (side, side), flags=how | cv2.WARP_INVERSE_MAP, borderMode=border)

    made = dict(board)
    for name in {"seen", "bare", "earlier"} & set(board):
        made[name] = laid(board[name], cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    made["lean"] = laid(board["lean"].astype(np.float32), cv2.INTER_LINEAR, cv2.BORDER_REPLICATE) @ turn
    rise = laid(board["rise"], cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    made["rise"] = np.clip(rise * size, 0, 255).astype(np.uint8)
    made["mask"] = laid(board["mask"], cv2.INTER_NEAREST, cv2.BORDER_REPLICATE)
    made["inside"] = laid(board["inside"].astype(np.uint8), cv2.INTER_NEAREST, cv2.BORDER_CONSTANT) > 0
    for name in set(IN_PLAN) & set(board):
        made[name] = ((board[name] - at) @ turn * size + middle).astype(np.float32)
    return made
