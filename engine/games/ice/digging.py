"""Digging: which rules forbid it, what it costs and why, what collapses, how explorers spread (R-DIG to R-ALLOC)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from engine.games.ice.actions import Allocate
from engine.games.ice.board import (
    COVER_MASK,
    COVERS,
    DEEP,
    LEVEL,
    NEIGHBOUR_MASK,
    NEIGHBOURS,
    RIM_MASK,
    SNOW,
    TILE_COUNT,
)
from engine.games.ice.box import Box
from engine.games.ice.state import DISCOUNTED, NUNATAK, OFF, UNKNOWN_KIND, State, camp_owner

BASE_COST: Final = (2, 3, 4)  # R-COST-1, by level

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class DigCost:
    """What a dig costs and why (R-COST)."""

    base: int
    harder: tuple[str, ...]
    """Why the tile is harder: `camp`, `nunatak`, `covered`; together they cost 1 (R-COST-2)."""
    surcharge: int
    explorers: int
    termites: int
    discount: int
    """The Cryoarchitects' camp (R-CRYO-1)."""
    talisman: bool
    total: int


def explorers_on(state: State, place: int) -> int:
    """Leaders and archaeologists on a place (R-COST-3)."""
    return state.archaeologists[place] + state.leaders.count(place)


def cover_count(state: State, place: int) -> int:
    """How many tiles lie on a tile (R-GEO-6)."""
    return (COVER_MASK[place] & state.present).bit_count()


def has_discount(box: Box, state: State, seat: int, place: int) -> bool:
    """Whether the Cryoarchitects' once-a-turn discount is available on a tile (R-CRYO-1)."""
    return (
        box.has_ability(seat, "cryoarchitects")
        and place not in SNOW
        and state.camps[seat] == place
        and not state.used & DISCOUNTED
    )


def dig_cost(
    box: Box, state: State, seat: int, place: int, termites: int = 0, talisman: bool = False, discount: bool = False
) -> DigCost:
    """The cost of digging a tile with the given reductions."""
    harder = []
    if camp_owner(state, place) is not None and not discount:
        harder.append("camp")
    if state.tiles[place] == NUNATAK:
        harder.append("nunatak")
    if cover_count(state, place) == 1 and (not discount or box.options.cryo_cover_is_harder):
        harder.append("covered")
    base, explorers, surcharge = BASE_COST[LEVEL[place]], explorers_on(state, place), 1 if harder else 0
    total = 0 if talisman else max(0, base + surcharge - explorers - termites - discount)  # R-COST-5
    return DigCost(base, tuple(harder), surcharge, explorers, termites, int(discount), talisman, total)


def limit(state: State) -> int:
    """The most EP that may be spent this turn (R-EP-1, R-OVW-1)."""
    return 2 + state.overwork


def spendable(state: State, seat: int) -> int:
    """EP the player can still spend this turn (R-EP-1, R-EP-2)."""
    return min(state.seats[seat].ep, limit(state) - state.spent)


def why_not_dig(box: Box, state: State, seat: int, place: int, cost: DigCost | None = None) -> list[str]:
    """Every rule that forbids a seat to dig a tile now, R-DIG-1 first."""
    if place >= TILE_COUNT or not state.present >> place & 1:
        return ["R-DIG-5"]
    if cost is None:
        cost = dig_cost(box, state, seat, place, discount=has_discount(box, state, seat, place))
    rules = []
    covers = COVER_MASK[place] & state.present
    if state.leaders[seat] != place:
        rules.append("R-DIG-1")
    if covers.bit_count() > 1:
        rules.append("R-DIG-2")
    if covers.bit_count() == 1 and COVER_MASK[covers.bit_length() - 1] & state.present:
        rules.append("R-DIG-3")
    if cost.total > spendable(state, seat):
        rules.append("R-DIG-4")
    return rules


def rests_on_guess(state: State, place: int) -> bool:
    """Whether the cost may be wrong because nobody told the kind of a snow tile (it may be a nunatak)."""
    return place in SNOW and state.tiles[place] == UNKNOWN_KIND


def chain(present: int, removed: tuple[int, ...], lone_too: bool = True) -> tuple[int, ...]:
    """Tiles that fall one after another once `removed` are gone from `present` (R-COL-3 to R-COL-6)."""
    fallen: list[int] = []
    queue = [t for gone in removed for t in NEIGHBOURS[gone]]
    while queue:
        tile = queue.pop(0)
        bit = 1 << tile
        if not present & bit or RIM_MASK & bit:  # R-COL-4
            continue
        left = (NEIGHBOUR_MASK[tile] & present).bit_count()
        if left > 1 or (left == 0 and not lone_too):
            continue
        present &= ~bit
        fallen.append(tile)
        queue += NEIGHBOURS[tile]
    return tuple(fallen)


