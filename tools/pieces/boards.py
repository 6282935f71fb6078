"""Simulated boards as mosaics with where their pieces stand: what the piece network learns from.

Every copy of the game has art, pieces, table, light and camera of its own, and goes through the same enrolment and
reading as a real one, so the network sees the same mistakes that it will meet.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.commands.eval import enrol
from companion.datasets import open_dataset
from companion.picture_sets import SetPlan, recognised, some_hand, some_light
from engine.spots import Layout, Spot
from vision.enrolment import Enrolment, enrol_ground, enrol_layer
from vision.locate import NotLocated, decode, locate
from vision.looks.bodies import Sun
from vision.looks.conditions import CONDITIONS, Condition, make_lens
from vision.looks.ice.art import ArtSet
from vision.looks.ice.board import Markers
from vision.looks.ice.deals import Deal, deal_tiles, dig, scatter
from vision.looks.ice.pieces import GUILD_COLOURS
from vision.looks.placing import arrange
from vision.looks.scene import Piece
from vision.mosaic import Mosaic, Mosaics, Plan
from vision.reader import Reader
from vision.render import Renderer, Scene

SIZES = ((1280, 720), (1280, 960), (1280, 960), (1920, 1080))
BOARDS_PER_COPY = 12
SHADED, UNDER_PIECE, UNDER_HAND, UNTOLD = 1, 2, 3, 4
"""What a board's mask says of a sample, what hides more after what hides less; the lab's boards do not tell."""
CHANGED_LEVELS, CHANGED_SHARE = 4, 0.07
"""A body or its shadow changes a pixel if it does so by more than so many levels and such a share of it."""
Mask = NDArray[np.uint8]
Feet: TypeAlias = Sequence[tuple[str, ArrayLike]]
"""Labels of pieces and where they stand, in plan."""


def between(level: float, rng: np.random.Generator) -> Condition:
    """A condition between mild (0) and worse than harsh (above 1), every part of it drawn on its own."""
    mild, harsh = CONDITIONS["mild"], CONDITIONS["harsh"]
    values: dict[str, Any] = {}
    for field in fields(Condition):
        low, high = getattr(mild, field.name), getattr(harsh, field.name)
        share = float(np.clip(level * rng.uniform(0.5, 1.3), 0, 1.4))
        if field.name == "exposure":
            darkest = 0.85 - 0.5 * min(share, 1.2)
            values[field.name] = (darkest, darkest + 0.15)
        elif field.name == "shadow":
            values[field.name] = float(rng.uniform(0.02, 0.35 + 0.4 * min(share, 1.0)))
        elif field.name == "tilt_deg":
            values[field.name] = 4 + 26 * share
        elif field.name == "jpeg":
            values[field.name] = int(np.clip(low + (high - low) * share, 50, 95))
        else:
            values[field.name] = low + (high - low) * share
    return Condition(**values)


def enrolled(plan: SetPlan, art: ArtSet, seed: int) -> Enrolment:
    """The tiles of a copy, from pictures of its board being set up."""
    layout, marks = plan.layout(), plan.markers()
    markers = recognised(marks)
    learnt = Enrolment()
    for at, name in enumerate(("mild", "medium")):
        rng = np.random.default_rng([seed, at, 71])
        dealt = deal_tiles(layout, rng)
        lens = make_lens(CONDITIONS[name], seed * 2 + at, *plan.size, plan.scale)
        renderer = Renderer(layout, art, name, seed * 2 + at, marks, lens)
        laid, _ = arrange(layout, dealt, {}, renderer.condition, renderer.make, seed, art.prints)
        shown: list[str] = []
        for moment, layer in enumerate(reversed(layout.layers)):
            shown.append(layer)
            tiles = {spot: tile for spot, tile in laid.items() if layout.places[spot].layer in shown}
            image = renderer.picture(Scene(tiles), moment)
            view = locate(image, markers)
            labels = {s: (t.kind, t.rotation) for s, t in tiles.items() if layout.places[s].layer == layer}
            learnt = learnt.extend(enrol_layer(image, view, markers, layout, labels))
            if not tiles:
                ground = [spot for spot, place in layout.places.items() if not place.takes_tile]
                learnt = learnt.extend(enrol_ground(image, view, markers, layout, ground))
    return learnt


def crowded(
    layout: Layout, tiles: Deal, pieces: dict[Spot, list[str]], rng: np.random.Generator
) -> dict[Spot, list[str]]:
    """More painted pieces than any game has, white camps above all: they are rare, and hard to see.

    Half of them stand with others in holes and at the rim, where a dig lets explorers fall.
    """
    tops = [spot for spot in tiles if not any(cover in tiles for cover in layout.places[spot].covers)]
    holes = [
        spot
        for spot, place in layout.places.items()
        if (spot in tiles or not place.takes_tile) and any(cover not in tiles for cover in place.covers)
    ]
    where = {spot: list(labels) for spot, labels in pieces.items()}
    for _ in range(16):
        colour = str(rng.choice(["white", *GUILD_COLOURS], p=[0.25, *[0.15] * 5]))
        kind = "camp" if colour == "white" or rng.random() < 0.45 else "leader"
        among = holes if holes and rng.random() < 0.5 else tops
        here = where.setdefault(among[int(rng.integers(len(among)))], [])
        if len(here) < 4 and not (kind == "camp" and any(label.startswith("camp") for label in here)):
            here.append(f"{kind}.{colour}")
    for _ in range(10 if holes else 0):
        here = where.setdefault(holes[int(rng.integers(len(holes)))], [])
        here += ["archaeologist"] * max(0, min(int(rng.integers(1, 4)), 4 - len(here)))
    return {spot: labels for spot, labels in where.items() if labels}


@dataclass(frozen=True)
class Copy:
    """One copy of the game on a table of its own, and the reading of its board."""

    seed: int
    plan: SetPlan
    layout: Layout
    art: ArtSet
    marks: Markers
    reader: Reader
    mosaics: Mosaics

    def camera(self, number: int, rng: np.random.Generator, worst: float = 1.3) -> Renderer:
        """A camera over this copy in some light, at most as bad as `worst`; harsh is 1."""
        light = between(float(rng.uniform(0, worst)), rng)
        mark, plan = self.seed * 100 + number, self.plan
        lens = make_lens(light, mark, *plan.size, plan.scale * float(rng.choice([1, rng.uniform(1, 1.6)])))
        lens = replace(
            lens, turn_deg=lens.turn_deg + float(rng.choice([0, 0, 0, 90, 180]) if plan.size[1] > 800 else 0)
        )
        renderer = Renderer(self.layout, self.art, light, mark, self.marks, lens)
        # From one hard low lamp to a cloudy window: soft light leaves hardly a shadow.
        angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.3)
        sun = (float(np.cos(angle) * slope), float(np.sin(angle) * slope), 1.0)
        renderer.sun = Sun(sun, float(rng.uniform(0.45, 0.98)))
        return renderer


def make_copy(seed: int, rng: np.random.Generator) -> Copy:
    """A copy of the game whose tiles were learnt."""
    flat, thick = float(rng.uniform(36, 46)), float(rng.uniform(2.0, 3.2))
    plan = SetPlan(0, size=SIZES[int(rng.integers(len(SIZES)))], tile_flat_mm=flat, thickness_mm=thick)
    layout, art, marks = plan.layout(), ArtSet(seed), plan.markers()
    reader = Reader(layout, recognised(marks), enrolled(plan, art, seed))
    mosaics = Mosaics(Plan(reader.board), reader.prints, reader.enrolment)
    return Copy(seed, plan, layout, art, marks, reader, mosaics)


def boards_of(seed: int) -> list[dict[str, Any]]:
    """Mosaics of one copy of the game."""
    rng = np.random.default_rng([seed, 97])
    copy = make_copy(seed, rng)
    layout = copy.layout
    made = []
    for number in range(BOARDS_PER_COPY):
        renderer = copy.camera(number, rng)
        tiles = dig(layout, deal_tiles(layout, rng), int(rng.integers(3, 56)), rng)
        pieces = crowded(layout, tiles, scatter(layout, tiles, rng), rng)
        laid, stood = arrange(
            layout, tiles, pieces, renderer.condition, renderer.make, seed * 100 + number, copy.art.prints
        )
        leds = some_light(layout, tiles, rng) if rng.random() < 0.35 else {}
        hands = (some_hand(layout, tiles, rng),) if rng.random() < 0.2 else ()
        scene = Scene(laid, stood, leds, hands=hands)
        try:
            made.append(_board(renderer, scene, copy))
        except NotLocated as problem:
            print(f"copy {seed}, board {number}: {problem}", file=sys.stderr)
    return made


def _board(renderer: Renderer, scene: Scene, copy: Copy) -> dict[str, Any]:
    image = renderer.picture(scene, 0)
    copy.reader.read(image)
    mosaic = copy.mosaics.read(image, copy.reader)
    return packed(copy.mosaics.plan, mosaic, mask_of(renderer, scene, copy, mosaic), feet_of(copy.layout, scene.pieces))


def mask_of(renderer: Renderer, scene: Scene, copy: Copy, mosaic: Mosaic) -> Mask:
    """What hides or shades each sample of a mosaic of the picture that was read last."""
    owner = renderer.owners(scene)
    mask = np.where(owner == -1, UNDER_PIECE, _changed_by_pieces(renderer, scene) * SHADED).astype(np.uint8)
    mask[owner == -2] = UNDER_HAND
    levels = copy.mosaics.levels(mosaic.rows)
    return copy.mosaics.flatten(mask, copy.reader.known.view, levels, mosaic.box, cv2.INTER_NEAREST)


def feet_of(layout: Layout, pieces: Mapping[Spot, Sequence[Piece]]) -> Feet:
    """Where pieces stand, in plan."""
    return [
        (piece.label, np.add(layout.places[spot].centre_mm, piece.shift_mm))
        for spot, group in pieces.items()
        for piece in group
    ]


def _changed_by_pieces(renderer: Renderer, scene: Scene) -> Mask:
    """Where the picture would look different without its pieces: behind their bodies and in their shadows."""
    still = replace(scene, hands=())
    standing = renderer.drawing(still).astype(np.int16)
    empty = renderer.drawing(replace(still, pieces={})).astype(np.int16)
    return (np.abs(standing - empty) > CHANGED_LEVELS + CHANGED_SHARE * empty).any(axis=-1).astype(np.uint8)


def packed(plan: Plan, mosaic: Mosaic, mask: Mask, feet: Feet) -> dict[str, Any]:
    """What is kept of a board."""
    where = [plan.sample(point) for _, point in feet]
    return {
        "seen": mosaic.seen,
        "bare": mosaic.bare,
        "rise": np.clip(mosaic.rise * 20, 0, 255).astype(np.uint8),
        "lean": mosaic.lean.astype(np.float16),
        "mask": mask,
        "inside": mosaic.rows >= 0,
        "where": np.array(where, np.float32).reshape(-1, 2),
        "labels": np.array([label for label, _ in feet]),
    }


def lab_boards(folder: Path) -> list[dict[str, Any]]:
    """Mosaics of a set of the picture lab, whose frames tell where the feet of their pieces are.

    It does not tell which samples they cover, so pictures with a hand in them are left out.
    """
    dataset = open_dataset(folder)
    reader = Reader(dataset.layout, dataset.markers, enrol(dataset))
    mosaics = Mosaics(Plan(reader.board), reader.prints, reader.enrolment)
    made = []
    for record in json.loads((folder / "dataset.json").read_text())["frames"]:
        if record["split"] != "test" or record["condition"] == "hand":
            continue
        image = decode((folder / record["file"]).read_bytes())
        try:
            reader.look(image)
        except NotLocated as problem:
            print(f"{folder / record['file']}: {problem}", file=sys.stderr)
            continue
        mosaic = mosaics.read(image, reader)
        feet = [(label, (x, y)) for label, x, y in record["feet"]]
        made.append(packed(mosaics.plan, mosaic, np.full(mosaic.rows.shape, UNTOLD, np.uint8), feet))
    return made


def write_copy(folder: Path, name: str, boards: Iterable[dict[str, Any]]) -> None:
    """Write what was drawn of one copy; a training that goes on meanwhile sees whole files only."""
    for number, board in enumerate(boards):
        part = folder / f"{name}-{number}.part"
        with part.open("wb") as file:
            np.savez(file, **board)
        part.rename(part.with_suffix(".npz"))
    print(f"copy {name} drawn", flush=True)


def main() -> None:
    """Write the boards of some copies into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--copies", type=int, default=40)
    parser.add_argument("--lab", type=Path, nargs="+", help="sets of the picture lab to use instead")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    copies = args.lab or range(args.first, args.first + args.copies)
    for copy in copies:
        boards = lab_boards(copy) if isinstance(copy, Path) else boards_of(copy)
        name = copy.name if isinstance(copy, Path) else str(copy)
        write_copy(args.out, name, boards)


if __name__ == "__main__":
    main()
