"""The games of I C E that a table has in its journal: begin one, continue one, put one away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.ice_laying import is_unlaid
from companion.ice_view import IceReferee, IceView
from companion.journal import Event, GameClosed, GameStarted, Journal
from companion.messages import NewGame
from companion.referee import PAUSED, RESTORING, SETUP, Referee
from engine.games.ice import Ice
from engine.games.ice.cards import GameData
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State

PLAYABLE = ("players", "expert", "blessing", "fluid_move", "first_game", "logbook_setup", "friendly_curse")
"""Options that a player may choose for a new game; the decisions of a table are in its settings."""

Lay: TypeAlias = Callable[[Ice, int, bool], tuple[State, tuple[str, ...]]]
"""The start of a game and the lines that a table itself tells, such as its decrees.

Called with the game, who begins, and whether the board is to be laid out step by step.
"""


@dataclass(slots=True)
class IceGame:
    """One game on the table: rules, belief, and how it is shown."""

    number: int
    game: Ice
    referee: IceReferee
    view: IceView = field(init=False)

    def __post_init__(self) -> None:
        self.view = IceView(self.game)

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return self.game.to_act(self.referee.state) is None


class IceGames:
    """Starts and finds games; every event of theirs goes to the journal first."""

    def __init__(
        self,
        journal: Journal,
        data: GameData,
        lay: Lay,
        wall_clock: Callable[[], float],
        complain_after_s: float = 2.0,
        end_turn_pressed: bool = True,
    ) -> None:
        self.journal, self._data, self.lay, self._wall_clock = journal, data, lay, wall_clock
        self.complain_after_s, self.end_turn_pressed = complain_after_s, end_turn_pressed

    def begin(self, wanted: NewGame) -> IceGame:
        """A new game; ValueError names an option or guild that does not fit."""
        unknown = sorted(set(wanted.options) - set(PLAYABLE))
        if unknown:
            raise ValueError(f"a new game knows the options {', '.join(PLAYABLE)}, not {', '.join(unknown)}")
        try:
            options = Options(**{"players": len(wanted.guilds) or 3, **wanted.options})
        except TypeError as error:
            raise ValueError(f"an option of the new game is wrong: {error}") from error
        game = Ice(options, self._data, tuple(wanted.guilds) or None)
        if wanted.first and wanted.first not in game.box.guilds:
            raise ValueError(f"the first player {wanted.first} is not one of {', '.join(game.box.guilds)}")
        first = game.box.guilds.index(wanted.first) if wanted.first else 0
        start, told = self.lay(game, first, wanted.guided)
        event = GameStarted("ice", write_position(start, options))
        number = self.journal.start(event, self._wall_clock()).game
        found = self._seat(number, game, start)
        found.referee.mode = SETUP
        for line in told:
            found.referee.declare(line)
        if not is_unlaid(start):
            found.referee.begin()
        return found

    def last(self) -> IceGame | None:
        """The newest game if it was never closed, as far as it went; paused until the players decide about it."""
        number = self.journal.unfinished()
        if number is None:
            return None
        found = self.read(number)
        found.referee.mode = PAUSED
        return found

    def read(self, number: int) -> IceGame:
        """A game of the journal with everything that stands."""
        entries = self.journal.entries(number)
        first = entries[0].event
        if not isinstance(first, GameStarted):
            raise ValueError(f"expected game {number} to begin with its start, got {type(first).__name__}")
        start, options = read_position(first.position)
        game = Ice(options, self._data, tuple(seat.guild for seat in start.seats))
        found = self._seat(number, game, start)
        for entry in entries[1:]:
            found.referee.replay(entry.event)
        return found

    def carry_on(self, found: IceGame) -> None:
        """Go on with a game; nothing is inferred until the board looks as it did."""
        if is_unlaid(found.referee.state):
            found.referee.mode = SETUP
            return
        found.referee.mode = RESTORING
        found.referee.begin()

    def close(self, found: IceGame, reason: str) -> None:
        """Put a game away."""
        self.journal.append(found.number, GameClosed("finished" if found.is_over else reason), self._wall_clock())

    def _seat(self, number: int, game: Ice, start: State) -> IceGame:
        def write(event: Event) -> None:
            self.journal.append(number, event, self._wall_clock())

        def read(position: Mapping[str, Any]) -> State:
            return read_position(position)[0]

        referee: IceReferee = Referee(
            game,
            start,
            write,
            read,
            complain_after_s=self.complain_after_s,
            end_turn_pressed=self.end_turn_pressed,
        )
        return IceGame(number, game, referee)
