"""What lies on a pretend table: dealt tiles, a board dug into, pieces standing on it; pure Python and seeded."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from engine.games.ice.board import BELOW, COVERS, LAYER, NEIGHBOURS, RIM, SPOTS, TILE_COUNT

ARTIFACTS = ("achievement", "exalted", "philosophical", "harmony", "obliteration", "prismatic")
SNOW_KINDS = ("blank", "tunnel", "crevasse", "nunatak", "camp_site")
COUNTS = {
    "snow": {"blank": 12, "tunnel": 12, "crevasse": 12, "nunatak": 11, "camp_site": 1},
    "surface": {**dict.fromkeys(ARTIFACTS[:5], 6), "prismatic": 7},
    "deep": {**dict.fromkeys(ARTIFACTS[:5], 5), "prismatic": 2},
}
COLOURS = ("blue", "red", "green", "yellow", "purple")
PIECE_KINDS = (
    "archaeologist",
    *(f"leader.{c}" for c in COLOURS),
    *(f"camp.{c}" for c in (*COLOURS, "white")),
)


@dataclass(frozen=True)
class Tile:
    """One physical tile as it lies: kind, which of the kind's prints, turns of 60 degrees, and how askew."""

    kind: str
    print_no: int
    rotation: int
    shift_mm: tuple[float, float]
    turn_deg: float


@dataclass
class Piece:
    """One piece: its label, the spot it counts to, where its foot stands and how it is turned."""

    label: str
    spot: str
    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass
class Board:
    """A whole position: tiles by place index and the pieces on it."""

    tiles: dict[int, Tile]
    pieces: list[Piece] = field(default_factory=list)


def deal(rng: random.Random, prints: int, askew: float = 1.0) -> dict[int, Tile]:
    """All 112 tiles on the board; the kinds have up to `prints` different prints each."""
    tiles: dict[int, Tile] = {}
    for layer, counts in COUNTS.items():
        places = [i for i in range(TILE_COUNT) if LAYER[i] == layer]
        stack = [(kind, n % prints) for kind, count in counts.items() for n in range(count)]
        rng.shuffle(stack)
        for place, (kind, print_no) in zip(places, stack, strict=True):
            shift = (rng.gauss(0, 0.18 * askew), rng.gauss(0, 0.18 * askew))
            tiles[place] = Tile(kind, print_no, rng.randrange(6), shift, rng.gauss(0, 0.5 * askew))
    return tiles


def covers_present(tiles: dict[int, Tile], place: int) -> list[int]:
    """The tiles that lie on a place."""
    return [c for c in COVERS[place] if c in tiles]


def remove(tiles: dict[int, Tile], place: int) -> None:
    """Take a tile, what lies on it, and what then falls by the chain rule (R-COL-1..6)."""
    for cover in covers_present(tiles, place):
        remove(tiles, cover)
    if tiles.pop(place, None) is None:
        return
    for near in NEIGHBOURS[place]:
        if near in tiles and near not in RIM and sum(n in tiles for n in NEIGHBOURS[near]) <= 1:  # R-COL-3
            remove(tiles, near)


def dig(tiles: dict[int, Tile], rng: random.Random, count: int) -> None:
    """Dig until at least `count` tiles are gone, mostly next to holes and rather downwards."""
    goal = len(tiles) - count
    while len(tiles) > goal:
        open_places = [p for p in tiles if len(covers_present(tiles, p)) <= 1]
        weights = [
            (1 + 2 * sum(n not in tiles for n in NEIGHBOURS[p])) * {"snow": 1, "surface": 2, "deep": 0.7}[LAYER[p]]
            for p in open_places
        ]
        remove(tiles, rng.choices(open_places, weights)[0])


def hex_distance(x: float, y: float, radius: float) -> float:
    """How far a point lies inside (negative) or outside (positive) a pointy-top hexagon around the origin."""
    flat = radius * math.sqrt(3) / 2
    return max(abs(x * math.cos(math.radians(60 * k)) + y * math.sin(math.radians(60 * k))) for k in range(3)) - flat


