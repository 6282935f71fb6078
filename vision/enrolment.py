"""The owner's own tiles: what each kind looks like, learnt from pictures of the board being set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Layout, Spot
from vision.light import paper_field
from vision.rectify import DETAIL, Grid, make_cutter
from vision.sharpness import TYPICAL_BLUR_MM, blur_mm
from vision.view import Image, Markers, View

PRINT_GRID = Grid(72, 2 / 3)
"""Raster in which enrolled tiles are kept: 48 mm, a little finer than any comparison needs."""

WHITE = 200
"""Stored brightness of white paper; brighter things fit above it."""


class EnrolmentError(ValueError):
    """An enrolment is missing, damaged or incomplete; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Print:
    """One tile as it was seen once, in rotation 0 and in the light of white paper."""

    layer: str
    kind: str
    picture: npt.NDArray[np.uint8]
    rotation_known: bool = True
    blur_mm: float = 0.5
    copies: int = 1
    """How many enrolled tiles this print stands for."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A place without a tile as it was seen once, unturned."""

    spot: Spot
    picture: npt.NDArray[np.uint8]
    blur_mm: float = 0.5


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Everything that was learnt of one copy of the game."""

    prints: tuple[Print, ...] = ()
    grounds: tuple[Ground, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def extend(self, other: Enrolment) -> Enrolment:
        """Both together."""
        return Enrolment(self.prints + other.prints, self.grounds + other.grounds, {**self.notes, **other.notes})

    def kinds(self, layer: str) -> tuple[str, ...]:
        """Kinds known in a layer, in the order of enrolment."""
        return tuple(dict.fromkeys(p.kind for p in self.prints if p.layer == layer))


def cut_normalised(
    image: Image, view: View, markers: Markers, centres_mm: npt.ArrayLike, turns_deg: npt.ArrayLike = 0.0
) -> npt.NDArray[np.uint8]:
    """Pictures of places in enrolment raster, each divided by the light at its place."""
    centres = np.asarray(centres_mm, dtype=np.float64).reshape(-1, 3)
    cutter = make_cutter(view, centres, PRINT_GRID, turns_deg)
    pieces = cutter.cut(image).astype(np.float32)
    light = paper_field(image, view, markers).gain(centres[:, :2]).astype(np.float32)
    return np.clip(pieces / 255 / light[:, None, None] * WHITE + 0.5, 0, 255).astype(np.uint8)


def print_blur(image: Image, view: View, markers: Markers) -> float:
    """Blur of prints cut from a picture: that of the camera and that of the raster."""
    return float(np.hypot(blur_mm(image, view, markers) or TYPICAL_BLUR_MM, DETAIL * PRINT_GRID.step_mm))


def enrol_layer(
    image: Image,
    view: View,
    markers: Markers,
    layout: Layout,
    labels: Mapping[Spot, tuple[str, int | None]],
) -> Enrolment:
    """Prints of labelled tiles (kind, rotation) that lie uncovered in a picture."""
    spots = list(labels)
    if not spots:
        return Enrolment()
    places = [layout.places[s] for s in spots]
    turns = [60.0 * (labels[s][1] or 0) for s in spots]
    pictures = cut_normalised(image, view, markers, [(*p.centre_mm, p.top_mm) for p in places], turns)
    blur = print_blur(image, view, markers)
    return Enrolment(
        tuple(
            Print(place.layer, labels[place.spot][0], picture, labels[place.spot][1] is not None, blur)
            for place, picture in zip(places, pictures, strict=True)
        )
    )


def enrol_ground(image: Image, view: View, markers: Markers, layout: Layout, spots: Sequence[Spot]) -> Enrolment:
    """The look of places that take no tile, from a picture that shows them."""
    if not spots:
        return Enrolment()
    places = [layout.places[s] for s in spots]
    pictures = cut_normalised(image, view, markers, [(*p.centre_mm, p.top_mm) for p in places])
    blur = print_blur(image, view, markers)
    return Enrolment(grounds=tuple(Ground(p.spot, picture, blur) for p, picture in zip(places, pictures, strict=True)))


def small(prints: Sequence[Print], side: int = 18) -> npt.NDArray[np.float32]:
    """Prints (n, side * side * 3) reduced to what their differences show best; paper white is 1."""
    shrunk = [cv2.resize(p.picture, (side, side), interpolation=cv2.INTER_AREA) for p in prints]
    steps = np.linspace(-1, 1, side)
    inside = np.hypot(*np.meshgrid(steps, steps)) < 0.86
    return np.asarray(np.stack(shrunk)[:, inside].reshape(len(shrunk), -1) / np.float32(WHITE), dtype=np.float32)


def representatives(prints: Sequence[Print], most: int, near: float) -> tuple[Print, ...]:
    """Few prints per kind that stand for all: the next is the one least like those chosen, until all are `near`."""
    chosen: list[Print] = []
    for kind in dict.fromkeys(p.kind for p in prints):
        group = [p for p in prints if p.kind == kind]
        flat = small(group)
        gaps = np.sqrt(((flat[:, None] - flat[None]) ** 2).mean(axis=-1))
        picked = [int(gaps.sum(axis=1).argmin())]
        while len(picked) < min(most, len(group)):
            nearest = gaps[:, picked].min(axis=1)
            if nearest.max() < near:
                break
            picked.append(int(nearest.argmax()))
        owner = gaps[:, picked].argmin(axis=1)
        chosen.extend(replace(group[i], copies=int((owner == k).sum())) for k, i in enumerate(picked))
    return tuple(chosen)
