"""A second opinion on I C E: slow, naive, written from the specification alone, on plain position JSON.

Nothing here is imported from the engine. Cells are found by trying every triple, sides by comparing distances in the
plan, collapses by looking at the whole layer again and again, allocations by placing one piece at a time.
"""

from __future__ import annotations

import math
from typing import Any

Position = dict[str, Any]
Cell = tuple[int, int, int]

LAYERS = ["snow", "surface", "deep", "azulia"]
SUM = {"snow": 10, "surface": 9, "deep": 8, "azulia": 7}
MAXIMUM = {"snow": 7, "surface": 6, "deep": 5, "azulia": 4}
BASE_COST = {"snow": 2, "surface": 3, "deep": 4}


# --- geometry -------------------------------------------------------------------------------------------------------


def cells_of(layer: str) -> list[Cell]:
    """R-GEO-1, by trying every triple."""
    top = MAXIMUM[layer]
    every = [(a, b, c) for a in range(-2, 12) for b in range(-2, 12) for c in range(-2, 12)]
    return [p for p in every if sum(p) == SUM[layer] and min(p) >= 0 and max(p) <= top]


CELLS = {layer: cells_of(layer) for layer in LAYERS}


def name(layer: str, p: Cell) -> str:
    return f"{layer}:{p[0]},{p[1]},{p[2]}"


def split(spot: str) -> tuple[str, Cell]:
    layer, numbers = spot.split(":")
    a, b, c = (int(n) for n in numbers.split(","))
    return layer, (a, b, c)


def plan(p: Cell) -> tuple[float, float]:
    """R-GEO-3."""
    a, b, c = p
    half = math.sqrt(3) / 2
    return (-half * b + half * c, a - b / 2 - c / 2)


def distance(p: Cell, q: Cell) -> float:
    return math.dist(plan(p), plan(q))


def covering_cells(spot: str) -> list[str]:
    """Cells of the layer above, inside it, that lie partly on the spot (R-GEO-6: their centres are one radius away)."""
    layer, p = split(spot)
    level = LAYERS.index(layer.removeprefix("edge."))
    if level == 0:
        return []
    upper = LAYERS[level - 1]
    return [name(upper, q) for q in CELLS[upper] if abs(distance(p, q) - 1) < 1e-6]


def places_below(spot: str) -> list[str]:
    """R-GEO-7: a-1, b-1, c-1; what is outside the lower layer is a frame edge."""
    layer, (a, b, c) = split(spot)
    lower = LAYERS[LAYERS.index(layer) + 1]
    down = [(a - 1, b, c), (a, b - 1, c), (a, b, c - 1)]
    return [name(lower, p) if p in CELLS[lower] else name("edge." + lower, p) for p in down]


TILE_SPOTS = dict.fromkeys(name(layer, p) for layer in LAYERS[:3] for p in CELLS[layer])
AZULIA_SPOTS = [name("azulia", p) for p in CELLS["azulia"]]
EDGE_SPOTS = sorted({q for spot in TILE_SPOTS for q in places_below(spot) if q.startswith("edge.")})
PLACES = [*TILE_SPOTS, *AZULIA_SPOTS, *EDGE_SPOTS]
COVERING = {spot: covering_cells(spot) for spot in PLACES}


def same_layer_neighbours(spot: str) -> list[str]:
    """R-GEO-5: the cells of the same layer whose centres are a side apart."""
    layer, p = split(spot)
    return [name(layer, q) for q in CELLS[layer] if abs(distance(p, q) - math.sqrt(3)) < 1e-6]


NEIGHBOURS = {spot: same_layer_neighbours(spot) for spot in TILE_SPOTS}


def is_rim(spot: str) -> bool:
    """R-GEO-10, by the number of cells around."""
    return len(NEIGHBOURS[spot]) < 6


# --- what lies and stands on the board ------------------------------------------------------------------------------


