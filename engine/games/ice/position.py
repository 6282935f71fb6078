"""A position of I C E as plain JSON values: read with errors that name the field, written without loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Final, TypeVar

from engine.documents import Node
from engine.game import TABLE
from engine.games.ice import state as st
from engine.games.ice.board import LAYER, TILE_COUNT, TILE_LAYERS
from engine.games.ice.cards import GUILDS
from engine.games.ice.options import Options
from engine.games.ice.position_board import MANY, NEUTRAL_CAMPS, read_board, write_pieces, write_tiles
from engine.games.ice.position_pending import read_asked, read_dig, read_lost, write_asked, write_dig, write_lost
from engine.games.ice.position_seats import read_seat, write_seat
from engine.games.ice.state import NEUTRAL, OFF, TOTAL_ARCHAEOLOGISTS, Board, Question, Seat, State, present_mask

FORMAT: Final = 1
MOST_SPENT: Final = 9
"""EP that a turn can have spent; the rules allow 3, a table that insists may have gone further."""
_LIGHT_SPACES: Final = {2: (4, 5), 3: (4, 5, 6), 4: (4, 4, 5, 6), 5: (4, 4, 5, 5, 6)}  # R-CURSE-2
_USED: Final = {
    "followed": st.FOLLOWED,
    "hooked": st.HOOKED,
    "nurtured": st.NURTURED,
    "discounted": st.DISCOUNTED,
    "exhausted": st.EXHAUSTED,
}

T = TypeVar("T")


def read_position(document: object, name: str = "position") -> tuple[State, Options]:
    """The state and options of a decoded position; DataError names the field that is wrong or missing."""
    root = Node(document, name)
    if root.need("format").integer(0, MANY) != FORMAT:
        root.need("format").fail(f"{FORMAT}, the only format there is")
    root.need("game").choice(("ice",))
    options = _read_options(root.need("options"))
    seats = root.need("seats").items(1, len(GUILDS))
    guilds = _guilds(root, seats, options)
    dig = read_dig(root.find("dig"))
    board = read_board(root.need("tiles"), root.need("pieces"), guilds, OFF if dig is None else dig.place)
    phase = root.need("phase").choice(st.PHASES)
    active = _active(root, guilds, phase)
    asked = read_asked(root.find("asked"), guilds)
    people = _read_seats(root, seats, guilds, options, board, active if phase == st.EXPLORATION else OFF)
    turn, requests, sunset = root.need("turn"), root.find("requests"), root.find("sunset")
    light, dark = _read_curse(root.find("curse"), options, people)
    state = State(
        tiles=board.tiles,
        turns=board.turns,
        present=present_mask(board.tiles),
        archaeologists=board.archaeologists,
        leaders=board.leaders,
        camps=board.camps,
        neutral_camps=board.neutral_camps,
        seats=people,
        day=root.need("day").integer(1, 4),
        phase=phase,
        first=guilds.index(root.need("first_player").choice(guilds)),
        active=active,
        spent=_get(turn, "spent", lambda n: n.integer(0, MOST_SPENT), 0),
        overwork=_get(turn, "overwork", _overwork, 0),
        used=_get(turn, "used", _used, 0),
        free_dig=_get(turn, "free_dig", Node.flag, False),
        asked=asked,
        dig=dig,
        lost=read_lost(root.find("lost")),
        taken=_get(sunset, "taken", Node.flag, False),
        fresh_request=_get(sunset, "fresh_request", lambda n: n.value if n.value == "" else n.text(60), ""),
        row=_get(requests, "row", lambda n: None if n.value is None else _cards(n), None),
        decrees=_get(root, "decrees", _cards, ()),
        logbook=_get(root, "logbook", _cards, ()),
        icons=_get(root, "icons", lambda n: n.integer(0, 2**60), 0),
        light_tokens=light,
        dark_tokens=dark,
        discarded=_read_discarded(root.find("discard"), board, people),
        requests_left=_get(requests, "left", lambda n: n.integer(0, MANY), 54),
        requests_discarded=_get(requests, "discarded", lambda n: n.integer(0, MANY), 0),
        missing=_read_missing(root, options, board, people, asked),
    )
    return state, options


def write_position(state: State, options: Options) -> dict[str, Any]:
    """The state with every field that is needed to read it back."""
    guilds = [seat.guild for seat in state.seats]
    return {
        "format": FORMAT,
        "game": "ice",
        "options": _write_options(options),
        "day": state.day,
        "phase": state.phase,
        "first_player": guilds[state.first],
        "to_act": actor_name(state),
        "active": guilds[state.active],
        "turn": {
            "spent": state.spent,
            "overwork": bool(state.overwork) if state.overwork < 2 else state.overwork,
            "used": [name for name, bit in _USED.items() if state.used & bit],
            "free_dig": state.free_dig,
        },
        "tiles": write_tiles(state),
        "pieces": write_pieces(state, guilds),
        "seats": [write_seat(seat) for seat in state.seats],
        "supply": {
            "archaeologists": st.supply(state),
            "neutral_camps": st.neutral_supply(state, options.neutral_camps),
        },
        "asked": write_asked(state.asked, guilds),
        "dig": write_dig(state.dig),
        "lost": write_lost(state.lost),
        "sunset": {"taken": state.taken, "fresh_request": state.fresh_request},
        "requests": {
            "row": None if state.row is None else list(state.row),
            "left": state.requests_left,
            "discarded": state.requests_discarded,
        },
        "decrees": list(state.decrees),
        "logbook": list(state.logbook),
        "icons": state.icons,
        "curse": {"light": list(state.light_tokens), "dark": list(state.dark_tokens)},
        "discard": dict(zip(TILE_LAYERS, state.discarded, strict=True)),
    }


def actor_name(state: State) -> str | None:
    """Who acts next: a guild, `table`, or None when the game is over."""
    actor = state.actor
    if actor is None:
        return None
    return "table" if actor == TABLE else state.seats[actor].guild


# --- options and seats ----------------------------------------------------------------------------------------------

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "edge_places": ("position", "side", "level"),
    "crack_step_down": ("open_sides", "free"),
    "allocator": ("active", "table"),
    "camp_chooser": ("active", "owner"),
}
_ALWAYS_WRITTEN: Final = ("players", "expert", "blessing", "fluid_move")


def _read_options(node: Node) -> Options:
    """The options a position names; unknown names are left alone."""
    chosen: dict[str, Any] = {"players": node.need("players").integer(1, 5)}
    for field in fields(Options):
        child = node.find(field.name)
        if child is None or field.name == "players":
            continue
        if isinstance(field.default, bool):
            chosen[field.name] = child.flag()
        elif isinstance(field.default, int):
            chosen[field.name] = child.integer(0, TOTAL_ARCHAEOLOGISTS)
        else:
            chosen[field.name] = child.choice(_CHOICES[field.name])
    return Options(**chosen)


def _write_options(options: Options) -> dict[str, Any]:
    values = {field.name: (getattr(options, field.name), field.default) for field in fields(options)}
    return {name: value for name, (value, default) in values.items() if name in _ALWAYS_WRITTEN or value != default}


def _guilds(root: Node, seats: list[Node], options: Options) -> list[str]:
    """The guilds in seat order: those with a seat, then those met elsewhere, then any, up to the player count."""
    found: list[str] = []
    for seat in seats:
        guild = seat.need("guild")
        if guild.choice(GUILDS) in found:
            guild.refuse(f"{guild.value} has two seats")
        found.append(guild.value)
    if len(found) > options.players:
        root.need("seats").refuse(f"{len(found)} seats, but options.players is {options.players}")
    met = [root.need("to_act"), root.need("first_player")]
    for _, here in root.need("pieces").entries():
        leaders, camp = here.find("leaders"), here.find("camp")
        met += [*(leaders.items() if leaders else ()), *([camp] if camp else ())]
    for node in met:
        if isinstance(node.value, str) and node.value in GUILDS and node.value not in found:
            if len(found) == options.players:
                node.refuse(f"{node.value} has no seat in this game of {options.players}")
            found.append(node.value)
    return (found + [guild for guild in GUILDS if guild not in found])[: options.players]


def _active(root: Node, guilds: Sequence[str], phase: str) -> int:
    """Whose turn it is: `active`, or else whoever acts next."""
    to_act, active = root.need("to_act"), root.find("active")
    if active is not None:
        if to_act.value not in (None, "table"):
            to_act.choice(guilds)
        return guilds.index(active.choice(guilds))
    if to_act.value is None and phase == st.OVER:
        return 0
    return guilds.index(to_act.choice(guilds))


def _read_seats(
    root: Node, nodes: list[Node], guilds: Sequence[str], options: Options, board: Board, playing: int
) -> tuple[Seat, ...]:
    """Every seat; the Nurturers' board holds what board and supply leave over, when nobody says."""
    room = TOTAL_ARCHAEOLOGISTS - sum(board.archaeologists)
    supply = root.find("supply")
    room -= _get(supply, "archaeologists", lambda n: n.integer(0, MANY), 0)
    tended = max(0, min(options.nurturers_capacity, room))
    return tuple(
        read_seat(nodes[i] if i < len(nodes) else None, guild, options, tended, plays_on=i == playing)
        for i, guild in enumerate(guilds)
    )


