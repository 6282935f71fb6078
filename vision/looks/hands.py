"""A hand reaching over the table: forearm, palm and fingers as round limbs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks.bodies import Body, Colour, Sun, draw_body, joined, limb, shadow_outline
from vision.looks.lens import Lens
from vision.looks.sprites import Sprite

Array = NDArray[np.float64]

SKINS: Final[tuple[Colour, ...]] = ((150, 175, 225), (110, 145, 200), (70, 100, 150), (45, 65, 105))
SLEEVES: Final[tuple[Colour, ...]] = ((90, 60, 40), (60, 60, 150), (60, 110, 60), (190, 190, 195), (40, 40, 45))

# Finger tips and knuckles in millimetres: (behind the tip, sideways, above the tip), the pinching pair first.
_FINGERS: Final = (
    ((2.0, 5.0, 0.0), (26.0, 12.0, 33.0), (62.0, 14.0, 36.0), 8.0),
    ((6.0, 22.0, 4.0), (30.0, 28.0, 36.0), (66.0, 33.0, 36.0), 8.0),
    ((16.0, 38.0, 8.0), (38.0, 44.0, 34.0), (74.0, 50.0, 34.0), 7.5),
    ((30.0, 52.0, 12.0), (50.0, 58.0, 30.0), (84.0, 64.0, 32.0), 6.5),
    ((3.0, -7.0, 0.0), (36.0, -22.0, 16.0), (84.0, -6.0, 30.0), 9.0),
)
_PALM: Final = (14.0, 32.0, 50.0)


@dataclass(frozen=True, slots=True)
class Arm:
    """Where a hand is: its finger tips, and the direction its arm comes from."""

    tip_mm: tuple[float, float, float]
    from_deg: float = 270.0
    """0 comes in from +x; 270 from the viewer's side."""
    skin: int = 0
    sleeve: int = 0


def hand_bodies(arm: Arm) -> list[Body]:
    """The limbs of a hand, the farthest from the table last."""
    return [part.moved(arm.tip_mm) for part in _limbs(arm.from_deg, arm.skin, arm.sleeve)]


@lru_cache(maxsize=32)
def _limbs(from_deg: float, skin_number: int, sleeve_number: int) -> tuple[Body, ...]:
    """The limbs of a hand whose finger tips are at the origin."""
    angle = math.radians(from_deg)
    back = np.array([math.cos(angle), math.sin(angle), 0.0])
    side = np.array([-math.sin(angle), math.cos(angle), 0.0])
    skin, sleeve = SKINS[skin_number % len(SKINS)], SLEEVES[sleeve_number % len(SLEEVES)]

    def at(behind: float, across: float, above: float) -> Array:
        return np.asarray(back * behind + side * across + np.array([0, 0, above]))

    parts: list[Body] = []
    for end, middle, knuckle, radius in _FINGERS:
        parts.append(limb(at(*middle), at(*end), radius, radius * 0.82, skin, 16))
        parts.append(limb(at(*knuckle), at(*middle), radius * 1.15, radius, skin, 16))
    wrist = at(150, 22, 48)
    parts.extend(limb(wrist + side * (0.4 * (across - 32)), at(76, across, 36), 22, 15, skin, 20) for across in _PALM)
    cuff = at(230, 18, 62)
    parts.append(limb(cuff, wrist, 31, 26, skin, 20))
    parts.append(limb(at(620, 0, 120), cuff, 52, 37, sleeve, 20))
    return tuple(parts)


def draw_hand(arm: Arm, lens: Lens, sun: Sun) -> Sprite:
    """The hand as the camera sees it, its skin slightly uneven."""
    whole = draw_body(joined(*hand_bodies(arm)), lens, sun, scale=2)
    rng = np.random.default_rng(arm.skin * 7 + arm.sleeve)
    high, wide = whole.colour.shape[:2]
    rough = rng.normal(1.0, 0.05, (max(high // 6, 2), max(wide // 6, 2))).astype(np.float32)
    tone = cv2.resize(rough, (wide, high), interpolation=cv2.INTER_CUBIC)[..., None]
    return Sprite(whole.x, whole.y, np.asarray(np.clip(whole.colour * tone, 0, 255), np.uint8), whole.through)


def hand_shadows(arm: Arm, lens: Lens, sun: Sun, ground_mm: float) -> list[Array]:
    """Outlines in the picture of the shadow that a hand throws on the board."""
    return [lens.project(shadow_outline(body, sun, ground_mm)) for body in hand_bodies(arm)]
