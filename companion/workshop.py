"""Setting a table up: what the camera sees and how well, where the board lies, how the tiles look, how LEDs are wired.

Only what is kept here outlives a visit to the page: `setup.json` remembers which steps were done.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.sayings import Saying
from engine.spots import Layout, Spot
from vision.enrolment import Enrolment, Print, enrol_ground, enrol_layer
from vision.grouping import Group, name_group, propose_groups, turn_print
from vision.locate import check_inside, locate, locate_by_corners
from vision.sharpness import blur_mm
from vision.view import Image, Lens, Markers, View

STEPS: Final = ("game", "camera", "markers", "tiles", "lights", "buttons", "page", "pin", "start")
PROGRESS_FILE: Final = "setup.json"
ENROLMENT_FILE: Final = "enrolment.npz"
LED_MAP_FILE: Final = "leds.json"
VIEW_FILE: Final = "view.json"

DARK, PALE = 45.0, 225.0
"""Mean brightness, 0 to 255, below or above which a picture is badly lit."""
GLARE: Final = 0.02
"""Share of the board that may be burnt out."""
SHARP_MM, BLURRED_MM = 0.9, 1.6
"""Blur on the table that is good, and that is too much."""
SHARP_LAPLACE: Final = 60.0
"""Where no marker is seen: variance of the second derivative below which a picture is blurred."""
LEAST_PX_PER_MM: Final = 1.0


# ---------------------------------------------------------------------- which steps were done


def read_progress(folder: Path | None) -> dict[str, Any]:
    """What is remembered of the set-up; a damaged file means a fresh start."""
    try:
        found = json.loads(((folder or Path()) / PROGRESS_FILE).read_text(encoding="utf-8")) if folder else {}
    except (OSError, ValueError):
        found = {}
    done = found.get("done", []) if isinstance(found, dict) else []
    return {"done": [step for step in STEPS if step in done]}


def write_progress(folder: Path | None, progress: Mapping[str, Any]) -> None:
    """Remember the set-up, as a whole or not at all."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as file:
        json.dump(progress, file)
    os.replace(file.name, folder / PROGRESS_FILE)


# ---------------------------------------------------------------------- the camera


def found_cameras(root: Path = Path("/")) -> list[str]:
    """Addresses of the cameras that this machine seems to have, the simulated one last."""
    numbers = sorted(
        int(path.name.removeprefix("video"))
        for path in (root / "dev").glob("video*")
        if path.name.removeprefix("video").isdecimal() and _captures(root, path.name)
    )
    ribbon = ["picamera:0"] if any((root / "dev").glob("media*")) and (root / "usr/bin/rpicam-hello").exists() else []
    return [*ribbon, *(f"usb:{number}" for number in numbers), "synthetic:"]


def camera_name(address: str, root: Path = Path("/")) -> str:
    """What a USB camera calls itself; empty for others."""
    scheme, _, number = address.partition(":")
    try:
        return (root / f"sys/class/video4linux/video{number}/name").read_text().strip() if scheme == "usb" else ""
    except OSError:
        return ""


def _captures(root: Path, name: str) -> bool:
    """Whether a video device is the first of its camera; the others give no pictures."""
    try:
        return (root / "sys/class/video4linux" / name / "index").read_text().strip() == "0"
    except OSError:
        return True


@dataclass(frozen=True, slots=True)
class Meter:
    """One quality of a picture: 0 bad to 1 good, with a word."""

    name: Saying
    value: float
    ok: bool
    say: Saying


def find_board(image: Image, markers: Markers, layout: Layout) -> View:
    """The view of a picture by its markers, with the whole board in it; NotLocated says what is wrong."""
    view = locate(image, markers)
    return check_inside(view, board_outline(layout))


def board_outline(layout: Layout) -> list[tuple[float, float, float]]:
    """Every corner of every place, at its height."""
    return [(*corner, place.top_mm) for place in layout.places.values() for corner in place.outline_mm]


