"""What the eye made of one picture, stage by stage, as pictures to look at: where did it go wrong?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.spots import Layout, Place
from vision.eye import Eye, Sight
from vision.light import paper_field
from vision.locate import (
    NotLocated,
    board_outline,
    check_inside,
    check_picture,
    find_markers,
    locate_match,
    match_picture,
)
from vision.mosaic import Mosaic, Plan
from vision.view import Image, Markers, Points, View

PLAN_PX_PER_MM: Final = 2.0
PIECES_ZOOM: Final = 2
"""How many pixels a sample of the plan gets where pieces are named."""
GREEN, RED, BLUE, BLACK = (80, 200, 60), (60, 60, 230), (230, 140, 40), (0, 0, 0)


@dataclass(frozen=True)
class Read:
    """What the eye read, and the board in plan in which it looked for pieces."""

    sight: Sight
    mosaic: Mosaic
    plan: Plan


@dataclass(frozen=True)
class Looked:
    """One picture and all that was found in it; later stages are None when an earlier one failed."""

    image: Image
    layout: Layout
    markers: Markers
    found: Mapping[int, Points]
    """Corners (4, 2) of the markers that were seen."""
    view: View | None
    trouble: NotLocated | None = None
    """Why the board was not found."""
    read: Read | None = None


Draw = Callable[[Looked], Image | None]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: a name for its file, and how it is drawn; None when this picture did not come so far."""

    name: str
    draw: Draw


def look_through(image: Image, layout: Layout, markers: Markers, eye: Eye | None = None) -> Looked:
    """Go through all stages as far as the picture allows; without an eye, which knows the tiles, up to the light."""
    try:
        picture = check_picture(image)
    except NotLocated as error:
        return Looked(image, layout, markers, {}, None, error)
    found = find_markers(picture, markers)
    try:
        view = locate_match(match_picture(picture, markers), picture.shape[1], picture.shape[0])
        check_inside(view, board_outline(layout))
    except NotLocated as error:
        return Looked(picture, layout, markers, found, None, error)
    if eye is None:
        return Looked(picture, layout, markers, found, view)
    sight = eye.read(picture, view)
    read = Read(sight, eye.mosaics.read(picture, eye.reader), eye.plan)
    return Looked(picture, layout, markers, found, view, read=read)


def make_stages(looked: Looked, stages: tuple[Stage, ...] | None = None) -> Iterator[tuple[str, Image]]:
    """Names, in the order of the stages, and pictures of those that were reached."""
    for number, stage in enumerate(STAGES if stages is None else stages, 1):
        picture = stage.draw(looked)
        if picture is not None:
            yield f"{number:02}-{stage.name}", picture


def draw_picture(looked: Looked) -> Image:
    """The picture as it came."""
    return looked.image


def draw_markers(looked: Looked) -> Image:
    """Every marker that was seen, with its number; below, what is missing."""
    image = looked.image.copy()
    for marker, corners in looked.found.items():
        _outline(image, corners, GREEN, 2)
        _write(image, str(marker), corners.mean(axis=0), GREEN)
    missing = sorted(set(looked.markers.centres_mm) - set(looked.found))
    say = str(looked.trouble) if looked.trouble else f"not seen: {', '.join(map(str, missing)) or 'none'}"
    _write(image, say, np.array([image.shape[1] / 2, image.shape[0] - 14]), RED if looked.trouble else GREEN)
    return image


def draw_view(looked: Looked) -> Image | None:
    """Axes of the board (x red, y green, z blue, 100 mm) and all tile places at their heights."""
    if looked.view is None:
        return None
    image = looked.image.copy()
    for place in looked.layout.places.values():
        if place.takes_tile:
            shade = 90 + 160 * (1 - looked.layout.layers.index(place.layer) / len(looked.layout.layers))
            _outline(image, _pixels(looked.view, place), (int(shade), int(shade), 40), 1)
    ends = looked.view.project([(0, 0, 0), (100, 0, 0), (0, 100, 0), (0, 0, 100)]).round().astype(int)
    for end, colour in zip(ends[1:], (RED, GREEN, BLUE), strict=True):
        cv2.arrowedLine(image, _pair(ends[0]), _pair(end), colour, 2, cv2.LINE_AA)
    return image


