"""Sets of random copies, tables and cameras: `train-*` to learn pieces from, `try-*` to see what is still misread.

Boards to learn from are more crowded than any game, those to try are like a game's. Both share palettes and seeds with
no other set, and hands with no `held-*` set: those stay unseen.
"""

from __future__ import annotations

import colorsys
import random
from dataclasses import replace

from tools.picture_lab.art import RGB, Art
from tools.picture_lab.sets import FLAT, PAINTERLY, SETS, SetSpec
from tools.picture_lab.symbols import SYMBOLS

TESTS = {"mild": 2, "medium": 6, "harsh": 8, "leds": 4}
TRIALS = {"mild": 3, "medium": 5, "harsh": 3, "leds": 3, "hand": 3}
NAMES = tuple(f"{purpose}-{number:02}" for purpose in ("train", "try") for number in range(1, 100))
SHAPES = ("pawn", "cone", "peg", "meeple")
PAWNS_MOSTLY = (*SHAPES, "pawn", "pawn", "pawn", "pawn")
"""The box holds pawns; other bodies are learnt too, since owners replace them."""


def random_set(name: str) -> SetSpec:
    """A copy of the game that only its name decides."""
    purpose, _, number = name.partition("-")
    crowd = purpose == "train"
    rng = random.Random(f"{purpose} {int(number)}")
    u = rng.uniform
    table = SETS[rng.choice(["dev-a", "dev-b"])]
    tile = u(36, 46)
    shapes = PAWNS_MOSTLY if crowd else SHAPES
    small, tall = rng.choice(shapes), rng.choice(shapes)
    return replace(
        table,
        name=name,
        seed=(7000 if crowd else 8000) + int(number),
        art=_some_art(rng),
        wood=_colour(rng, (0.05, 0.1), (0.4, 0.7), (0.3, 0.7)),
        tile_flat_mm=tile,
        thickness_mm=u(2.0, 3.2),
        tile_gap_mm=u(0.4, 0.9),
        askew=u(0.8, 1.8),
        gloss=u(0.0, 0.6),
        piece_gloss=u(0.0, 0.8),
        marker_mm=u(34, 44),
        marker_at_mm=tile * u(4.75, 5.0),
        size=rng.choice([(1280, 960), (1440, 1080)]),
        height_mm=u(560, 980),
        k1=u(-0.16, 0.05),
        k2=u(0.0, 0.03),
        small_shape=small,
        small_height_mm=u(10, 15),
        tall_shape=tall,
        tall_height_mm=u(19, 27),
        camp_shape=rng.choice(["ridge", "pyramid", "tipi"]),
        foot_mm={"archaeologist": u(3.3, 4.6), "leader": u(4.8, 6.4), "camp": u(6.2, 8.0)},
        hue_shift=u(-0.025, 0.025),
        paint_value=u(0.7, 1.25),
        zoom=u(0.7, 1.12) if crowd else u(0.85, 1.1),
        crowd=crowd,
        steepest_deg=33.0 if crowd else 25.0,
        lights=("medium",) if crowd else ("mild", "medium"),
        tests=TESTS if crowd else TRIALS,
    )


def _some_art(rng: random.Random) -> Art:
    """A palette of its own in a hand that no held-back set has."""
    base = rng.choice([FLAT, PAINTERLY])
    symbols = rng.sample(sorted(SYMBOLS), 5)
    light, middle, dark = (0.75, 0.97), (0.35, 0.75), (0.1, 0.4)
    return replace(
        base,
        snow=_pair(rng, (0.0, 0.18), light),
        surface=_pair(rng, (0.1, 0.6), middle),
        deep=_pair(rng, (0.2, 0.6), dark),
        ink=_colour(rng, (0, 1), (0.3, 0.8), (0.1, 0.5)),
        rock=_colour(rng, (0, 1), (0.0, 0.4), (0.2, 0.5)),
        symbols=dict(zip(base.symbols, symbols, strict=True)),
        tints={kind: _colour(rng, (0, 1), (0.2, 0.85), (0.3, 0.98)) for kind in base.tints},
        azulia=tuple(_colour(rng, (0, 1), (0.1, 0.7), (0.1, 0.9)) for _ in range(3)),  # type: ignore[arg-type]
        frame=_colour(rng, (0, 1), (0.0, 0.6), (0.1, 0.9)),
        ledge=_colour(rng, (0, 1), (0.0, 0.4), (0.2, 0.7)),
        prints=rng.choice([1, 2]),
        faintness=rng.uniform(0.0, 0.4),
    )


def _colour(
    rng: random.Random, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> RGB:
    r, g, b = colorsys.hsv_to_rgb(rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value))
    return (r, g, b)


def _pair(rng: random.Random, saturation: tuple[float, float], value: tuple[float, float]) -> tuple[RGB, RGB]:
    """A darker and a lighter tone of one hue."""
    hue, s = rng.random(), rng.uniform(*saturation)
    low, high = sorted(rng.uniform(*value) for _ in range(2))
    return colorsys.hsv_to_rgb(hue, s, low), colorsys.hsv_to_rgb(hue, s * 0.8, high)
