"""Takes the sampling grain out of a rendered picture without washing shapes away."""

from __future__ import annotations

import cv2
import numpy as np

Array = np.ndarray


def without_grain(render: Array, rounds: int = 3) -> Array:
    """Light smoothed along surfaces: channels are light (3), colour of things (3), normal (3), depth (1).

    The colours of things are divided out first, so that prints stay sharp; neighbours count only where normal and
    depth agree (the same surface) and the light does not jump (a shadow's edge).
    """
    light, albedo = render[..., :3].astype(np.float32), np.clip(render[..., 3:6], 0.01, None).astype(np.float32)
    normal, depth = render[..., 6:9].astype(np.float32), render[..., 9].astype(np.float32)
    even = cv2.medianBlur(np.log(np.clip(light / albedo, 1e-4, 60)).astype(np.float32), 3)
    still = np.log(np.clip(light / albedo, 1e-4, 60))
    rough = np.abs(cv2.Laplacian(depth, cv2.CV_32F)) > 2.0  # a silhouette runs through: leave the pixel alone
    even[rough] = still[rough]
    for k in range(rounds):
        even = _round(even, normal, depth, 2**k, 0.6 / 1.6**k)
    return np.exp(even) * albedo


def _round(even: Array, normal: Array, depth: Array, step: int, reach: float) -> Array:
    """One pass over the eight neighbours at a distance of `step` pixels."""
    total, weight = even.copy(), np.ones(even.shape[:2], np.float32)
    for dy in (-step, 0, step):
        for dx in (-step, 0, step):
            if not dx and not dy:
                continue
            shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
            moved = [
                cv2.warpAffine(
                    a, shift, (a.shape[1], a.shape[0]), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
                )
                for a in (even, normal, depth)
            ]
            facing = np.einsum("ijk,ijk->ij", normal, moved[1])
            jump = (moved[0][..., 1] - even[..., 1]) / reach
            w = (facing > 0.97) * (np.abs(moved[2] - depth) < 1.2 * step) * np.exp(-jump * jump)
            total += w[..., None] * moved[0]
            weight += w
    return total / weight[..., None]
