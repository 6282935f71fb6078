"""Writes picture data sets of the simulated table: a board being set up, then random positions in every condition."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.games.ice.board import make_layout
from engine.spots import Layout, Place, Spot
from vision.looks.conditions import CONDITIONS, make_lens
from vision.looks.hands import Arm
from vision.looks.ice.art import ARTIFACT_KINDS, SNOW_KINDS, ArtSet
from vision.looks.ice.board import Markers
from vision.looks.ice.deals import Deal, deal_tiles, dig, scatter
from vision.looks.ice.pieces import PIECE_KINDS, make_piece_set
from vision.looks.placing import arrange
from vision.render import Hand, Renderer, Rgb, Scene
from vision.view import Markers as SeenMarkers

TILE_FLAT_MM: Final = 42.0
THICKNESS_MM: Final = 3.0
DICTIONARY: Final = "DICT_4X4_50"

FILE_KINDS: Final = {"empty": "blank", "campsite": "camp_site"}
"""Names of kinds in data sets where they differ from the rules."""

_BASE: Final = {"leds": "medium", "hand": "medium"}
PICTURE_CONDITIONS: Final = (*CONDITIONS, *_BASE)
_GLOW: Final[tuple[Rgb, ...]] = ((0, 230, 90), (255, 190, 0), (255, 60, 30), (60, 120, 255), (240, 240, 240))


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What a data set shall hold."""

    frames: int
    """Test frames for each condition."""
    conditions: tuple[str, ...] = PICTURE_CONDITIONS
    seed: int = 0
    art: int = 0
    size: tuple[int, int] = (1280, 720)
    tile_flat_mm: float = TILE_FLAT_MM
    """Distance of opposite sides of a tile; board and markers grow with it."""
    thickness_mm: float = THICKNESS_MM

    @property
    def scale(self) -> float:
        """How much larger than usual the board is."""
        return self.tile_flat_mm / TILE_FLAT_MM

    def layout(self) -> Layout:
        """The board of this set."""
        return table_layout(self.tile_flat_mm, self.thickness_mm)

    def markers(self) -> Markers:
        """The markers around the board of this set."""
        usual = Markers()
        centres = tuple((x * self.scale, y * self.scale) for x, y in usual.centres_mm)
        return Markers(usual.size_mm * self.scale, usual.quiet_mm * self.scale, centres)


def recognised(drawn: Markers) -> SeenMarkers:
    """Printed markers as the eye looks for them."""
    return SeenMarkers(DICTIONARY, drawn.size_mm, drawn.z_mm, dict(enumerate(drawn.centres_mm)))


def layer_tops(thickness_mm: float) -> dict[str, float]:
    """Heights of the upper faces of the layers."""
    return {"snow": 3 * thickness_mm, "surface": 2 * thickness_mm, "deep": thickness_mm, "azulia": 0.0}


def table_layout(tile_flat_mm: float = TILE_FLAT_MM, thickness_mm: float = THICKNESS_MM) -> Layout:
    """The simulated board in millimetres."""
    return make_layout(tile_flat_mm, layer_tops(thickness_mm))


def write_picture_set(folder: Path, plan: SetPlan) -> None:
    """Write `dataset.json` and its pictures into a new or empty folder."""
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    frames = []
    for number, (record, jpeg) in enumerate(make_frames(plan)):
        record = {"file": f"frames/{number:04}.jpg", **record}
        (folder / record["file"]).write_bytes(jpeg)
        frames.append(record)
    text = json.dumps({**describe(plan), "frames": frames})
    (folder / "dataset.json").write_text(text, encoding="utf-8")


def describe(plan: SetPlan) -> dict[str, Any]:
    """The measures and names at the head of a data set."""
    markers = plan.markers()
    artifacts = [FILE_KINDS.get(k, k) for k in ARTIFACT_KINDS]
    return {
        "format": 1,
        "game": "ice",
        "tile_flat_mm": plan.tile_flat_mm,
        "tile_thickness_mm": plan.thickness_mm,
        "layer_top_mm": layer_tops(plan.thickness_mm),
        "markers": {
            "dictionary": DICTIONARY,
            "size_mm": markers.size_mm,
            "z_mm": markers.z_mm,
            "centres_mm": {str(i): list(centre) for i, centre in enumerate(markers.centres_mm)},
        },
        "tile_kinds": {
            "snow": [FILE_KINDS.get(k, k) for k in SNOW_KINDS],
            "surface": artifacts,
            "deep": artifacts,
        },
        "piece_kinds": [kind for kind in PIECE_KINDS if kind != "camp.grey"],
    }


