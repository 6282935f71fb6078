"""Tile faces of a made-up copy of I C E: every art set is another artist, every print another tile of the same kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.looks.ice.emblems import CAMPS, EMBLEMS, ROCKS, TUNNELS
from vision.looks.sheets import Colour, Sheet, polar
from vision.looks.sprites import Picture

SNOW_KINDS: Final = ("empty", "tunnel", "crevasse", "nunatak", "campsite")
ARTIFACT_KINDS: Final = ("exalted", "achievement", "philosophical", "obliteration", "harmony", "prismatic")

# Grounds (blue, green, red) of the surface layer; the deep layer is the same, darker.
_GROUNDS: Final[tuple[Colour, ...]] = (
    (176, 150, 112),
    (120, 160, 150),
    (165, 125, 150),
    (120, 150, 185),
    (150, 150, 145),
    (190, 170, 120),
)
_SNOWS: Final[tuple[Colour, ...]] = (
    (244, 240, 234),
    (236, 242, 244),
    (248, 238, 228),
    (232, 232, 232),
    (240, 232, 238),
)
_INKS: Final[tuple[Colour, ...]] = (
    (40, 40, 200),
    (40, 170, 235),
    (70, 140, 40),
    (190, 80, 30),
    (150, 40, 130),
    (30, 30, 30),
    (245, 245, 245),
    (160, 150, 20),
)
_CRACKS: Final[tuple[Colour, ...]] = ((120, 70, 20), (70, 60, 60), (150, 110, 30), (90, 40, 70))


@dataclass(frozen=True, slots=True)
class Style:
    """What one artist decided: grounds, inks and which drawing stands for which kind."""

    snow: Colour
    ground: Colour
    deep: float
    crack: Colour
    crack_width: float
    crack_inset: float
    dark: Colour
    camp_ink: Colour
    tunnel: int
    rocks: int
    camp: int
    emblems: tuple[int, ...]
    inks: tuple[int, ...]
    hatch_deg: float
    plate: bool
    """Whether artifacts stand on a pale round plate."""
    band: bool
    """Whether artifacts have a rim in their ink."""
    snow_zoom: float
    artifact_zoom: float


def _style(seed: int) -> Style:
    rng = np.random.default_rng([seed, 11])
    ground = _GROUNDS[int(rng.integers(len(_GROUNDS)))]
    plate = bool(rng.random() < 0.4)
    # An ink must differ from its ground, or nobody could tell the kinds apart at the table either.
    backing = (225.0, 232.0, 236.0) if plate else ground
    usable = [i for i, ink in enumerate(_INKS) if np.abs(np.subtract(ink, backing)).sum() > 190]
    return Style(
        snow=_SNOWS[int(rng.integers(len(_SNOWS)))],
        ground=ground,
        deep=float(rng.uniform(0.45, 0.6)),
        crack=_CRACKS[int(rng.integers(len(_CRACKS)))],
        crack_width=float(rng.uniform(0.06, 0.1)),
        crack_inset=float(rng.uniform(0.13, 0.2)),
        dark=tuple(float(c) for c in rng.uniform(30, 80, 3)),  # type: ignore[arg-type]
        camp_ink=((40.0, 90.0, 200.0), (60.0, 120.0, 40.0), (50.0, 60.0, 150.0))[int(rng.integers(3))],
        tunnel=int(rng.integers(len(TUNNELS))),
        rocks=int(rng.integers(len(ROCKS))),
        camp=int(rng.integers(len(CAMPS))),
        emblems=tuple(int(i) for i in rng.permutation(len(EMBLEMS))[:5]),
        inks=tuple(int(i) for i in rng.choice(usable, 5, replace=len(usable) < 5)),
        hatch_deg=float(rng.uniform(0, 180)),
        plate=plate,
        band=bool(rng.random() < 0.35),
        snow_zoom=float(rng.uniform(0.9, 1.25)),
        artifact_zoom=float(rng.uniform(0.95, 1.3)),
    )


def _mixed(a: Colour, b: Colour) -> Colour:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)


@dataclass(slots=True)
class ArtSet:
    """One made-up copy of the game; faces are drawn when first asked for."""

    seed: int = 0
    prints: int = 3
    """How many different prints each kind has."""
    style: Style = field(init=False)
    _faces: dict[tuple[str, str, int], Picture] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.style = _style(self.seed)

    def face(self, layer: str, kind: str, copy: int = 0) -> Picture:
        """The face of a tile in rotation 0: a square of side 2·REACH circumradii, y up."""
        key = (layer, kind, copy % max(self.prints, 1))
        if key not in self._faces:
            if kind not in (SNOW_KINDS if layer == "snow" else ARTIFACT_KINDS):
                raise ValueError(f"expected a tile kind of layer {layer}, got {kind!r}")
            self._faces[key] = self._snow(*key[1:]) if layer == "snow" else self._artifact(*key)
        return self._faces[key]

    def _rng(self, *parts: object) -> np.random.Generator:
        return np.random.default_rng([self.seed, *"/".join(map(str, parts)).encode()])

    def _snow(self, kind: str, copy: int) -> Picture:
        style, rng = self.style, self._rng("snow", kind, copy)
        sheet = Sheet(style.snow, rng, clouds=2.5)
        pale: Colour = tuple(c * 0.93 for c in style.snow)  # type: ignore[assignment]
        sheet.hatch(pale, 16, 0.012, 0.8, style.hatch_deg)
        sheet.zoom = style.snow_zoom if kind != "crevasse" else 1.0
        if kind == "tunnel":
            TUNNELS[style.tunnel](sheet, style.dark)
        elif kind == "nunatak":
            ROCKS[style.rocks](sheet, style.dark)
        elif kind == "campsite":
            CAMPS[style.camp](sheet, style.camp_ink)
        elif kind == "crevasse":
            self._crack(sheet)
        return sheet.picture()

    def _crack(self, sheet: Sheet) -> None:
        """A crack along the sides that face 0 and 60 degrees, which is rotation 0."""
        style = self.style
        reach = 1 - style.crack_inset / (math.sqrt(3) / 2)
        path = sheet.jagged([polar(reach, t) for t in (-30, 30, 90)], 7, 0.022)
        lighter: Colour = tuple(min(255.0, c * 0.5 + 120) for c in style.crack)  # type: ignore[assignment]
        sheet.stroke(path, lighter, style.crack_width * 1.7)
        sheet.stroke(path, style.crack, style.crack_width)

    def _artifact(self, layer: str, kind: str, copy: int) -> Picture:
        style, rng = self.style, self._rng(layer, kind, copy)
        tone = style.deep if layer == "deep" else 1.0
        ground: Colour = tuple(c * tone for c in style.ground)  # type: ignore[assignment]
        sheet = Sheet(ground, rng, clouds=7)
        line: Colour = tuple(c * 0.8 for c in ground)  # type: ignore[assignment]
        sheet.hatch(line, 10, 0.015, 0.9, style.hatch_deg + 40)
        if style.band and kind != "prismatic":
            rim = _INKS[style.inks[ARTIFACT_KINDS.index(kind)]]
            sheet.stroke([polar(0.9, 60 * k + 30) for k in range(6)], _mixed(rim, ground), 0.09, closed=True)
        sheet.zoom = style.artifact_zoom
        if style.plate:
            plate = (225 * (0.4 + 0.6 * tone), 232 * (0.4 + 0.6 * tone), 236 * (0.4 + 0.6 * tone))
            sheet.disc((0, 0), 0.62, plate)
        if kind == "prismatic":
            self._prism(sheet)
        else:
            index = ARTIFACT_KINDS.index(kind)
            ink: Colour = tuple(c * (0.55 + 0.45 * tone) for c in _INKS[style.inks[index]])  # type: ignore[assignment]
            EMBLEMS[style.emblems[index]](sheet, ink)
        return sheet.picture()

    def _prism(self, sheet: Sheet) -> None:
        inks = [_INKS[i] for i in (0, 1, 2, 3, 4, 7)]
        for k, ink in enumerate(inks):
            sheet.polygon([(0, 0), polar(0.5, 60 * k), polar(0.5, 60 * k + 60)], ink)
        sheet.disc((0, 0), 0.16, (240, 240, 240))
