"""The picture sets: what differs between them, all in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tools.picture_lab import noise
from tools.picture_lab.art import Art

Table = Callable[[np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class SetSpec:
    """One set: a copy of the game on a table under a camera."""

    name: str
    seed: int
    art: Art
    table: Table
    table_repeat_mm: float
    wood: tuple[float, float, float]
    tile_flat_mm: float = 42.0
    thickness_mm: float = 3.0
    tile_gap_mm: float = 0.5
    bevel_mm: float = 0.35
    askew: float = 1.0
    gloss: float = 0.25
    table_gloss: float = 0.0
    piece_gloss: float = 0.4
    card_side: tuple[float, float, float] = (0.72, 0.68, 0.6)
    frame_margin_mm: float = 16.0
    frame_lip_mm: float = 0.0
    frame_round: bool = False
    marker_mm: float = 40.0
    marker_at_mm: float = 205.0
    marker_moved: dict[int, tuple[float, float]] = field(default_factory=dict)
    size: tuple[int, int] = (1280, 960)
    height_mm: float = 750.0
    zoom: float = 1.18
    k1: float = -0.06
    k2: float = 0.0
    small_shape: str = "pawn"
    small_height_mm: float = 13.0
    tall_shape: str = "pawn"
    tall_height_mm: float = 22.0
    camp_shape: str = "ridge"
    foot_mm: dict[str, float] = field(default_factory=lambda: {"archaeologist": 4.2, "leader": 5.8, "camp": 7.5})
    hue_shift: float = 0.0
    paint_value: float = 1.0
    clutter: bool = False
    crowd: bool = False
    """Whether far more pieces stand about than the box of a game holds."""
    steepest_deg: float = 25.0
    """How far the camera leans at most, in harsh conditions."""
    lights: tuple[str, ...] = ("mild", "medium")
    """Conditions in which the copy is enrolled."""
    tests: dict[str, int] = field(default_factory=lambda: {"mild": 2, "medium": 3, "harsh": 2, "leds": 1, "hand": 2})

    @property
    def marker_centres(self) -> dict[int, tuple[float, float]]:
        """Centre of each marker: the four corners, but for those moved."""
        m = self.marker_at_mm
        corners = {0: (-m, m), 1: (m, m), 2: (m, -m), 3: (-m, -m)}
        return {**corners, **self.marker_moved}


FLAT = Art(
    hand="flat",
    snow=((0.90, 0.89, 0.84), (0.97, 0.96, 0.93)),
    surface=((0.30, 0.62, 0.58), (0.42, 0.74, 0.68)),
    deep=((0.30, 0.16, 0.30), (0.40, 0.22, 0.38)),
    ink=(0.12, 0.28, 0.50),
    rock=(0.45, 0.36, 0.30),
    symbols={
        "achievement": "flag",
        "exalted": "crown",
        "philosophical": "eye",
        "harmony": "leaf",
        "obliteration": "burst",
    },
    tints={
        "achievement": (0.95, 0.90, 0.75),
        "exalted": (0.95, 0.75, 0.15),
        "philosophical": (0.66, 0.84, 0.98),
        "harmony": (0.30, 0.62, 0.22),
        "obliteration": (0.85, 0.30, 0.20),
    },
    azulia=((0.16, 0.36, 0.55), (0.35, 0.60, 0.75), (0.95, 0.93, 0.85)),
    frame=(0.25, 0.35, 0.45),
    ledge=(0.55, 0.62, 0.68),
)

PAINTERLY = Art(
    hand="painterly",
    snow=((0.74, 0.80, 0.88), (0.93, 0.95, 0.98)),
    surface=((0.20, 0.36, 0.46), (0.52, 0.66, 0.70)),
    deep=((0.06, 0.12, 0.20), (0.20, 0.28, 0.34)),
    ink=(0.16, 0.24, 0.38),
    rock=(0.36, 0.34, 0.36),
    symbols={
        "achievement": "gear",
        "exalted": "moon",
        "philosophical": "spiral",
        "harmony": "waves",
        "obliteration": "hourglass",
    },
    tints={
        "achievement": (0.80, 0.62, 0.35),
        "exalted": (0.90, 0.88, 0.80),
        "philosophical": (0.45, 0.70, 0.85),
        "harmony": (0.50, 0.75, 0.45),
        "obliteration": (0.70, 0.25, 0.25),
    },
    azulia=((0.30, 0.22, 0.16), (0.62, 0.50, 0.32), (0.20, 0.65, 0.70)),
    frame=(0.82, 0.84, 0.86),
    ledge=(0.45, 0.50, 0.55),
    prints=3,
    faintness=0.35,
)


PHOTO = Art(
    hand="photo",
    snow=((0.78, 0.80, 0.80), (0.96, 0.96, 0.94)),
    surface=((0.42, 0.48, 0.55), (0.68, 0.74, 0.80)),
    deep=((0.13, 0.16, 0.16), (0.28, 0.33, 0.31)),
    ink=(0.22, 0.30, 0.36),
    rock=(0.30, 0.26, 0.24),
    symbols={},
    tints={
        "achievement": (0.45, 0.75, 0.90),
        "exalted": (0.92, 0.66, 0.22),
        "philosophical": (0.62, 0.48, 0.36),
        "harmony": (0.42, 0.66, 0.40),
        "obliteration": (0.55, 0.16, 0.14),
    },
    azulia=((0.10, 0.28, 0.30), (0.30, 0.55, 0.50), (0.85, 0.80, 0.55)),
    frame=(0.16, 0.15, 0.15),
    ledge=(0.40, 0.36, 0.32),
    prints=2,
    faintness=0.15,
)

ENGRAVED = Art(
    hand="engraved",
    snow=((0.84, 0.80, 0.70), (0.92, 0.89, 0.80)),
    surface=((0.76, 0.64, 0.46), (0.82, 0.72, 0.55)),
    deep=((0.42, 0.50, 0.46), (0.50, 0.58, 0.54)),
    ink=(0.20, 0.16, 0.14),
    rock=(0.28, 0.22, 0.20),
    symbols={
        "achievement": "key",
        "exalted": "flake",
        "philosophical": "rings",
        "harmony": "ladder",
        "obliteration": "diamonds",
    },
    tints={
        "achievement": (0.22, 0.14, 0.10),
        "exalted": (0.10, 0.16, 0.36),
        "philosophical": (0.36, 0.12, 0.12),
        "harmony": (0.10, 0.26, 0.14),
        "obliteration": (0.12, 0.10, 0.12),
    },
    azulia=((0.66, 0.60, 0.50), (0.80, 0.74, 0.62), (0.25, 0.30, 0.45)),
    frame=(0.45, 0.30, 0.20),
    ledge=(0.66, 0.52, 0.38),
    prints=2,
)

ORNAMENT = Art(
    hand="ornament",
    snow=((0.62, 0.72, 0.84), (0.80, 0.87, 0.94)),
    surface=((0.16, 0.14, 0.34), (0.28, 0.24, 0.50)),
    deep=((0.32, 0.08, 0.10), (0.48, 0.16, 0.14)),
    ink=(0.24, 0.30, 0.52),
    rock=(0.42, 0.40, 0.50),
    symbols={
        "achievement": "diamonds",
        "exalted": "burst",
        "philosophical": "hourglass",
        "harmony": "gear",
        "obliteration": "flake",
    },
    tints={
        "achievement": (0.95, 0.80, 0.40),
        "exalted": (0.90, 0.92, 0.96),
        "philosophical": (0.40, 0.80, 0.85),
        "harmony": (0.55, 0.85, 0.45),
        "obliteration": (0.95, 0.50, 0.45),
    },
    azulia=((0.10, 0.12, 0.14), (0.22, 0.26, 0.28), (0.90, 0.70, 0.30)),
    frame=(0.70, 0.62, 0.45),
    ledge=(0.52, 0.46, 0.36),
    prints=2,
    faintness=0.1,
)


SLATE = Art(
    hand="ornament",
    snow=((0.86, 0.86, 0.82), (0.95, 0.95, 0.92)),
    surface=((0.34, 0.46, 0.30), (0.50, 0.62, 0.44)),
    deep=((0.16, 0.20, 0.30), (0.26, 0.32, 0.44)),
    ink=(0.30, 0.36, 0.34),
    rock=(0.40, 0.30, 0.26),
    symbols={
        "achievement": "waves",
        "exalted": "key",
        "philosophical": "moon",
        "harmony": "crown",
        "obliteration": "spiral",
    },
    tints={
        "achievement": (0.90, 0.86, 0.60),
        "exalted": (0.80, 0.40, 0.30),
        "philosophical": (0.55, 0.60, 0.85),
        "harmony": (0.85, 0.70, 0.85),
        "obliteration": (0.20, 0.16, 0.14),
    },
    azulia=((0.50, 0.42, 0.50), (0.72, 0.66, 0.60), (0.30, 0.40, 0.35)),
    frame=(0.34, 0.36, 0.38),
    ledge=(0.60, 0.60, 0.58),
    prints=2,
    faintness=0.2,
)


def _oak(rng: np.random.Generator) -> np.ndarray:
    return noise.wood(rng, 1024, (0.72, 0.54, 0.36), (0.50, 0.34, 0.20), 6)


def _felt(rng: np.random.Generator) -> np.ndarray:
    return noise.cloth(rng, 1024, (0.16, 0.36, 0.26), 120)


def _tartan(rng: np.random.Generator) -> np.ndarray:
    return noise.tartan(rng, 1024, (0.80, 0.78, 0.72), [(0.65, 0.15, 0.15), (0.15, 0.20, 0.40)], 4)


def _walnut(rng: np.random.Generator) -> np.ndarray:
    return noise.wood(rng, 1024, (0.36, 0.24, 0.16), (0.20, 0.12, 0.08), 0)


def _stone(rng: np.random.Generator) -> np.ndarray:
    return noise.marble(rng, 1024, (0.30, 0.31, 0.33), (0.78, 0.77, 0.74))


SETS: dict[str, SetSpec] = {
    s.name: s
    for s in (
        SetSpec(
            "dev-a",
            11,
            FLAT,
            _oak,
            700,
            (0.62, 0.42, 0.22),
            tile_flat_mm=42,
            k1=-0.10,
            k2=0.01,
            table_gloss=0.15,
            tests={"mild": 3, "medium": 4, "harsh": 3, "leds": 2, "hand": 3},
        ),
        SetSpec(
            "dev-b",
            22,
            PAINTERLY,
            _felt,
            300,
            (0.50, 0.30, 0.14),
            tile_flat_mm=38,
            thickness_mm=2.5,
            tile_gap_mm=0.7,
            askew=1.4,
            gloss=0.5,
            marker_mm=36,
            marker_at_mm=185,
            size=(1920, 1080),
            height_mm=620,
            k1=0.05,
            k2=-0.02,
            small_shape="cone",
            small_height_mm=14,
            tall_shape="cone",
            tall_height_mm=24,
            camp_shape="pyramid",
            frame_lip_mm=1.5,
            frame_margin_mm=10,
            hue_shift=0.02,
            clutter=True,
        ),
        SetSpec(
            "held-c",
            33,
            PHOTO,
            _tartan,
            420,
            (0.72, 0.54, 0.34),
            tile_flat_mm=40,
            thickness_mm=2.2,
            gloss=0.35,
            size=(1280, 960),
            height_mm=980,
            zoom=1.22,
            k1=-0.16,
            k2=0.03,
            marker_mm=44,
            marker_at_mm=200,
            small_shape="peg",
            small_height_mm=11,
            tall_shape="cone",
            tall_height_mm=26,
            camp_shape="tipi",
            frame_round=True,
            frame_margin_mm=4,
            hue_shift=-0.02,
            paint_value=0.85,
            clutter=True,
        ),
        SetSpec(
            "held-d",
            44,
            ENGRAVED,
            _walnut,
            600,
            (0.42, 0.26, 0.14),
            tile_flat_mm=46,
            thickness_mm=3.0,
            tile_gap_mm=0.9,
            askew=1.6,
            gloss=0.0,
            table_gloss=0.4,
            size=(1280, 720),
            height_mm=560,
            k1=-0.22,
            k2=0.06,
            marker_mm=34,
            marker_at_mm=215,
            marker_moved={1: (225.0, 190.0), 3: (-222.0, -205.0)},
            small_shape="meeple",
            small_height_mm=14,
            tall_shape="meeple",
            tall_height_mm=24,
            camp_shape="ridge",
            foot_mm={"archaeologist": 4.6, "leader": 6.2, "camp": 7.5},
            frame_lip_mm=0.8,
            frame_margin_mm=8,
        ),
        SetSpec(
            "held-e",
            55,
            ORNAMENT,
            _stone,
            520,
            (0.60, 0.38, 0.18),
            tile_flat_mm=36,
            thickness_mm=2.0,
            gloss=0.55,
            table_gloss=0.25,
            size=(1280, 960),
            height_mm=700,
            k1=0.03,
            marker_mm=40,
            marker_at_mm=180,
            small_shape="pawn",
            small_height_mm=12,
            tall_shape="peg",
            tall_height_mm=23,
            camp_shape="pyramid",
            foot_mm={"archaeologist": 3.8, "leader": 5.2, "camp": 7.0},
            frame_margin_mm=12,
            frame_lip_mm=2.0,
            paint_value=1.15,
            hue_shift=0.015,
        ),
        SetSpec(
            "held-f",
            66,
            SLATE,
            _tartan,
            260,
            (0.66, 0.48, 0.28),
            tile_flat_mm=44,
            thickness_mm=2.7,
            tile_gap_mm=0.6,
            askew=1.2,
            gloss=0.3,
            size=(1440, 1080),
            height_mm=840,
            k1=-0.08,
            k2=0.01,
            marker_mm=38,
            marker_at_mm=212,
            small_shape="cone",
            small_height_mm=12,
            tall_shape="pawn",
            tall_height_mm=25,
            camp_shape="tipi",
            foot_mm={"archaeologist": 4.0, "leader": 5.6, "camp": 7.2},
            frame_round=True,
            frame_margin_mm=9,
            paint_value=0.95,
            hue_shift=-0.012,
        ),
    )
}
