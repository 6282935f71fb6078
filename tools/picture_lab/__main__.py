"""`python -m tools.picture_lab OUT NAME... [--spp N] [--only K,K]`: render picture sets."""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path

import cv2
import numpy as np

from engine.games.ice.board import LAYER
from tools.picture_lab import bodies, camera, meshes, scene
from tools.picture_lab.grain import without_grain
from tools.picture_lab.sets import SETS, SetSpec
from tools.picture_lab.training import NAMES, random_set
from tools.picture_lab.truth import (
    ARTIFACTS,
    PIECE_KINDS,
    SNOW_KINDS,
    Board,
    covers_present,
    deal,
    dig,
    is_possible,
    stand_pieces,
    truth_of,
)

TILT = {"mild": (0, 7), "medium": (3, 14), "leds": (2, 12), "hand": (2, 12)}


def lamps_for(rng: random.Random, condition: str, pose: camera.Pose, gloss: float) -> list[dict[str, object]]:
    """Room light and one or two lamps."""
    room = {"mild": 0.7, "medium": 0.3, "harsh": 0.1, "leds": 0.12, "hand": 0.35}[condition] * rng.uniform(0.8, 1.2)
    size = {"mild": (500, 900), "medium": (150, 450), "harsh": (60, 160), "leds": (200, 500), "hand": (200, 500)}[
        condition
    ]
    warm = {"mild": 0.12, "medium": 0.3, "harsh": 0.45, "leds": 0.2, "hand": 0.25}[condition]
    out: list[dict[str, object]] = [
        {"type": "constant", "radiance": {"type": "rgb", "value": _white(rng, warm / 2, room)}}
    ]
    second = 0.6 if condition == "mild" or rng.random() < 0.3 else 0.03
    for share in (1.0, second):
        steep = math.radians(rng.uniform(35, 60) if condition == "harsh" else rng.uniform(45, 75))
        turn = rng.uniform(0, 2 * math.pi)
        if condition == "harsh" and rng.random() < 0.4:  # a lamp where it mirrors in the tiles
            flat = -pose.axes[2, :2]
            steep, turn = math.acos(min(0.9, float(np.hypot(*flat)))), math.atan2(-flat[1], -flat[0])
        at = 1700 * np.array([math.cos(steep) * math.cos(turn), math.cos(steep) * math.sin(turn), math.sin(steep)])
        side = rng.uniform(*size)
        power = share * 1700**2 / side**2 * 0.9
        to_world = scene.mi.ScalarTransform4f.look_at(origin=at.tolist(), target=[0, 0, 0], up=[0.1, 0.2, 1.0])
        out.append(
            {
                "type": "rectangle",
                "to_world": to_world @ scene.mi.ScalarTransform4f.scale([side / 2, side / 2, 1]),
                "emitter": {
                    "type": "area",
                    "radiance": {"type": "rgb", "value": _white(rng, warm, power)},
                    "sampling_weight": max(0.2, share),
                },
            }
        )
    return out


def _white(rng: random.Random, spread: float, level: float) -> list[float]:
    """Lamp light between warm and cool."""
    t = rng.uniform(-spread, spread)
    return [level * (1 + t), level, level * (1 - t)]


def sensor_for(rng: random.Random, condition: str) -> camera.Sensor:
    """What the camera does in a condition."""
    u = rng.uniform
    strong = {"mild": 0.04, "medium": 0.1, "harsh": 0.22, "leds": 0.08, "hand": 0.1}[condition]
    cast = tuple(1 + u(-strong, strong) for _ in range(3))
    white = {
        "mild": u(0.75, 0.95),
        "medium": u(0.5, 0.85),
        "harsh": u(0.18, 0.4),
        "leds": u(0.5, 0.8),
        "hand": u(0.55, 0.9),
    }
    noise = {"mild": 0.012, "medium": 0.025, "harsh": 0.05, "leds": 0.03, "hand": 0.025}
    blur = {"mild": u(0.4, 0.6), "medium": u(0.5, 0.8), "harsh": u(0.8, 1.3), "leds": u(0.5, 0.8), "hand": u(0.5, 0.8)}
    jpeg = {"mild": 92, "medium": 85, "harsh": 60, "leds": 85, "hand": 85}
    motion = u(0, 2.5) if condition == "harsh" else 0.0
    return camera.Sensor(white[condition], cast, noise[condition], blur[condition], u(0, 0.35), jpeg[condition], motion)  # type: ignore[arg-type]


