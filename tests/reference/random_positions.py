"""Random positions of I C E as plain JSON: physically possible, made by removing tiles with their collapses; seeded."""

from __future__ import annotations

import random

from tests.reference import ice
from tests.reference.ice import Position

GUILDS = ["navigators", "incandescents", "icewalkers", "nurturers", "cryoarchitects"]
TYPES = ["exalted", "achievement", "philosophical", "obliteration", "harmony"]
SNOW_BACKS = ["empty"] * 12 + ["tunnel"] * 12 + ["crevasse"] * 12 + ["nunatak"] * 11
SURFACE_BACKS = TYPES * 6 + ["prismatic"] * 7
DEEP_BACKS = TYPES * 5 + ["prismatic"] * 2
SUNRISE_EP = {2: 6, 3: 5, 4: 5, 5: 4}


def full_board(rng: random.Random) -> dict[str, dict[str, object]]:
    """R-SET-1 to R-SET-3."""
    tiles: dict[str, dict[str, object]] = {}
    campsite = rng.choice(["snow:4,3,3", "snow:3,4,3", "snow:3,3,4"])
    backs = {"snow": SNOW_BACKS[:], "surface": SURFACE_BACKS[:], "deep": DEEP_BACKS[:]}
    for stack in backs.values():
        rng.shuffle(stack)
    for spot in ice.TILE_SPOTS:
        kind = "campsite" if spot == campsite else backs[ice.split(spot)[0]].pop()
        tiles[spot] = {"kind": kind}
        if rng.random() < 0.9:
            tiles[spot]["rotation"] = rng.randrange(6)
    return tiles


def remove_some(position: Position, rng: random.Random, digs: int) -> None:
    """Dig at random what R-DIG-2 and R-DIG-3 allow; now and then destroy an uncovered tile instead (R-COL-9)."""
    tiles = position["tiles"]
    focus = rng.choice(list(ice.TILE_SPOTS))
    for _ in range(digs):
        free = [s for s in tiles if not ice.covers(position, s)]
        diggable = free + [
            s for s in tiles if len(c := ice.covers(position, s)) == 1 and not ice.covers(position, c[0])
        ]
        if not diggable:
            return
        if rng.random() < 0.5:  # a pit in one region brings deep tiles and edges to light early
            near = ice.split(focus)[1]
            diggable = sorted(diggable, key=lambda s: ice.distance(near, ice.split(s)[1]))[:6]
        spot = rng.choice(diggable)
        for fallen in ice.dig_collapses(position, spot):
            del tiles[fallen]
        del tiles[spot]


def add_pieces(position: Position, rng: random.Random, guilds: list[str]) -> None:
    """Archaeologists, leaders and camps on places where they can stand."""
    places = [s for s in ice.PLACES if ice.is_place(position, s)]
    tiles = [s for s in places if s in position["tiles"]]
    pieces = position["pieces"]
    nurturers_board = 2 if "nurturers" in guilds else 0
    left = rng.randrange(0, 45 - nurturers_board + 1)
    interesting = [s for s in tiles if not s.startswith("snow:")] or tiles
    crowd = rng.sample(places, min(len(places), rng.randrange(1, 12)))
    while left > 0:
        spot = rng.choice(crowd if rng.random() < 0.7 else places)
        number = min(left, rng.choice([1, 1, 1, 2, 3, 4]))
        here = pieces.setdefault(spot, {})
        here["archaeologists"] = here.get("archaeologists", 0) + number
        left -= number
    for guild in guilds:
        if rng.random() < 0.9:
            pool = [crowd, interesting or places, places][rng.randrange(3)]
            pieces.setdefault(rng.choice(pool), {}).setdefault("leaders", []).append(guild)
    neutral = 0 if len(guilds) == 5 else 1 if len(guilds) == 4 else 2
    for camp in [*guilds, *["neutral"] * neutral]:
        choices = [
            s
            for s in tiles
            if "camp" not in pieces.get(s, {}) and (camp != "navigators" or s.startswith("snow:"))  # R-NAV-5
        ]
        if choices and rng.random() < 0.7:
            near_people = [s for s in choices if s in pieces]
            spot = rng.choice(near_people if near_people and rng.random() < 0.6 else choices)
            pieces.setdefault(spot, {})["camp"] = camp


def random_position(seed: int) -> Position:
    """One position in the middle of somebody's turn."""
    rng = random.Random(seed)
    players = rng.choice([2, 3, 4, 5])
    guilds = rng.sample(GUILDS, players)
    position: Position = {
        "format": 1,
        "game": "ice",
        "options": {"players": players, "expert": False, "blessing": False, "fluid_move": players == 2},
        "day": rng.randrange(1, 5),
        "phase": "exploration",
        "first_player": rng.choice(guilds),
        "to_act": rng.choice(guilds),
        "tiles": full_board(rng),
        "pieces": {},
        "seats": [{"guild": g, "ep": rng.randrange(0, 7), "rp": rng.randrange(0, 6)} for g in guilds],
    }
    remove_some(position, rng, rng.choice([0, 3, 10, 20, 30, 45, 60, 80]))
    add_pieces(position, rng, guilds)
    overwork = rng.random() < 0.25
    spent = rng.randrange(0, 4 if overwork else 3)
    actor = next(s for s in position["seats"] if s["guild"] == position["to_act"])
    if spent == 0 and actor["ep"] == 0:
        actor["ep"] = 1  # R-EXP-2: without EP the turn would not have begun
    position["turn"] = {"spent": spent, "overwork": overwork}
    return position
