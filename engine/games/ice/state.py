"""The state of a game of I C E: compact immutable values, nothing derived except the mask of present tiles.

Tiles, places and seats are small integers (see `board`). What nobody has said is `UNKNOWN`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import TABLE, Actor
from engine.games.ice.board import DEEP, PLACE_COUNT, TILE_COUNT, mask
from engine.games.ice.cards import ARTIFACT_KINDS, SNOW_BACKS, TYPES, UNKNOWN, Artifact

KIND_NAMES: Final = ("", *SNOW_BACKS, *ARTIFACT_KINDS, UNKNOWN)
"""Names of tile kinds by code; 0 = no tile."""
KIND: Final = {name: code for code, name in enumerate(KIND_NAMES)}
NO_TILE: Final = 0
CREVASSE: Final = KIND["crevasse"]
NUNATAK: Final = KIND["nunatak"]
CAMPSITE: Final = KIND["campsite"]
TUNNEL: Final = KIND["tunnel"]
FIRST_TYPE: Final = KIND[TYPES[0]]
"""Kind code of an artifact type = FIRST_TYPE + its number in TYPES (0..4)."""
PRISMATIC_KIND: Final = KIND["prismatic"]
UNKNOWN_KIND: Final = KIND[UNKNOWN]
UNKNOWN_TURN: Final = 255

EXALTED, ACHIEVEMENT, PHILOSOPHICAL, OBLITERATION, HARMONY = range(5)
"""Numbers of the artifact types, which are also the numbers of the slots."""

OFF: Final = -1
"""A leader or camp in its owner's reserve, not on the board."""
NEUTRAL: Final = -1
"""The owner of a neutral camp."""

SETUP, SUNRISE, EXPLORATION, SUNSET, OVER = "setup", "sunrise", "exploration", "sunset", "over"
PHASES: Final = (SETUP, SUNRISE, EXPLORATION, SUNSET, OVER)

# Abilities that work once per turn, as bits of State.used.
FOLLOWED: Final = 1  # R-NAV-1
HOOKED: Final = 2  # R-ICEW-1
NURTURED: Final = 4  # R-NUR-1
DISCOUNTED: Final = 8  # R-CRYO-1
EXHAUSTED: Final = 16  # the EP track was at 0 (R-EP-9)

# Where the Incandescents' activation token is; 0..4 = on that slot.
TOKEN_READY: Final = -1
TOKEN_SPENT: Final = -2

NO_TOKEN, BLESSING, LIGHT, DARK = "none", "blessing", "light", "dark"
"""What lies on the trigger cell of a guild board (R-ART-5)."""

