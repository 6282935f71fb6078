"""The table as a Mitsuba scene: bodies, stuffs and lamps from a board; also who can see what."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import cv2
import mitsuba as mi
import numpy as np

mi.set_variant("llvm_ad_rgb")

from engine.games.ice.board import CELL, LAYER, SPOTS  # noqa: E402
from engine.hexes import plan  # noqa: E402
from tools.picture_lab import art as art_of  # noqa: E402
from tools.picture_lab import bodies, meshes  # noqa: E402
from tools.picture_lab.camera import Lens, Pose, pinhole_size  # noqa: E402
from tools.picture_lab.meshes import Body  # noqa: E402
from tools.picture_lab.sets import SetSpec  # noqa: E402
from tools.picture_lab.truth import COUNTS, Board, Piece  # noqa: E402

Array = np.ndarray
CELL_PX = 256


@dataclass
class Stage:
    """What is the same in all pictures of a set: sizes, textures, the board without tiles."""

    spec: SetSpec
    radius: float = 0.0
    centres: dict[int, tuple[float, float]] = field(default_factory=dict)
    top: dict[str, float] = field(default_factory=dict)
    slots: dict[tuple[str, str, int], int] = field(default_factory=dict)
    fixed: dict[str, object] = field(default_factory=dict)
    outline: Array = field(default_factory=lambda: np.zeros((0, 2)))


def stage_for(spec: SetSpec) -> Stage:
    """Prepare the set: lattice in millimetres, atlas, frame, markers, table."""
    stage = Stage(spec)
    t = spec.thickness_mm
    stage.radius = spec.tile_flat_mm / math.sqrt(3)
    stage.top = {"snow": 3 * t, "surface": 2 * t, "deep": t, "azulia": 0.0}
    stage.centres = {i: plan(CELL[i], stage.radius) for i in range(len(SPOTS))}
    _add_tile_stuff(stage)
    _add_frame(stage)
    _add_ground(stage)
    return stage


def _bitmap(picture: Array, wrap: str = "clamp") -> dict[str, object]:
    data = np.ascontiguousarray(np.round(np.clip(picture, 0, 1) * 255).astype(np.uint8))
    return {"type": "bitmap", "bitmap": mi.Bitmap(data), "wrap_mode": wrap}


def _stuff(colour: object, gloss: float) -> dict[str, object]:
    """Matt or glossy stuff of a colour or texture; gloss 0..1."""
    inner = {
        "type": "principled",
        "base_color": colour,
        "roughness": 0.75 - 0.6 * gloss,
        "specular": 0.25 + 0.3 * gloss,
    }
    return {"type": "twosided", "bsdf": inner}


def _shape(
    part: Body, stuff: dict[str, object], emitter: dict[str, object] | None = None, smooth: bool = False
) -> object:
    """A Mitsuba mesh; pieces carry their colours with them."""
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(stuff)
    if emitter:
        props["emitter"] = mi.load_dict(emitter)
    mesh = mi.Mesh(
        "body", len(part.vertices), len(part.faces), has_vertex_normals=False, has_vertex_texcoords=True, props=props
    )
    mesh.add_attribute("vertex_color", 3, part.colours.astype(np.float32).ravel())
    params = mi.traverse(mesh)
    params["vertex_positions"] = part.vertices.astype(np.float32).ravel()
    params["faces"] = part.faces.astype(np.uint32).ravel()
    params["vertex_texcoords"] = part.uv.astype(np.float32).ravel()
    params.update()
    return mesh


def _add_tile_stuff(stage: Stage) -> None:
    spec, atlas = stage.spec, np.full((2048, 2048, 3), 0.5, np.float32)
    for layer, counts in COUNTS.items():
        for kind in counts:
            for print_no in range(spec.art.prints):
                slot = len(stage.slots)
                stage.slots[layer, kind, print_no] = slot
                picture = art_of.draw_tile(spec.art, spec.name, layer, kind, print_no)
                y, x = slot // 8 * CELL_PX, slot % 8 * CELL_PX
                atlas[y : y + CELL_PX, x : x + CELL_PX] = cv2.resize(
                    picture, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA
                )
    atlas[-CELL_PX:, -CELL_PX:] = np.asarray(spec.card_side)
    stage.fixed["tile_stuff"] = _stuff(_bitmap(atlas), spec.gloss)


def _slot_uv(slot: int) -> tuple[Array, float]:
    centre = np.array([(slot % 8 + 0.5) / 8, (slot // 8 + 0.5) / 8])
    return centre, 0.49 / 8


def _hexes(stage: Stage, layer: str) -> list[Array]:
    a = np.radians(90 + 60 * np.arange(6))
    ring = stage.radius * np.stack([np.cos(a), np.sin(a)], 1)
    return [ring + np.array(stage.centres[i]) for i in range(len(SPOTS)) if LAYER[i] == layer]


def _add_frame(stage: Stage) -> None:
    spec = stage.spec
    loops = {layer: meshes.boundary(_hexes(stage, layer)) for layer in ("snow", "surface", "deep", "azulia")}
    outer = meshes.rounded_hull(loops["snow"], spec.frame_margin_mm)
    if spec.frame_round:
        a = np.linspace(0, 2 * np.pi, 90, endpoint=False)
        outer = np.hypot(*outer.T).max() * np.stack([np.cos(a), np.sin(a)], 1)
    stage.outline = outer
    under = meshes.rounded_hull(loops["snow"], 3)
    t, grow = spec.thickness_mm, 1.004
    frame, ledge = (np.asarray(c) ** 2.2 for c in (spec.art.frame, spec.art.ledge))
    parts = [
        meshes.plate(outer, loops["snow"] * grow, 3 * t + spec.frame_lip_mm, 0, 100, frame),
        meshes.plate(under, loops["surface"] * grow, 2 * t, 0, 100, ledge),
        meshes.plate(under, loops["deep"] * grow, t, 0, 100, ledge * 0.9),
    ]
    colour = {"type": "mesh_attribute", "name": "vertex_color"}
    stage.fixed["frame"] = _shape(meshes.join(parts), _stuff(colour, spec.gloss * 0.6))
    floor = meshes.rounded_hull(loops["deep"], 3)
    extent = 2.1 * np.abs(floor).max()
    city = meshes.plate(floor, None, 0.0, -0.2, extent, (1, 1, 1))
    stage.fixed["city"] = _shape(city, _stuff(_bitmap(art_of.draw_azulia(spec.art, spec.name)), spec.gloss * 0.5))


def _flat(
    x: float, y: float, w: float, h: float, z: float, uv: tuple[float, float, float, float], turn: float = 0.0
) -> Body:
    """A rectangle; uv = left, top, right, bottom of the picture (rows from the top)."""
    v = np.array([(-w, -h, 0), (w, -h, 0), (w, h, 0), (-w, h, 0)], float) / 2
    left, top, right, bottom = uv
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    part = meshes.body(v, np.array([(0, 1, 2), (0, 2, 3)]), np.array(corners))
    return meshes.placed(part, x, y, z, turn)


def _add_ground(stage: Stage) -> None:
    spec = stage.spec
    rng = np.random.default_rng(spec.seed)
    table = _flat(
        0, 0, 4000, 4000, -0.3, (0, 0, 4000 / spec.table_repeat_mm, 4000 / spec.table_repeat_mm), spec.seed % 90
    )
    stage.fixed["table"] = _shape(table, _stuff(_bitmap(spec.table(rng), "repeat"), spec.table_gloss))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    sheet = np.full((600, 600, 3), 0.9, np.float32)
    parts = []
    for k, (x, y) in spec.marker_centres.items():
        row, column = divmod(k, 2)
        marker = cv2.aruco.generateImageMarker(dictionary, k, 180).astype(np.float32) / 255 * 0.84 + 0.06
        sheet[row * 300 + 60 : row * 300 + 240, column * 300 + 60 : column * 300 + 240] = marker[..., None]
        uv = (column / 2 + 0.02, row / 2 + 0.02, column / 2 + 0.48, row / 2 + 0.48)
        side = spec.marker_mm * 300 / 180 * 0.92
        parts.append(_flat(x, y, side, side, 0.0, uv))
    stage.fixed["markers"] = _shape(meshes.join(parts), _stuff(_bitmap(sheet), 0.0))


def _tiles_body(stage: Stage, board: Board) -> Body:
    spec, parts = stage.spec, []
    side_uv = np.array([7.5 / 8, 7.5 / 8])
    radius = stage.radius - spec.tile_gap_mm / math.sqrt(3)
    for place, t in board.tiles.items():
        centre, half = _slot_uv(stage.slots[LAYER[place], t.kind, t.print_no])
        top_uv = np.array([centre, [half, -half]])  # rows run downwards
        one = meshes.tile(radius, spec.thickness_mm, spec.bevel_mm, top_uv, side_uv)
        x, y = stage.centres[place]
        z = stage.top[LAYER[place]] - spec.thickness_mm
        parts.append(meshes.placed(one, x + t.shift_mm[0], y + t.shift_mm[1], z, 60 * t.rotation + t.turn_deg))
    return meshes.join(parts)


def piece_body(stage: Stage, piece: Piece, rng: random.Random) -> Body:
    """One piece where it stands."""
    spec = stage.spec
    sort, _, colour = piece.label.partition(".")
    foot = spec.foot_mm[sort]
    if sort == "archaeologist":
        tone = tuple(c * rng.uniform(0.85, 1.12) for c in spec.wood)
        one = bodies.pawn(spec.small_shape, spec.small_height_mm, foot, tone)  # type: ignore[arg-type]
    else:
        dye = bodies.paint(colour, spec.hue_shift, spec.paint_value)
        if sort == "leader":
            one = bodies.pawn(spec.tall_shape, spec.tall_height_mm, foot, dye)
        else:
            one = bodies.camp(spec.camp_shape, foot * 1.75, dye)
    layer = piece.spot.split(":")[0].removeprefix("edge.")
    return meshes.placed(one, piece.x_mm, piece.y_mm, stage.top[layer], piece.turn_deg)


@dataclass
class Picture:
    """One picture to take."""

    board: Board
    pose: Pose
    lens: Lens
    lamps: list[dict[str, object]]
    lit: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    arm: Body | None = None
    clutter: list[Body] = field(default_factory=list)


def compose(stage: Stage, picture: Picture, seed: int) -> tuple[object, dict[int, float], list[float]]:
    """The Mitsuba scene, the visible share of each tile's face and of each piece."""
    rng = random.Random(seed)
    colour = {"type": "mesh_attribute", "name": "vertex_color"}
    shapes = {k: v for k, v in stage.fixed.items() if k != "tile_stuff"}
    if picture.board.tiles:
        shapes["tiles"] = _shape(_tiles_body(stage, picture.board), stage.fixed["tile_stuff"])  # type: ignore[arg-type]
    standing = [piece_body(stage, p, rng) for p in picture.board.pieces]
    loose = standing + picture.clutter
    if loose:
        shapes["pieces"] = _shape(meshes.join(loose), _stuff(colour, stage.spec.piece_gloss))
    if picture.arm:
        shapes["arm"] = _shape(picture.arm, _stuff(colour, 0.15))
    for place, light in picture.lit.items():
        shapes[f"led{place}"] = _rim_light(stage, place, light)
    scene = mi.load_dict({"type": "scene", **shapes, **{f"lamp{k}": lamp for k, lamp in enumerate(picture.lamps)}})
    return scene, _tile_views(stage, picture, scene), [_piece_view(b, picture.pose, scene) for b in standing]