# --- what follows from component counts -----------------------------------------------------------------------------


def _read_missing(
    root: Node, options: Options, board: Board, seats: Sequence[Seat], asked: Sequence[Question]
) -> tuple[int, int]:
    """Archaeologists and neutral camps that the supply lacks; more of them than the game has are an error."""
    supply = root.find("supply")
    people = sum(board.archaeologists) + sum(seat.tended for seat in seats)
    if people > TOTAL_ARCHAEOLOGISTS:
        problem = (
            f"makes {people} archaeologists with those on the board, the game has {TOTAL_ARCHAEOLOGISTS} (R-CMP-6)"
        )
        root.need("seats").refuse(problem)
    falling = sum(1 for question in asked if question.kind == "camp" and question.seat == NEUTRAL)
    camps = len(board.neutral_camps) + falling
    node = None if supply is None else supply.find("archaeologists")
    lost = 0
    if node is not None:
        lost = TOTAL_ARCHAEOLOGISTS - people - node.integer(0, MANY)
        if lost < 0:
            total = TOTAL_ARCHAEOLOGISTS - lost
            node.refuse(f"makes {total} archaeologists in all, the game has {TOTAL_ARCHAEOLOGISTS} (R-CMP-6)")
    node = None if supply is None else supply.find("neutral_camps")
    if node is None:
        return lost, min(0, options.neutral_camps - camps)
    total = camps + node.integer(0, MANY)
    if total > NEUTRAL_CAMPS:
        node.refuse(f"makes {total} neutral camps in all, the game has {NEUTRAL_CAMPS} (R-CMP-9)")
    return lost, options.neutral_camps - total


