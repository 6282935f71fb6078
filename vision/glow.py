"""Find the one lit LED: what a picture shows more than the dark picture of the same table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.view import Image, Points, View

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GlowTuning:
    """How a glow is looked for; lengths on the table in millimetres."""

    margin_mm: float = 25.0
    """So far around the board light is still looked for."""
    blur_mm: float = 3.0
    reach_mm: float = 16.0
    """Light further from the brightest point does not count for the centre."""
    floor: float = 0.35
    """Share of the peak below which light does not count for the centre."""
    rival_mm: float = 30.0
    """A second light further away than this is another one: a reflection."""


TUNING = GlowTuning()


@dataclass(frozen=True, slots=True)
class Glow:
    """A lit spot in a picture."""

    pixel: tuple[float, float]
    strength: float
    """Grey levels above the dark picture, summed over the colours."""
    clearness: float
    """Strength over the noise of the picture around it."""
    rival: float
    """The brightest other light as a share of this one."""


@dataclass(frozen=True, slots=True)
class Searchlight:
    """Where and how finely to look, worked out once for a view."""

    box: tuple[slice, slice]
    board: npt.NDArray[np.bool_]
    pixels_per_mm: float

    @classmethod
    def over(cls, view: View, outline_mm: npt.ArrayLike, z_mm: float, tuning: GlowTuning = TUNING) -> Searchlight:
        """Look at the board (corners N x 2) with a margin around it, at the height where the light comes out."""
        corners = np.asarray(outline_mm, dtype=np.float64).reshape(-1, 2)
        away = corners / np.maximum(np.linalg.norm(corners, axis=1, keepdims=True), 1e-6)
        wide = corners + away * tuning.margin_mm
        pixels = view.project(np.column_stack([wide, np.full(len(wide), z_mm)]))
        mask = np.zeros((view.lens.height, view.lens.width), np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(pixels).astype(np.int32)), 1)
        x, y, width, height = cv2.boundingRect(mask)
        box = (slice(y, y + height), slice(x, x + width))
        return cls(box, mask[box].astype(bool), view.pixels_per_mm(z_mm))


def average(pictures: list[Image]) -> Floats:
    """The mean of several pictures of the same scene."""
    total = np.zeros(pictures[0].shape, np.float32)
    for picture in pictures:
        cv2.accumulate(picture, total)
    return total / np.float32(len(pictures))


def find_glow(lit: Floats, dark: Floats, search: Searchlight, tuning: GlowTuning = TUNING) -> Glow | None:
    """The light that is in one picture and not in the other; None when there is none."""
    bright, ground = lit[search.box].sum(axis=2), dark[search.box].sum(axis=2)
    usable = search.board & (ground > 60) & (ground < 700)
    flicker = float(np.median((bright[usable] / ground[usable])[::7])) if usable.any() else 1.0
    scale = search.pixels_per_mm
    more = cv2.GaussianBlur((bright - flicker * ground) / through(ground), (0, 0), tuning.blur_mm * scale)
    more = np.where(search.board, more, np.float32(0))
    inside = more[search.board][::5]
    level = float(np.median(inside))
    noise = 1.4826 * float(np.median(np.abs(inside - level))) + 1e-3
    _, peak, _, at = cv2.minMaxLoc(more)
    if peak <= 3 * noise:
        return None
    distance = _distance_from(more.shape, at)
    others = np.where(distance > tuning.rival_mm * scale, more, np.float32(0))
    centre = _centre_of(more, np.array(at, dtype=np.float64), peak, tuning, scale)
    offset = np.array([search.box[1].start, search.box[0].start])
    x, y = (centre + offset).tolist()
    return Glow((x, y), float(peak), float(peak - level) / noise, max(0.0, float(others.max())) / float(peak))


def through(ground: Floats) -> Floats:
    """How much light comes through the print: what we see of it by day went through twice, there and back."""
    paper = np.float32(np.percentile(ground[::5, ::5], 95)) + 1
    share: Floats = np.sqrt(np.clip(ground / paper, 0.15, 1.0, dtype=np.float32))
    return share


def _distance_from(shape: tuple[int, ...], at: npt.ArrayLike) -> Floats:
    x, y = np.asarray(at, dtype=np.float32)
    columns, rows = np.arange(shape[1], dtype=np.float32), np.arange(shape[0], dtype=np.float32)
    distance: Floats = np.hypot(columns[None, :] - x, rows[:, None] - y)
    return distance


def _centre_of(more: Floats, start: Points, peak: float, tuning: GlowTuning, scale: float) -> Points:
    """The middle of the light around its brightest point, moved until it stays."""
    weights = np.clip(more - tuning.floor * peak, 0, None)
    centre = start
    rows, columns = np.mgrid[0 : more.shape[0], 0 : more.shape[1]]
    for _ in range(4):
        near = np.where(_distance_from(more.shape, centre) <= tuning.reach_mm * scale, weights, 0.0)
        total = float(near.sum())
        centre = np.array([float((near * columns).sum()) / total, float((near * rows).sum()) / total])
    return centre