def layer_drawer(layer: int) -> Draw:
    """The board as seen straight from above at the height of one layer, counted from the top."""

    def draw(looked: Looked) -> Image | None:
        if looked.view is None or layer >= len(looked.layout.layers):
            return None
        top_mm = looked.layout.in_layer(looked.layout.layers[layer])[0].top_mm
        points = _plan_points(looked.layout)
        flat = np.column_stack([points.reshape(-1, 2), np.full(points[..., 0].size, top_mm)])
        maps = looked.view.project(flat).astype(np.float32).reshape(points.shape)
        plan = cv2.remap(looked.image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
        return np.asarray(plan, dtype=np.uint8)

    return draw


def draw_light(looked: Looked) -> Image | None:
    """White paper in the light that was found on the board, seen straight from above."""
    if looked.view is None:
        return None
    points = _plan_points(looked.layout)
    gain = paper_field(looked.image, looked.view, looked.markers).gain(points.reshape(-1, 2))
    return np.clip(gain * 255, 0, 255).astype(np.uint8).reshape(*points.shape[:2], 3)


def draw_tiles(looked: Looked) -> Image | None:
    """What each visible tile was read as: green when sure, red when not."""
    if looked.view is None or looked.read is None:
        return None
    image = looked.image.copy()
    reading = looked.read.sight.reading
    for spot, tile in reading.tiles.items():
        place = looked.layout.places[spot]
        colour = RED if spot in reading.unsure else GREEN
        corners = _pixels(looked.view, place)
        _outline(image, corners, colour, 1)
        _write(image, f"{tile.kind[:5]} {tile.kinds[tile.kind]:.2f}", corners.mean(axis=0), colour, 0.35)
    return image


def draw_seen(looked: Looked) -> Image | None:
    """The board in plan, each tile at its own height and in even light."""
    return looked.read.mosaic.seen if looked.read else None


def draw_bare(looked: Looked) -> Image | None:
    """What the same tiles look like with nothing on them, from the enrolment."""
    return looked.read.mosaic.bare if looked.read else None


def draw_pieces(looked: Looked) -> Image | None:
    """Everything that may be a piece, on the plan: green when likely, red when not; what it most likely is."""
    if looked.read is None:
        return None
    seen = looked.read.mosaic.seen
    image = np.asarray(cv2.resize(seen, None, fx=PIECES_ZOOM, fy=PIECES_ZOOM), dtype=np.uint8)
    for candidate in sorted(looked.read.sight.candidates, key=lambda c: c.chance):
        colour = GREEN if candidate.chance > 0.5 else RED
        foot = (looked.read.plan.sample(candidate.at_mm) + 0.5) * PIECES_ZOOM
        cv2.circle(image, _pair(foot), 5, colour, 1, cv2.LINE_AA)
        text = f"{_short(candidate.label)} {candidate.chance:.2f}"
        _write(image, text, foot + np.array([0, 12]), colour, 0.35)
    return image


STAGES: Final = (
    Stage("picture", draw_picture),
    Stage("markers", draw_markers),
    Stage("view", draw_view),
    *(Stage(f"layer-{number + 1}", layer_drawer(number)) for number in range(4)),
    Stage("light", draw_light),
    Stage("tiles", draw_tiles),
    Stage("seen", draw_seen),
    Stage("bare", draw_bare),
    Stage("pieces", draw_pieces),
)
"""Every stage in order; whoever adds one to the eye adds its picture here."""


def _plan_points(layout: Layout) -> Points:
    """Table points (rows, columns, 2) of a plan of the board, row 0 furthest away."""
    width, height = layout.size_mm
    x = np.arange(-width / 2, width / 2, 1 / PLAN_PX_PER_MM)
    y = np.arange(height / 2, -height / 2, -1 / PLAN_PX_PER_MM)
    return np.stack(np.meshgrid(x, y), axis=-1)


def _pixels(view: View, place: Place) -> Points:
    return view.project([(x, y, place.top_mm) for x, y in place.outline_mm])


def _short(label: str) -> str:
    """A label short enough to stand beside others: the kind's first letters and the colour."""
    kind, _, colour = label.partition(".")
    return f"{kind[:4]} {colour}".strip()


def _pair(point: Points) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _outline(image: Image, corners: Points, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(image, [corners.round().astype(np.int32).reshape(-1, 1, 2)], True, colour, width, cv2.LINE_AA)


def _write(image: Image, text: str, middle: Points, colour: tuple[int, int, int], size: float = 0.6) -> None:
    """Text around a point, with a dark rim so that it can be read on any ground."""
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    corner = (max(2, int(middle[0] - width / 2)), int(middle[1] + height / 2))
    cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, BLACK, 3, cv2.LINE_AA)
    cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
