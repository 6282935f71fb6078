"""A state being changed: `apply` thaws a State, edits the draft, and freezes it again."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from engine.games.ice.board import SNOW, SURFACE
from engine.games.ice.state import (
    EXHAUSTED,
    NEUTRAL,
    NO_TILE,
    OFF,
    UNKNOWN_TURN,
    Dig,
    Question,
    Seat,
    State,
    camp_owner,
    supply,
)  # fmt: skip

_VALUES: Final = attrgetter(*(field.name for field in fields(State)))
_SEAT_VALUES: Final = attrgetter(*(field.name for field in fields(Seat)))


class _OpenSeat(Seat):
    """A Seat that is open for changes."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


def changed_seat(old: Seat, changes: dict[str, Any]) -> Seat:
    """A seat with other fields; like `dataclasses.replace`, several times faster."""
    seat: Any = _OpenSeat.__new__(_OpenSeat)
    (
        seat.guild,
        seat.ep,
        seat.rp,
        seat.hand,
        seat.requests,
        seat.validated,
        seat.slots,
        seat.down,
        seat.hold,
        seat.ready,
        seat.spent,
        seat.planning,
        seat.trigger,
        seat.curse,
        seat.hooks,
        seat.activation,
        seat.tended,
        seat.fluid,
        seat.grey,
        seat.asleep,
        seat.reslotted,
    ) = _SEAT_VALUES(old)
    for name, value in changes.items():
        setattr(seat, name, value)
    seat.__class__ = Seat
    result: Seat = seat
    return result


class Draft(State):
    """A State that is open for changes until it is frozen."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__  # both: only then attributes are stored at full speed

    tiles: bytes
    turns: bytes
    present: int
    archaeologists: bytes
    leaders: tuple[int, ...]
    camps: tuple[int, ...]
    neutral_camps: tuple[int, ...]
    seats: tuple[Seat, ...]
    day: int
    phase: str
    first: int
    active: int
    spent: int
    overwork: int
    used: int
    free_dig: bool
    asked: tuple[Question, ...]
    dig: Dig | None
    lost: tuple[tuple[int, int], ...]
    taken: bool
    fresh_request: str
    row: tuple[str, ...] | None
    decrees: tuple[str, ...]
    logbook: tuple[str, ...]
    icons: int
    light_tokens: tuple[int, ...]
    dark_tokens: tuple[int, ...]
    discarded: tuple[int, int, int]
    requests_left: int
    requests_discarded: int
    missing: tuple[int, int]

    @staticmethod
    def of(state: State) -> Draft:
        """A copy that may be changed."""
        draft = Draft.__new__(Draft)
        (
            draft.tiles,
            draft.turns,
            draft.present,
            draft.archaeologists,
            draft.leaders,
            draft.camps,
            draft.neutral_camps,
            draft.seats,
            draft.day,
            draft.phase,
            draft.first,
            draft.active,
            draft.spent,
            draft.overwork,
            draft.used,
            draft.free_dig,
            draft.asked,
            draft.dig,
            draft.lost,
            draft.taken,
            draft.fresh_request,
            draft.row,
            draft.decrees,
            draft.logbook,
            draft.icons,
            draft.light_tokens,
            draft.dark_tokens,
            draft.discarded,
            draft.requests_left,
            draft.requests_discarded,
            draft.missing,
        ) = _VALUES(state)
        return draft

    def freeze(self) -> State:
        """The finished State: the same object, closed for good (a copy would double the cost of a step)."""
        self.__class__ = State  # type: ignore[assignment]
        return self

    def seat(self, number: int, **changes: Any) -> None:
        """Change fields of a seat."""
        seats = list(self.seats)
        seats[number] = changed_seat(seats[number], changes)
        self.seats = tuple(seats)

    def spend(self, ep: int) -> None:
        """Pay EP of the active player's turn."""
        if ep:
            self.spent += ep
            left = max(0, self.seats[self.active].ep - ep)
            self.seat(self.active, ep=left)
            if not left:
                self.used |= EXHAUSTED

    def gain_ep(self, number: int, ep: int = 1) -> None:
        """Put EP on a track, which ends at 6 (R-EP-3)."""
        self.seat(number, ep=min(6, self.seats[number].ep + ep))

    def gain_rp(self, number: int, tokens: int = 1) -> None:
        """Take RP tokens; they never run out (R-FAQ-4)."""
        self.seat(number, rp=self.seats[number].rp + tokens)

    def shift(self, start: int, place: int, count: int) -> None:
        """Move archaeologists between places; OFF = the supply."""
        if count:
            numbers = bytearray(self.archaeologists)
            if start >= 0:
                numbers[start] -= count
            if place >= 0:
                numbers[place] += count
            self.archaeologists = bytes(numbers)

    def put_leader(self, number: int, place: int) -> None:
        """Move a leader; OFF = to its reserve."""
        self.leaders = (*self.leaders[:number], place, *self.leaders[number + 1 :])

    def put_camp(self, owner: int, place: int) -> None:
        """Put a camp from its owner (NEUTRAL: from the supply) on a tile; OFF = a guild camp returns."""
        if owner == NEUTRAL:
            self.neutral_camps = tuple(sorted((*self.neutral_camps, place)))
        else:
            self.camps = (*self.camps[:owner], place, *self.camps[owner + 1 :])

    def lift_camp(self, place: int) -> int | None:
        """Take the camp off a tile: a guild camp goes to its owner, a neutral one to the supply; says whose it was."""
        owner = camp_owner(self, place)
        if owner == NEUTRAL:
            places = list(self.neutral_camps)
            places.remove(place)
            self.neutral_camps = tuple(places)
        elif owner is not None:
            self.put_camp(owner, OFF)
        return owner

    def take_tile(self, place: int) -> int:
        """Take a tile off the board without sending anything home; gives its kind."""
        kind = self.tiles[place]
        self.tiles = self.tiles[:place] + b"\0" + self.tiles[place + 1 :]
        self.turns = self.turns[:place] + bytes([UNKNOWN_TURN]) + self.turns[place + 1 :]
        self.present &= ~(1 << place)
        return kind

    def lay_tile(self, place: int, kind: int, turn: int = UNKNOWN_TURN) -> None:
        """Put a tile on the board, or tell what the one there is."""
        self.tiles = self.tiles[:place] + bytes([kind]) + self.tiles[place + 1 :]
        self.turns = self.turns[:place] + bytes([turn]) + self.turns[place + 1 :]
        if kind != NO_TILE:
            self.present |= 1 << place

    def send_home(self, place: int) -> int | None:
        """Everything on a removed tile goes to the supply or its owner (R-COL-1); gives the camp's owner."""
        self.shift(place, OFF, self.archaeologists[place])
        for number, at in enumerate(self.leaders):
            if at == place:
                self.put_leader(number, OFF)
        return self.lift_camp(place)

    def discard_tile(self, place: int, count: int = 1) -> None:
        """Count a tile of a place's layer into the discard pile (negative: out of it)."""
        snow, surface, deep = self.discarded
        if place in SNOW:
            snow += count
        elif place in SURFACE:
            surface += count
        else:
            deep += count
        self.discarded = (snow, surface, deep)

    def supply(self) -> int:
        """Archaeologists in the supply."""
        return supply(self)

    def ask(self, *questions: Question) -> None:
        """Put questions at the end of the queue."""
        self.asked += questions

    def ask_first(self, *questions: Question) -> None:
        """Put questions at the head of the queue."""
        self.asked = questions + self.asked

    def answered(self) -> Question:
        """Take the head of the queue."""
        head, *rest = self.asked
        self.asked = tuple(rest)
        return head
