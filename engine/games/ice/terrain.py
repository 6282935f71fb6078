"""Who is next to whom: places, single steps between them and cracks, prepared once per game (R-ADJ, R-CREV).

Edge positions and Azulia positions may be parts of one larger place (Q-1, Q-5); `rep` gives the place that stands for
all its parts, and explorers are always recorded there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.games.ice.board import (
    AZULIA,
    BELOW,
    CELL,
    COVER_MASK,
    COVERS,
    EDGE,
    INDEX,
    LARGEST,
    LAYER,
    LEVEL,
    LEVELS,
    NEIGHBOURS,
    PLACE_COUNT,
    SIDE_STEPS,
    SNOW,
    SPOTS,
    TILE_COUNT,
    mask,
    place_at,
    spot_name,
)  # fmt: skip
from engine.games.ice.cards import AzuliaMap
from engine.games.ice.options import Options
from engine.games.ice.state import CREVASSE, State
from engine.hexes import STEPS, UNITS, add, subtract

CRACKED_SIDES: Final = tuple(tuple(side in (turn, (turn + 1) % 6) for side in range(6)) for turn in range(6))
"""Whether a crevasse tile of a rotation is cracked on a side (FORMATS: sides facing 60·r and 60·(r+1) degrees)."""


SNOW_MASK: Final = mask(SNOW)
ALL_TILES: Final = (1 << TILE_COUNT) - 1
LOWER_TILES: Final = range(SNOW.stop, TILE_COUNT)


ACROSS_CRACKS: Final = tuple(
    tuple(
        mask(
            place
            for side in (turn, (turn + 1) % 6)
            if (place := INDEX.get(spot_name("snow", add(CELL[tile], SIDE_STEPS[side])))) is not None
        )
        for turn in range(6)
    )
    for tile in SNOW
)
"""Mask of the snow cells across the cracked sides, by tile and rotation."""


class Step(NamedTuple):
    """One possible step from a place."""

    to: int
    apart: int
    """Tiles that must be gone before the two places touch (R-ADJ-6), usually none."""
    side: int
    """The crossed side of a snow tile when both are snow; -1 otherwise."""
    down: tuple[tuple[int, int, int], ...]
    """Between a snow tile and a place below: (tile, side, bit of the neighbour whose absence opens it) (R-CREV-5)."""


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Places and steps of a board under given options and a given map of Azulia."""

    rep: tuple[int, ...]
    """The place that stands for a position."""
    below: tuple[tuple[int, ...], ...]
    """The three places under each tile, in the order a-1, b-1, c-1."""
    over: tuple[int, ...]
    """Mask of the tiles that lie on a place."""
    steps: tuple[tuple[Step, ...], ...]
    adjacent: tuple[frozenset[int], ...]
    """Places a step away, whatever lies between."""
    near: tuple[int, ...]
    """The same as masks, the place itself included."""
    parts: tuple[tuple[int, ...], ...]
    """The positions that a place consists of."""
    under: tuple[int, ...]
    """Mask of the places that each tile lies on."""
    lasting: int
    """Mask of the places that are not tiles."""
    has_apart: bool
    """Whether any step waits for a tile to go (R-ADJ-6)."""
    hidden_closed: bool
    """R-GEO-9."""
    free_steps_down: bool
    """R-CREV-5: cracks do not matter to steps up and down."""


def is_open(terrain: Terrain, present: int, place: int) -> bool:
    """Whether a place exists and any part of it is visible (R-GEO-9, R-ADJ-4, R-ADJ-7)."""
    if place < TILE_COUNT and not present >> place & 1:
        return False
    return place in SNOW or bool(terrain.over[place] & ~present)


def are_adjacent(terrain: Terrain, present: int, start: int, place: int) -> bool:
    """Whether two places touch (R-ADJ-1), cracks aside."""
    return any(step.to == place and not step.apart & present for step in terrain.steps[start])


def is_crossed_by_crack(terrain: Terrain, state: State, start: int, step: Step) -> bool:
    """Whether a crack lies across a step (R-CREV-1, R-CREV-5); an unknown rotation never blocks."""
    return is_crossed(terrain, state.tiles, state.turns, state.present, start, step)


def is_crossed(terrain: Terrain, tiles: bytes, turns: bytes, present: int, start: int, step: Step) -> bool:
    """The same from the values that matter."""

    def is_cracked(tile: int, side: int) -> bool:
        return tiles[tile] == CREVASSE and turns[tile] < 6 and CRACKED_SIDES[turns[tile]][side]

    if step.side >= 0:
        return is_cracked(start, step.side) or is_cracked(step.to, (step.side + 3) % 6)
    if not step.down or terrain.free_steps_down:
        return False
    open_sides = [(tile, side) for tile, side, bit in step.down if not present & bit]
    return bool(open_sides) and all(is_cracked(tile, side) for tile, side in open_sides)


