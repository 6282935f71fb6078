"""Actions made once and listed again and again: looking one up is much faster than making it."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engine.games.ice import actions as a
from engine.games.ice.board import PLACE_COUNT, TILE_COUNT, mask
from engine.games.ice.cards import DECREE, FRONTS, UNKNOWN
from engine.games.ice.setup import DECREES_IN_PLAY
from engine.games.ice.state import FIRST_TYPE, PRISMATIC_KIND, UNKNOWN_KIND
from engine.games.ice.terrain import places_of

Actions = tuple[a.Action, ...]


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
        self.dig = tuple(a.Excavate(by, place) for place in tiles)
        self.study = tuple(a.Study(by, number) for number in range(5))
        self.activate = tuple(a.Activate(by, slot) for slot in range(5))
        self.recall = (a.Recall(by, 0), a.Recall(by, 1))
        self.discard = {front: a.DiscardSnow(by, front) for front in (*FRONTS, UNKNOWN)}
        self.plan, self.overwork, self.end = a.Plan(by), a.Overwork(by), a.EndTurn(by)
        self.rest = a.EndSunset(by)
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


@lru_cache(maxsize=4096)
def camp_mask(camps: tuple[int, ...], neutral_camps: tuple[int, ...]) -> int:
    """Mask of the tiles with a camp."""
    return mask(place for place in (*camps, *neutral_camps) if place >= 0)


@lru_cache(maxsize=1024)
def runes_played(by: int, targets: int) -> Actions:
    """A rune on every tile of a mask."""
    row = prepared(by).rune
    return tuple(row[place] for place in places_of(targets))


@lru_cache(maxsize=1024)
def nurtured(by: int, tiles: int) -> Actions:
    """An archaeologist of the Nurturers on every tile of a mask."""
    row = prepared(by).nurture
    return tuple(row[place] for place in places_of(tiles))


@lru_cache(maxsize=4096)
def smilodons(by: int, start: int, ends: tuple[int, ...]) -> Actions:
    """All archaeologists of a place to each of some others."""
    return tuple(a.PlaySmilodon(by, start, place) for place in ends)


@lru_cache(maxsize=4096)
def whistles(by: int, start: int, camps: tuple[int, ...], most: int) -> Actions:
    """Up to `most` archaeologists of a place to each camp elsewhere."""
    return tuple(
        a.PlayWhistle(by, start, place, count) for place in camps if place != start for count in range(1, most + 1)
    )


@lru_cache(maxsize=64)
def reveals(is_snow: bool, kind: int) -> Actions:
    """What a gained tile may turn out to be."""
    if is_snow:
        return tuple(a.Reveal(-1, kind, front) for front in (*FRONTS, UNKNOWN))
    kinds = range(FIRST_TYPE, PRISMATIC_KIND + 1) if kind == UNKNOWN_KIND else (kind,)
    return tuple(
        a.Reveal(-1, told, UNKNOWN, shape) for told in kinds for shape in range(1 if told == PRISMATIC_KIND else 4)
    )


@lru_cache(maxsize=256)
def requests_taken(by: int, row: tuple[str, ...]) -> Actions:
    """Each different card of the row."""
    return tuple(a.TakeRequest(by, card) for card in dict.fromkeys(row))


@lru_cache(maxsize=8)
def decrees_drawn(by: int) -> Actions:
    """Unknown decrees, or any three."""
    cards = [(UNKNOWN,) * DECREES_IN_PLAY, *combinations(DECREE, DECREES_IN_PLAY)]
    return tuple(a.DrawDecrees(by, three) for three in cards)