def covers(position: Position, spot: str) -> list[str]:
    """The tiles that lie on the spot now."""
    return [c for c in COVERING[spot] if c in position["tiles"]]


def explorers(position: Position, spot: str) -> int:
    here = position["pieces"].get(spot, {})
    return int(here.get("archaeologists", 0)) + len(here.get("leaders", []))


def is_place(position: Position, spot: str) -> bool:
    """Something to stand on that is not hidden (R-GEO-9, R-ADJ-4, R-ADJ-7)."""
    if spot in TILE_SPOTS and spot not in position["tiles"]:
        return False
    return spot.startswith("snow:") or len(covers(position, spot)) < len(COVERING[spot])


def leader_place(position: Position, guild: str) -> str | None:
    for spot, here in position["pieces"].items():
        if guild in here.get("leaders", []):
            return str(spot)
    return None


def seat_of(position: Position, guild: str) -> dict[str, Any]:
    for seat in position["seats"]:
        if seat["guild"] == guild:
            return dict(seat)
    raise AssertionError(f"no seat of {guild}")


# --- digging --------------------------------------------------------------------------------------------------------


def dig_cost(position: Position, spot: str) -> int:
    """R-COST-1 to R-COST-5 with no snow tile played; the Cryoarchitects' discount is free, so it counts (R-CRYO-1)."""
    layer, _ = split(spot)
    here = position["pieces"].get(spot, {})
    harder = False
    reduction = 0
    if here.get("camp") == "cryoarchitects" == position["to_act"] and layer != "snow":
        reduction = 1
    elif here.get("camp"):
        harder = True
    if position["tiles"][spot]["kind"] == "nunatak":
        harder = True
    if len(covers(position, spot)) == 1:
        harder = True
    cost = BASE_COST[layer] + (1 if harder else 0) - explorers(position, spot) - reduction
    return max(0, cost)


def can_spend(position: Position) -> int:
    """R-EP-1, R-EP-2, R-OVW-1: what the player to act may still spend in this turn."""
    limit = 3 if position["turn"]["overwork"] else 2
    return max(0, min(limit - position["turn"]["spent"], seat_of(position, position["to_act"])["ep"]))


def dig_rules(position: Position, spot: str) -> list[str]:
    """Every rule that forbids the player to act to dig this tile, R-DIG-1 first."""
    broken = []
    if leader_place(position, position["to_act"]) != spot:
        broken.append("R-DIG-1")
    lying_on_it = covers(position, spot)
    if len(lying_on_it) > 1:
        broken.append("R-DIG-2")
    if len(lying_on_it) == 1 and covers(position, lying_on_it[0]):
        broken.append("R-DIG-3")
    if dig_cost(position, spot) > can_spend(position):
        broken.append("R-DIG-4")
    return broken


def fall_by_chain(tiles: set[str], layer: str) -> list[str]:
    """R-COL-3 to R-COL-6: look at the whole layer, drop one tile, look again."""
    fallen: list[str] = []
    while True:
        for spot in sorted(tiles):
            if not spot.startswith(layer + ":") or is_rim(spot):
                continue
            if sum(1 for n in NEIGHBOURS[spot] if n in tiles) <= 1:
                tiles.remove(spot)
                fallen.append(spot)
                break
        else:
            return fallen


def dig_collapses(position: Position, spot: str) -> list[str]:
    """What falls in steps A and B (R-PROC-2, R-PROC-3): the cover, its layer's chain, the own layer's chain."""
    tiles = set(position["tiles"])
    lying_on_it = covers(position, spot)
    fallen = []
    for cover in lying_on_it:
        tiles.remove(cover)
        fallen.append(cover)
    if lying_on_it:
        fallen += fall_by_chain(tiles, split(lying_on_it[0])[0])
    tiles.remove(spot)
    return fallen + fall_by_chain(tiles, split(spot)[0])


