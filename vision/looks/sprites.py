"""Small pieces of picture with soft edges: cut, drawn, laid over one another."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

_BITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A patch to lay over a picture at `(x, y)`: colours already weighted by coverage, and what shows through."""

    x: int
    y: int
    colour: Picture
    through: Picture
    """Share of what lies below that stays, 255 = all, three channels."""

    def lay(self, picture: Picture) -> None:
        """Lay this patch over the picture in place; what is outside is cut off."""
        height, width = picture.shape[:2]
        x0, y0 = max(self.x, 0), max(self.y, 0)
        x1, y1 = min(self.x + self.colour.shape[1], width), min(self.y + self.colour.shape[0], height)
        if x1 <= x0 or y1 <= y0:
            return
        part = picture[y0:y1, x0:x1]
        rows, columns = slice(y0 - self.y, y1 - self.y), slice(x0 - self.x, x1 - self.x)
        kept = cv2.multiply(part, self.through[rows, columns], scale=1 / 255)
        cv2.add(kept, self.colour[rows, columns], dst=part)

    def without(self, hidden: Mask) -> Sprite:
        """The same patch with parts cut out; `hidden` is 255 where nothing may show."""
        left = cv2.merge([cv2.bitwise_not(hidden)] * 3)
        through = cv2.add(cv2.multiply(self.through, left, scale=1 / 255), cv2.bitwise_not(left))
        return Sprite(self.x, self.y, _u8(cv2.multiply(self.colour, left, scale=1 / 255)), _u8(through))


def _u8(array: object) -> Picture:
    return np.asarray(array, np.uint8)


def make_sprite(x: int, y: int, colour: Picture, cover: Mask) -> Sprite:
    """A patch from plain colours and a coverage of 0..255."""
    covers = cv2.merge([cover] * 3)
    return Sprite(x, y, _u8(cv2.multiply(colour, covers, scale=1 / 255)), _u8(cv2.bitwise_not(covers)))


def box_of(points: ArrayLike, margin: int = 2) -> tuple[int, int, int, int]:
    """The whole-pixel box `(x, y, width, height)` around points."""
    array = np.asarray(points)
    low, high = np.floor(array.min(0)).astype(int) - margin, np.ceil(array.max(0)).astype(int) + margin + 1
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def fill(picture: NDArray[np.uint8], points: ArrayLike, colour: tuple[int, ...] | int, smooth: bool = True) -> None:
    """Fill a polygon given in pixels with a fraction, in place."""
    fixed = np.round(np.asarray(points, np.float64) * (1 << _BITS)).astype(np.int32)
    shade = colour if isinstance(colour, tuple) else (colour,)
    cv2.fillPoly(picture, [fixed], shade, cv2.LINE_AA if smooth else cv2.LINE_8, _BITS)


def polygon_mask(points: ArrayLike, box: tuple[int, int, int, int], scale: int = 4) -> Mask:
    """Coverage of a polygon inside a box, with soft edges."""
    x, y, width, height = box
    large = np.zeros((height * scale, width * scale), np.uint8)
    fill(large, (np.asarray(points) - (x - 0.5, y - 0.5)) * scale - 0.5, 255, smooth=False)
    return _u8(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA))


def polygon_sprite(points: ArrayLike, colour: tuple[int, int, int]) -> Sprite:
    """A polygon of one colour."""
    box = box_of(points)
    plain = np.empty((box[3], box[2], 3), np.uint8)
    plain[:] = colour
    return make_sprite(box[0], box[1], plain, polygon_mask(points, box))


def warped_sprite(texture: Picture, source: ArrayLike, target: ArrayLike, outline: ArrayLike) -> Sprite:
    """A flat picture seen in perspective: four texture points go to four picture points, cut along the outline."""
    box = box_of(outline)
    shift = np.array([box[0], box[1]], np.float64)
    matrix = cv2.getPerspectiveTransform(
        np.asarray(source, np.float32), (np.asarray(target, np.float64) - shift).astype(np.float32)
    )
    warped = cv2.warpPerspective(
        texture, matrix, (box[2], box[3]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return make_sprite(box[0], box[1], _u8(warped), polygon_mask(outline, box))


def darken(picture: Picture, shade: Mask) -> None:
    """Multiply the picture by a shade of 255 = untouched, in place."""
    cv2.multiply(picture, cv2.merge([shade] * 3), dst=picture, scale=1 / 255)
