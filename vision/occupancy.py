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

    def visible(self, present: Sequence[bool]) -> list[int]:
        """By row, the set of sides that can be seen when these places hold a tile."""
        rows, sides = self.table
        every, at = np.arange(len(rows)), self.topmost(present)
        found = np.zeros(len(self.board.places), np.int64)
        np.bitwise_or.at(found, rows[every, at], 1 << sides[every, at])
        seen: list[int] = found.tolist()
        return seen

    def topmost(self, present: Sequence[bool]) -> npt.NDArray[np.intp]:
        """By column, the number of the entry that shows when these places hold a tile."""
        shows = np.array(present, bool)
        shows[self.board.tile_count :] = True
        there = shows[self.table[0]]
        return np.asarray(np.where(there.any(axis=1), there.argmax(axis=1), there.shape[1] - 1), np.intp)

    @cached_property
    def table(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows and sides of all columns, short ones filled up with their last entry."""
        most = max(len(column) for column in self.columns.values())
        filled = [[*column, *[column[-1]] * (most - len(column))] for column in self.columns.values()]
        both = np.array(filled, np.intp)
        return both[..., 0], both[..., 1]

    @cached_property
    def shared(self) -> tuple[dict[int, int], ...]:
        """By row: the places that share a triangle with it, each with the set of its sides that do."""
        holders: dict[int, list[tuple[int, int]]] = {}
        for row, triangles in enumerate(self.board.triangles.tolist()):
            for side, triangle in enumerate(triangles):
                holders.setdefault(triangle, []).append((row, side))
        found: list[dict[int, int]] = []
        for triangles in self.board.triangles.tolist():
            shares: dict[int, int] = {}
            for triangle in triangles:
                for place, side in holders[triangle]:
                    shares[place] = shares.get(place, 0) | 1 << side
            found.append(shares)
        return tuple(found)

    @cached_property
    def under(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """By row of a tile place: the places just below it, each with the set of its sides that the tile hides."""
        found = []
        for row in range(self.board.tile_count):
            hidden: dict[int, int] = {}
            for side in range(6):
                for place, other in self.column_of[(row, side)][:1]:
                    hidden[place] = hidden.get(place, 0) | 1 << other
            found.append(tuple(hidden.items()))
        return tuple(found)


EVERY_SIDE = 0b111111
"""All six sides of a place; sets of sides are written as bits, bit k being side k."""
SIDES: tuple[tuple[int, ...], ...] = tuple(tuple(k for k in range(6) if sides >> k & 1) for sides in range(64))
"""The sides of each set."""
MEMBERS = np.array([[sides >> k & 1 for k in range(6)] for sides in range(64)], np.float32)
"""The same as numbers (64, 6)."""


class Explanation:
    """A set of present tiles with the cost of the picture under it; flips of single tiles are cheap to judge."""

    def __init__(
        self,
        stacks: Stacks,
        costs: dict[int, Floats],
        start: Sequence[bool] | None = None,
        before: Explanation | None = None,
    ) -> None:
        """`costs` has, by row, the cost (6, entries) of each side under each enrolled look."""
        self.stacks = stacks
        self.board = stacks.board
        self.costs = costs
        self.present = [True] * self.board.tile_count + [False] * (len(self.board.places) - self.board.tile_count)
        if start is not None:
            self.present[: self.board.tile_count] = list(start)[: self.board.tile_count]
        self.visible = self.stacks.visible(self.present)
        """By row, the sides that can be seen."""
        self._best: dict[int, list[float]] = {}
        if before is not None:
            self._best = {row: best for row, best in before._best.items() if costs.get(row) is before.costs.get(row)}
        """By row whose cost was asked for: the cost of every set of sides."""

    def cost(self, row: int, sides: int) -> float:
        """The cost of a place if these sides are seen: that of the look that fits them best."""
        best = self._best.get(row)
        if best is None:
            table = self.costs.get(row)
            best = [0.0] * 64 if table is None else (MEMBERS @ table).min(axis=1).tolist()
            self._best[row] = best
        return best[sides]

    def is_uncovered(self, row: int) -> bool:
        """Whether no tile lies on a place."""
        return not any(self.present[c] for c in self.board.covers[row])

    def is_supported(self, row: int) -> bool:
        """Whether everything under a tile place is there."""
        return all(self.present[b] or b >= self.board.tile_count for b in self.board.below[row])

    def carriers(self, row: int) -> list[int]:
        """The places of tiles right under a tile."""
        return [below for below in self.board.below[row] if below < self.board.tile_count]

    def missing_under(self, row: int) -> list[int]:
        """A missing tile with everything that would have to be there to carry it, from the bottom up."""
        missing: dict[int, None] = {}
        for below in self.carriers(row):
            if not self.present[below]:
                missing.update(dict.fromkeys(self.missing_under(below)))
        return [*missing, row]

    def shown_cost(self, row: int) -> float:
        """The cost of what shows on the sides of a place that holds no tile."""
        shown: dict[int, int] = {}
        for side in range(6):
            place, other = next(e for e in self.stacks.column_of[(row, side)] if self.visible[e[0]] >> e[1] & 1)
            shown[place] = shown.get(place, 0) | 1 << other
        return sum(self.cost(p, self.visible[p]) - self.cost(p, self.visible[p] & ~s) for p, s in shown.items())

    def gain_of_removal(self, row: int, optimistic: bool = False) -> float:
        """How much cheaper the picture gets when an uncovered tile is taken away (negative: dearer)."""
        gain = self.cost(row, EVERY_SIDE)
        for place, sides in self.stacks.under[row]:
            now = self.visible[place] if self.present[place] or place >= self.board.tile_count else 0
            dearer = self.cost(place, now | sides) - self.cost(place, now & ~sides)
            if optimistic and place < self.board.tile_count:
                dearer = min(dearer, sum(self._deepest(place, side) for side in SIDES[sides]))
            gain -= dearer
        return gain

    def _deepest(self, row: int, side: int) -> float:
        """The least cost of a side if anything may lie there below the place itself."""
        options = [self.cost(r, 1 << s) for r, s in self.stacks.column_of[(row, side)]]
        return min(options, default=0.0)

    def flip(self, row: int) -> None:
        """Take an uncovered tile away, or put one on what carries it."""
        present = not self.present[row]
        self.present[row] = present
        for place, sides in self.stacks.under[row]:
            self.visible[place] = self.visible[place] & ~sides if present else self.visible[place] | sides
        self.visible[row] = EVERY_SIDE if present else 0

    def burden(self, row: int) -> float:
        """Mean cost of what is seen where a place lies: high where nothing that is known explains the picture."""
        total, count = 0.0, 0
        for place in {row, *(self._shown(row, side) for side in range(6))}:
            mine = self.visible[place] & self.stacks.shared[row].get(place, 0)
            if mine:
                table = self.costs.get(place)
                if table is not None:
                    best = (MEMBERS[self.visible[place]] @ table).argmin()
                    total += float(MEMBERS[mine] @ table[:, best])
                count += mine.bit_count()
        return total / max(count, 1)

    def _shown(self, row: int, side: int) -> int:
        """The place that is seen on a side of a place, at its height or below."""
        under = self.stacks.column_of[(row, side)]
        if self.present[row] or not under:
            return row
        return next((r for r, _ in under if self.present[r]), under[-1][0])

    @property
    def total(self) -> float:
        """The cost of the whole picture."""
        return sum(self.cost(row, sides) for row, sides in enumerate(self.visible) if sides)

    def is_cheaper_than(self, other: Explanation) -> bool:
        """Whether the whole picture costs less than under another explanation with the same costs."""
        pairs = enumerate(zip(self.visible, other.visible, strict=True))
        return sum(self.cost(row, mine) - self.cost(row, theirs) for row, (mine, theirs) in pairs if mine != theirs) < 0


def explain(
    stacks: Stacks,
    costs: dict[int, Floats],
    bias: float = 0.0,
    start: Sequence[bool] | None = None,
    only: Sequence[int] | None = None,
    before: Explanation | None = None,
    rounds: int = 8,
) -> Explanation:
    """The best set of tiles: from a full board down, then single changes while any makes the picture cheaper.

    With a `start` (tiles present before) only the changes are looked for; with `only`, the stacks of these rows are
    built anew as well, since several layers may have changed at once, and the cheaper account is taken.
    """
    found = Explanation(stacks, costs, start, before)
    tiles = range(found.board.tile_count)
    chosen = list(tiles) if only is None else sorted(r for r in only if r in tiles)
    if start is None:
        _take_down(found, chosen, bias)
    _improve_all(found, chosen, bias, rounds)
    if only is None:
        return found
    anew = Explanation(stacks, costs, start, found)
    for row in reversed(chosen):
        if not anew.present[row] and anew.is_supported(row):
            anew.flip(row)
    _take_down(anew, chosen, bias)
    _improve_all(anew, chosen, bias, rounds)
    return anew if anew.is_cheaper_than(found) else found


def _take_down(found: Explanation, tiles: Iterable[int], bias: float) -> None:
    """Take tiles away from the top, as if whatever fits best may lie under them."""
    for row in tiles:
        if found.present[row] and found.is_uncovered(row) and found.gain_of_removal(row, optimistic=True) > bias:
            found.flip(row)


def _improve_all(found: Explanation, tiles: Sequence[int], bias: float, rounds: int) -> None:
    for _ in range(rounds):
        if not _improve(found, tiles, bias) and not (_stack_up(found, tiles, bias) or _dig_down(found, tiles, bias)):
            break


def _stack_up(found: Explanation, tiles: Iterable[int], bias: float) -> bool:
    """Put tiles back whose place was emptied too deep, with all that carries them; whether anything changed.

    One by one they would not return: under a tile that is hidden well, none of those below looks as if it were there.
    """
    changed = False
    for row in tiles:
        missing = [] if found.present[row] else found.missing_under(row)
        if len(missing) < 2 or found.cost(row, EVERY_SIDE) > found.shown_cost(row):
            continue
        worse = 0.0
        for place in missing:
            found.flip(place)
            worse += found.gain_of_removal(place)
        if worse > bias:
            for place in reversed(missing):
                found.flip(place)
        else:
            changed = True
    return changed


def _dig_down(found: Explanation, tiles: Iterable[int], bias: float) -> bool:
    """Take tiles away that lie on others which are not there either; whether anything changed."""
    changed = False
    for row in tiles:
        if not found.present[row] or not found.is_uncovered(row):
            continue
        gain, gone, doubted = found.gain_of_removal(row), [row], list(found.carriers(row))
        found.flip(row)
        while doubted:
            place = doubted.pop()
            if found.present[place] and found.is_uncovered(place) and (more := found.gain_of_removal(place)) > bias:
                gain += more
                found.flip(place)
                gone.append(place)
                doubted += found.carriers(place)
        if len(gone) > 1 and gain > bias:
            changed = True
        else:
            for place in reversed(gone):
                found.flip(place)
    return changed


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
