"""What an ideal camera reads from a state, which spots an action touches, and where everything lies.

Cues: `tile` (a kind or `absent`), `turn` (0..5), and on every visible place `archaeologists` (a number), `leaders`
(guilds joined by +, or `none`) and `camp` (`neutral`, a guild or `none`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.ice.board import BELOW, PLACE_COUNT, SNOW, SPOTS, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.state import KIND_NAMES, NEUTRAL, NO_TILE, OFF, UNKNOWN_KIND, State, camp_owner
from engine.spots import Cue, Label, Spot

ABSENT: Final = "absent"
NONE: Final = "none"

TILE_CUES: Final = tuple(Cue(SPOTS[i], "tile") for i in range(TILE_COUNT))
TURN_CUES: Final = tuple(Cue(SPOTS[i], "turn") for i in range(TILE_COUNT))
CROWD_CUES: Final = tuple(Cue(spot, "archaeologists") for spot in SPOTS)
LEADER_CUES: Final = tuple(Cue(spot, "leaders") for spot in SPOTS)
CAMP_CUES: Final = tuple(Cue(spot, "camp") for spot in SPOTS)
_NUMBERS: Final = tuple(map(str, range(256)))


def visible(box: Box, state: State) -> Mapping[Cue, Label]:
    """What an ideal camera would read; hidden places and what nobody told have no cue."""
    seen: dict[Cue, Label] = {}
    present, over, rep = state.present, box.terrain.over, box.terrain.rep
    for place in range(PLACE_COUNT):
        if place < TILE_COUNT:
            kind = state.tiles[place]
            if kind == NO_TILE:
                seen[TILE_CUES[place]] = ABSENT
                continue
            if place >= SNOW.stop and not over[place] & ~present:
                continue
            if kind != UNKNOWN_KIND:
                seen[TILE_CUES[place]] = KIND_NAMES[kind]
            if state.turns[place] < 6:
                seen[TURN_CUES[place]] = _NUMBERS[state.turns[place]]
        elif rep[place] != place or not over[place] & ~present:
            continue
        seen[CROWD_CUES[place]] = _NUMBERS[state.archaeologists[place]]
        seen[LEADER_CUES[place]] = NONE
        seen[CAMP_CUES[place]] = NONE
    _add_leaders(box, state, seen)
    for place in (*state.camps, *state.neutral_camps):
        if place != OFF and CAMP_CUES[place] in seen:
            owner = camp_owner(state, place)
            seen[CAMP_CUES[place]] = "neutral" if owner is None or owner == NEUTRAL else box.guilds[owner]
    return seen


def _add_leaders(box: Box, state: State, seen: dict[Cue, Label]) -> None:
    here: dict[int, list[str]] = {}
    for seat, place in enumerate(state.leaders):
        if place != OFF:
            here.setdefault(place, []).append(box.guilds[seat])
    for place, guilds in here.items():
        if LEADER_CUES[place] in seen:
            seen[LEADER_CUES[place]] = "+".join(sorted(guilds))


def changed_spots(before: State, after: State) -> frozenset[Spot]:
    """Spots that look different in two states, those uncovered by a removed tile included."""
    places: set[int] = set()
    for old, new in ((before.tiles, after.tiles), (before.archaeologists, after.archaeologists)):
        if old != new:
            places.update(i for i, (x, y) in enumerate(zip(old, new, strict=True)) if x != y)
    gone = before.present & ~after.present
    while gone:
        tile = gone.bit_length() - 1
        gone &= ~(1 << tile)
        places.update(BELOW[tile])
    for olds, news in ((before.leaders, after.leaders), (before.camps, after.camps)):
        if olds != news:
            for x, y in zip(olds, news, strict=True):
                if x != y:
                    places.update((x, y))
    places.update(set(before.neutral_camps) ^ set(after.neutral_camps))
    places.discard(OFF)
    return frozenset(SPOTS[place] for place in places)
