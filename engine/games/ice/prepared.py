"""Actions made once and listed again and again: looking one up is much faster than making it."""

from __future__ import annotations

from functools import lru_cache

from engine.games.ice import actions as a
from engine.games.ice.board import PLACE_COUNT, TILE_COUNT
from engine.games.ice.cards import FRONTS, UNKNOWN
from engine.games.ice.state import FIRST_TYPE, PRISMATIC_KIND, UNKNOWN_KIND

Actions = tuple[a.Action, ...]


@lru_cache(maxsize=8192)
def places_of(mask: int) -> tuple[int, ...]:
    """The places of a mask, in ascending order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Prepared:
    """The actions of one seat by place and small numbers."""

    def __init__(self, by: int) -> None:
        tiles, places = range(TILE_COUNT), range(PLACE_COUNT)
        self.build = tuple(
            tuple(tuple(a.BuildCamp(by, place, neutral, count) for place in tiles) for count in range(2))
            for neutral in (False, True)
        )
        self.recruit = tuple(a.Recruit(by, place) for place in tiles)
        self.sail = tuple(tuple(a.Sail(by, place, count) for place in tiles) for count in range(2))
        self.move = tuple(tuple(a.Move(by, place, count) for count in range(4)) for place in places)
        self.fluid = tuple(tuple(a.FluidMove(by, place, count) for count in range(4)) for place in places)
        self.spiders = tuple(tuple(a.PlaySpiders(by, place, count) for count in range(3)) for place in places)
        self.manta = tuple(tuple(a.PlayManta(by, place, count) for place in places) for count in range(2))
        self.rune = tuple(a.PlayRune(by, place) for place in tiles)
        self.nurture = tuple(a.Nurture(by, place) for place in tiles)
        self.obliterate = {means: tuple(a.UseObliteration(by, place, means) for place in tiles) for means in a.MEANS}
        self.study = tuple(a.Study(by, number) for number in range(5))
        self.activate = tuple(a.Activate(by, slot) for slot in range(5))
        self.recall = (a.Recall(by, 0), a.Recall(by, 1))
        self.discard = {front: a.DiscardSnow(by, front) for front in (*FRONTS, UNKNOWN)}
        self.plan, self.overwork, self.end = a.Plan(by), a.Overwork(by), a.EndTurn(by)
        self.wreck, self.blocked = a.PlayWreck(by), a.LoseBlockedPoint(by)


@lru_cache(maxsize=16)
def prepared(by: int) -> Prepared:
    """The actions of a seat."""
    return Prepared(by)


@lru_cache(maxsize=1024)
def camps_built(by: int, neutral: bool, followers: int, sites: int) -> Actions:
    """Building on every site of a mask."""
    row = prepared(by).build[neutral][followers]
    return tuple(row[place] for place in places_of(sites))


@lru_cache(maxsize=1024)
def runes_played(by: int, targets: int) -> Actions:
    """A rune on every tile of a mask."""
    row = prepared(by).rune
    return tuple(row[place] for place in places_of(targets))


@lru_cache(maxsize=8192)
def smilodons_played(by: int, start: int, ends: tuple[int, ...]) -> Actions:
    """All archaeologists of a place to each of its neighbours."""
    return tuple(a.PlaySmilodon(by, start, place) for place in ends)


@lru_cache(maxsize=8192)
def whistles_played(by: int, start: int, most: int, camps: tuple[int, ...]) -> Actions:
    """One or two archaeologists of a place to each camp."""
    return tuple(a.PlayWhistle(by, start, place, count) for place in camps for count in range(1, most + 1))


@lru_cache(maxsize=64)
def reveals(is_snow: bool, kind: int) -> Actions:
    """What a gained tile may turn out to be."""
    if is_snow:
        return tuple(a.Reveal(-1, kind, front) for front in (*FRONTS, UNKNOWN))
    kinds = range(FIRST_TYPE, PRISMATIC_KIND + 1) if kind == UNKNOWN_KIND else (kind,)
    return tuple(
        a.Reveal(-1, told, UNKNOWN, shape) for told in kinds for shape in range(1 if told == PRISMATIC_KIND else 4)
    )