def _read_discarded(node: Node | None, board: Board, seats: Sequence[Seat]) -> tuple[int, int, int]:
    """Tiles in the discard pile; when nobody says, all that are neither on the board nor with a player."""
    held = [sum(len(seat.hand) for seat in seats), 0, 0]
    for seat in seats:
        for artifact in (*(a for slot in seat.slots for a in slot), *seat.hold):
            held[artifact.anima] += 1
    gone = [0, 0, 0]
    for place in range(TILE_COUNT):
        if not board.tiles[place]:
            gone[TILE_LAYERS.index(LAYER[place])] += 1
    told = [
        _get(node, layer, lambda n: n.integer(0, TILE_COUNT), max(0, gone[i] - held[i]))
        for i, layer in enumerate(TILE_LAYERS)
    ]
    return told[0], told[1], told[2]


def _read_curse(node: Node | None, options: Options, seats: Sequence[Seat]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Spaces of the light and dark tokens on the track; when nobody says, the last ones of R-CURSE-2 are left."""
    light = _LIGHT_SPACES[max(2, options.players)] if options.expert else ()
    dark = tuple(space + 6 for space in light)
    had_light = sum(seat.trigger in (st.LIGHT, st.DARK) for seat in seats)
    had_dark = sum(seat.trigger == st.DARK for seat in seats)
    return _get(node, "light", _spaces, light[had_light:]), _get(node, "dark", _spaces, dark[had_dark:])


# --- small readers --------------------------------------------------------------------------------------------------


def _get(node: Node | None, name: str, read: Callable[[Node], T], default: T) -> T:
    """A field as `read` reads it, or the default when it is absent."""
    child = None if node is None else node.find(name)
    return default if child is None else read(child)


def _overwork(node: Node) -> int:
    return int(node.value) if isinstance(node.value, bool) else node.integer(0, MOST_SPENT)


def _used(node: Node) -> int:
    return sum({_USED[item.choice(tuple(_USED))] for item in node.items(0, len(_USED))})


def _cards(node: Node) -> tuple[str, ...]:
    return tuple(item.text(60) for item in node.items(0, 60))


def _spaces(node: Node) -> tuple[int, ...]:
    return tuple(sorted(item.integer(0, 13) for item in node.items(0, len(GUILDS))))
