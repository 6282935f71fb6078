"""A lesson on the table itself: its position is put onto the board, and what the camera saw is judged.

Only the spots that matter to the lesson are asked for; the rest of the board may lie as it lies, and is learnt from the
camera. Nothing of it goes to the journal: the game that was interrupted waits there.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

from companion.answers import game_of
from companion.ice_games import IceGame
from companion.journal import ActionTaken, Event
from companion.lessons import LESSONS, Lesson
from companion.referee import SETUP, TRACKING, Referee
from companion.teaching import rules_of
from engine.documents import DataError
from engine.games.ice.board import COVERS, INDEX, SPOTS, TILE_COUNT
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.following import ARCHAEOLOGISTS, CAMP, HERE, NO, TILE, TURN, YES
from engine.games.ice.position import read_position
from engine.lights import HINT, Light
from engine.sayings import Saying
from engine.sighting import Sighting
from engine.spots import Cue, Spot

NOT_IN_THE_JOURNAL: Final = 0
"""The number of a game that is only practised."""
NEUTRAL: Final = "neutral"
MOST_NEUTRAL: Final = 2
HARMLESS: Final = ("empty", "tunnel", "campsite")
"""Snow that neither stops anybody nor is harder to dig."""


@dataclass(slots=True)
class Practice:
    """One lesson at the table."""

    number: int
    lesson: Lesson
    playing: IceGame
    known: dict[str, dict[str, Any]]
    """Every tile that was seen or believed to lie, as a position has it; what lies under others is known from here."""
    finished: bool = False
    _learnt: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, number: int, known: dict[str, dict[str, Any]], complain_after_s: float, end_turn_pressed: bool
    ) -> Practice:
        """The lesson of a number, to be laid out first."""
        lesson = LESSONS[number - 1]
        start, options = read_position(lesson.position, lesson.key)
        game = game_of(options, tuple(seat.guild for seat in start.seats))
        referee = Referee(
            game,
            start,
            _forget,
            lambda position: read_position(position)[0],
            complain_after_s=complain_after_s,
            end_turn_pressed=end_turn_pressed,
        )
        referee.mode = SETUP
        found = cls(number, lesson, IceGame(NOT_IN_THE_JOURNAL, game, referee), dict(known))
        found.learn(Sighting({}))
        return found

    # ------------------------------------------------------------------ what the eye saw

    def learn(self, sighting: Sighting) -> None:
        """While the lesson is laid out: what lies and stands where it does not matter is right as it is."""
        referee = self.playing.referee
        if referee.mode != SETUP:
            return
        position = self._position(sighting)
        if position == self._learnt:
            return
        try:
            referee.start = read_position(position, self.lesson.key)[0]
        except DataError:  # more pieces are seen than the box holds: the next picture will be better
            return
        self._learnt, referee.states = position, [referee.start]

    def _position(self, sighting: Sighting) -> dict[str, Any]:
        position = deepcopy(dict(self.lesson.position))
        lying = {spot: self._tile(Spot(spot), sighting) for spot in position["tiles"]}
        position["tiles"] = self._exchanged(lying)
        free = [spot for spot in SPOTS if str(spot) not in self.lesson.spots]
        camps = sum(group.get("camp") == NEUTRAL for group in position["pieces"].values())
        for spot in free:
            group: dict[str, Any] = {}
            count = sighting.best(Cue(spot, ARCHAEOLOGISTS))
            if count is not None and int(count) and self._is_open(spot, position):
                group["archaeologists"] = int(count)
            if sighting.best(Cue(spot, CAMP)) == NEUTRAL and camps < MOST_NEUTRAL and INDEX[spot] < TILE_COUNT:
                group["camp"], camps = NEUTRAL, camps + 1
            if group:
                position["pieces"][str(spot)] = group
        return position

    def _exchanged(self, lying: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """The tiles as they lie, with those that are wrong for the lesson exchanged for others of their layer."""
        tiles = dict(lying)
        for spot in sorted(self.lesson.spots & tiles.keys()):
            wanted = self.lesson.position["tiles"][spot]
            if spot in self.lesson.kinds and tiles[spot]["kind"] == wanted["kind"]:
                tiles[spot] = dict(wanted)  # turned as the lesson has it
            elif not self._suits(spot, tiles[spot]["kind"]):
                other = self._other(spot, tiles)
                tiles[spot] = dict(wanted) if other is None or spot in self.lesson.kinds else dict(tiles[other])
                if other is not None:
                    tiles[other] = dict(lying[spot])
        return tiles

    def _suits(self, spot: str, kind: str) -> bool:
        """Whether a kind of tile may lie on a spot that matters."""
        if spot in self.lesson.kinds:
            return kind == str(self.lesson.position["tiles"][spot]["kind"])
        return not spot.startswith("snow:") or kind in (*HARMLESS, UNKNOWN)

    def _other(self, spot: str, tiles: dict[str, dict[str, Any]]) -> str | None:
        """A spot that does not matter, with a tile that would do better here."""
        layer = spot.partition(":")[0]
        spare = [one for one in tiles if one.startswith(f"{layer}:") and one not in self.lesson.spots]
        known = [one for one in spare if tiles[one]["kind"] != UNKNOWN]
        return next((one for one in known if self._suits(spot, tiles[one]["kind"])), None)

    def _is_open(self, spot: Spot, position: dict[str, Any]) -> bool:
        covers = COVERS[INDEX[spot]]
        return not covers or not all(str(SPOTS[cover]) in position["tiles"] for cover in covers)

    def _tile(self, spot: Spot, sighting: Sighting) -> dict[str, Any]:
        """The tile of a spot as it is seen, or as it was before others covered it; any one where none lies."""
        here, kind = sighting.best(Cue(spot, HERE)), sighting.best(Cue(spot, TILE))
        if here == NO:
            self.known.pop(str(spot), None)
        elif here == YES and kind is not None:
            turn = sighting.best(Cue(spot, TURN))
            self.known[str(spot)] = {"kind": kind, **({"rotation": int(turn)} if turn is not None else {})}
        return self.known.get(str(spot), {"kind": UNKNOWN})

    def judge(self) -> None:
        """Whether the task was really done."""
        referee = self.playing.referee
        actions = [self.playing.game.parse(step.line) for step in referee.steps if isinstance(step, ActionTaken)]
        is_clean = referee.mode == TRACKING and referee.refusal is None
        self.finished = self.finished or (is_clean and self.lesson.done(referee.start, referee.state, actions))

    # ------------------------------------------------------------------ what is shown

    def lights(self) -> dict[Spot, Light]:
        """What guides the learner, while nothing has to be put right."""
        referee = self.playing.referee
        if self.finished or referee.mode != TRACKING or referee.refusal is not None or referee.state.asked:
            return {}
        return {Spot(spot): Light(HINT) for spot in self.lesson.hints}

    def shown(self) -> dict[str, Any]:
        """The lesson for the page."""
        return {
            "number": self.number,
            "count": len(LESSONS),
            "title": Saying(self.lesson.title),
            "text": [Saying(text) for text in self.lesson.text],
            "task": Saying(self.lesson.task),
            "praise": Saying(self.lesson.praise) if self.finished else None,
            "rules": rules_of(self.lesson),
        }


def _forget(event: Event) -> None:
    """A lesson leaves no trace."""
