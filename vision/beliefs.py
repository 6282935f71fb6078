"""What picture and players have agreed on, and how much it counts when the same places are read again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.spots import Point, Spot
from vision.reader import Reader

PUT_BACK = 2.0
"""What speaks against a tile, as cost per sample, where none was believed to lie: that one is put back is rare."""
GHOST = 3.0
"""The same where one was read once and none was believed to lie."""
FAITH = 50.0
"""How many times likelier a tile is what it was believed to be."""


@dataclass(frozen=True)
class Agreed:
    """What picture and players have agreed on."""

    tiles: Mapping[Spot, str | None] = field(default_factory=dict)
    """What lies on every place that can be seen and of which that is known; None where nothing does."""
    feet: tuple[tuple[str, Point], ...] = ()
    """Labels of pieces, and where they stand."""


class Beliefs:
    """What is believed to lie on the places of a board."""

    def __init__(self) -> None:
        self.kinds: Mapping[int, str | None] = {}
        """By row of a tile place that can be seen, the kind that is believed to lie there, or None."""
        self.ghosts: set[int] = set()
        """Rows where a tile was read though none was believed to lie there."""

    def take(self, agreed: Agreed, reader: Reader) -> list[int]:
        """Believe what was agreed on; the rows of places that were read otherwise."""
        self.kinds = {reader.board.row[spot]: kind for spot, kind in agreed.tiles.items()}
        odd = [row for row in self.kinds if self._is_odd(reader, row)]
        if odd:
            self.ghosts = {r for r in (*self.ghosts, *odd) if r in self.kinds and self.kinds[r] is None}
        return odd

    def _is_odd(self, reader: Reader, row: int) -> bool:
        """Whether something else was read at a place than is believed."""
        believed, tile = self.kinds[row], reader.known.tiles.get(row)
        if believed is None or not reader.known.present[row]:
            return reader.known.present[row] is not (believed is not None)
        return tile is not None and tile.kind != believed and believed in tile.rivals

    def against(self, rows: Collection[int]) -> dict[int, float]:
        """What speaks against tiles where none is believed to lie."""
        none = [row for row in rows if row in self.kinds and self.kinds[row] is None]
        return {row: GHOST if row in self.ghosts else PUT_BACK for row in none}

    def lean(self, reader: Reader, row: int) -> None:
        """Lean towards what is believed to lie on a place."""
        tile, believed = reader.known.tiles.get(row), self.kinds.get(row)
        if tile is None or believed is None or believed not in tile.rivals:
            return
        if tile.kinds[believed] < reader.tuning.certain:
            faith = {kind: share * (FAITH if kind == believed else 1.0) for kind, share in tile.kinds.items()}
            reader.suppose(row, tile.weighed(faith))
