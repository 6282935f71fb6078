"""The game on the table and what players say about it: commands to the referee, one view for page and strip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final, TypeAlias

from companion import messages as m
from companion import showing
from companion.ice_games import IceGame, IceGames
from companion.ice_laying import Laying, is_unlaid
from companion.ice_pieces import MOST
from companion.ice_view import IceReferee
from companion.lessons import LESSONS
from companion.memory import Memory
from companion.practice import Practice
from companion.referee import PAUSED, RESTORING, SETUP, TRACKING
from companion.restoring import Difference
from companion.standing import Glimpse
from engine.games.ice.position import write_position
from engine.lights import Light
from engine.sayings import Saying
from engine.sighting import Sighting
from engine.spots import Cue, Label, Spot

OFFER: Final = 0
"""Number of the question about a game that was not finished; questions of a referee count from 1."""
CONTINUE, NEW, DISCARD = range(3)
LAID_OUT: Final = "laid out"
"""Why the belief was corrected when a layer was complete."""
AGAIN_S: Final = 0.5
"""How long an unchanged picture is not thought about again."""

State: TypeAlias = Any


class Refused(Exception):
    """Something that cannot be done now, with a sentence for the players."""

    def __init__(self, say: Saying) -> None:
        super().__init__(say.text)
        self.say = say


class Doubts:
    """Where the players know better than the camera: cues that are left out while they still read the same."""

    def __init__(self) -> None:
        self._wrong: dict[Cue, Label] = {}
        self.version = 0

    @property
    def spots(self) -> list[str]:
        """Spots at which the camera is not believed."""
        return sorted({str(cue.spot) for cue in self._wrong})

    def add(self, off: Iterable[Difference]) -> None:
        """Do not believe what is seen at these cues."""
        self._wrong.update((Cue(each.spot, each.kind), each.seen) for each in off)
        self.version += 1

    def without(self, sighting: Sighting) -> Sighting:
        """The sighting without what is doubted; a cue that reads otherwise than before is believed again."""
        for cue in [cue for cue, label in self._wrong.items() if sighting.best(cue) not in (label, None)]:
            del self._wrong[cue]
            self.version += 1
        if not self._wrong:
            return sighting
        return Sighting({cue: odds for cue, odds in sighting.odds.items() if cue not in self._wrong}, sighting.unsure)


def _without_kinds(sighting: Sighting) -> Sighting:
    """The sighting without kinds of tiles: a known tile does not become another one, it is only misread."""
    return Sighting({cue: odds for cue, odds in sighting.odds.items() if cue.kind != "tile"}, sighting.unsure)


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
        self.doubts = Doubts()
        self.memory = Memory(self.playing.game.seen_at, MOST)
        self._glimpse: Glimpse | None = None
        """How the newest picture looked."""
        self._knows_tiles = False
        """The board has looked as believed once: from then on only presence and turn of a tile count, not its kind."""
        self._players_are_right = False
        """The players have just said how the table really is: what the next picture shows otherwise is a misreading."""
        self._sighting: Sighting | None = None
        self._considered: object = None
        self._again_at = 0.0
        self._hinted: State = None
        """The state for which somebody asked for a hint."""
        self.laying = self._to_lay()
        self.practice: Practice | None = None
        """A lesson that is done on the table instead of the game."""
        self._waiting: IceGame | None = None
        """The game that waits until the lesson is over."""

    @property
    def in_turn(self) -> str:
        """The guild that is to act; empty when it is nobody's turn."""
        actor = self.playing.game.to_act(self.referee.state)
        return self.playing.game.box.guilds[actor] if isinstance(actor, int) and actor >= 0 else ""

    @property
    def referee(self) -> IceReferee:
        """The belief about the game."""
        return self.playing.referee

    # ------------------------------------------------------------------ what comes in

    def consider(self, sighting: Sighting, now: float, glimpse: Glimpse | None = None) -> None:
        """Take in a settled sighting; the same one again only when something was said, or after a moment."""
        if sighting is self._sighting and now < self._again_at and self._considered == self.version():
            return
        if self.laying is not None and self.referee.mode == SETUP:
            self._lay(self.laying, sighting)
            if self.laying is not None:
                self._sighting, self._considered, self._again_at = sighting, self.version(), now + AGAIN_S
                return
        if self.practice is not None:
            self.practice.learn(sighting)
        self._knows_tiles = self._knows_tiles or self.referee.mode == TRACKING
        self._remember()
        if self._players_are_right:
            self.memory.forget()
        read = _without_kinds(sighting) if self._knows_tiles else sighting
        read = self.doubts.without(read)
        recalled = self.memory.recall(read, glimpse, is_play=self.referee.mode == TRACKING)
        self.referee.consider(recalled, now, lambda: self.memory.otherwise(read, glimpse))
        if self._players_are_right and self.referee.mode in (RESTORING, SETUP):
            self.doubts.add(self.referee.off)
            self.referee.consider(self.doubts.without(read), now)
        self._glimpse = glimpse
        self._remember()
        self._players_are_right = False
        if self.practice is not None:
            self.practice.judge()
        self._sighting, self._considered, self._again_at = sighting, self.version(), now + AGAIN_S

    def _remember(self) -> None:
        """Keep how the table looks where it is understood; an answer may have told it since the last picture."""
        understood = self.referee.understood
        if understood is not None and self.referee.mode == TRACKING:
            self.memory.agree(self._glimpse, understood)

    def _to_lay(self) -> Laying | None:
        return Laying(self.playing.game) if is_unlaid(self.referee.state) else None

    def _lay(self, laying: Laying, sighting: Sighting) -> None:
        """Learn the tiles while the board is laid out; what a complete layer shows is kept at once."""
        laying.see(sighting)
        learnt = laying.learnt(self.referee.state)
        if learnt is not None:
            self.referee.correct(write_position(learnt, self.playing.game.box.options), LAID_OUT)
            self.referee.mode = SETUP
        if laying.is_done:
            self.laying = None
            self.referee.begin()

    def obey(self, command: m.Command) -> None:
        """Do what a player asks; Refused or ValueError when that cannot be done."""
        self.note = None
        if self.offers:
            self._decide(command)
        elif isinstance(command, m.StartLesson):
            self._start_lesson(command.number)
        elif self.practice is not None and isinstance(command, m.LeaveLesson | m.NewGame | m.Close):
            self._leave_lesson()
            if isinstance(command, m.NewGame):
                self.obey(command)
        elif isinstance(command, m.NewGame):
            self.games.close(self.playing, "discarded")
            self._begin(command)
        elif isinstance(command, m.Close):
            self.games.close(self.playing, command.reason)
            self._begin(self._same_again())
        elif isinstance(command, m.Fix) and self.laying is not None:
            self.laying.tell(command.tiles)
        elif isinstance(command, m.Fix):
            self.referee.correct(self._fixed(command), command.why)
            self._players_are_right = True
        else:
            self._tell(command)

    def _start_lesson(self, number: int) -> None:
        if not 1 <= number <= len(LESSONS):
            raise Refused(Saying("There are lessons 1 to {count}.", {"count": len(LESSONS)}))
        self._waiting = self._waiting or self.playing
        options = self._waiting.game.box.options
        believed = write_position(self._waiting.referee.state, options)["tiles"]
        known = self.practice.known if self.practice else believed
        games = self.games
        self.practice = Practice.of(number, known, games.complain_after_s, games.end_turn_pressed)
        self._turn_to(self.practice.playing)

    def _leave_lesson(self) -> None:
        """Back to the game: nothing is inferred until the board looks as it did."""
        if self._waiting is not None:
            waiting, self._waiting, self.practice = self._waiting, None, None
            self._turn_to(waiting)
            if self.referee.mode == TRACKING:
                self.referee.mode = RESTORING

    def _turn_to(self, playing: IceGame) -> None:
        """Another game is on the table from now on; what was seen is thought about anew."""
        self.playing, self._sighting = playing, None
        self.doubts, self._knows_tiles = Doubts(), False
        self.memory = Memory(playing.game.seen_at, MOST)
        self.laying = self._to_lay()

    def _tell(self, command: m.Command) -> None:
        referee = self.referee
        match command:
            case m.Declare(line):
                referee.declare(line)
            case m.Answer(question, choice):
                referee.answer(question, choice)
            case m.EndTurn():
                referee.press_end_turn()
            case m.Hint():
                self._hinted = None if self._hinted == referee.state else referee.state
            case m.Undo():
                referee.undo()
            case m.Redo():
                referee.redo()
            case m.Keep() if referee.refusal is not None and referee.refusal.action is None:
                self._players_are_right = True  # nothing was done: it is the camera that errs
                referee.mode, referee.refusal = RESTORING, None
            case m.Keep() if referee.refusal is None and referee.mode in (RESTORING, SETUP):
                self._players_are_right = True  # the table lies as it is believed
            case m.Keep():
                referee.keep()
            case m.Correct(position, why):
                referee.correct(position, why)
                self._players_are_right = True
            case m.Pause():
                referee.mode = PAUSED
            case m.Resume() if referee.mode == PAUSED:
                referee.mode = RESTORING

    def _decide(self, command: m.Command) -> None:
        """What becomes of the game that was not finished."""
        if isinstance(command, m.NewGame):
            self._begin(command)
        elif isinstance(command, m.Answer) and command.question == OFFER and command.choice in (CONTINUE, NEW, DISCARD):
            if command.choice == DISCARD:
                self.games.close(self.playing, "discarded")
            if command.choice == CONTINUE:
                self.games.carry_on(self.playing)
            else:
                self._begin(self._same_again())
        else:
            raise Refused(Saying("First decide what becomes of the game that was not finished."))
        self.offers = False

    def _begin(self, wanted: m.NewGame) -> None:
        self._turn_to(self.games.begin(wanted))

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
        laid = self.laying.version() if self.laying else None
        taught = (self.practice.number, self.practice.finished) if self.practice else None
        told = (self.offers, self.note, self.doubts.version, self._hinted == referee.state)
        return (self.playing.number, *shown, referee.off, *told, laid, taught)

    def public(self) -> dict[str, Any]:
        """What everybody may know."""
        shown = self.playing.view.public(self.referee, self.laying)
        if self._hinted == self.referee.state:
            shown["lights"] = showing.coloured(self.lights())
        if self.practice is not None:
            shown |= {"lesson": self.practice.shown(), "laying": None, "lights": showing.coloured(self.lights())}
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
        return {"game": self.playing.number, **shown, "note": self.note, "doubted": self.doubts.spots}

    def private(self) -> dict[str, dict[str, Any]]:
        """What each seat alone may know."""
        return self.playing.view.private(self.referee)

    def lights(self) -> Mapping[Spot, Light]:
        """What the strip says; the same object while nothing has changed."""
        version = self.version()
        if self._lit is None or self._lit[0] != version:
            laying = self.laying if self.referee.mode == SETUP else None
            lit = laying.lights() if laying else self.playing.view.lights(self.referee)
            if self._hinted == self.referee.state and self.referee.mode == TRACKING:
                lit = {**lit, **self.playing.view.hint(self.referee)}
            self._lit = (version, {**lit, **self.practice.lights()} if self.practice else lit)
        return self._lit[1]

    def layout(self) -> Mapping[str, Any]:
        """Outlines of all spots in millimetres."""
        return self.playing.view.layout()

    def why(self, spot: str) -> Mapping[str, Any]:
        """What can happen at a spot now, and why the rest cannot."""
        return self.playing.view.why(self.referee, spot)
