"""Tables of I C E as they come up in play, without its rules: all tiles shuffled, some dug away, pieces about."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.spots import Layout, Spot
from vision.looks.ice.art import ARTIFACT_KINDS
from vision.looks.ice.pieces import GUILD_COLOURS

# R-CMP-2, R-CMP-3, R-CMP-4
TILE_COUNTS: Final[dict[str, dict[str, int]]] = {
    "snow": {"campsite": 1, "empty": 12, "tunnel": 12, "nunatak": 11, "crevasse": 12},
    "surface": {**dict.fromkeys(ARTIFACT_KINDS[:5], 6), "prismatic": 7},
    "deep": {**dict.fromkeys(ARTIFACT_KINDS[:5], 5), "prismatic": 2},
}
# R-CMP-6 to R-CMP-9
PIECE_COUNTS: Final[dict[str, int]] = {
    "archaeologist": 45,
    **{f"leader.{colour}": 1 for colour in GUILD_COLOURS},
    **{f"camp.{colour}": 1 for colour in GUILD_COLOURS},
    "camp.white": 2,
}

Deal = dict[Spot, tuple[str, int]]


def deal_tiles(layout: Layout, rng: np.random.Generator) -> Deal:
    """Every tile of the box, shuffled within its layer; kind and rotation by spot."""
    dealt: Deal = {}
    for layer, counts in TILE_COUNTS.items():
        kinds = rng.permutation([kind for kind, count in counts.items() for _ in range(count)])
        for place, kind in zip(layout.in_layer(layer), kinds, strict=True):
            dealt[place.spot] = (str(kind), int(rng.integers(6)))
    return dealt


def dig(layout: Layout, tiles: Deal, count: int, rng: np.random.Generator) -> Deal:
    """The same table after so many tiles that nothing lies on were taken away."""
    left = dict(tiles)
    for _ in range(count):
        free = [spot for spot in left if not any(cover in left for cover in layout.places[spot].covers)]
        # Digs cluster: a spot next to a hole is more likely than one in the untouched snow.
        depth = np.array([1.0 + 2.0 * (not spot.startswith("snow")) for spot in free])
        left.pop(free[int(rng.choice(len(free), p=depth / depth.sum()))])
    return left


def scatter(layout: Layout, tiles: Deal, rng: np.random.Generator) -> dict[Spot, list[str]]:
    """Pieces about the table as in the middle of a game: some groups, some crowds, camps apart."""
    open_spots = [
        spot
        for spot, place in layout.places.items()
        if (spot in tiles or not place.takes_tile) and sum(cover in tiles for cover in place.covers) < len(place.covers)
    ]
    tops = [spot for spot in tiles if not any(cover in tiles for cover in layout.places[spot].covers)]
    where: dict[Spot, list[str]] = {}
    for colour in GUILD_COLOURS:
        if rng.random() < 0.75:
            where.setdefault(tops[int(rng.integers(len(tops)))], []).append(f"leader.{colour}")
    for name in (*GUILD_COLOURS, "white", "white"):
        spot = tops[int(rng.integers(len(tops)))]
        if rng.random() < 0.55 and not any(label.startswith("camp") for label in where.get(spot, [])):
            where.setdefault(spot, []).append(f"camp.{name}")
    left = int(rng.integers(8, 24))
    while left > 0:
        if where and rng.random() < 0.4:
            spot = list(where)[int(rng.integers(len(where)))]
        else:
            among = tops if rng.random() < 0.8 else open_spots
            spot = among[int(rng.integers(len(among)))]
        roomy = spot in tops
        crowd = min(left, int(rng.choice([1, 2, 3, 4, 6], p=[0.5, 0.25, 0.13, 0.07, 0.05])) if roomy else 1)
        already = where.setdefault(spot, [])
        crowd = max(0, min(crowd, (7 if roomy else 2) - len(already)))
        already.extend(["archaeologist"] * crowd)
        left -= max(crowd, 1)
    return {spot: labels for spot, labels in where.items() if labels}