def stand_pieces(
    board: Board,
    rng: random.Random,
    centres: dict[int, tuple[float, float]],
    tile_radius_mm: float,
    foot_mm: dict[str, float],
    cells: int,
    crowd: bool = False,
) -> None:
    """Put groups of pieces on some visible places: on the open part of a tile, sometimes touching each other.

    A `crowd` has painted pieces of several boxes, white camps above all.
    """
    leaders, camps = [f"leader.{c}" for c in COLOURS], [f"camp.{c}" for c in (*COLOURS, "white", "white")]
    if crowd:
        leaders, camps = leaders * 4, camps * 4 + ["camp.white"] * 12
    rng.shuffle(leaders)
    rng.shuffle(camps)
    open_places = [p for p in board.tiles if len(covers_present(board.tiles, p)) <= 1]
    weights = [1.0 if not covers_present(board.tiles, p) else 0.35 for p in open_places]
    for _ in range(cells):
        if not open_places:
            return
        place = rng.choices(open_places, weights)[0]
        at = open_places.index(place)
        del open_places[at], weights[at]
        group = ["archaeologist"] * rng.choices([0, 1, 2, 3, 4, 5, 6], [3, 6, 4, 3, 2, 1, 1])[0]
        if leaders and rng.random() < 0.4:
            group.append(leaders.pop())
        if camps and rng.random() < (0.55 if crowd else 0.3):
            group.append(camps.pop())
        for label in sorted(group, key=lambda name: -foot_mm[name.split(".")[0]]):
            _stand(board, rng, place, label, centres, tile_radius_mm, foot_mm)


def _stand(
    board: Board,
    rng: random.Random,
    place: int,
    label: str,
    centres: dict[int, tuple[float, float]],
    radius: float,
    foot_mm: dict[str, float],
) -> None:
    """Find room for one piece on a place, or leave it out."""
    foot = foot_mm[label.split(".")[0]]
    cx, cy = centres[place]
    above = covers_present(board.tiles, place)
    around = [p for p in board.pieces if math.hypot(p.x_mm - cx, p.y_mm - cy) < 3 * radius]
    huddle = rng.random() < 0.3  # stand close to the others
    best: tuple[float, float] | None = None
    for _ in range(60):
        dx, dy = rng.uniform(-radius, radius), rng.uniform(-radius, radius)
        x, y = cx + dx, cy + dy
        if hex_distance(dx, dy, radius) > -foot - 0.5:
            continue
        if any(hex_distance(x - centres[a][0], y - centres[a][1], radius) < foot + 0.5 for a in above):
            continue
        gaps = [
            math.hypot(p.x_mm - x, p.y_mm - y) - foot - foot_mm[p.label.split(".")[0]]
            for p in around
            if SPOTS[place] == p.spot or math.hypot(p.x_mm - x, p.y_mm - y) < 2 * radius
        ]
        if gaps and min(gaps) < 0.1:
            continue
        if not huddle or not gaps:
            best = (x, y)
            break
        if best is None or min(gaps) < min(
            math.hypot(p.x_mm - best[0], p.y_mm - best[1]) - foot - foot_mm[p.label.split(".")[0]] for p in around
        ):
            best = (x, y)
    if best:
        board.pieces.append(Piece(label, SPOTS[place], best[0], best[1], rng.uniform(0, 360)))


def is_possible(tiles: dict[int, Tile]) -> bool:
    """Whether every tile rests on three places: a tile or a frame edge each (R-GEO-7)."""
    return all(b in tiles or LAYER[b] == "azulia" or LAYER[b].startswith("edge") for t in tiles for b in BELOW[t])


def truth_of(board: Board, visible: dict[int, float]) -> dict[str, object]:
    """The `tiles`, `pieces` and `feet` fields of a frame."""
    tiles = {
        SPOTS[p]: {
            "kind": t.kind,
            "rotation": t.rotation,
            "covered_by": len(covers_present(board.tiles, p)),
            "visible": round(visible[p], 2),
        }
        for p, t in sorted(board.tiles.items())
    }
    pieces: dict[str, object] = {}
    for piece in board.pieces:
        pieces.setdefault(piece.spot, []).append(piece.label)  # type: ignore[attr-defined]
    feet = [[p.label, round(p.x_mm, 2), round(p.y_mm, 2)] for p in board.pieces]
    return {"tiles": tiles, "pieces": pieces, "feet": feet}
