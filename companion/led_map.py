"""Which LED is where: the map of a strip in board millimetres, and which LEDs light which spot."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from engine.spots import Layout, Point, Spot

FORMAT: Final = 1
BORDER_MM: Final = 1.0
"""An LED so close to the border of two spots could belong to either."""


class LedMapError(ValueError):
    """A map file is wrong: which file, what was expected."""


@dataclass(frozen=True, slots=True)
class MappedLed:
    """One LED of the strip."""

    led: int
    place_mm: Point | None
    """Where its light comes out; None when it was never seen."""
    doubt: str = ""
    """Why the owner should have a look; empty when it is certain."""
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class LedMap:
    """All LEDs of a strip, first LED first."""

    leds: tuple[MappedLed, ...]

    def doubtful(self) -> tuple[MappedLed, ...]:
        """The LEDs the owner should have a look at."""
        return tuple(led for led in self.leds if led.doubt)

    def moved(self, led: int, place_mm: Point) -> LedMap:
        """The map after the owner dragged an LED to its place."""
        return self.with_led(MappedLed(led, place_mm, by_hand=True))

    def with_led(self, found: MappedLed) -> LedMap:
        """The map with one LED found anew."""
        if not 0 <= found.led < len(self.leds):
            raise LedMapError(f"expected an LED from 0 to {len(self.leds) - 1}, got {found.led}")
        return replace(self, leds=tuple(found if old.led == found.led else old for old in self.leds))


def nearest_spots(layout: Layout, layer: str, place_mm: Point) -> list[tuple[float, Spot]]:
    """The spots of a layer by their distance from a place."""
    return sorted((math.dist(place.centre_mm, place_mm), place.spot) for place in layout.in_layer(layer))


def spot_above(layout: Layout, layer: str, place_mm: Point) -> Spot:
    """The spot of a layer that an LED lies under: cells are nearest their own centre."""
    return nearest_spots(layout, layer, place_mm)[0][1]


def is_on_border(layout: Layout, layer: str, place_mm: Point) -> bool:
    """Whether a place is so near to two spots that either could be meant."""
    (first, _), (second, _) = nearest_spots(layout, layer, place_mm)[:2]
    return second - first < 2 * BORDER_MM


def bare_height(layout: Layout, place_mm: Point) -> float:
    """How high the bare board is at a place: its bottom, or a step of the frame around it."""
    steps = [place for place in layout.places.values() if not place.takes_tile]
    tops = [place.top_mm for place in steps if _holds(place.outline_mm, place_mm)]
    lowest = min(place.top_mm for place in steps)
    return max(tops, default=lowest)


def _holds(outline_mm: tuple[Point, ...], place_mm: Point) -> bool:
    """Whether a place lies within an outline that turns counter-clockwise."""
    x, y = place_mm
    around = zip(outline_mm, (*outline_mm[1:], outline_mm[0]), strict=True)
    return all((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0 for (ax, ay), (bx, by) in around)


def leds_of_spots(led_map: LedMap, layout: Layout, at: str = "under") -> dict[Spot, tuple[int, ...]]:
    """The LEDs that light each spot: those `under` it or along its `rim`; a spot without any gets the nearest."""
    seen = {led.led: led.place_mm for led in led_map.leds if led.place_mm is not None}
    found: dict[Spot, tuple[int, ...]] = {}
    for layer in layout.layers if seen else ():
        under: dict[Spot, list[int]] = {}
        for led, place_mm in seen.items():
            under.setdefault(spot_above(layout, layer, place_mm), []).append(led)
        for place in layout.in_layer(layer):
            radius = math.dist(place.outline_mm[0], place.centre_mm)
            away = {led: math.dist(seen[led], place.centre_mm) for led in under.get(place.spot, ())}
            inside = [led for led, distance in away.items() if distance <= radius]
            outer = [led for led in inside if away[led] > 0.5 * radius]
            chosen = (outer or inside) if at == "rim" else inside
            found[place.spot] = tuple(chosen) or (nearest_led(seen, place.centre_mm),)
    return found


def nearest_led(seen: Mapping[int, Point], place_mm: Point) -> int:
    """The LED nearest to a place."""
    return min(seen, key=lambda led: math.dist(seen[led], place_mm))


def save(led_map: LedMap, path: Path) -> None:
    """Write the file as a whole or not at all; the last good one is kept beside it as `.previous`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {"format": FORMAT, "leds": [asdict(led) for led in led_map.leds]}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        json.dump(record, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        path.with_suffix(path.suffix + ".previous").write_bytes(path.read_bytes())
    os.replace(file.name, path)


def load(path: Path) -> LedMap:
    """The map in a file."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["format"] != FORMAT:
            raise LedMapError(f"{path}: expected format {FORMAT}, got {record['format']}; map the LEDs again")
        leds = tuple(_read_led(number, led) for number, led in enumerate(record["leds"]))
    except OSError as error:
        raise LedMapError(f"{path} cannot be read ({error.strerror}); map the LEDs again") from error
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LedMapError):
            raise
        raise LedMapError(f"{path} is damaged ({error}); use {path.name}.previous or map the LEDs again") from error
    return LedMap(leds)


def _read_led(number: int, record: Mapping[str, Any]) -> MappedLed:
    if record["led"] != number:
        raise ValueError(f"expected LED {number}, got {record['led']}")
    place = record["place_mm"]
    where = None if place is None else (float(place[0]), float(place[1]))
    return MappedLed(number, where, str(record.get("doubt", "")), bool(record.get("by_hand", False)))