def lens_for(spec: SetSpec, stage: scene.Stage) -> camera.Lens:
    """The set's camera: the markers fill the height at its nominal distance."""
    reach = max(np.hypot(x, y) for x, y in spec.marker_centres.values()) + spec.marker_mm
    focal = 0.95 * spec.zoom * spec.size[1] / 2 / reach * spec.height_mm
    return camera.Lens(*spec.size, focal, spec.k1, spec.k2)


def clutter_for(rng: random.Random, stage: scene.Stage) -> list[meshes.Body]:
    """Cards and dice beside the board, away from it and from the markers."""
    out = []
    for _ in range(7):
        a, r = rng.uniform(0, 2 * math.pi), rng.uniform(240, 420)
        x, y = r * math.cos(a), r * math.sin(a)
        far = min(math.hypot(x - mx, y - my) for mx, my in stage.spec.marker_centres.values())
        if far < 95 or cv2.pointPolygonTest(stage.outline.astype(np.float32), (x, y), True) > -60:
            continue
        colour = tuple(rng.uniform(0.05, 0.7) for _ in range(3))
        w, h = rng.choice([(44, 63), (16, 16), (60, 60)])
        loop = np.array([(-w, -h), (w, -h), (w, h), (-w, h)], float) / 2
        slab = meshes.plate(loop, None, h if w == 16 else 0.5, -0.2, 100, colour)
        out.append(meshes.placed(slab, x, y, 0.0, rng.uniform(0, 360)))
    return out


def marker_corners(spec: SetSpec) -> list[np.ndarray]:
    h = spec.marker_mm * 0.62
    return [
        np.array([(x + sx * h, y + sy * h, 0.0) for sx in (-1, 1) for sy in (-1, 1)])
        for x, y in spec.marker_centres.values()
    ]


def take(
    stage: scene.Stage, board: Board, condition: str, cut: bool, seed: int, spp: int
) -> tuple[np.ndarray, dict[int, float], int]:
    """Place the camera, light the table, drop pieces nobody could see, render and develop."""
    spec, rng = stage.spec, random.Random(seed)
    lens = lens_for(spec, stage)
    rim = np.column_stack([stage.outline, np.zeros(len(stage.outline))])
    markers = marker_corners(spec)
    must = rim if cut else np.concatenate([rim, *markers])
    tilt = TILT.get(condition, (12, spec.steepest_deg))
    pose = camera.choose_pose(rng, lens, spec.height_mm, tilt, must, markers if cut else [])
    picture = scene.Picture(board, pose, lens, lamps_for(rng, condition, pose, spec.gloss))
    if spec.clutter:
        picture.clutter = clutter_for(rng, stage)
    if condition == "leds":
        visible_tops = [p for p in board.tiles if not covers_present(board.tiles, p)]
        for place in rng.sample(visible_tops, 8):
            hue = rng.choice([(1, 0.25, 0.1), (0.1, 1, 0.3), (0.15, 0.4, 1), (1, 0.8, 0.1), (0.9, 0.9, 1)])
            picture.lit[place] = tuple(c * rng.uniform(1.2, 3.0) for c in hue)  # type: ignore[assignment]
    if condition == "hand":
        skin = rng.choice([(0.55, 0.30, 0.20), (0.30, 0.15, 0.09), (0.62, 0.38, 0.28)])
        sleeve = tuple(rng.uniform(0.03, 0.5) for _ in range(3))
        tip = (rng.uniform(-90, 90), rng.uniform(-90, 90))
        away = math.degrees(math.atan2(tip[1], tip[0])) + rng.uniform(-60, 60)
        picture.arm = bodies.arm(skin, sleeve, tip, away)  # type: ignore[arg-type]
    while True:
        made, tiles, shown = scene.compose(stage, picture, seed)
        keep = [p for p, s in zip(board.pieces, shown, strict=True) if s >= 0.16 or _under_arm(picture, p, tiles)]
        if len(keep) == len(board.pieces):
            break
        board.pieces[:] = keep
    linear = without_grain(scene.render(made, picture, spp * 2 if picture.lit else spp, seed))
    sensor = sensor_for(rng, condition)
    developed = camera.develop(
        camera.through_lens(linear.astype(np.float32), lens), sensor, np.random.default_rng(seed)
    )
    return developed, tiles, sensor.jpeg


