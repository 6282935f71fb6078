"""Light, lens faults and sensor: how good or bad the picture of a scene gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks.bodies import Sun
from vision.looks.lens import Lens, fitted
from vision.looks.sprites import Mask, Picture


@dataclass(frozen=True, slots=True)
class Condition:
    """How far from ideal light, camera and hands are; shares of 1 unless a unit is named."""

    light_gradient: float
    cast: float
    shadow: float
    """Depth of shadows of tiles, pieces and hands, and of the large soft one over a part of the table."""
    glare: float
    exposure: tuple[float, float]
    noise: float
    """Standard deviation in grey levels."""
    blur_px: float
    motion_px: float
    jpeg: int
    tilt_deg: float
    k1: float
    jitter_mm: float
    twist_deg: float
    led_glow: float
    flicker: float = 0.01


CONDITIONS: Final[dict[str, Condition]] = {
    "mild": Condition(0.15, 0.04, 0.25, 0.0, (0.85, 1.0), 2.0, 0.45, 0.0, 92, 4.0, -0.04, 0.4, 1.0, 0.35),
    "medium": Condition(0.35, 0.10, 0.40, 0.18, (0.7, 1.0), 4.5, 0.7, 1.5, 82, 10.0, -0.08, 0.8, 2.5, 0.55),
    "harsh": Condition(0.60, 0.18, 0.55, 0.40, (0.5, 1.0), 8.0, 1.1, 3.5, 62, 18.0, -0.14, 1.3, 4.5, 0.8, 0.03),
}


def make_lens(condition: Condition, seed: int, width_px: int = 1280, height_px: int = 720, scale: float = 1.0) -> Lens:
    """A camera as somebody might have hung it, a board of that scale and its markers in the picture."""
    rng = np.random.default_rng([seed, 41])
    span = float(rng.uniform(515, 545)) * (1 + condition.tilt_deg / 90) * scale
    height = float(rng.uniform(620, 820))
    tilt = float(rng.uniform(0.3, 1.0)) * condition.tilt_deg
    return fitted(
        width_px,
        height_px,
        span,
        height,
        tilt,
        turn_deg=float(rng.uniform(-6, 6)),
        k1=condition.k1 * float(rng.uniform(0.5, 1)),
        k2=float(rng.uniform(-0.01, 0.02)),
    )


def make_sun(condition: Condition, seed: int) -> Sun:
    """A main light from some side."""
    rng = np.random.default_rng([seed, 43])
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.5 + 0.5 * condition.shadow)
    return Sun((float(np.cos(angle) * slope), float(np.sin(angle) * slope), 1.0), 0.62 - 0.2 * condition.shadow)


class Darkroom:
    """Turns a clean drawing into a camera picture; the same seed and moment give the same picture."""

    def __init__(self, condition: Condition, lens: Lens, seed: int, glossy: Mask) -> None:
        self.condition = condition
        self.seed = seed
        rng = np.random.default_rng([seed, 47])
        self._gain = _gain(condition, lens, rng)
        self._glare = _glare(condition, lens, rng, glossy)
        noise = rng.normal(128, max(condition.noise, 0.01), (lens.height_px + 64, lens.width_px + 64, 3))
        self._noise = np.clip(np.rint(noise), 0, 255).astype(np.uint8)
        self._shake_deg = float(rng.uniform(0, 180))

    def expose(self, drawing: Picture, moment: int, room_light: float = 1.0) -> Picture:
        """Light, blur and noise for one frame."""
        condition = self.condition
        rng = np.random.default_rng([self.seed, moment, 53])
        flicker = 1 + float(rng.normal(0, condition.flicker))
        picture = cv2.multiply(drawing, self._gain, scale=flicker * max(room_light, 0.02) / 127)
        if self._glare is not None and room_light > 0.5:
            picture = cv2.add(picture, self._glare)
        if condition.motion_px > 0.5:
            picture = cv2.filter2D(picture, -1, _streak(condition.motion_px * rng.uniform(0, 1), self._shake_deg))
        if condition.blur_px > 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), condition.blur_px * drawing.shape[0] / 720)
        y, x = (int(v) for v in rng.integers(0, 64, 2))
        height, width = drawing.shape[:2]
        noise = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.addWeighted(picture, 1.0, noise, 1.0, -128.0), np.uint8)

    def encode(self, picture: Picture) -> bytes:
        """The JPEG file the camera would send."""
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.condition.jpeg])
        if not done:
            raise ValueError(f"expected a picture that JPEG can hold, got shape {picture.shape}")
        return bytes(data)


def _gain(condition: Condition, lens: Lens, rng: np.random.Generator) -> Picture:
    """Brightness and tint by pixel, 127 = unchanged; dithered so that slow gradients do not band."""
    width, height = lens.size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.cos(angle) * x + np.sin(angle) * y
    field = 1 - condition.light_gradient * (0.5 + slope / 1.2) - 0.25 * condition.light_gradient * (x**2 + y**2)
    edge = rng.uniform(0, 2 * np.pi)
    across = np.cos(edge) * x + np.sin(edge) * y - rng.uniform(0.05, 0.3)
    field *= 1 - 0.5 * condition.shadow / (1 + np.exp(-across / rng.uniform(0.01, 0.06)))
    # The camera chose its exposure for the middle of the picture.
    field /= field[height // 4 : -height // 4, width // 4 : -width // 4].mean()
    tint = 1 + condition.cast * rng.uniform(-1, 1, 3)
    exposure = rng.uniform(*condition.exposure)
    gain = field[..., None] * (tint / tint.mean() * exposure * 127).astype(np.float32)
    gain += rng.uniform(-0.5, 0.5, gain.shape).astype(np.float32)
    return np.asarray(np.clip(np.rint(gain), 0, 255), np.uint8)


def _glare(condition: Condition, lens: Lens, rng: np.random.Generator, glossy: Mask) -> Picture | None:
    """The pale reflection of a lamp in glossy card, if there is one."""
    if condition.glare <= 0:
        return None
    width, height = lens.size
    small = np.zeros((height // 4, width // 4), np.float32)
    for _ in range(1 + int(rng.integers(2))):
        centre = rng.uniform((width * 0.28, height * 0.2), (width * 0.72, height * 0.8)) / 4
        axes = rng.uniform(0.03, 0.09, 2) * height / 4
        y, x = np.mgrid[0 : small.shape[0], 0 : small.shape[1]].astype(np.float32)
        small += np.exp(-(((x - centre[0]) / axes[0]) ** 2 + ((y - centre[1]) / axes[1]) ** 2) / 2)
    bright = np.clip(small * condition.glare * 255 * float(rng.uniform(0.4, 1)), 0, 255)
    full = cv2.resize(bright, lens.size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    # Cloth and wood scatter the lamp: a tenth of the shine of card is left there.
    full = np.asarray(cv2.multiply(full, np.maximum(glossy, 26), scale=1 / 255), np.uint8)
    return np.asarray(cv2.merge([full] * 3), np.uint8)


def _streak(length_px: float, degrees: float) -> NDArray[np.float32]:
    size = 2 * int(np.ceil(length_px / 2)) + 1
    kernel = np.zeros((size * 8, size * 8), np.float32)
    middle = size * 4
    step = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]) * length_px * 4
    start, end = (tuple(int(v) for v in np.rint(middle + s * step)) for s in (-1, 1))
    cv2.line(kernel, start, end, 1.0, 8)
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)
