"""Test doubles: a camera and an eye without pixels, which know what lies on the simulated table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.simulated import SimulatedTable
from companion.table_eye import HANDS, STILL, Look
from companion.virtual_stock import COLOURS
from engine.sighting import Sighting
from engine.spots import Cue, Spot
from hardware.cameras import Frame

GUILDS = {colour: guild for guild, colour in COLOURS.items()}


class IdealCamera:
    """Lets the table go on by one moment per frame; its picture is empty."""

    lost = ""
    takes_when_read = True

    def __init__(self, table: SimulatedTable) -> None:
        self.table, self.frames, self.closed = table, 0, False

    def read(self) -> Frame:
        self.table.table.beat()
        self.frames += 1
        return Frame(np.zeros((2, 2, 3), np.uint8), float(self.frames))

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> IdealCamera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class IdealEye:
    """Sees everything that is not hidden as soon as no hand is over the board."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table

    def look(self, image: np.ndarray) -> Look:
        table = self.table.table
        if table.busy or table.hand is not None:
            return Look(None, True, HANDS)
        return Look(self.sighting(), True, STILL, is_fresh=True)

    def trust(self, tiles: Mapping[Spot, str | None]) -> None:
        """It never errs."""

    def sighting(self) -> Sighting:
        table = self.table.table
        odds: dict[Cue, dict[str, float]] = {}
        for spot, place in table.layout.places.items():
            if place.covers and all(cover in table.tiles for cover in place.covers):
                continue
            tile = table.tiles.get(spot)
            if place.takes_tile:
                odds[Cue(spot, "here")] = {"yes" if tile else "no": 0.999}
            if tile:
                odds[Cue(spot, "tile")] = {tile.kind: 0.999}
                odds[Cue(spot, "turn")] = {str(tile.rotation): 0.999}
            for kind, label in self.pieces(spot).items():
                odds[Cue(spot, kind)] = {label: 0.999}
        return Sighting(odds)

    def pieces(self, spot: Spot) -> dict[str, str]:
        found: dict[str, list[str]] = {"leader": [], "camp": [], "archaeologist": []}
        for piece in self.table.table.pieces.get(spot, ()):
            name, _, colour = piece.label.partition(".")
            found[name].append(GUILDS.get(colour, ""))
        return {
            "archaeologists": str(len(found["archaeologist"])),
            "leaders": "+".join(sorted(found["leader"])) or "none",
            "camp": "+".join(sorted(found["camp"])) or "none",
        }