def has_doubtful_crack(state: State, start: int, place: int, terrain: Terrain) -> bool:
    """Whether a step touches a crevasse tile whose rotation nobody told (Q-7)."""
    for step in terrain.steps[start]:
        if step.to == place and (step.side >= 0 or step.down):
            tiles = (start, place) if step.side >= 0 else {tile for tile, _, _ in step.down}
            return any(state.tiles[t] == CREVASSE and state.turns[t] >= 6 for t in tiles)
    return False


def walkable(terrain: Terrain, state: State, start: int) -> tuple[int, ...]:
    """Where one step leads from a place (R-MOVE-1, R-MOVE-4, R-MOVE-5)."""
    return places_of(walk_mask(terrain, start, state.present, state.tiles, state.turns))


@lru_cache(maxsize=4096)
def walk_mask(terrain: Terrain, start: int, present: int, tiles: bytes, turns: bytes) -> int:
    """The same as a mask, from the values that matter, so that nearby states share the answer."""
    ends = terrain.near[start] & open_mask(terrain, present) & ~(1 << start)
    if terrain.has_apart:
        ends &= ~mask(step.to for step in terrain.steps[start] if step.apart & present)
    cracked = cracked_tiles(tiles, turns)
    if cracked & (ends | 1 << start):
        ends &= ~_cut_off(terrain, start, ends, cracked, present, tiles, turns)
    return ends


def _cut_off(terrain: Terrain, start: int, ends: int, cracked: int, present: int, tiles: bytes, turns: bytes) -> int:
    """Mask of the ends that lie behind a crack (R-CREV-1, R-CREV-5)."""
    found = 0
    is_cracked = cracked >> start & 1
    if start in SNOW:
        if is_cracked:
            found = ACROSS_CRACKS[start][turns[start]]
        for tile in places_of(ends & cracked):
            if ACROSS_CRACKS[tile][turns[tile]] >> start & 1:
                found |= 1 << tile
    if is_cracked or start not in SNOW:
        for step in terrain.steps[start]:
            if step.down and ends >> step.to & 1 and is_crossed(terrain, tiles, turns, present, start, step):
                found |= 1 << step.to
    return found


@lru_cache(maxsize=4096)
def cracked_tiles(tiles: bytes, turns: bytes) -> int:
    """Mask of the crevasse tiles whose rotation is told."""
    return mask([i for i in SNOW if tiles[i] == CREVASSE and turns[i] < 6])


@lru_cache(maxsize=8192)
def places_of(places: int) -> tuple[int, ...]:
    """The places of a mask, in ascending order."""
    found = []
    while places:
        low = places & -places
        found.append(low.bit_length() - 1)
        places ^= low
    return tuple(found)


@lru_cache(maxsize=4096)
def open_mask(terrain: Terrain, present: int) -> int:
    """Mask of the places that can be entered: they exist, and a part is visible unless a table decides otherwise."""
    found = present | terrain.lasting
    if not terrain.hidden_closed:
        return found
    visible, gone = SNOW_MASK, ALL_TILES & ~present
    while gone:
        low = gone & -gone
        visible |= terrain.under[low.bit_length() - 1]
        gone ^= low
    return found & visible


@lru_cache(maxsize=4096)
def uncovered(present: int) -> int:
    """Mask of the tiles that nothing lies on (R-GEO-8)."""
    found = present & SNOW_MASK
    for tile in LOWER_TILES:
        if present >> tile & 1 and not COVER_MASK[tile] & present:
            found |= 1 << tile
    return found


@lru_cache(maxsize=4096)
def open_places(terrain: Terrain, present: int) -> tuple[int, ...]:
    """Every place of which a part is visible."""
    return tuple(i for i, rep in enumerate(terrain.rep) if i == rep and is_open(terrain, present, i))


