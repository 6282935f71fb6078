"""The lattice of the board: cells, places, covers, supports, neighbours, edges (R-GEO, R-ADJ).

Every place has a small integer index, so that sets of places are bit masks: tiles first (snow, surface, deep), then
the printed Azulia positions, then the frame edges of the three lower levels.
"""

from __future__ import annotations

from typing import Final

from engine.hexes import STEPS, UNITS, Cell, add, cells, corners, neighbours, plan, subtract
from engine.spots import Layout, Place, Spot

TOTALS: Final = {"snow": 10, "surface": 9, "deep": 8, "azulia": 7}  # R-GEO-1
LARGEST: Final = {"snow": 7, "surface": 6, "deep": 5, "azulia": 4}
LEVELS: Final = ("snow", "surface", "deep", "azulia")
TILE_LAYERS: Final = ("snow", "surface", "deep")

CELLS: Final[dict[str, tuple[Cell, ...]]] = {level: cells(TOTALS[level], LARGEST[level]) for level in LEVELS}


def _edge_cells(level: str) -> tuple[Cell, ...]:
    """Out-of-range positions that the tiles of the level above rest on (R-ADJ-4)."""
    upper = CELLS[LEVELS[LEVELS.index(level) - 1]]
    inside = set(CELLS[level])
    return tuple(sorted({subtract(p, e) for p in upper for e in UNITS} - inside))


EDGES: Final[dict[str, tuple[Cell, ...]]] = {level: _edge_cells(level) for level in LEVELS[1:]}


def spot_name(layer: str, cell: Cell) -> Spot:
    """`snow` and (4, 3, 3) give `snow:4,3,3`."""
    return Spot(f"{layer}:{cell[0]},{cell[1]},{cell[2]}")


_PLACES: Final[tuple[tuple[str, Cell], ...]] = tuple(
    (layer, cell)
    for layer, group in [
        *((level, CELLS[level]) for level in LEVELS),
        *((f"edge.{level}", EDGES[level]) for level in LEVELS[1:]),
    ]
    for cell in group
)

SPOTS: Final[tuple[Spot, ...]] = tuple(spot_name(layer, cell) for layer, cell in _PLACES)
INDEX: Final[dict[Spot, int]] = {spot: i for i, spot in enumerate(SPOTS)}
CELL: Final[tuple[Cell, ...]] = tuple(cell for _, cell in _PLACES)
LAYER: Final[tuple[str, ...]] = tuple(layer for layer, _ in _PLACES)
"""`snow`, `surface`, `deep`, `azulia`, `edge.surface`, `edge.deep`, `edge.azulia` by place."""
LEVEL: Final[tuple[int, ...]] = tuple(LEVELS.index(layer.removeprefix("edge.")) for layer in LAYER)
"""0 snow … 3 Azulia by place."""

PLACE_COUNT: Final = len(SPOTS)
TILE_COUNT: Final = sum(len(CELLS[layer]) for layer in TILE_LAYERS)
SNOW: Final = range(len(CELLS["snow"]))
SURFACE: Final = range(SNOW.stop, SNOW.stop + len(CELLS["surface"]))
DEEP: Final = range(SURFACE.stop, SURFACE.stop + len(CELLS["deep"]))
AZULIA: Final = range(DEEP.stop, DEEP.stop + len(CELLS["azulia"]))
EDGE: Final = range(AZULIA.stop, PLACE_COUNT)


def place_at(level: int, cell: Cell) -> int | None:
    """The index of a cell or edge position of a level, or None when it is outside."""
    name = LEVELS[level]
    found = INDEX.get(spot_name(name, cell))
    return INDEX.get(spot_name(f"edge.{name}", cell)) if found is None else found


def mask(indexes: object) -> int:
    """The bit mask of an iterable of place indexes."""
    result = 0
    for index in indexes:  # type: ignore[attr-defined]
        result |= 1 << index
    return result


def _in_layer_neighbours(i: int) -> tuple[int, ...]:
    """Tiles of the same layer that share a side (R-GEO-5); for Azulia positions the positions around."""
    around = (INDEX.get(spot_name(LAYER[i], q)) for q in neighbours(CELL[i]))
    return tuple(q for q in around if q is not None)


NEIGHBOURS: Final[tuple[tuple[int, ...], ...]] = tuple(
    _in_layer_neighbours(i) if i < AZULIA.stop else () for i in range(PLACE_COUNT)
)
"""Same-layer neighbours of a tile or Azulia position, edges not included."""

COVERS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(
        c
        for e in UNITS
        if LEVEL[i] > 0 and (c := INDEX.get(spot_name(LEVELS[LEVEL[i] - 1], add(CELL[i], e)))) is not None
    )
    for i in range(PLACE_COUNT)
)
"""Tile cells that lie on a place: three for every cell below the snow (R-GEO-6), one to three for an edge."""


def _below(i: int) -> tuple[int, ...]:
    found = tuple(place_at(LEVEL[i] + 1, subtract(CELL[i], e)) for e in UNITS)
    return tuple(p for p in found if p is not None)


BELOW: Final[tuple[tuple[int, ...], ...]] = tuple(_below(i) if i < TILE_COUNT else () for i in range(PLACE_COUNT))
"""The three places a tile rests on, in the order a-1, b-1, c-1 (R-GEO-7)."""

RIM: Final[frozenset[int]] = frozenset(
    i for i in range(TILE_COUNT) if 0 in CELL[i] or LARGEST[LAYER[i]] in CELL[i]
)  # R-GEO-10

CENTRAL: Final[tuple[int, ...]] = tuple(
    INDEX[spot_name("snow", c)] for c in ((4, 3, 3), (3, 4, 3), (3, 3, 4))
)  # R-GEO-2

NEIGHBOUR_MASK: Final = tuple(mask(group) for group in NEIGHBOURS)
COVER_MASK: Final = tuple(mask(group) for group in COVERS)
RIM_MASK: Final = mask(RIM)

SIDE_STEPS: Final[tuple[Cell, ...]] = ((0, -1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1))
"""The step across the side that faces 60·k degrees, 0 being +x, counter-clockwise."""

assert set(SIDE_STEPS) == set(STEPS)


def make_layout(tile_flat_mm: float, layer_top_mm: dict[str, float]) -> Layout:
    """The table in millimetres for tiles of the given distance between opposite sides."""
    radius = tile_flat_mm / 3**0.5
    places: dict[Spot, Place] = {}
    for i, spot in enumerate(SPOTS):
        centre = plan(CELL[i], radius)
        places[spot] = Place(
            spot=spot,
            layer=LAYER[i],
            centre_mm=centre,
            outline_mm=corners(centre, radius),
            top_mm=layer_top_mm[LEVELS[LEVEL[i]]],
            covers=tuple(SPOTS[c] for c in COVERS[i]),
            rests_on=tuple(SPOTS[b] for b in BELOW[i]),
            takes_tile=i < TILE_COUNT,
        )
    xs = [abs(x) for place in places.values() for x, _ in place.outline_mm]
    ys = [abs(y) for place in places.values() for _, y in place.outline_mm]
    return Layout(places=places, layers=LEVELS, size_mm=(2 * max(xs), 2 * max(ys)))