def meters(image: Image, view: View | None, markers: Markers, layout: Layout) -> list[Meter]:
    """Light, glare and focus, and how large the board is in the picture."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    board = np.full(grey.shape, 255, np.uint8)
    if view is not None:
        hull = cv2.convexHull(view.project(board_outline(layout)).astype(np.float32)).astype(np.int32)
        board[:] = 0
        cv2.fillConvexPoly(board, hull, 255)
    seen = grey[board > 0]
    found = [_light(float(seen.mean())), _glare(float((seen >= 252).mean())), _focus(image, grey, view, markers)]
    return [*found, _size(view)] if view is not None else found


def _light(mean: float) -> Meter:
    name = Saying("Light")
    if mean < DARK:
        return Meter(name, mean / 255, False, Saying("Too dark: switch a light on."))
    if mean > PALE:
        return Meter(name, mean / 255, False, Saying("Too bright: dim the light or shorten the exposure."))
    return Meter(name, mean / 255, True, Saying("There is enough light."))


def _glare(share: float) -> Meter:
    name, value = Saying("Glare"), 1 - min(1.0, share * 10)
    if share > GLARE:
        say = Saying("{percent} % of the board is burnt out: move the lamp or turn the board.", _percent(share))
        return Meter(name, value, False, say)
    return Meter(name, value, True, Saying("No glare worth a word."))


def _percent(share: float) -> dict[str, int]:
    return {"percent": max(1, round(share * 100))}


def _focus(image: Image, grey: Image, view: View | None, markers: Markers) -> Meter:
    name = Saying("Focus")
    blur = blur_mm(image, view, markers) if view is not None else None
    if blur is None:
        sharp = float(cv2.Laplacian(grey, cv2.CV_64F).var())
        ok = sharp >= SHARP_LAPLACE
        say = Saying("Looks sharp.") if ok else Saying("Looks blurred: turn the lens or move the camera.")
        return Meter(name, min(1.0, sharp / (4 * SHARP_LAPLACE)), ok, say)
    ok = blur < BLURRED_MM
    say = Saying("Sharp to {blur} mm.", {"blur": round(blur, 1)})
    if not ok:
        say = Saying("Blurred by {blur} mm: turn the lens or move the camera.", {"blur": round(blur, 1)})
    return Meter(name, max(0.0, min(1.0, 1.2 - blur / (2 * SHARP_MM))), ok, say)


def _size(view: View) -> Meter:
    name, scale = Saying("Size"), view.pixels_per_mm()
    facts = {"scale": round(scale, 1)}
    if scale < LEAST_PX_PER_MM:
        return Meter(
            name, scale / 4, False, Saying("{scale} pixels per mm: come nearer or use a larger picture.", facts)
        )
    return Meter(name, min(1.0, scale / 4), True, Saying("{scale} pixels per mm.", facts))


# ---------------------------------------------------------------------- corners by hand


def hand_corners(layout: Layout) -> list[Spot]:
    """Far tiles of the uppermost layer, whose middles somebody can drag to where the picture shows them.

    The first four do; with the other two a shaky hand does less harm.
    """
    places = list(layout.in_layer(layout.layers[0]))
    centres = np.array([place.centre_mm for place in places])
    found = []
    for degrees in (60, 120, 240, 300, 0, 180):
        ahead = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        aside = np.abs(centres @ np.array([-ahead[1], ahead[0]]))
        found.append(places[int((centres @ ahead - 0.5 * aside).argmax())].spot)
    return found


def corner_places(layout: Layout) -> list[tuple[float, float, float]]:
    """The middles of those tiles on the table."""
    return [(*layout.places[spot].centre_mm, layout.places[spot].top_mm) for spot in hand_corners(layout)]


def view_by_corners(pixels: Sequence[Sequence[float]], layout: Layout, width: int, height: int) -> View:
    """The view that fits corners dragged by hand: at least four, in the order of `hand_corners`."""
    return locate_by_corners(pixels, corner_places(layout)[: len(pixels)], width, height)


def write_view(view: View, path: Path) -> None:
    """Keep a view found by hand."""
    lens = view.lens
    record = {
        "lens": [lens.width, lens.height, lens.focal_px, list(lens.centre_px), lens.k1, lens.k2],
        "rotation": list(view.rotation),
        "translation": list(view.translation),
        "residual_px": view.residual_px,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(record), encoding="utf-8")
    part.replace(path)


def read_view(path: Path) -> View | None:
    """A view that was kept; None when there is none or it cannot be read."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        width, height, focal, centre, k1, k2 = record["lens"]
        lens = Lens(int(width), int(height), float(focal), (float(centre[0]), float(centre[1])), float(k1), float(k2))
        turn, move = ([float(x) for x in record[name]] for name in ("rotation", "translation"))
        return View(lens, (turn[0], turn[1], turn[2]), (move[0], move[1], move[2]), float(record["residual_px"]))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


# ---------------------------------------------------------------------- tiles


@dataclass(slots=True)
class LayerDraft:
    """Pictures of one layer's tiles in groups, until the owner has named them."""

    layer: str
    prints: tuple[Print, ...]
    spots: tuple[Spot, ...]
    groups: tuple[Group, ...]
    ground: Enrolment = field(default_factory=Enrolment)

    def named(
        self, kinds: Sequence[str], turns: Sequence[int] = (), corrections: Mapping[int, str] | None = None
    ) -> Enrolment:
        """The layer as the owner named its groups, single tiles put right."""
        if len(kinds) != len(self.groups):
            raise ValueError(f"expected a kind for each of {len(self.groups)} groups, got {len(kinds)}")
        prints: list[Print] = []
        for number, (group, kind) in enumerate(zip(self.groups, kinds, strict=True)):
            turn = turns[number] if number < len(turns) else 0
            prints += name_group(self.prints, group, kind, turn, corrections)
        return Enrolment(tuple(prints))


def draft_layer(image: Image, markers: Markers, layout: Layout, layer: str, count: int) -> LayerDraft:
    """Cut every tile of a layer that lies complete, and sort them into groups that look alike."""
    view = find_board(image, markers, layout)
    spots = tuple(place.spot for place in layout.in_layer(layer))
    prints = enrol_layer(image, view, markers, layout, dict.fromkeys(spots, ("", 0))).prints
    return LayerDraft(layer, prints, spots, propose_groups(prints, count))


def draft_ground(image: Image, markers: Markers, layout: Layout) -> Enrolment:
    """The look of the empty board."""
    view = find_board(image, markers, layout)
    return enrol_ground(image, view, markers, layout, [p.spot for p in layout.places.values() if not p.takes_tile])


def picture_of(draft: LayerDraft, member: int, side: int = 96) -> bytes:
    """A tile as a small PNG, turned like the first one of its group."""
    turn = next(group.turns[group.members.index(member)] for group in draft.groups if member in group.members)
    drawn = cv2.resize(turn_print(draft.prints[member].picture, -turn), (side, side), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", drawn)[1])


# ---------------------------------------------------------------------- lights


def true_order(order: str, seen: Mapping[str, str]) -> str:
    """The order of colours on the wire, from which colour was seen when red, green and blue were sent in `order`."""
    if sorted(seen) != ["B", "G", "R"] or sorted(seen.values()) != ["B", "G", "R"]:
        raise ValueError("expected to hear of red, green and blue once each")
    return "".join(seen.get(letter, letter) for letter in order)