EMPTY_SLOTS: Final[tuple[tuple[Artifact, ...], ...]] = ((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class Validated:
    """A request that was paid: on which day, which card, for how many RP (UNKNOWN when the card does not tell)."""

    day: int
    card: str
    reward: int | str


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's guild board and reserve."""

    guild: str
    ep: int = 0
    rp: int = 0
    """RP tokens."""
    hand: tuple[str, ...] = ()
    """Snow fronts, sorted; UNKNOWN for a front that nobody told."""
    requests: tuple[str, ...] = ()
    """Request cards not yet validated, sorted ids; UNKNOWN for a secret card."""
    validated: tuple[Validated, ...] = ()
    slots: tuple[tuple[Artifact, ...], ...] = EMPTY_SLOTS
    """Artifacts by slot (type number), the top one last."""
    down: tuple[int, ...] = (0, 0, 0, 0, 0)
    """How many artifacts on top of each slot lie face down; more than none = that effect was used today (R-ART-7)."""
    hold: tuple[Artifact, ...] = ()
    ready: int = 0
    """Ready study tokens, bit per type number."""
    spent: int = 0
    """Spent study tokens, bit per type number."""
    planning: bool = False
    trigger: str = NO_TOKEN
    curse: int = 0
    """Space of the marker on the curse track (expert mode)."""
    hooks: int = 0
    """Ready hook tokens (Icewalkers)."""
    activation: int = TOKEN_READY
    """The activation token (Incandescents): a slot, TOKEN_READY or TOKEN_SPENT."""
    tended: int = 0
    """Archaeologists on the guild board (Nurturers)."""
    fluid: int = 0
    """Fluid-move tokens with the coloured side up."""
    grey: bool = False
    """The guild camp shows its grey side: the ability was used today (R-NAV-2, R-CRYO-2)."""
    asleep: bool = False
    """In Sunset or done with it: no more turns this day (R-EXP-2)."""
    reslotted: int = 0
    """Prismatics moved to another slot this sunrise (R-SUN-2)."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that must be answered before play goes on; the first one in State.asked is answered first."""

    kind: str
    """`reveal`, `slot`, `allocate`, `camp`, `icons`, `study`, `logbook`, `deal`, `keep`, `decrees`, `row`, `setup`,
    or an order of a logbook card: `card place`, `card discard`, `card return`."""
    by: Actor
    place: int = OFF
    """The tile in question; for `camp` the tile it stood on."""
    tile: int = NO_TILE
    """The kind of the tile in question, for `reveal` and `slot`."""
    seat: int = OFF
    """Who gains the tile or card; for `camp` the camp's owner or NEUTRAL."""
    choices: tuple[int, ...] = ()
    """Where the camp may go (OFF = it may return); which study tokens may be taken."""


class Dig(NamedTuple):
    """A dig under way: between paying and the end of step C, its explorers still stand on the tile's place."""

    place: int
    tile: int
    """Kind of the dug tile."""
    threshold: int
    """Anima needed during steps A and B: the curse advances before step C (R-PROC-4)."""
    fresh: int = OFF
    """Slot that received the dug artifact: it does not help a Philosophical effect in this dig (R-PHIL)."""
    rope: bool = False
    hook: bool = False
    allocated: bool = False
    """Step C is open for Harmony until the next other action."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything the table knows."""

    tiles: bytes
    """Kind code by tile cell; 0 = the tile is gone."""
    turns: bytes
    """Rotation by tile cell, in turns of 60 degrees counter-clockwise; UNKNOWN_TURN when nobody told."""
    present: int
    """Bit mask of the cells that hold a tile."""
    archaeologists: bytes
    """Number by place."""
    leaders: tuple[int, ...]
    """Place by seat; OFF = in the reserve."""
    camps: tuple[int, ...]
    """Place of the guild camp by seat; OFF = in the reserve."""
    neutral_camps: tuple[int, ...]
    """Places of the neutral camps on the board, sorted."""
    seats: tuple[Seat, ...]
    day: int = 1
    phase: str = EXPLORATION
    first: int = 0
    """The seat with the first-player token."""
    active: int = 0
    """The seat whose turn or Sunset it is."""
    spent: int = 0
    """EP spent this turn."""
    overwork: int = 0
    """Times overworked this turn."""
    used: int = 0
    """Abilities used this turn: FOLLOWED, HOOKED, NURTURED, DISCOUNTED."""
    free_dig: bool = False
    """A dig for 0 EP was made this turn (R-EP-5)."""
    asked: tuple[Question, ...] = ()
    dig: Dig | None = None
    lost: tuple[tuple[int, int], ...] = ()
    """Tiles that collapsed or were destroyed just now, as (place, kind): a Philosophical effect may take one."""
    taken: bool = False
    """The Sunset's request was taken or passed over: the player validates or discards now (R-DUSK-4)."""
    fresh_request: str = ""
    """The request taken in this Sunset."""
    row: tuple[str, ...] | None = None
    """Requests laid out this day; None before the first Sunset."""
    decrees: tuple[str, ...] = ()
    logbook: tuple[str, ...] = ()
    """Logbook cards turned up so far, the last one last."""
    icons: int = 0
    """RP icons of Azulia paid so far, bit per icon of the map."""
    light_tokens: tuple[int, ...] = ()
    """Spaces of the light curse tokens still on the track, sorted."""
    dark_tokens: tuple[int, ...] = ()
    discarded: tuple[int, int, int] = (0, 0, 0)
    """Tiles in the discard pile by layer: snow, surface, deep."""
    requests_left: int = 54
    """Cards in the request deck."""
    requests_discarded: int = 0
    missing: tuple[int, int] = (0, 0)
    """Archaeologists and neutral camps that this table lacks, when a position says that the supply holds fewer."""

    @property
    def actor(self) -> Actor | None:
        """Who acts next; None when the game is over."""
        if self.asked:
            return self.asked[0].by
        if self.phase == OVER:
            return None
        return TABLE if self.phase == SUNRISE else self.active


NO_TILES: Final = bytes(TILE_COUNT)
NO_TURNS: Final = bytes([UNKNOWN_TURN]) * TILE_COUNT
NO_ARCHAEOLOGISTS: Final = bytes(PLACE_COUNT)
TOTAL_ARCHAEOLOGISTS: Final = 45  # R-CMP-6
ANIMA_AT: Final = bytes(1 if i < DEEP.start else 2 for i in range(TILE_COUNT))
"""Anima of the artifact on a cell (R-ART-2); without meaning for snow."""
TOTAL_STUDY: Final = 5  # of each type, R-CMP-15
TOTAL_PLANNING: Final = 5  # R-CMP-16


def present_mask(tiles: bytes) -> int:
    """The cells that hold a tile."""
    return mask(i for i, kind in enumerate(tiles) if kind)


def supply(state: State) -> int:
    """Archaeologists in the common supply: those neither on the board nor on the Nurturers' board."""
    left = TOTAL_ARCHAEOLOGISTS - state.missing[0] - _total(state.archaeologists)
    for seat in state.seats:
        left -= seat.tended
    return left


@lru_cache(maxsize=1024)
def _total(numbers: bytes) -> int:
    """All archaeologists on the board; many states in a row share the same numbers."""
    return sum(numbers)


def neutral_supply(state: State, total: int) -> int:
    """Neutral camps in the common supply, of `total` that the player count brings into play (R-SET-8)."""
    falling = sum(1 for q in state.asked if q.kind == "camp" and q.seat == NEUTRAL)
    return max(0, total - len(state.neutral_camps) - falling - state.missing[1])


def camp_places(state: State) -> tuple[int, ...]:
    """Places with a camp, guild camps first."""
    return tuple(place for place in state.camps if place >= 0) + state.neutral_camps


def camp_owner(state: State, place: int) -> int | None:
    """The seat whose camp stands on a place, NEUTRAL, or None without a camp."""
    if place in state.camps:
        return state.camps.index(place)
    return NEUTRAL if place in state.neutral_camps else None


def seat_of(state: State, guild: str) -> int | None:
    """The seat that plays a guild."""
    return next((i for i, seat in enumerate(state.seats) if seat.guild == guild), None)


@dataclass(frozen=True, slots=True)
class Board:
    """What lies and stands on the board, as read by the camera after a logbook card (R-LOG-6)."""

    tiles: bytes
    turns: bytes
    archaeologists: bytes
    leaders: tuple[int, ...]
    camps: tuple[int, ...]
    neutral_camps: tuple[int, ...] = field(default=())


def board_of(state: State) -> Board:
    """The board part of a state."""
    return Board(state.tiles, state.turns, state.archaeologists, state.leaders, state.camps, state.neutral_camps)