def allocations(position: Position, spot: str) -> set[tuple[int, int, int]]:
    """R-ALLOC-5 in its second wording: each piece in turn goes on a place that has the fewest at that moment."""
    below = places_below(spot)
    results = {tuple(explorers(position, p) for p in below)}
    for _ in range(explorers(position, spot)):
        further = set()
        for counts in results:
            for i in range(3):
                if counts[i] == min(counts):
                    further.add(tuple(n + 1 if j == i else n for j, n in enumerate(counts)))
        results = further
    return results  # type: ignore[return-value]


# --- walking --------------------------------------------------------------------------------------------------------


def facing_degrees(p: Cell, q: Cell) -> int:
    """The direction from p to q in the plan, 0 being +x, counter-clockwise."""
    (x0, y0), (x1, y1) = plan(p), plan(q)
    return round(math.degrees(math.atan2(y1 - y0, x1 - x0))) % 360


def cracks(position: Position, spot: str) -> list[int]:
    """Directions of the cracked sides; none when the owner has not said which (Q-7: warn only)."""
    tile = position["tiles"].get(spot, {})
    if tile.get("kind") != "crevasse" or tile.get("rotation") is None:
        return []
    r = tile["rotation"]
    return [60 * r % 360, 60 * (r + 1) % 360]


def are_adjacent(p_spot: str, q_spot: str) -> bool:
    """R-ADJ-1, R-ADJ-3, R-ADJ-5, R-ADJ-7 with the printed positions of Azulia as areas."""
    p_layer, p = split(p_spot)
    q_layer, q = split(q_spot)
    p_level = LAYERS.index(p_layer.removeprefix("edge."))
    q_level = LAYERS.index(q_layer.removeprefix("edge."))
    p_edge, q_edge = p_layer.startswith("edge."), q_layer.startswith("edge.")
    if p_level == q_level:
        if abs(distance(p, q) - math.sqrt(3)) > 1e-6:
            return False
        if not p_edge and not q_edge:
            return True
        return bool(set(COVERING[p_spot]) & set(COVERING[q_spot]))  # R-ADJ-5: the shared side is not under the frame
    if abs(p_level - q_level) != 1 or abs(distance(p, q) - 1) > 1e-6:
        return False
    upper_is_edge = p_edge if p_level < q_level else q_edge
    return not upper_is_edge


ADJACENT = {p: [q for q in PLACES if q != p and are_adjacent(p, q)] for p in PLACES}


def crack_between(position: Position, p_spot: str, q_spot: str) -> bool:
    """R-CREV-1 on one level; R-CREV-5 between a crevasse tile and a place under it."""
    p_layer, p = split(p_spot)
    q_layer, q = split(q_spot)
    p_level = LAYERS.index(p_layer.removeprefix("edge."))
    q_level = LAYERS.index(q_layer.removeprefix("edge."))
    if p_level == q_level:
        return facing_degrees(p, q) in cracks(position, p_spot) or facing_degrees(q, p) in cracks(position, q_spot)
    upper, lower = (p_spot, q_spot) if p_level < q_level else (q_spot, p_spot)
    cracked = cracks(position, upper)
    if not cracked:
        return False
    removed = [other for other in COVERING[lower] if other not in position["tiles"]]
    return all(facing_degrees(split(upper)[1], split(other)[1]) in cracked for other in removed)


def walk_rule(position: Position, start: str, goal: str) -> str | None:
    """Why one step is not allowed: R-ADJ-1, R-GEO-9 or R-CREV-1; None when it is."""
    if goal not in ADJACENT[start] or (goal in TILE_SPOTS and goal not in position["tiles"]):
        return "R-ADJ-1"
    if not is_place(position, goal):
        return "R-GEO-9"
    if crack_between(position, start, goal):
        return "R-CREV-1"
    return None


def walk_targets(position: Position, start: str) -> set[str]:
    """Where a leader at `start` may go by one step."""
    return {goal for goal in PLACES if walk_rule(position, start, goal) is None}
