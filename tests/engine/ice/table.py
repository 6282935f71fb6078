"""Building positions of I C E for tests: a full board, a few changes, spots instead of numbers."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.gamedata import shipped
from engine.game import TABLE, RuleViolation
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import CENTRAL, INDEX, SPOTS
from engine.games.ice.cards import GUILDS, UNKNOWN
from engine.games.ice.options import Options
from engine.games.ice.state import KIND, State, present_mask

DATA = shipped()


def at(spot: str) -> int:
    """The place of a spot."""
    return INDEX[spot]  # type: ignore[index]


def spots(places: Iterable[int]) -> set[str]:
    return {SPOTS[place] for place in places}


def plain_tiles() -> bytes:
    """A full board without surprises: campsite, empty snow, Exalted below."""
    snow = [KIND["empty"]] * 48
    snow[CENTRAL[0]] = KIND["campsite"]
    return bytes([*snow, *[KIND["exalted"]] * 64])


def shuffled_tiles(rng: random.Random) -> tuple[bytes, bytes]:
    """A board and rotations as after a real shuffle."""
    snow = [1] * 12 + [2] * 12 + [3] * 12 + [4] * 11
    rng.shuffle(snow)
    snow.insert(rng.choice(CENTRAL), KIND["campsite"])
    lower = []
    for layer in ("surface", "deep"):
        kinds = [KIND[tile.kind] for tile in DATA.artifacts.tiles(layer)]
        rng.shuffle(kinds)
        lower += kinds
    return bytes([*snow, *lower]), bytes(rng.randrange(6) for _ in range(112))


def make_game(*guilds: str, **options: Any) -> Ice:
    """A game for the given guilds (two plain ones without names)."""
    names = guilds or ("icewalkers", "nurturers")
    return Ice(Options(players=len(names), **options), DATA, names)


def begin(game: Ice, tiles: bytes | None = None, turns: bytes | None = None) -> State:
    """The first turn: nobody told decrees or requests."""
    state = game.start(plain_tiles() if tiles is None else tiles, turns)
    while state.asked:
        state = game.apply(state, next(iter(game.plausible_actions(state))))
    return state


def change(state: State, **spots_and_fields: Any) -> State:
    """A state with other fields; `pieces` and `tiles` take spots."""
    fields = dict(spots_and_fields)
    if "archaeologists" in fields:
        counts = bytearray(state.archaeologists)
        for spot, count in fields["archaeologists"].items():
            counts[at(spot)] = count
        fields["archaeologists"] = bytes(counts)
    if "gone" in fields:
        tiles = bytearray(state.tiles)
        for spot in fields.pop("gone"):
            tiles[at(spot)] = 0
        state = replace(state, tiles=bytes(tiles), present=present_mask(tiles))
        counts = bytearray(fields.get("archaeologists", state.archaeologists))
        for place in range(112):
            if not tiles[place]:
                counts[place] = 0
        fields["archaeologists"] = bytes(counts)
        kept = fields.get("neutral_camps", state.neutral_camps)
        fields["neutral_camps"] = tuple(p for p in kept if tiles[p])
    if "kinds" in fields:
        tiles = bytearray(state.tiles)
        for spot, kind in fields.pop("kinds").items():
            tiles[at(spot)] = KIND[kind]
        fields["tiles"] = bytes(tiles)
    if "rotations" in fields:
        turns = bytearray(state.turns)
        for spot, turn in fields.pop("rotations").items():
            turns[at(spot)] = turn
        fields["turns"] = bytes(turns)
    for name in ("leaders", "camps"):
        if name in fields:
            fields[name] = tuple(at(s) if isinstance(s, str) else s for s in fields[name])
    if "neutral_camps" in fields:
        fields["neutral_camps"] = tuple(at(s) if isinstance(s, str) else s for s in fields["neutral_camps"])
    return replace(state, **fields)


def seat(state: State, number: int, **fields: Any) -> State:
    """A state with other fields of a seat."""
    seats = list(state.seats)
    seats[number] = replace(seats[number], **fields)
    return replace(state, seats=tuple(seats))


def rule_of(violation: RuleViolation | None) -> str | None:
    return None if violation is None else violation.rule


def refused(game: Ice, state: State, action: a.Action) -> str | None:
    """The rule that forbids an action; None when it is legal."""
    return rule_of(game.why_illegal(state, action))


def allow(game: Ice, state: State, action: a.Action) -> State:
    """The next state of an action that must be legal."""
    violation = game.why_illegal(state, action)
    assert violation is None, f"{game.format(action)}: {violation}"
    return game.apply(state, action)


def tell(game: Ice, state: State, front: str = UNKNOWN, shape: int = 0) -> State:
    """Answer the table's question about a gained tile."""
    return allow(game, state, a.Reveal(TABLE, state.asked[0].tile, front, shape))


def random_options(rng: random.Random) -> dict[str, Any]:
    names = ("expert", "blessing", "fluid_move", "first_game", "logbook_setup", "friendly_curse")
    return {name: rng.random() < 0.3 for name in names}


def random_game(seed: int, players: int | None = None) -> tuple[Ice, State, random.Random]:
    """A game with random options, guilds and board."""
    rng = random.Random(seed)
    count = players or rng.randint(1, 5)
    guilds = tuple(rng.sample(GUILDS, count))
    game = Ice(Options(players=count, **random_options(rng)), DATA, guilds)
    return game, game.start(*shuffled_tiles(rng), first=rng.randrange(count)), rng


def choose(rng: random.Random, actions: tuple[a.Action, ...]) -> a.Action:
    """A random action; digs and effects are preferred, so that games reach the deep layers."""
    eager = [x for x in actions if isinstance(x, a.Excavate | a.UseObliteration | a.UsePhilosophical | a.PlayRune)]
    return rng.choice(eager if eager and rng.random() < 0.7 else actions)
