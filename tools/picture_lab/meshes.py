"""Bodies as vertices and triangles in millimetres: tiles, frame, pieces, an arm; numpy only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

Array = np.ndarray


@dataclass
class Body:
    """A triangle mesh: vertices (n,3), faces (m,3), texture coordinates (n,2), colours (n,3) linear."""

    vertices: Array
    faces: Array
    uv: Array
    colours: Array


def body(vertices: list[Array], faces: Array, uv: Array | None = None, colour: object = (0.5, 0.5, 0.5)) -> Body:
    """A body from loose arrays, filling in what is not given."""
    v = np.asarray(vertices, np.float32).reshape(-1, 3)
    return Body(
        v,
        np.asarray(faces, np.uint32).reshape(-1, 3),
        np.zeros((len(v), 2), np.float32) if uv is None else np.asarray(uv, np.float32),
        np.tile(np.asarray(colour, np.float32), (len(v), 1)),
    )


def join(parts: list[Body]) -> Body:
    """Several bodies as one."""
    offsets = np.cumsum([0, *(len(p.vertices) for p in parts[:-1])])
    return Body(
        np.concatenate([p.vertices for p in parts]),
        np.concatenate([p.faces + np.uint32(o) for p, o in zip(parts, offsets, strict=True)]),
        np.concatenate([p.uv for p in parts]),
        np.concatenate([p.colours for p in parts]),
    )


def placed(part: Body, x: float, y: float, z: float, turn_deg: float = 0.0) -> Body:
    """The body turned about the vertical axis and moved."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)
    return Body(part.vertices @ turn.T + np.array([x, y, z], np.float32), part.faces, part.uv, part.colours)


def ring_strip(a: int, b: int, n: int) -> list[tuple[int, int, int]]:
    """Triangles between two closed rings of n vertices that start at a (lower) and b (upper)."""
    out = []
    for i in range(n):
        j = (i + 1) % n
        out += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
    return out


def tile(radius: float, thickness: float, bevel: float, top_uv: Array, side_uv: Array) -> Body:
    """A hexagonal tile with bevelled upper rim, top at z = thickness; `top_uv` maps unit coordinates to the atlas."""
    angles = np.radians(90 + 60 * np.arange(6))
    unit = np.stack([np.cos(angles), np.sin(angles)], 1)
    inner = unit * (radius - bevel)
    rings = [(unit * radius, 0.0), (unit * radius, thickness - bevel), (unit * radius, thickness - bevel)]
    rings += [(inner, thickness), (inner, thickness)]
    v = np.concatenate([np.column_stack([xy, np.full(6, z)]) for xy, z in rings] + [[[0, 0, thickness]]])
    top = lambda xy: top_uv[0] + (xy / radius) * top_uv[1]  # noqa: E731
    uv = np.concatenate(
        [np.tile(side_uv, (12, 1)), top(unit * radius * 0.99), top(inner), top(inner), top(np.zeros((1, 2)))]
    )
    faces = ring_strip(0, 6, 6) + ring_strip(12, 18, 6) + [(24 + i, 24 + (i + 1) % 6, 30) for i in range(6)]
    return body(v, np.array(faces), uv)


def boundary(hexes: list[Array]) -> Array:
    """The closed outline of a union of lattice hexagons (each six corners), counter-clockwise."""
    key = lambda p: (round(float(p[0]), 2), round(float(p[1]), 2))  # noqa: E731
    sides: dict[tuple[object, object], None] = {}
    points = {}
    for h in hexes:
        for i in range(6):
            a, b = h[i], h[(i + 1) % 6]
            points[key(a)], points[key(b)] = a, b
            sides[(key(a), key(b))] = None
    follow = {a: b for a, b in sides if (b, a) not in sides}
    start = next(iter(follow))
    loop, at = [start], follow[start]
    while at != start:
        loop.append(at)
        at = follow[at]
    return np.array([points[p] for p in loop])


def plate(outer: Array, hole: Array | None, top: float, bottom: float, uv_scale_mm: float, colour: object) -> Body:
    """A slab with an outline and perhaps a hole; triangles found on a fine raster-free ear cut of OpenCV's hull."""
    triangles, flat = _triangulate(outer, hole)
    n = len(flat)
    v = [np.column_stack([flat, np.full(n, top)])]
    faces = [np.array(triangles)]
    base = n
    for loop, flip in [(outer, False)] + ([(hole, True)] if hole is not None else []):
        m = len(loop)
        low, high = np.column_stack([loop, np.full(m, bottom)]), np.column_stack([loop, np.full(m, top)])
        v += [low, high]
        strip = np.array(ring_strip(base, base + m, m))
        faces.append(strip[:, ::-1] if flip else strip)
        base += 2 * m
    vertices = np.concatenate(v)
    uv = vertices[:, :2] / uv_scale_mm + 0.5
    return body(vertices, np.concatenate(faces), uv, colour)


