"""A live camera reads the board in the room's light alone: the strip goes dark for the few pictures that are read.

Pictures of a live camera are older than the moment they are read, so the strip cannot be darkened for each of them
without flickering. Instead the rim around the board is watched, where no LED shines: an arm that reaches over the board
crosses it. When it has come to rest again, the strip is dark until the board was read once, and then lit again. So all
pictures that are compared with each other were taken in the same light.
"""

from __future__ import annotations

import math
from typing import Final, Protocol

from engine.spots import Layout, Place, Point, Spot
from vision.changes import Watch
from vision.steady import Steady
from vision.view import Image, Markers, View

LAG_FRAMES: Final = 4
"""Pictures until the camera shows that the strip is dark."""
READ_FRAMES: Final = 3
"""Dark pictures that are read together."""
MOST_FRAMES: Final = 20
"""A board that does not come to rest in the dark for so long is lit again; people need the light."""
SELDOM_FRAMES: Final = 300
"""At rest the board is read anew after so long: something may have fallen over by itself."""
OFTEN_FRAMES: Final = 45
"""The same where the picture does not show the whole rim, so that an arm may be missed."""
AGAIN_FRAMES: Final = 15
RIM_CELLS: Final = 36
RIM_MM: Final = 24.0
"""How far outside the board the rim is watched."""
CELL_MM: Final = 30.0


class Darkened(Protocol):
    """A strip that can be dark for a moment."""

    def darken(self) -> None:
        """Stay dark for the next round."""


class Darkness:
    """Decides which pictures of a live camera may be read, and darkens the strip for them."""

    def __init__(self, lamps: Darkened, layout: Layout, markers: Markers, still_frames: int) -> None:
        self._lamps, self._rim, self._markers = lamps, rim_of(layout), markers
        self._still_frames = max(2, still_frames - LAG_FRAMES)
        self._view: View | None = None
        self._scout: Steady | None = None
        self._patience = SELDOM_FRAMES
        self.has_stirred = False
        """Whether something moved around the board since it was read."""
        self._lit = self._dark = 0
        """Pictures since the board was read, and since the strip is dark."""
        self._is_lost = False

    def lets_read(self, image: Image, view: View | None) -> bool:
        """Whether a picture was taken in the dark; while the board cannot be found every picture is searched for it."""
        if view is None or self._is_lost:
            return True
        scout = self._scout if self._scout and view is self._view else self._look_through(view)
        scout.update(image)
        self._lit += 1
        if scout.is_waiting:
            self.has_stirred, self._dark = True, 0
            return False
        if not self.has_stirred and self._lit < self._patience:
            return False
        self._dark += 1
        if self._dark > MOST_FRAMES:
            self._rest(self._patience - AGAIN_FRAMES)
            return False
        self._lamps.darken()
        return self._dark > LAG_FRAMES

    def has_read(self, is_found: bool, is_done: bool) -> None:
        """What came of a picture that was read: whether there is a board, and whether it was at rest."""
        self._is_lost = not is_found
        if is_done:
            self._rest(0)

    def _rest(self, lit: int) -> None:
        self.has_stirred, self._dark, self._lit = False, 0, lit

    def _look_through(self, view: View) -> Steady:
        self._view, self._scout = view, Steady(Watch(view, self._rim, self._markers), self._still_frames)
        pixels = view.project([(*place.centre_mm, place.top_mm) for place in self._rim.places.values()])
        inside = (pixels >= 0).all() and (pixels < (view.lens.width, view.lens.height)).all()
        self._patience = SELDOM_FRAMES if inside else OFTEN_FRAMES
        return self._scout


def rim_of(layout: Layout) -> Layout:
    """Places on the table all around the board, a little outside its outline."""
    points = [point for place in layout.places.values() if place.takes_tile for point in place.outline_mm]
    places = {}
    for k in range(RIM_CELLS):
        x, y = math.cos(2 * math.pi * k / RIM_CELLS), math.sin(2 * math.pi * k / RIM_CELLS)
        away = max(px * x + py * y for px, py in points) + RIM_MM
        spot = Spot(f"rim:{k}")
        places[spot] = Place(spot, "rim", (away * x, away * y), _square(away * x, away * y), 0.0, takes_tile=False)
    return Layout(places, ("rim",), layout.size_mm)


def _square(x: float, y: float) -> tuple[Point, ...]:
    half = CELL_MM / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
