"""The inverse of seeing: draws a table as an overhead camera would see it.

Drawn from the bottom up, so that what is higher hides what is lower: table, print, then layer by layer the step of the
frame and the tiles with their shadows, light at the rims, pieces from the far side to the near one, hands.
Everything that stays put between two pictures of one camera is kept, so a game can be drawn frame by frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.spots import Layout, Place, Spot
from vision.looks.bodies import Body, Sun, draw_body, shadow_outline
from vision.looks.conditions import CONDITIONS, Condition, Darkroom, make_lens, make_sun
from vision.looks.hands import draw_hand, hand_shadows
from vision.looks.ice.art import ArtSet
from vision.looks.ice.board import Ground, Markers, cast, lifted, make_ground
from vision.looks.ice.pieces import PieceSet, make_piece_set, piece_body
from vision.looks.lens import Lens
from vision.looks.scene import Hand, Lamp, Piece, Rgb, Scene, Tile
from vision.looks.sheets import REACH
from vision.looks.slabs import draw_slab
from vision.looks.sprites import Picture, Sprite, fill, polygon_mask

__all__ = ["Hand", "Lamp", "Piece", "Renderer", "Rgb", "Scene", "Tile"]

Array = NDArray[np.float64]

_KEPT: Final = 1000
"""Drawn tiles or pieces to keep: some ten boards full."""
_GAP_MM: Final = 0.5
"""How much smaller a tile is than its cell."""


class Renderer:
    """One copy of the game on one table under one light; draws scenes of it."""

    def __init__(
        self,
        layout: Layout,
        art: ArtSet | None = None,
        condition: Condition | str = "mild",
        seed: int = 0,
        markers: Markers | None = None,
        lens: Lens | None = None,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self.layout = layout
        self.art = art or ArtSet()
        self.condition = CONDITIONS[condition] if isinstance(condition, str) else condition
        self.seed = seed
        first = next(iter(layout.places.values()))
        self._radius_mm = math.dist(first.outline_mm[0], first.centre_mm)
        self.markers = markers or Markers()
        self.make: PieceSet = make_piece_set(self.art.seed)
        self.sun: Sun = make_sun(self.condition, seed)
        self._ground: Ground
        self._darkroom: Darkroom
        self._tiles: dict[tuple[Spot, Tile], Sprite] = {}
        self._hands: dict[Hand, list[Sprite]] = {}
        self._bodies: dict[tuple[tuple[float, float, float], Piece], tuple[Sprite, Array]] = {}
        self._faces: dict[tuple[str, str, int], Picture] = {}
        self._laid: tuple[object, Picture] | None = None
        self._still: tuple[Scene, Picture] | None = None
        self._drawn: tuple[Scene, Picture] | None = None
        self.look_through(lens or make_lens(self.condition, seed, *size))

    def look_through(self, lens: Lens) -> None:
        """Use another camera, or the same one after it was moved."""
        self.lens = lens
        self._ground = make_ground(self.layout, lens, self.sun, self.markers, self.seed, self.art.seed)
        self._darkroom = Darkroom(self.condition, lens, self.seed, self._ground.board)
        self._tiles.clear()
        self._hands.clear()
        self._bodies.clear()
        self._faces.clear()
        self._laid = None
        self._still = None
        self._drawn = None

    def picture(self, scene: Scene, moment: int = 0) -> Picture:
        """What the camera delivers: the drawing, exposed, compressed and decompressed."""
        data = np.frombuffer(self.jpeg(scene, moment), np.uint8)
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def jpeg(self, scene: Scene, moment: int = 0) -> bytes:
        """The same as a JPEG file; `moment` numbers the frame, so that noise differs from frame to frame."""
        return self._darkroom.encode(self._darkroom.expose(self.drawing(scene), moment, scene.room_light))

    def drawing(self, scene: Scene) -> Picture:
        """The clean drawing, before light and sensor spoil it; it is kept, so do not draw on it."""
        if self._drawn is not None and self._drawn[0] == scene:
            return self._drawn[1]
        picture = self._without_hands(replace(scene, hands=(), room_light=1.0)).copy()
        self._lay_hand_shadows(picture, scene.hands)
        for sprite in self._hand_sprites(scene.hands):
            sprite.lay(picture)
        self._drawn = (scene, picture)
        return picture

    def _without_hands(self, scene: Scene) -> Picture:
        if self._still is not None and self._still[0] == scene:
            return self._still[1]
        picture = self._with_tiles(scene.tiles, scene.lamps).copy()
        self._lay_piece_shadows(picture, scene)
        self._light_rims(picture, scene)
        for sprite in self._piece_sprites(scene):
            sprite.lay(picture)
        self._still = (scene, picture)
        return picture

    def owners(self, scene: Scene) -> NDArray[np.int16]:
        """Who is seen at each pixel: 0 the table, n the n-th tile of the scene, -1 a piece, -2 a hand or its load."""
        owner = np.zeros(self.lens.size[::-1], np.int16)
        number = {spot: i + 1 for i, spot in enumerate(scene.tiles)}
        for layer in reversed(self.layout.layers[:-1]):
            _mark(owner, self._ground.steps[layer], 0)
            for place in self.layout.in_layer(layer):
                if place.spot in number:
                    _mark(owner, self._tile_sprite(place, scene.tiles[place.spot]), number[place.spot])
        for sprite in self._piece_sprites(scene):
            _mark(owner, sprite, -1)
        for sprite in self._hand_sprites(scene.hands):
            _mark(owner, sprite, -2)
        return owner

    # ---- tiles

    def _with_tiles(self, tiles: Mapping[Spot, Tile], lamps: tuple[Lamp, ...]) -> Picture:
        if self._laid is not None and self._laid[0] == (tiles, lamps):
            return self._laid[1]
        picture = self._ground.table.copy()
        self._shine(picture, lamps, self.layout.layers[-1])
        for layer in reversed(self.layout.layers[:-1]):
            present = [(p, tiles[p.spot]) for p in self.layout.in_layer(layer) if p.spot in tiles]
            self._lay_tile_shadows(picture, layer, present)
            self._ground.steps[layer].lay(picture)
            self._shine(picture, lamps, layer)
            for place, tile in present:
                self._tile_sprite(place, tile).lay(picture)
        self._laid = ((dict(tiles), lamps), picture)
        return picture

    def thickness_mm(self, layer: str) -> float:
        """The height of one tile of the layer."""
        below = self.layout.layers[self.layout.layers.index(layer) + 1]
        return self.layout.in_layer(layer)[0].top_mm - self.layout.in_layer(below)[0].top_mm

    def tile_corners(self, place: Place, tile: Tile) -> Array:
        """The corners of the upper face of a tile that lies on a place, in millimetres."""
        return lifted(_hexagon(place, tile), place.top_mm)

    def _lay_tile_shadows(self, picture: Picture, layer: str, present: list[tuple[Place, Tile]]) -> None:
        thick = self.thickness_mm(layer)
        half = self._ground.shades[layer].copy()
        tops = np.array([self.tile_corners(place, tile) for place, tile in present]).reshape(-1, 6, 3)
        # Two casts, half and whole height, give the shadow its taper.
        for drop in (0.5, 1.0):
            for pixels in self.lens.project(cast(tops, self.sun, thick * drop)):
                fill(half, (pixels + 0.5) / 2 - 0.5, 255, smooth=False)
        self._shade(picture, half, 1.1, self.condition.shadow + 0.15)

    def _shade(self, picture: Picture, half: Picture, softness_mm: float, depth: float) -> None:
        """Darken by a half-size mask, only where there is something in it."""
        box = cv2.boundingRect(half)
        margin = math.ceil(softness_mm * self.lens.px_per_mm() * 2) + 2
        x0, y0 = max(box[0] - margin, 0), max(box[1] - margin, 0)
        x1, y1 = min(box[0] + box[2] + margin, half.shape[1]), min(box[1] + box[3] + margin, half.shape[0])
        if box[2] == 0:
            return
        soft = cv2.GaussianBlur(half[y0:y1, x0:x1], (0, 0), softness_mm * self.lens.px_per_mm() / 2)
        part = picture[2 * y0 : 2 * y1, 2 * x0 : 2 * x1]
        full = cv2.resize(soft, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
        kept = cv2.convertScaleAbs(full, alpha=-depth, beta=255)
        cv2.multiply(part, cv2.merge([kept] * 3), dst=part, scale=1 / 255)

    def _tile_sprite(self, place: Place, tile: Tile) -> Sprite:
        key = (place.spot, tile)
        if key not in self._tiles:
            if len(self._tiles) > _KEPT:
                self._tiles.clear()
            centre = np.array([*np.add(place.centre_mm, tile.shift_mm), place.top_mm])
            self._tiles[key] = self._slab(place.layer, tile, centre, np.eye(3))
        return self._tiles[key]

    def _slab(self, layer: str, tile: Tile, centre: Array, axes: Array) -> Sprite:
        """A tile anywhere; the columns of `axes` are its right, far and upward directions before it is turned."""
        radius = self._radius_mm
        angles = np.radians(90 + 60 * np.arange(6) + tile.twist_deg)
        reach = radius - _GAP_MM / math.sqrt(3)
        top = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(6)]) * reach @ axes.T + centre
        turn = math.radians(60 * tile.rotation + tile.twist_deg)
        across = axes @ np.array([math.cos(turn), math.sin(turn), 0]) * radius * REACH
        along = axes @ np.array([-math.sin(turn), math.cos(turn), 0]) * radius * REACH
        down = axes[:, 2] * -self.thickness_mm(layer)
        return draw_slab(self.lens, self.sun, top, down, self._face(layer, tile), centre, across, along)

    def _face(self, layer: str, tile: Tile) -> Picture:
        """The art reduced to about the size it has in the picture, so that it does not shimmer."""
        key = (layer, tile.kind, tile.copy)
        if key not in self._faces:
            face = self.art.face(*key)
            wanted = min(face.shape[0], math.ceil(2 * REACH * self._radius_mm * self.lens.px_per_mm() * 1.3))
            self._faces[key] = np.asarray(cv2.resize(face, (wanted, wanted), interpolation=cv2.INTER_AREA), np.uint8)
        return self._faces[key]

    # ---- light

    def _shine(self, picture: Picture, lamps: tuple[Lamp, ...], layer: str) -> None:
        """Soft spots of light on the bottom of the board, or on the step of its frame as high as a layer's tiles."""
        height_mm = self.layout.in_layer(layer)[0].top_mm
        shining = [lamp for lamp in lamps if lamp[0][2] == height_mm]
        if not shining:
            return
        glow = np.zeros((picture.shape[0] // 4, picture.shape[1] // 4, 3), np.uint8)
        scale = self.lens.px_per_mm() / 4
        for place_mm, (red, green, blue) in shining:
            u, v = (self.lens.project(place_mm) + 0.5) / 4 - 0.5
            dot = np.zeros_like(glow)
            cv2.circle(dot, (round(u * 16), round(v * 16)), round(9 * scale * 16), (blue, green, red), -1, 8, 4)
            cv2.max(glow, dot, dst=glow)
        soft = cv2.GaussianBlur(glow, (0, 0), 6 * scale)
        cv2.add(picture, cv2.resize(soft, (picture.shape[1], picture.shape[0])), dst=picture)

    def _light_rims(self, picture: Picture, scene: Scene) -> None:
        lit = {spot: colour for spot, colour in scene.leds.items() if any(colour)}
        if not lit:
            return
        glow = np.zeros_like(picture)
        width = max(1, round(1.6 * self.lens.px_per_mm()))
        for place in sorted(self.layout.places.values(), key=lambda p: p.top_mm):
            tile = scene.tiles.get(place.spot)
            rim = self.tile_corners(place, tile) if tile else lifted(place.outline_mm, place.top_mm)
            pixels = np.round(self.lens.project(rim) * 16).astype(np.int32)
            if tile:  # it hides the glow of what lies deeper
                cv2.fillPoly(glow, [pixels], (0, 0, 0), cv2.LINE_8, 4)
            if place.spot in lit:
                red, green, blue = lit[place.spot]
                cv2.polylines(glow, [pixels], True, (blue, green, red), width, cv2.LINE_AA, 4)
        x, y, wide, high = cv2.boundingRect(cv2.max(cv2.max(glow[..., 0], glow[..., 1]), glow[..., 2]))
        margin = math.ceil(12 * self.lens.px_per_mm())
        rows, columns = slice(max(y - margin, 0), y + high + margin), slice(max(x - margin, 0), x + wide + margin)
        near, part = glow[rows, columns], picture[rows, columns]
        halo = cv2.blur(cv2.blur(near, (margin // 2, margin // 2)), (margin // 2, margin // 2))
        strength = self.condition.led_glow
        bright = cv2.addWeighted(near, strength, halo, strength * 1.4, 0)
        cv2.add(part, bright, dst=part)

    # ---- pieces

    def _body(self, centre: Array, piece: Piece) -> Body:
        body = piece_body("camp.grey" if piece.grey else piece.label, self.make)
        if piece.tone != 1.0:
            body = body.painted(piece.tone)
        turn = math.radians(piece.turn_deg)
        spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
        if piece.lying:
            fall = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
            body = body.moved((0, 0, 0), fall)
            body = body.moved((0, 0, -float(body.corners[:, 2].min())))
        return body.moved(centre, spin)

    def _standing(self, at: tuple[float, float, float], piece: Piece) -> tuple[Sprite, Array]:
        key = (at, piece)
        if key not in self._bodies:
            if len(self._bodies) > _KEPT:
                self._bodies.clear()
            body = self._body(np.array(at), piece)
            shadow = self.lens.project(shadow_outline(body, self.sun, at[2]))
            self._bodies[key] = (draw_body(body, self.lens, self.sun), shadow)
        return self._bodies[key]

    def _lay_piece_shadows(self, picture: Picture, scene: Scene) -> None:
        half = np.zeros((self.lens.height_px // 2, self.lens.width_px // 2), np.uint8)
        for at, piece in self._feet(scene):
            fill(half, (self._standing(at, piece)[1] + 0.5) / 2 - 0.5, 255, smooth=False)
        self._shade(picture, half, 0.9, self.condition.shadow)

    def _piece_sprites(self, scene: Scene) -> Iterator[Sprite]:
        """The pieces from the far side to the near one, each without what a higher tile hides of it."""
        foot = self.lens.position_mm()[:2]
        for at, piece in sorted(self._feet(scene), key=lambda one: -math.dist(foot, one[0][:2])):
            sprite = self._standing(at, piece)[0]
            for tile_place, tile in self._in_front(at, scene.tiles, foot):
                top = self.lens.project(self.tile_corners(tile_place, tile))
                box = (sprite.x, sprite.y, sprite.colour.shape[1], sprite.colour.shape[0])
                sprite = sprite.without(polygon_mask(top, box))
            yield sprite

    def _feet(self, scene: Scene) -> list[tuple[tuple[float, float, float], Piece]]:
        """Where every piece stands, in millimetres."""
        feet = [((x, y, 0.0), piece) for (x, y), piece in scene.beside]
        for spot, pieces in scene.pieces.items():
            place = self.layout.places[spot]
            for piece in pieces:
                x, y = place.centre_mm[0] + piece.shift_mm[0], place.centre_mm[1] + piece.shift_mm[1]
                feet.append(((x, y, place.top_mm), piece))
        return feet

    def _in_front(
        self, at: tuple[float, float, float], tiles: Mapping[Spot, Tile], foot: Array
    ) -> list[tuple[Place, Tile]]:
        """Higher tiles between the camera's foot and a piece: they hide its base."""
        reach = 1.6 * self._radius_mm
        found = []
        for spot, tile in tiles.items():
            other = self.layout.places[spot]
            if other.top_mm <= at[2] or math.dist(other.centre_mm, at[:2]) > reach:
                continue
            if math.dist(other.centre_mm, foot) < math.dist(at[:2], foot):
                found.append((other, tile))
        return found

    # ---- hands

    def _lay_hand_shadows(self, picture: Picture, hands: tuple[Hand, ...]) -> None:
        if not hands:
            return
        half = np.zeros((self.lens.height_px // 2, self.lens.width_px // 2), np.uint8)
        ground = self.layout.in_layer(self.layout.layers[0])[0].top_mm
        for hand in hands:
            for outline in hand_shadows(hand.arm, self.lens, self.sun, ground):
                fill(half, (outline + 0.5) / 2 - 0.5, 255, smooth=False)
        self._shade(picture, half, 6.0, self.condition.shadow * 0.8)

    def _hand_sprites(self, hands: tuple[Hand, ...]) -> Iterator[Sprite]:
        for hand in hands:
            if hand not in self._hands:
                if len(self._hands) > 16:
                    self._hands.clear()
                self._hands[hand] = [*self._held(hand), draw_hand(hand.arm, self.lens, self.sun)]
            yield from self._hands[hand]

    def _held(self, hand: Hand) -> Iterator[Sprite]:
        tip = np.asarray(hand.arm.tip_mm, np.float64)
        angle = math.radians(hand.arm.from_deg)
        back = np.array([math.cos(angle), math.sin(angle), 0.0])
        if hand.tile is not None:
            layer, tile = hand.tile
            # Pinched at its near rim, the far rim hanging a little.
            lean = np.array([-back[0], -back[1], -0.18]) / math.hypot(1.0, 0.18)
            side = np.cross(lean, (0.0, 0.0, 1.0))
            up = np.cross(side, lean)
            yield self._slab(layer, tile, tip + lean * 17, np.stack([side, lean, up], 1))
        for k, piece in enumerate(hand.pieces):
            body = piece_body(piece.label, self.make)
            down = 0.7 * float(body.corners[:, 2].max())
            yield draw_body(body.moved(tip - back * 9 * k + (0, 0, -down)), self.lens, self.sun)


def _mark(owner: NDArray[np.int16], sprite: Sprite, value: int) -> None:
    x0, y0 = max(sprite.x, 0), max(sprite.y, 0)
    part = owner[y0 : max(sprite.y + sprite.colour.shape[0], 0), x0 : max(sprite.x + sprite.colour.shape[1], 0)]
    through = sprite.through[y0 - sprite.y :, x0 - sprite.x :, 0][: part.shape[0], : part.shape[1]]
    part[through < 128] = value


def _hexagon(place: Place, tile: Tile) -> Array:
    outline, centre = np.asarray(place.outline_mm), np.asarray(place.centre_mm)
    radius = float(np.linalg.norm(outline[0] - centre))
    twist = math.radians(tile.twist_deg)
    turned = np.array([[math.cos(twist), -math.sin(twist)], [math.sin(twist), math.cos(twist)]])
    smaller = (outline - centre) * (1 - _GAP_MM / (radius * math.sqrt(3)))
    return np.asarray(smaller @ turned.T + centre + tile.shift_mm)