def collapses(box: Box, present: int, place: int) -> tuple[int, ...]:
    """What falls when a tile is dug: its cover first, then the chains of steps A and B (R-PROC-2, R-PROC-3)."""
    lone_too = box.options.lone_tile_collapses
    fallen: tuple[int, ...] = ()
    covers = list(COVERS[place])
    for cover in covers:
        if present >> cover & 1:
            present &= ~(1 << cover)
            fallen += (cover,)
            covers += COVERS[cover]  # only when a table insists on an illegal dig
    if fallen:
        more = chain(present, fallen, lone_too)
        fallen += more
        for tile in more:
            present &= ~(1 << tile)
    return fallen + chain(present & ~(1 << place), (place,), lone_too)


def destroys(box: Box, present: int, place: int) -> tuple[int, ...]:
    """What goes when a tile is destroyed: the tile, then its chain (R-COL-9)."""
    return (place, *chain(present & ~(1 << place), (place,), box.options.lone_tile_collapses))


def uncovers_deep(places: tuple[int, ...]) -> bool:
    """Whether any of the removed tiles lay on Azulia (R-AZU-3)."""
    return any(place in DEEP for place in places)


@lru_cache(maxsize=4096)
def even_results(before: Triple, count: int, merged: Triple = (0, 1, 2)) -> frozenset[Triple]:
    """Legal numbers on three places after spreading `count` explorers (R-ALLOC-5): each goes where fewest are.

    `merged` names, for each place, the first one that is the same place (R-ALLOC-6); the others stay at 0.
    """
    results: set[Triple] = {before}
    distinct = sorted(set(merged))
    for _ in range(count):
        further: set[Triple] = set()
        for counts in results:
            fewest = min(counts[i] for i in distinct)
            for i in distinct:
                if counts[i] == fewest:
                    a, b, c = counts
                    further.add((a + (i == 0), b + (i == 1), c + (i == 2)))
        results = further
    return frozenset(results)


def merged_places(box: Box, place: int) -> Triple:
    """For each place under a tile the first of the three that is the same place."""
    below = box.terrain.below[place]
    if not box.options.azulia_area_is_one_place:
        return (0, 1, 2)
    return (0, below.index(below[1]), below.index(below[2]))


def numbers_below(box: Box, state: State, place: int) -> Triple:
    """Explorers already on the three places under a tile (R-ALLOC-2)."""
    merged = merged_places(box, place)
    below = box.terrain.below[place]
    first, second, third = (explorers_on(state, below[i]) if merged[i] == i else 0 for i in range(3))
    return (first, second, third)


def allocations(box: Box, state: State, place: int) -> frozenset[Triple]:
    """Legal explorer counts on the three places under a tile after it is dug, without exceptions."""
    before = numbers_below(box, state, place)
    return even_results(before, explorers_on(state, place), merged_places(box, place))


def is_even(before: Triple, received: Triple, merged: Triple) -> bool:
    """The exact test of R-ALLOC-5 on what each place received."""
    after = [n + r for n, r in zip(before, received, strict=True)]
    fewest = min(after[i] for i in set(merged))
    return all(not got or total <= fewest + 1 for got, total in zip(received, after, strict=True))


def allocation_actions(box: Box, state: State) -> tuple[Allocate, ...]:
    """Every legal allocation of the dig under way, exceptions included (R-ALLOC-7)."""
    dig = state.dig
    if dig is None:
        return ()
    place, own = dig.place, state.active
    standing = tuple([seat for seat, at in enumerate(state.leaders) if at == place])
    exception = own if own in standing and (dig.rope or dig.hook) else OFF
    return _allocations(
        state.asked[0].by,
        numbers_below(box, state, place),
        merged_places(box, place),
        state.archaeologists[place],
        standing,
        exception,
        dig.rope and exception != OFF,
        dig.hook and exception != OFF,
    )


@lru_cache(maxsize=4096)
def _allocations(
    by: int, before: Triple, merged: Triple, pool: int, standing: tuple[int, ...], free: int, rope: bool, hook: bool
) -> tuple[Allocate, ...]:
    """The same from the numbers that matter; `free` is the leader that an exception puts anywhere, or OFF."""
    roped = 1 if rope and pool else 0
    results = even_results(before, pool + len(standing) - (free != OFF) - roped, merged)
    distinct = sorted(set(merged))
    found: dict[Allocate, None] = {}
    for goes in product(distinct, repeat=len(standing)):
        leaders = tuple(zip(standing, goes, strict=True))
        counted = [0, 0, 0]
        for seat, i in leaders:
            if seat != free:
                counted[i] += 1
        ropes = [None] if not roped else distinct if hook else [dict(leaders)[free]]
        for result in results:
            left = [after - n - c for after, n, c in zip(result, before, counted, strict=True)]
            if min(left) < 0:
                continue
            for end in ropes:
                first, second, third = (left[i] + (i == end) for i in range(3))
                found[Allocate(by, (first, second, third), leaders)] = None
    return tuple(found)