def make_frames(plan: SetPlan) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Every frame of a set with its truth: first the enrolment frames, then the test frames by condition."""
    layout, art = plan.layout(), ArtSet(plan.art)
    for at, condition in enumerate(("mild", "medium")):
        yield from _enrol_frames(layout, art, condition, plan, plan.seed * 1000 + at)
    for condition in plan.conditions:
        first = (plan.seed * 1000 + 10 + PICTURE_CONDITIONS.index(condition)) * 100_000
        for seed in range(first, first + plan.frames):
            yield _test_frame(layout, art, condition, plan, seed)


def _enrol_frames(
    layout: Layout, art: ArtSet, condition: str, plan: SetPlan, seed: int
) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The empty board, then one layer complete after the other, seen by one camera that stays where it is."""
    rng = np.random.default_rng([seed, 71])
    dealt = deal_tiles(layout, rng)
    lens = make_lens(CONDITIONS[condition], seed, *plan.size, plan.scale)
    renderer = Renderer(layout, art, condition, seed, plan.markers(), lens)
    laid, _ = arrange(layout, dealt, {}, renderer.condition, renderer.make, seed, art.prints)
    shown: list[str] = []
    for moment, layer in enumerate(reversed(layout.layers)):
        shown.append(layer)
        scene = Scene({spot: tile for spot, tile in laid.items() if layout.places[spot].layer in shown})
        truth = {"split": "enrol", "condition": condition, "exposed_layer": layer, **_truth(renderer, scene)}
        yield truth, renderer.jpeg(scene, moment)


def _test_frame(layout: Layout, art: ArtSet, condition: str, plan: SetPlan, seed: int) -> tuple[dict[str, Any], bytes]:
    rng = np.random.default_rng([seed, 73])
    light = CONDITIONS[_BASE.get(condition, condition)]
    lens = make_lens(light, seed, *plan.size, plan.scale)
    if rng.random() < 0.25:  # a camera may as well hang the other way round
        lens = replace(lens, turn_deg=lens.turn_deg + 180)
    renderer = Renderer(layout, art, light, seed, plan.markers(), lens)
    tiles = dig(layout, deal_tiles(layout, rng), int(rng.integers(3, 46)), rng)
    pieces = scatter(layout, tiles, rng)
    laid, stood = arrange(layout, tiles, pieces, renderer.condition, make_piece_set(art.seed), seed, art.prints)
    leds = some_light(layout, tiles, rng) if condition == "leds" else {}
    hands = (some_hand(layout, tiles, rng),) if condition == "hand" else ()
    scene = Scene(laid, stood, leds, hands=hands)
    truth = {"split": "test", "condition": condition, "exposed_layer": None, **_truth(renderer, scene)}
    return truth, renderer.jpeg(scene, 0)


def _tops(layout: Layout, tiles: Deal) -> list[Spot]:
    return [spot for spot in tiles if not any(cover in tiles for cover in layout.places[spot].covers)]


def some_light(layout: Layout, tiles: Deal, rng: np.random.Generator) -> dict[Spot, Rgb]:
    """LEDs at the rims of some of the tiles with nothing on them."""
    tops = _tops(layout, tiles)
    chosen = rng.permutation(len(tops))[: max(3, round(len(tops) * float(rng.uniform(0.1, 0.3))))]
    return {tops[i]: _GLOW[int(rng.integers(3 if rng.random() < 0.8 else len(_GLOW)))] for i in chosen}


def some_hand(layout: Layout, tiles: Deal, rng: np.random.Generator) -> Hand:
    """A hand that reaches over some tile."""
    tops = _tops(layout, tiles)
    x, y = layout.places[tops[int(rng.integers(len(tops)))]].centre_mm
    tip = (x + float(rng.normal(0, 8)), y + float(rng.normal(0, 8)), float(rng.uniform(14, 60)))
    side = float(rng.choice([0, 90, 180, 270])) + float(rng.uniform(-30, 30))
    return Hand(Arm(tip, side, int(rng.integers(8)), int(rng.integers(8))))


def _truth(renderer: Renderer, scene: Scene) -> dict[str, Any]:
    """What lies and stands where, and how much of each tile's face the camera sees."""
    owner = renderer.owners(scene)
    tiles = {}
    for number, (spot, tile) in enumerate(scene.tiles.items(), start=1):
        place = renderer.layout.places[spot]
        tiles[str(spot)] = {
            "kind": FILE_KINDS.get(tile.kind, tile.kind),
            "rotation": tile.rotation,
            "covered_by": sum(cover in scene.tiles for cover in place.covers),
            "visible": round(_visible(owner, number, _face_points(renderer, place, scene)), 2),
        }
    return {"tiles": tiles, "pieces": _labels(scene)}


def _labels(scene: Scene) -> Mapping[str, list[str]]:
    return {str(spot): [piece.label for piece in pieces] for spot, pieces in scene.pieces.items() if pieces}


def _face_points(renderer: Renderer, place: Place, scene: Scene) -> NDArray[np.int_]:
    """Pixels of evenly spread points of a tile's face."""
    corners = renderer.tile_corners(place, scene.tiles[place.spot])
    centre = corners.mean(0)
    rings = [centre[None]]
    for share in (0.3, 0.6, 0.88):
        ring = centre + (corners - centre) * share
        rings += [ring, (ring + np.roll(ring, -1, axis=0)) / 2]
    return np.rint(renderer.lens.project(np.concatenate(rings))).astype(int)


def _visible(owner: NDArray[np.int16], number: int, pixels: NDArray[np.int_]) -> float:
    inside = ((pixels >= 0) & (pixels < owner.shape[::-1])).all(1)
    seen = pixels[inside]
    return float((owner[seen[:, 1], seen[:, 0]] == number).sum()) / len(pixels)