def _rim_light(stage: Stage, place: int, light: tuple[float, float, float]) -> object:
    a = np.radians(90 + 60 * np.arange(6))
    unit = np.stack([np.cos(a), np.sin(a)], 1) * stage.radius
    z = stage.top[LAYER[place]] + 0.15
    v = np.concatenate([np.column_stack([unit * s, np.full(6, z)]) for s in (0.995, 0.93)])
    v += np.array([*stage.centres[place], 0.0])
    part = meshes.body(v, np.array(meshes.ring_strip(0, 6, 6)))
    stuff = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": 0.7}}
    return _shape(
        part, stuff, {"type": "area", "radiance": {"type": "rgb", "value": list(light)}, "sampling_weight": 0.12}
    )


def _seen(points: Array, pose: Pose, scene: object) -> Array:
    """Which points the camera can see."""
    p = mi.Point3f(*(mi.Float(np.ascontiguousarray(column, np.float32)) for column in points.T))
    way = mi.Point3f(*(float(v) for v in pose.eye)) - p
    rays = mi.Ray3f(p, way, 0.999, 0.0, [])
    return ~np.array(scene.ray_test(rays))  # type: ignore[attr-defined]


def _tile_views(stage: Stage, picture: Picture, scene: object) -> dict[int, float]:
    tiles = picture.board.tiles
    if not tiles:
        return {}
    grid = np.array([(i + j / 2, j * math.sqrt(3) / 2) for i in range(-5, 6) for j in range(-5, 6)]) / 4.0
    grid = grid[[np.hypot(*g) < 1.01 for g in grid]] * 0.84 * stage.radius
    points = np.concatenate(
        [
            np.column_stack(
                [
                    grid + np.array(stage.centres[p]) + np.array(t.shift_mm),
                    np.full(len(grid), stage.top[LAYER[p]] + 0.2),
                ]
            )
            for p, t in tiles.items()
        ]
    )
    seen = _seen(points, picture.pose, scene).reshape(len(tiles), -1).mean(1)
    return dict(zip(tiles, (float(s) for s in seen), strict=True))


