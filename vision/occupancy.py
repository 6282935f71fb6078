"""Which tiles lie on the board: the stack of tiles that explains every triangle of the picture best, under gravity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.patches import Board

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Stacks:
    """For each plan triangle under the top layer: the places that may show there, topmost first."""

    board: Board

    @cached_property
    def columns(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """(row, side) of the places of a triangle from the top down, ending with the first one that takes no tile."""
        stacks: dict[int, list[tuple[int, int]]] = {}
        for row in range(len(self.board.places)):
            for side in range(6):
                stacks.setdefault(int(self.board.triangles[row, side]), []).append((row, side))
        columns = {}
        for triangle, stack in stacks.items():
            stack.sort(key=lambda entry: -self.board.places[entry[0]].top_mm)
            ends = [i for i, (row, _) in enumerate(stack) if row >= self.board.tile_count]
            column = stack[: ends[0] + 1] if ends else stack
            if column[0][0] < self.board.tile_count:
                columns[triangle] = tuple(column)
        return columns

    @cached_property
    def column_of(self) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
        """What lies under a side of a place: the rest of its column."""
        return {entry: column[i + 1 :] for column in self.columns.values() for i, entry in enumerate(column)}


class Explanation:
    """A set of present tiles with the cost of the picture under it; flips of single tiles are cheap to judge."""

    def __init__(self, stacks: Stacks, costs: dict[int, Floats]) -> None:
        """`costs` has, by row, the cost (6, entries) of each side under each enrolled look."""
        self.stacks = stacks
        self.board = stacks.board
        self.costs = costs
        self.present = [True] * self.board.tile_count + [False] * (len(self.board.places) - self.board.tile_count)
        self.visible: dict[int, frozenset[int]] = {}
        self._memory: dict[tuple[int, frozenset[int]], float] = {}
        self.refresh()

    def refresh(self) -> None:
        """Work out anew which sides of which places can be seen."""
        seen: dict[int, set[int]] = {}
        for column in self.stacks.columns.values():
            row, side = next(
                e for e in column if self.present[e[0]] or e[0] >= self.board.tile_count or e == column[-1]
            )
            seen.setdefault(row, set()).add(side)
        self.visible = {row: frozenset(sides) for row, sides in seen.items()}

    def cost(self, row: int, sides: frozenset[int]) -> float:
        """The cost of a place if these sides are seen: that of the look that fits them best."""
        if not sides:
            return 0.0
        key = (row, sides)
        if key not in self._memory:
            table = self.costs.get(row)
            self._memory[key] = 0.0 if table is None else float(table[sorted(sides)].sum(axis=0).min())
        return self._memory[key]

    def is_uncovered(self, row: int) -> bool:
        """Whether no tile lies on a place."""
        return not any(self.present[c] for c in self.board.covers[row])

    def is_supported(self, row: int) -> bool:
        """Whether everything under a tile place is there."""
        return all(self.present[b] or b >= self.board.tile_count for b in self.board.below[row])

    def gain_of_removal(self, row: int, optimistic: bool = False) -> float:
        """How much cheaper the picture gets when an uncovered tile is taken away (negative: dearer)."""
        revealed: dict[int, set[int]] = {}
        for side in range(6):
            under = self.stacks.column_of[(row, side)]
            if under:
                revealed.setdefault(under[0][0], set()).add(under[0][1])
        gain = self.cost(row, frozenset(range(6)))
        for place, sides in revealed.items():
            now = (
                self.visible.get(place, frozenset())
                if self.present[place] or place >= self.board.tile_count
                else frozenset()
            )
            dearer = self.cost(place, now | sides) - self.cost(place, now - sides)
            if optimistic and place < self.board.tile_count:
                dearer = min(dearer, sum(self._deepest(place, side) for side in sides))
            gain -= dearer
        return gain

    def _deepest(self, row: int, side: int) -> float:
        """The least cost of a side if anything may lie there below the place itself."""
        options = [self.cost(r, frozenset([s])) for r, s in self.stacks.column_of[(row, side)]]
        return min(options, default=0.0)

    def flip(self, row: int) -> None:
        """Take an uncovered tile away, or put one on what carries it."""
        present = not self.present[row]
        self.present[row] = present
        for side in range(6):
            for place, other in self.stacks.column_of[(row, side)][:1]:
                sides = self.visible.get(place, frozenset())
                self.visible[place] = sides - {other} if present else sides | {other}
        self.visible[row] = frozenset(range(6)) if present else frozenset()

    def burden(self, row: int) -> float:
        """Mean cost of what is seen where a place lies: high where nothing that is known explains the picture."""
        total, count = 0.0, 0
        for place in {row, *(self._shown(row, side) for side in range(6))}:
            sides = self.visible.get(place, frozenset())
            mine = frozenset(s for s in sides if self.board.triangles[place, s] in self.board.triangles[row])
            if mine:
                table = self.costs.get(place)
                if table is not None:
                    best = int(table[sorted(sides)].sum(axis=0).argmin())
                    total += float(table[sorted(mine), best].sum())
                count += len(mine)
        return total / max(count, 1)

    def _shown(self, row: int, side: int) -> int:
        """The place that is seen on a side of a place, at its height or below."""
        under = self.stacks.column_of[(row, side)]
        if self.present[row] or not under:
            return row
        return next((r for r, _ in under if self.present[r]), under[-1][0])

    def total(self) -> float:
        """The cost of the whole picture."""
        return sum(self.cost(row, sides) for row, sides in self.visible.items())


def explain(
    stacks: Stacks,
    costs: dict[int, Floats],
    bias: float = 0.0,
    start: Sequence[bool] | None = None,
    only: Sequence[int] | None = None,
    rounds: int = 8,
) -> Explanation:
    """The best set of tiles: from a full board down, then single changes while any makes the picture cheaper.

    With a `start` (tiles present before) only the changes are looked for, and only among the rows `only`.
    """
    found = Explanation(stacks, costs)
    tiles = range(found.board.tile_count)
    if start is not None:
        found.present[: len(tiles)] = list(start)[: len(tiles)]
        found.refresh()
    for row in tiles if start is None else ():
        if found.is_uncovered(row) and found.gain_of_removal(row, optimistic=True) > bias:
            found.flip(row)
    chosen = tiles if only is None else sorted(r for r in only if r in tiles)
    for _ in range(rounds):
        if not _improve(found, chosen, bias):
            break
    return found


def _improve(found: Explanation, tiles: Iterable[int], bias: float) -> bool:
    """One sweep of single changes; whether anything changed."""
    changed = False
    for row in tiles:
        if found.present[row]:
            if found.is_uncovered(row) and found.gain_of_removal(row) > bias:
                found.flip(row)
                changed = True
        elif found.is_supported(row):
            found.flip(row)
            if found.gain_of_removal(row) > bias:
                found.flip(row)
            else:
                changed = True
    return changed
