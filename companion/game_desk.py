"""The game on the table and what players say about it: commands to the referee, one view for page and strip."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias

from companion import messages as m
from companion.ice_games import IceGame, IceGames
from companion.ice_view import IceReferee
from companion.referee import PAUSED, RESTORING
from engine.games.ice.position import write_position
from engine.lights import Light
from engine.sayings import Saying
from engine.sighting import Sighting
from engine.spots import Spot

OFFER: Final = 0
"""Number of the question about a game that was not finished; questions of a referee count from 1."""
CONTINUE, NEW, DISCARD = range(3)

State: TypeAlias = Any


class Refused(Exception):
    """Something that cannot be done now, with a sentence for the players."""

    def __init__(self, say: Saying) -> None:
        super().__init__(say.text)
        self.say = say


class GameDesk:
    """Holds the game that is played; after a restart it offers to go on with the last one."""

    def __init__(self, games: IceGames, first: m.NewGame) -> None:
        self.games = games
        self.note: Saying | None = None
        """The last thing that could not be done."""
        last = games.last()
        if last is not None and last.is_over:
            games.close(last, "finished")
            last = None
        self.offers = last is not None
        self.playing: IceGame = last or games.begin(first)
        self._lit: tuple[object, Mapping[Spot, Light]] | None = None

    @property
    def referee(self) -> IceReferee:
        """The belief about the game."""
        return self.playing.referee

    # ------------------------------------------------------------------ what comes in

    def consider(self, sighting: Sighting, now: float) -> None:
        """Take in a settled sighting."""
        self.referee.consider(sighting, now)

    def obey(self, command: m.Command) -> None:
        """Do what a player asks; Refused or ValueError when that cannot be done."""
        self.note = None
        if self.offers:
            self._decide(command)
        elif isinstance(command, m.NewGame):
            self.games.close(self.playing, "discarded")
            self.playing = self.games.begin(command)
        elif isinstance(command, m.Close):
            self.games.close(self.playing, command.reason)
            self.playing = self.games.begin(self._same_again())
        elif isinstance(command, m.Fix):
            self.referee.correct(self._fixed(command), command.why)
        else:
            self._tell(command)

    def _tell(self, command: m.Command) -> None:
        referee = self.referee
        match command:
            case m.Declare(line):
                referee.declare(line)
            case m.Answer(question, choice):
                referee.answer(question, choice)
            case m.EndTurn():
                referee.press_end_turn()
            case m.Undo():
                referee.undo()
            case m.Redo():
                referee.redo()
            case m.Keep():
                referee.keep()
            case m.Correct(position, why):
                referee.correct(position, why)
            case m.Pause():
                referee.mode = PAUSED
            case m.Resume() if referee.mode == PAUSED:
                referee.mode = RESTORING

    def _decide(self, command: m.Command) -> None:
        """What becomes of the game that was not finished."""
        if isinstance(command, m.NewGame):
            self.playing = self.games.begin(command)
        elif isinstance(command, m.Answer) and command.question == OFFER and command.choice in (CONTINUE, NEW, DISCARD):
            if command.choice == DISCARD:
                self.games.close(self.playing, "discarded")
            if command.choice == CONTINUE:
                self.games.carry_on(self.playing)
            else:
                self.playing = self.games.begin(self._same_again())
        else:
            raise Refused(Saying("First decide what becomes of the game that was not finished."))
        self.offers = False

    def _same_again(self) -> m.NewGame:
        options = self.playing.game.box.options
        plain = {"players": options.players, "expert": options.expert, "first_game": options.first_game}
        return m.NewGame(plain, self.playing.game.box.guilds)

    def _fixed(self, fix: m.Fix) -> dict[str, Any]:
        """The believed position with single spots put right."""
        position = deepcopy(write_position(self.referee.state, self.playing.game.box.options))
        for spot, tile in fix.tiles.items():
            position["tiles"].pop(spot, None)
            if tile is not None:
                position["tiles"][spot] = dict(tile)
        for spot, group in fix.pieces.items():
            position["pieces"][spot] = dict(group)
        position.pop("supply", None)  # counted anew from what stands on the board
        return position

    # ------------------------------------------------------------------ what goes out

    def version(self) -> tuple[object, ...]:
        """Changes when anything changes that a page shows."""
        referee = self.referee
        shown = (referee.state, len(referee.steps), referee.mode, referee.refusal, referee.question)
        return (self.playing.number, *shown, referee.off, self.offers, self.note)

    def public(self) -> dict[str, Any]:
        """What everybody may know."""
        shown = self.playing.view.public(self.referee)
        if self.offers:
            shown["question"] = {
                "id": OFFER,
                "key": "resume",
                "say": Saying("The last game was not finished. What becomes of it?"),
                "options": [
                    Saying("Continue it"),
                    Saying("Keep it in the journal and start a new game"),
                    Saying("Discard it and start a new game"),
                ],
            }
        return {"game": self.playing.number, **shown, "note": self.note}

    def private(self) -> dict[str, dict[str, Any]]:
        """What each seat alone may know."""
        return self.playing.view.private(self.referee)

    def lights(self) -> Mapping[Spot, Light]:
        """What the strip says; the same object while nothing has changed."""
        version = self.version()
        if self._lit is None or self._lit[0] != version:
            self._lit = (version, self.playing.view.lights(self.referee))
        return self._lit[1]

    def layout(self) -> Mapping[str, Any]:
        """Outlines of all spots in millimetres."""
        return self.playing.view.layout()

    def why(self, spot: str) -> Mapping[str, Any]:
        """What can happen at a spot now, and why the rest cannot."""
        return self.playing.view.why(self.referee, spot)
