"""One patch per place at its own height, cut into the six triangles that all layers share.

Tiles of every layer are unions of the same plan triangles (a tile's centre lies above corners of the tiles below), so
what covers what is decided triangle by triangle: each shows the topmost tile that lies there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from engine.spots import Layout, Place, Spot
from vision.rectify import Cutter, Grid, make_cutter
from vision.view import View

GROUND = "ground"
"""Group of all places that take no tile: printed areas and frame edges."""
EDGE, RIM = 0.09, 0.18
"""Width of the line of a lit rim, and of what it may tint, as shares of the distance from centre to corner."""


@dataclass(frozen=True)
class Board:
    """The places of a layout as numbered rows, with their triangles."""

    layout: Layout
    grid: Grid
    inset_mm: float = 0.9
    """How much of a tile's rim is left out: gaps, cut edges and misplacement show there."""

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Tile places from the top layer down, then the places that take no tile."""
        layers = list(self.layout.layers)
        tiles = [p for p in self.layout.places.values() if p.takes_tile]
        tiles.sort(key=lambda p: layers.index(p.layer))
        return (*tiles, *(p for p in self.layout.places.values() if not p.takes_tile))

    @cached_property
    def row(self) -> Mapping[Spot, int]:
        """The row of each spot."""
        return {place.spot: i for i, place in enumerate(self.places)}

    @cached_property
    def tile_count(self) -> int:
        """How many rows take a tile; they come first."""
        return sum(p.takes_tile for p in self.places)

    @cached_property
    def layer_rows(self) -> dict[str, range]:
        """Rows of each tile layer, top layer first."""
        names = [p.layer for p in self.places[: self.tile_count]]
        return {name: range(names.index(name), names.index(name) + names.count(name)) for name in dict.fromkeys(names)}

    @cached_property
    def triangles(self) -> npt.NDArray[np.intp]:
        """Plan triangle (places, 6): the one on the side that faces 60·k degrees."""
        angles = np.radians(60 * np.arange(6))
        reach = self.radius_mm / np.sqrt(3)
        centres = np.array([p.centre_mm for p in self.places])
        middles = centres[:, None] + reach * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        keys = np.round(middles / (self.radius_mm / 6)).astype(int)
        numbers: dict[tuple[int, int], int] = {}
        return np.array([[numbers.setdefault((int(x), int(y)), len(numbers)) for x, y in row] for row in keys])

    @cached_property
    def radius_mm(self) -> float:
        """Distance of a tile's corners from its centre."""
        place = self.places[0]
        return float(np.linalg.norm(np.subtract(place.outline_mm[0], place.centre_mm)))

    @cached_property
    def covers(self) -> tuple[tuple[int, ...], ...]:
        """Rows of the tiles that may lie on each place."""
        return tuple(tuple(self.row[s] for s in p.covers) for p in self.places)

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """Rows of the places under each tile place."""
        return tuple(tuple(self.row[s] for s in p.rests_on) for p in self.places)

    @cached_property
    def sectors(self) -> tuple[npt.NDArray[np.intp], ...]:
        """Flat indexes of the patch samples inside each of a tile's six triangles."""
        points = self.grid.points().reshape(-1, 2)
        angles = np.radians(60 * np.arange(6))
        towards = points @ np.stack([np.cos(angles), np.sin(angles)])
        apothem = self.radius_mm * np.sqrt(3) / 2
        inside = towards.max(axis=1) <= apothem - self.inset_mm
        nearest = towards.argmax(axis=1)
        return tuple(np.flatnonzero(inside & (nearest == k)) for k in range(6))

    @cached_property
    def face(self) -> npt.NDArray[np.intp]:
        """Flat indexes of all samples of a tile's face, triangle after triangle."""
        return np.concatenate(self.sectors)

    @cached_property
    def rim(self) -> npt.NDArray[np.bool_]:
        """Whether each sample of `face` lies so near the tile's edge that an LED there may tint it."""
        return self._depth < RIM

    @cached_property
    def edge(self) -> npt.NDArray[np.bool_]:
        """Whether each lies where the LED itself shines."""
        return self._depth < EDGE

    @property
    def _depth(self) -> npt.NDArray[np.float64]:
        """How far inside the tile each sample of `face` lies, as a share of the distance from centre to corner."""
        angles = np.radians(60 * np.arange(3))
        points = self.grid.points().reshape(-1, 2)[self.face]
        across = np.abs(points @ np.stack([np.cos(angles), np.sin(angles)])).max(axis=1)
        return np.asarray(np.sqrt(3) / 2 - across / self.radius_mm)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where each triangle's samples are in `face`."""
        ends = np.cumsum([0, *(len(s) for s in self.sectors)]).tolist()
        return tuple(slice(a, b) for a, b in pairwise(ends))

    def centres(self) -> npt.NDArray[np.float64]:
        """Centre (places, 3) of each upper face."""
        return np.array([(*p.centre_mm, p.top_mm) for p in self.places])

    def cutter(self, view: View, faces_only: bool = False) -> Cutter:
        """Sampling maps of all places for a view, or of nothing but their faces, in the order of `face`."""
        return make_cutter(view, self.centres(), self.grid, samples=self.face if faces_only else None)
