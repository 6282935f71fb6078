"""What stands before the camera: tiles, pieces, lights and hands as they really are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.spots import Point, Spot
from vision.looks.hands import Arm

Rgb = tuple[int, int, int]
Lamp = tuple[tuple[float, float, float], Rgb]
"""Where light comes out of the bare board, and its colour."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as it really lies: what it is, how it is turned, and how carelessly it was put down."""

    kind: str
    rotation: int = 0
    copy: int = 0
    """Which of the prints of its kind."""
    shift_mm: tuple[float, float] = (0.0, 0.0)
    twist_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it really stands, or lies, near the centre of a spot."""

    label: str
    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    lying: bool = False
    grey: bool = False
    """A camp that shows its used side."""
    tone: float = 1.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in the picture and what it holds."""

    arm: Arm
    tile: tuple[str, Tile] | None = None
    """A lifted tile and the layer it belongs to."""
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the camera has in front of it."""

    tiles: Mapping[Spot, Tile] = field(default_factory=dict)
    pieces: Mapping[Spot, tuple[Piece, ...]] = field(default_factory=dict)
    leds: Mapping[Spot, Rgb] = field(default_factory=dict)
    """Light at the rim of a tile or place: red, green, blue in 0..255."""
    lamps: tuple[Lamp, ...] = ()
    """Holes of the board with an LED under them: seen where no tile lies over them."""
    beside: tuple[tuple[Point, Piece], ...] = ()
    """Pieces on the table beside the board."""
    hands: tuple[Hand, ...] = ()
    room_light: float = 1.0
    """1 as the condition has it, 0 when somebody has switched it off."""