@lru_cache(maxsize=32)
def make_terrain(options: Options, azulia: AzuliaMap) -> Terrain:
    """Prepare places and steps."""
    rep = _representatives(options, azulia)
    parts: list[list[int]] = [[] for _ in range(PLACE_COUNT)]
    for position, place in enumerate(rep):
        parts[place].append(position)
    over = [mask(c for part in group for c in COVERS[part]) for group in parts]
    for area in azulia.areas:
        over[rep[INDEX[area.positions[0]]]] = mask(INDEX[spot] for spot in area.under)
    found: dict[tuple[int, int], Step] = {}
    for start, place, step in _all_steps(options, azulia):
        key = (rep[start], rep[place])
        if key[0] == key[1]:
            continue
        known = found.get(key)
        found[key] = step._replace(to=key[1], down=(known.down if known else ()) + step.down)
    from_place: list[list[Step]] = [[] for _ in range(PLACE_COUNT)]
    for (start, _), step in found.items():
        from_place[start].append(step)
    steps = tuple(tuple(group) for group in from_place)
    return Terrain(
        rep=rep,
        below=tuple(tuple(rep[b] for b in BELOW[i]) for i in range(TILE_COUNT)),
        over=tuple(over),
        steps=steps,
        adjacent=tuple(frozenset(step.to for step in group) for group in steps),
        near=tuple(mask((i, *(step.to for step in group))) for i, group in enumerate(steps)),
        parts=tuple(tuple(group) for group in parts),
        under=tuple(mask(i for i in range(PLACE_COUNT) if rep[i] == i and over[i] >> t & 1) for t in range(TILE_COUNT)),
        lasting=mask(i for i in range(TILE_COUNT, PLACE_COUNT) if rep[i] == i),
        has_apart=any(step.apart for group in steps for step in group),
        hidden_closed=options.hidden_places_closed,
        free_steps_down=options.crack_step_down == "free",
    )


def _representatives(options: Options, azulia: AzuliaMap) -> tuple[int, ...]:
    """The first position of every area of Azulia and of every group of edges (Q-1, Q-5)."""
    rep = list(range(PLACE_COUNT))
    for area in azulia.areas:
        positions = sorted(INDEX[spot] for spot in area.positions)
        for position in positions:
            rep[position] = positions[0]
    groups: dict[object, int] = {}
    for i in EDGE:
        key = {"position": i, "side": (LAYER[i], _frame_side(i)), "level": LAYER[i]}[options.edge_places]
        rep[i] = groups.setdefault(key, i)
    return tuple(rep)


def _frame_side(edge: int) -> tuple[int, bool]:
    """Which side of the frame an edge position lies along."""
    largest = LARGEST[LEVELS[LEVEL[edge]]]
    return next((axis, value > largest) for axis, value in enumerate(CELL[edge]) if not 0 <= value <= largest)


def _all_steps(options: Options, azulia: AzuliaMap) -> list[tuple[int, int, Step]]:
    """Every pair of positions that touch, both ways."""
    pairs: list[tuple[int, int, Step]] = []
    for i in range(TILE_COUNT):
        for j in NEIGHBOURS[i]:  # R-ADJ-1 (i)
            apart = 0 if options.adjacent_under_cover else mask(set(COVERS[i]) & set(COVERS[j]))
            side = SIDE_STEPS.index(subtract(CELL[j], CELL[i])) if i in SNOW else -1
            pairs.append((i, j, Step(j, apart, side, ())))
        for j in BELOW[i]:  # R-ADJ-1 (ii)
            down = _open_sides(i, j) if i in SNOW else ()
            pairs += [(i, j, Step(j, 0, -1, down)), (j, i, Step(i, 0, -1, down))]
    for i in EDGE:  # R-ADJ-5
        for delta in STEPS:
            k = place_at(LEVEL[i], add(CELL[i], delta))
            if k is not None and (options.edge_steps_under_frame or _share_visible_side(i, k)):
                pairs += [(i, k, Step(k, 0, -1, ())), (k, i, Step(i, 0, -1, ()))]
    return pairs + _azulia_steps(azulia)


def _open_sides(tile: int, lower: int) -> tuple[tuple[int, int, int], ...]:
    """The sides of a snow tile across which a place under it can be seen, with the neighbour that hides each."""
    unit = subtract(CELL[tile], CELL[lower])
    found = []
    for other in UNITS:
        delta = subtract(other, unit)
        neighbour = INDEX.get(spot_name("snow", add(CELL[tile], delta)))
        if other != unit and neighbour is not None:
            found.append((tile, SIDE_STEPS.index(delta), 1 << neighbour))
    return tuple(found)


def _share_visible_side(i: int, j: int) -> bool:
    """Whether the one upper cell over the common side is inside the upper layer, so that the frame does not hide it."""
    return bool(set(COVERS[i]) & set(COVERS[j]))


def _azulia_steps(azulia: AzuliaMap) -> list[tuple[int, int, Step]]:
    """Steps between areas that share a border line, and between areas and deep tiles that lie on them (R-ADJ-7)."""
    place = {area.id: INDEX[area.positions[0]] for area in azulia.areas}
    pairs = [(place[a], place[b]) for a, b in azulia.adjacent]
    pairs += [(place[area.id], INDEX[spot]) for area in azulia.areas for spot in area.under]
    return [(i, j, Step(j, 0, -1, ())) for p, q in pairs for i, j in ((p, q), (q, p))]


def is_azulia(place: int) -> bool:
    """Whether a place is an area of the printed city."""
    return place in AZULIA


def spot_of(place: int) -> str:
    """The name of a place for messages; `reserve` for OFF."""
    return SPOTS[place] if place >= 0 else "reserve"