def _triangulate(outer: Array, hole: Array | None) -> tuple[list[tuple[int, int, int]], Array]:
    """Delaunay triangles of outline and hole, keeping those whose middle lies between the two."""
    loops = [_dense(outer)] + ([_dense(hole)] if hole is not None else [])
    points = np.concatenate(loops).astype(np.float32)
    low = points.min(0) - 10
    size = points.max(0) - low + 10
    subdiv = cv2.Subdiv2D((0, 0, int(size[0]) + 1, int(size[1]) + 1))
    index = {}
    for i, p in enumerate(points):
        subdiv.insert((float(p[0] - low[0]), float(p[1] - low[1])))
        index[(round(float(p[0] - low[0]), 1), round(float(p[1] - low[1]), 1))] = i
    out = []
    for x1, y1, x2, y2, x3, y3 in subdiv.getTriangleList():
        ids = [index.get((round(float(x), 1), round(float(y), 1))) for x, y in ((x1, y1), (x2, y2), (x3, y3))]
        if None in ids:
            continue
        tri = points[ids]  # type: ignore[index]
        mid = tri.mean(0)
        inside = cv2.pointPolygonTest(outer.astype(np.float32), (float(mid[0]), float(mid[1])), False) > 0
        if hole is not None and inside:
            inside = cv2.pointPolygonTest(hole.astype(np.float32), (float(mid[0]), float(mid[1])), False) < 0
        if inside:
            a, b = tri[1] - tri[0], tri[2] - tri[0]
            out.append(tuple(ids) if a[0] * b[1] - a[1] * b[0] > 0 else (ids[0], ids[2], ids[1]))
    return out, points  # type: ignore[return-value]


def _dense(loop: Array, step: float = 6.0) -> Array:
    """A loop with extra points on long sides, so that Delaunay respects it."""
    out = []
    for a, b in zip(loop, np.roll(loop, -1, 0), strict=True):
        n = max(1, int(np.hypot(*(b - a)) / step))
        out += [a + (b - a) * k / n for k in range(n)]
    return np.array(out)


def rounded_hull(loop: Array, margin: float) -> Array:
    """The convex hull of a loop grown by a margin with rounded corners, counter-clockwise."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    grown = (loop[:, None, :] + margin * np.stack([np.cos(angles), np.sin(angles)], 1)[None]).reshape(-1, 2)
    hull = cv2.convexHull(grown.astype(np.float32))[:, 0, :].astype(float)
    x, y = hull[:, 0], hull[:, 1]
    return hull if np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0 else hull[::-1]


def lathe(profile: list[tuple[float, float]], colour: object, n: int = 18) -> Body:
    """A turned body: profile of (radius, height) from foot to tip."""
    angles = np.linspace(0, 2 * np.pi, n, endpoint=False)
    rings = [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(n, z)]) for r, z in profile]
    faces: list[tuple[int, int, int]] = []
    for k in range(len(rings) - 1):
        faces += ring_strip(k * n, (k + 1) * n, n)
    tip = len(rings) * n
    faces += [((len(rings) - 1) * n + i, (len(rings) - 1) * n + (i + 1) % n, tip) for i in range(n)]
    return body(np.concatenate([*rings, [[0, 0, profile[-1][1]]]]), np.array(faces), None, colour)


def ball_profile(radius: float, z: float, start: float = 0.0) -> list[tuple[float, float]]:
    """Profile of a ball around height z, from an angle above its lowest point."""
    return [(radius * math.sin(a), z - radius * math.cos(a)) for a in np.linspace(max(start, 0.15), math.pi - 0.1, 9)]


def prism(outline: Array, depth: float, colour: object) -> Body:
    """An upright cut-out: a convex-ish outline in (x, z), `depth` thick along y."""
    n = len(outline)
    front = np.column_stack([outline[:, 0], np.full(n, -depth / 2), outline[:, 1]])
    back = front + np.array([0, depth, 0])
    triangles, flat = _triangulate(outline * 10, None)
    caps = [np.column_stack([flat[:, 0] / 10, np.full(len(flat), y), flat[:, 1] / 10]) for y in (-depth / 2, depth / 2)]
    m = len(flat)
    faces = np.concatenate(
        [
            np.array(ring_strip(n, 0, n)),
            np.array(triangles) + 2 * n,
            np.array(triangles)[:, ::-1] + 2 * n + m,
        ]
    )
    return body(np.concatenate([front, back, *caps]), faces, None, colour)
