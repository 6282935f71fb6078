"""A pretend table with pretend hands: it keeps what really lies where, and shows hands at work frame by frame.

A verb changes the table at once and queues what a camera sees meanwhile; `live_picture` plays the queue one frame per
call. The table knows what hands can do, not what the rules allow.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.virtual_stock import HandsCannot, Stock, piece_name
from companion.virtual_strip import VirtualStrip
from engine.games.ice.terms import spot_name
from engine.spots import Layout, Place, Point, Spot
from vision.looks.hands import Arm
from vision.looks.lens import Lens
from vision.looks.placing import put_pieces, put_tile
from vision.render import Hand, Lamp, Piece, Renderer, Rgb, Scene, Tile

Image = NDArray[np.uint8]

_TRAVEL_MM: Final = 45.0
"""How high above the snow a hand carries things."""
_TOUCH_MM: Final = 14.0
_OUTSIDE_MM: Final = 430.0
_HEAP_MM: Final = (262.0, 115.0)
"""The far left corner of the reserve on the table."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One queued moment: the scene, and the camera if it was moved by then."""

    scene: Scene
    lens: Lens


class VirtualTable:
    """The true arrangement of every component on and beside the board, and the hands that change it."""

    def __init__(self, layout: Layout, renderer: Renderer, seed: int = 0, beats: int = 2) -> None:
        self.layout = layout
        self.renderer = renderer
        self.beats = beats
        """Frames that a hand needs to come in, and as many to leave."""
        self.tiles: dict[Spot, Tile] = {}
        self.pieces: dict[Spot, tuple[Piece, ...]] = {}
        self.stock = Stock(renderer.art.prints)
        """What lies beside the board."""
        self.strip = VirtualStrip(layout)
        self.leds: Mapping[Spot, Rgb] = {}
        self.lamps: tuple[Lamp, ...] = ()
        self.hand: Hand | None = None
        self._side_deg = 270.0
        self._skin = (0, 0)
        self._room_light = 1.0
        self._heap = seed
        self._lens = renderer.lens
        self._shown_lens = renderer.lens
        self._rng = np.random.default_rng([seed, 83])
        self._shots: deque[Shot] = deque()
        self._now = Shot(Scene(), self._lens)
        self._moment = 0

    # ---- looking

    @property
    def busy(self) -> bool:
        """Whether frames of hands at work are still to be shown."""
        return bool(self._shots)

    def scene(self) -> Scene:
        """The table as it is once all hands have done what they were told."""
        hands = (self.hand,) if self.hand else ()
        return Scene(
            dict(self.tiles), dict(self.pieces), beside=self.beside(), hands=hands, room_light=self._room_light
        )

    def beat(self) -> bool:
        """Go on to the next queued moment; False when there was none."""
        if not self._shots:
            return False
        self._now = self._shots.popleft()
        return True

    def settle(self) -> None:
        """Skip to the end of the queue."""
        while self.beat():
            pass

    def shown(self) -> Scene:
        """What the camera has in front of it at this moment, with the light of the strip."""
        return replace(self._now.scene, leds=dict(self.leds), lamps=self.lamps)

    def picture(self) -> Image:
        """A camera picture of this moment; every call is another exposure."""
        if self._now.lens != self._shown_lens:
            self.renderer.look_through(self._now.lens)
            self._shown_lens = self._now.lens
        self._moment += 1
        return self.renderer.picture(self.shown(), self._moment)

    def live_picture(self) -> Image:
        """Go on by one moment and take a picture: what a `synthetic:` camera reads."""
        self.beat()
        return self.picture()

    def is_open(self, spot: Spot) -> bool:
        """Whether a piece can stand on a spot: something lies there, and part of it can be seen."""
        place = self._place(spot)
        solid = spot in self.tiles or not place.takes_tile
        return solid and not (place.covers and all(cover in self.tiles for cover in place.covers))

    def inventory(self) -> tuple[Counter[tuple[str, str]], Counter[str]]:
        """Every tile by layer and kind, every piece by label: on the board, beside it and in the hand."""
        tiles = Counter((self.layout.places[spot].layer, tile.kind) for spot, tile in self.tiles.items())
        tiles.update((layer, tile.kind) for layer, tile in self.stock.tiles)
        pieces = Counter(piece.label for group in self.pieces.values() for piece in group)
        pieces.update(self.stock.pieces)
        if self.hand:
            tiles.update([(self.hand.tile[0], self.hand.tile[1].kind)] if self.hand.tile else [])
            pieces.update(piece.label for piece in self.hand.pieces)
        return tiles, +pieces

    def light_strip(self, colours: Sequence[Rgb]) -> None:
        """Light the strip under the board: seen at once, whatever the hands are doing."""
        self.leds, self.lamps = self.strip.glow(colours, self._now.scene.tiles)

    def beside(self) -> tuple[tuple[Point, Piece], ...]:
        """The reserve, standing on the table to the right of the board."""
        return self.stock.rows(_HEAP_MM, self._heap)

    # ---- setting up

    def arrange(self, tiles: Mapping[Spot, tuple[str, int]], pieces: Mapping[Spot, Sequence[str]]) -> None:
        """Clear the table and lay out a position at once: kind and rotation by spot, labels of pieces by spot."""
        self._clear()
        for layer in reversed(self.layout.layers):
            for spot, (kind, rotation) in tiles.items():
                if self.layout.places[spot].layer == layer:
                    self._require_support(self.layout.places[spot])
                    self.tiles[spot] = self._put_down(self.stock.take_tile(layer, kind)[1], rotation)
        for spot, labels in pieces.items():
            self._require_open(spot)
            self._stand(spot, self.stock.take_pieces(labels))
        self._show()
        self.settle()

    def _clear(self) -> None:
        self.stock.take_back(self.hand)
        self.hand = None
        self.stock.tiles.extend((self.layout.places[spot].layer, tile) for spot, tile in self.tiles.items())
        self.stock.pieces.update(piece.label for group in self.pieces.values() for piece in group)
        self.tiles.clear()
        self.pieces.clear()
        self._shots.clear()

    # ---- hands: coming and going

    def sit(self, from_deg: float, skin: int = 0, sleeve: int = 0) -> None:
        """Choose whose hand acts next: the side of the table it comes from."""
        if self.hand:
            raise HandsCannot("A hand is over the board; withdraw it first.")
        self._side_deg = from_deg
        self._skin = (skin, sleeve)

    def reach(self, spot: Spot) -> None:
        """Bring the hand over a spot."""
        place = self._place(spot)
        if self.hand is None:
            angle = math.radians(self._side_deg)
            for k in range(1, self.beats + 1):
                away = _OUTSIDE_MM * (1 - k / (self.beats + 1))
                self._hover(place.centre_mm[0] + away * math.cos(angle), place.centre_mm[1] + away * math.sin(angle))
        self._hover(*place.centre_mm)

    def withdraw(self) -> None:
        """Take the hand out of the picture; what it holds goes beside the board."""
        if self.hand is None:
            return
        tip, angle = self.hand.arm.tip_mm, math.radians(self._side_deg)
        for k in range(1, self.beats):
            away = _OUTSIDE_MM * k / self.beats
            self._hover(tip[0] + away * math.cos(angle), tip[1] + away * math.sin(angle))
        self.stock.take_back(self.hand)
        self.hand = None
        self._show()

    def rest(self, frames: int) -> None:
        """Let time pass with everything, hand included, as it is."""
        for _ in range(frames):
            self._show()

    # ---- hands: tiles

    def lift_tile(self, spot: Spot) -> None:
        """Pick up the tile of a spot and keep it in the hand."""
        place = self._place(spot)
        self._require_free_hand()
        if spot not in self.tiles:
            raise HandsCannot("No tile lies on {place}.", place=spot_name(spot))
        if cover := next((c for c in place.covers if c in self.tiles), None):
            raise HandsCannot(
                "The tile of {place} lies under the one of {cover}.", place=spot_name(spot), cover=spot_name(cover)
            )
        if self.pieces.get(spot):
            raise HandsCannot("Pieces stand on {place}; take them off first.", place=spot_name(spot))
        self.reach(spot)
        self._touch(place)
        tile = self.tiles.pop(spot)
        self._hold(tile=(place.layer, tile))
        self._hover(*place.centre_mm)

    def put_tile(self, spot: Spot, rotation: int | None = None) -> None:
        """Lay the held tile on a spot, turned as asked or as it was."""
        place = self._place(spot)
        if self.hand is None or self.hand.tile is None:
            raise HandsCannot("The hand holds no tile.")
        layer, tile = self.hand.tile
        if place.layer != layer or spot in self.tiles:
            raise HandsCannot("The tile in the hand does not fit on {place}.", place=spot_name(spot))
        self._require_support(place)
        self._make_room(place)
        self._hover(*place.centre_mm)
        self._touch(place)
        self.tiles[spot] = self._put_down(tile, tile.rotation if rotation is None else rotation)
        self._hold()
        self._show()

    def fetch_tile(self, layer: str, kind: str, over: Spot) -> None:
        """Bring a tile from beside the board."""
        self._require_free_hand()
        self._place(over)
        self._bring(tile=self.stock.take_tile(layer, kind), over=over)

    def turn_tile(self, spot: Spot, rotation: int) -> None:
        """Lift a tile and put it back turned."""
        self.lift_tile(spot)
        self.put_tile(spot, rotation)

    # ---- hands: pieces

    def lift_pieces(self, spot: Spot, labels: Iterable[str]) -> None:
        """Pick up pieces of a spot and keep them in the hand, beside what it holds."""
        place = self._place(spot)
        left, taken = list(self.pieces.get(spot, ())), []
        for label in labels:
            found = next((piece for piece in left if piece.label == label), None)
            if found is None:
                raise HandsCannot(
                    "On {place} there is no such piece: {piece}.", place=spot_name(spot), piece=piece_name(label)
                )
            left.remove(found)
            taken.append(replace(found, lying=False))
        if self.hand and self.hand.tile:
            raise HandsCannot("The hand holds a tile; put it down first.")
        self.reach(spot)
        self._touch(place)
        self._set_pieces(spot, left)
        self._hold(pieces=(*(self.hand.pieces if self.hand else ()), *taken))
        self._hover(*place.centre_mm)

    def put_pieces(self, spot: Spot, labels: Iterable[str] | None = None) -> None:
        """Stand held pieces on a spot: all of them or those named."""
        place = self._place(spot)
        held = list(self.hand.pieces) if self.hand else []
        wanted = [piece.label for piece in held] if labels is None else list(labels)
        if not wanted or Counter(wanted) - Counter(piece.label for piece in held):
            raise HandsCannot("The hand does not hold these pieces.")
        self._require_open(spot)
        self._hover(*place.centre_mm)
        self._touch(place)
        going = []
        for label in wanted:
            piece = next(piece for piece in held if piece.label == label)
            held.remove(piece)
            going.append(piece)
        self._stand(spot, going)
        self._hold(pieces=tuple(held))
        self._show()

    def fetch_pieces(self, labels: Sequence[str], over: Spot) -> None:
        """Bring pieces from beside the board."""
        if self.hand and self.hand.tile:
            raise HandsCannot("The hand holds a tile; put it down first.")
        self._place(over)
        held = self.hand.pieces if self.hand else ()
        self._bring(pieces=(*held, *self.stock.take_pieces(labels)), over=over)

    def knock_over(self, spot: Spot) -> None:
        """Make every pawn of a spot fall."""
        fallen = [
            replace(p, lying=not p.label.startswith("camp"), turn_deg=float(self._rng.uniform(0, 360)))
            for p in self.pieces.get(spot, ())
        ]
        self._set_pieces(spot, fallen)
        self._show()

    def set_upright(self, spot: Spot) -> None:
        """Stand up what has fallen on a spot."""
        self.reach(spot)
        self._set_pieces(spot, [replace(piece, lying=False) for piece in self.pieces.get(spot, ())])
        self._show()

    def turn_camp(self, spot: Spot, label: str, grey: bool) -> None:
        """Turn a camp to its used or its fresh side."""
        self.reach(spot)
        turned = [replace(p, grey=grey) if p.label == label else p for p in self.pieces.get(spot, ())]
        self._set_pieces(spot, turned)
        self._show()

    # ---- whole gestures, hand out of the picture afterwards

    def dig(self, spot: Spot) -> None:
        """Take a tile off the board."""
        self.lift_tile(spot)
        self.withdraw()

    def move_pieces(self, labels: Sequence[str], start: Spot, end: Spot) -> None:
        """Carry pieces from one spot to another."""
        if start == end:
            raise HandsCannot("They stand on {place} already.", place=spot_name(start))
        self._require_open(end)
        self.lift_pieces(start, labels)
        self.put_pieces(end, labels)
        self.withdraw()

    def add_pieces(self, labels: Sequence[str], spot: Spot) -> None:
        """Bring pieces from the reserve."""
        self._require_open(spot)
        self.fetch_pieces(labels, spot)
        self.put_pieces(spot, labels)
        self.withdraw()

    def remove_pieces(self, labels: Sequence[str], spot: Spot) -> None:
        """Take pieces off the board."""
        self.lift_pieces(spot, labels)
        self.withdraw()

    # ---- accidents

    def tidy_supply(self) -> None:
        """Rearrange the reserve beside the board; nothing on the board changes."""
        if self.hand:
            raise HandsCannot("A hand is over the board; withdraw it first.")
        side, self._side_deg = self._side_deg, 0.0
        self._heap += 1
        for k in range(3):
            self._hover(_HEAP_MM[0] + 30 + 20 * k, _HEAP_MM[1] - 40 * k)
        self.withdraw()
        self._side_deg = side

    def bump_camera(self, shift_mm: tuple[float, float], turn_deg: float = 0.0) -> None:
        """Knock against the camera: from the next frame on it looks elsewhere."""
        self._lens = self._lens.bumped(shift_mm, turn_deg)
        self._show()

    def switch_light(self, on: bool) -> None:
        """Switch the light in the room."""
        self._room_light = 1.0 if on else 0.0
        self._show()

    # ---- inside

    def _bring(self, tile: tuple[str, Tile] | None = None, pieces: tuple[Piece, ...] = (), *, over: Spot) -> None:
        """Bring the hand over a spot, holding something from beside the board."""
        first = self.hand is None
        if first:
            self.hand = self._new_hand(*self._place(over).centre_mm, away=_OUTSIDE_MM)
        self._hold(tile, pieces)
        angle = math.radians(self._side_deg)
        x, y = self._place(over).centre_mm
        for k in range(1, self.beats + 1 if first else 1):
            away = _OUTSIDE_MM * (1 - k / (self.beats + 1))
            self._hover(x + away * math.cos(angle), y + away * math.sin(angle))
        self._hover(x, y)

    def _place(self, spot: Spot) -> Place:
        if spot not in self.layout.places:
            raise HandsCannot("There is no place {spot} on this board.", spot=spot)
        return self.layout.places[spot]

    def _new_hand(self, x: float, y: float, away: float = 0.0) -> Hand:
        angle = math.radians(self._side_deg)
        lean = float(self._rng.uniform(-15, 15))
        tip = (x + away * math.cos(angle), y + away * math.sin(angle), _TRAVEL_MM)
        return Hand(Arm(tip, self._side_deg + lean, *self._skin))

    def _hover(self, x: float, y: float, z: float = _TRAVEL_MM) -> None:
        hand = self.hand or self._new_hand(x, y)
        self.hand = replace(hand, arm=replace(hand.arm, tip_mm=(x, y, z)))
        self._show()

    def _touch(self, place: Place) -> None:
        self._hover(*place.centre_mm, place.top_mm + _TOUCH_MM)

    def _hold(self, tile: tuple[str, Tile] | None = None, pieces: tuple[Piece, ...] = ()) -> None:
        assert self.hand is not None
        self.hand = replace(self.hand, tile=tile, pieces=pieces)

    def _show(self) -> None:
        self._shots.append(Shot(self.scene(), self._lens))

    def _put_down(self, tile: Tile, rotation: int) -> Tile:
        return put_tile(tile.kind, rotation % 6, tile.copy, self.renderer.condition, self._rng)

    def _stand(self, spot: Spot, pieces: Sequence[Piece], tiles: Iterable[Spot] | None = None) -> None:
        here = self.pieces.get(spot, ())
        new = put_pieces(
            [p.label for p in pieces],
            self.layout.places[spot],
            self.layout,
            self.tiles if tiles is None else tiles,
            self.renderer.make,
            self._rng,
            here,
        )
        used = {piece.label: piece.grey for piece in pieces}
        self._set_pieces(spot, [*here, *(replace(piece, grey=used[piece.label]) for piece in new)])

    def _set_pieces(self, spot: Spot, pieces: Sequence[Piece]) -> None:
        if pieces:
            self.pieces[spot] = tuple(pieces)
        else:
            self.pieces.pop(spot, None)

    def _make_room(self, place: Place) -> None:
        """Push pieces out from under a tile that comes down on `place`; refuse when they have nowhere to go."""
        below = [spot for spot in place.rests_on if self.pieces.get(spot)]
        for spot in below:
            under = self.layout.places[spot]
            if all(cover in self.tiles or cover == place.spot for cover in under.covers):
                raise HandsCannot("Pieces stand on {place}, which would be covered.", place=spot_name(spot))
        for spot in below:
            self._stand(spot, self.pieces.pop(spot), {*self.tiles, place.spot})

    def _require_free_hand(self) -> None:
        if self.hand and (self.hand.tile or self.hand.pieces):
            raise HandsCannot("The hand holds something already.")

    def _require_support(self, place: Place) -> None:
        for below in place.rests_on:
            if self.layout.places[below].takes_tile and below not in self.tiles:
                raise HandsCannot(
                    "A tile on {place} would fall: nothing lies on {below}.",
                    place=spot_name(place.spot),
                    below=spot_name(below),
                )

    def _require_open(self, spot: Spot) -> None:
        if not self.is_open(spot):
            raise HandsCannot(
                "There is nothing to stand on at {place}, or it is hidden under tiles.", place=spot_name(spot)
            )