def _under_arm(picture: scene.Picture, piece: object, tiles: dict[int, float]) -> bool:
    """Pieces on a tile that an arm hides stay in the truth: the reader should be unsure there."""
    place = scene.SPOTS.index(piece.spot)  # type: ignore[attr-defined]
    return picture.arm is not None and tiles.get(place, 1.0) < 0.5


def boards_of(spec: SetSpec) -> list[tuple[str, str, str, str | None, Board, bool]]:
    """(file, split, condition, exposed layer, board, one marker cut) of every frame of a set."""
    rng = random.Random(spec.seed)
    first = deal(rng, spec.art.prints, spec.askew)
    out: list[tuple[str, str, str, str | None, Board, bool]] = []
    for k, condition in enumerate(spec.lights):
        out.append((f"frames/empty{k}.jpg", "enrol", condition, "azulia", Board({}), False))
    for condition in spec.lights:
        for layers in (("deep",), ("deep", "surface"), ("deep", "surface", "snow")):
            tiles = {p: t for p, t in first.items() if LAYER[p] in layers}
            out.append(
                (f"frames/{len(out) - len(spec.lights):04}.jpg", "enrol", condition, layers[-1], Board(tiles), False)
            )
    for k, condition in enumerate(c for c, n in spec.tests.items() for _ in range(n)):
        tiles = deal(rng, spec.art.prints, spec.askew)
        dig(tiles, rng, rng.randint(8, 55))
        assert is_possible(tiles)
        board = Board(tiles)
        centres = {p: scene.plan(scene.CELL[p], spec.tile_flat_mm / math.sqrt(3)) for p in range(len(scene.SPOTS))}
        cells = rng.randint(24, 36) if spec.crowd else rng.randint(7, 14)
        stand_pieces(board, rng, centres, spec.tile_flat_mm / math.sqrt(3), spec.foot_mm, cells, spec.crowd)
        out.append(
            (
                f"frames/{len(out) - len(spec.lights):04}.jpg",
                "test",
                condition,
                None,
                board,
                k % 5 == 3 and not spec.crowd,
            )
        )
    return out


def header(spec: SetSpec) -> dict[str, object]:
    t = spec.thickness_mm
    return {
        "format": 1,
        "game": "ice",
        "tile_flat_mm": spec.tile_flat_mm,
        "tile_thickness_mm": t,
        "layer_top_mm": {"snow": 3 * t, "surface": 2 * t, "deep": t, "azulia": 0.0},
        "markers": {
            "dictionary": "DICT_4X4_50",
            "size_mm": spec.marker_mm,
            "z_mm": 0,
            "centres_mm": {str(k): list(v) for k, v in spec.marker_centres.items()},
        },
        "tile_kinds": {"snow": list(SNOW_KINDS), "surface": list(ARTIFACTS), "deep": list(ARTIFACTS)},
        "piece_kinds": list(PIECE_KINDS),
    }


def render_set(spec: SetSpec, out: Path, spp: int, only: set[int]) -> None:
    """Render the frames of a set that are missing (or named) and write its dataset.json as they come."""
    folder = out / spec.name
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    stage = scene.stage_for(spec)
    frames = boards_of(spec)
    for k, (name, split, condition, exposed, board, cut) in enumerate(frames):
        file, note = folder / name, folder / name.replace(".jpg", ".json")
        if k not in only if only else note.exists():
            continue
        start = time.monotonic()
        picture, visible, quality = take(stage, board, condition, cut, spec.seed * 1000 + k, spp)
        cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        truth = truth_of(board, visible)
        record = {"file": name, "split": split, "condition": condition, "exposed_layer": exposed, **truth}
        note.write_text(json.dumps(record))
        print(
            f"{spec.name} {name} {condition}: {time.monotonic() - start:.1f} s, {len(board.pieces)} pieces", flush=True
        )
        notes = (folder / frame[0].replace(".jpg", ".json") for frame in frames)
        records = [json.loads(n.read_text()) for n in notes if n.exists()]
        (folder / "dataset.json").write_text(json.dumps({**header(spec), "frames": records}))


def main() -> None:
    """Render the named sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder that gets one folder for each set")
    parser.add_argument("names", nargs="+", choices=[*sorted(SETS), *NAMES])
    parser.add_argument("--spp", type=int, default=4, help="samples a pixel")
    parser.add_argument("--only", default="", help="numbers of frames to render, comma separated; default all missing")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for name in args.names:
        spec = SETS[name] if name in SETS else random_set(name)
        render_set(spec, args.out, args.spp, {int(k) for k in args.only.split(",") if k})


if __name__ == "__main__":
    main()