def _piece_view(one: Body, pose: Pose, scene: object) -> float:
    toward = pose.eye - one.vertices
    points = one.vertices + 0.4 * toward / np.linalg.norm(toward, axis=1, keepdims=True)
    return float(_seen(points, pose, scene).mean())


def render(scene: object, picture: Picture, spp: int, seed: int) -> Array:
    """Linear RGB of the pinhole picture."""
    w, h = pinhole_size(picture.lens)
    pose = picture.pose
    sensor = mi.load_dict(
        {
            "type": "perspective",
            "fov": math.degrees(2 * math.atan(w / 2 / picture.lens.focal_px)),
            "fov_axis": "x",
            "near_clip": 10.0,
            "far_clip": 10000.0,
            "to_world": mi.ScalarTransform4f.look_at(
                origin=pose.eye.tolist(), target=(pose.eye + pose.axes[2]).tolist(), up=(-pose.axes[1]).tolist()
            ),
            "film": {"type": "hdrfilm", "width": w, "height": h, "rfilter": {"type": "box"}, "pixel_format": "rgb"},
            "sampler": {"type": "independent", "sample_count": spp},
        }
    )
    integrator = mi.load_dict(
        {
            "type": "aov",
            "aovs": "colour:albedo,normal:sh_normal,depth:depth",
            "image": {"type": "path", "max_depth": 3, "rr_depth": 8},
        }
    )
    return np.array(mi.render(scene, sensor=sensor, integrator=integrator, spp=spp, seed=seed))
