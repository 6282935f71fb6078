"""A game of I C E told from its journal: what was done when, the score by day, where EP went, who dug where.

What a seat keeps secret stays secret until the game is closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from companion import showing
from companion.answers import game_of
from companion.journal import ActionKept, Corrected, Entry, Journal, Step, fold
from engine.games.ice import Ice, wording
from engine.games.ice import actions as a
from engine.games.ice.board import SPOTS
from engine.games.ice.position import read_position
from engine.games.ice.scoring import Score, Winners
from engine.games.ice.state import OVER, State
from engine.games.ice.tally import tally, winners_now
from engine.sayings import Saying

EP_KINDS: Final[dict[str, tuple[type[a.Action], ...]]] = {
    "moving": (a.Move, a.FluidMove),
    "digging": (a.Excavate,),
    "camps and recruits": (a.BuildCamp, a.Recruit, a.Nurture),
    "sailing": (a.Sail,),
    "studying and planning": (a.Study, a.Plan),
    "other": (),
}
"""What EP are spent on; whatever is not named is `other`."""
DAYS: Final = (1, 2, 3, 4)


@dataclass(frozen=True)
class Chronicle:
    """One game, step by step; `states` has the start and the state after each step."""

    number: int
    game: Ice
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    times: tuple[float, ...]
    """Of the start and of each step, in seconds since 1970."""
    closed: str | None
    flags: int
    """How often something was refused."""

    @property
    def guilds(self) -> tuple[str, ...]:
        """Who plays, in the order of seats."""
        return self.game.box.guilds

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end."""
        return self.states[-1].phase == OVER

    @property
    def tells_all(self) -> bool:
        """Whether nothing needs to be kept secret any more."""
        return self.closed is not None or self.is_over

    def action(self, index: int) -> a.Action | None:
        """The action of a step; None for a correction."""
        step = self.steps[index]
        return None if isinstance(step, Corrected) else self.game.parse(step.line)

    def say(self, index: int) -> Saying:
        """A step in words."""
        step, action = self.steps[index], self.action(index)
        if action is None:
            return Saying("Corrected by the players")
        said = (
            wording.label(self.game.box, self.states[index], action)
            if self.tells_all
            else showing.told(self.game, self.states[index], action)
        )
        return Saying("{what} (house ruling)", {"what": said}) if isinstance(step, ActionKept) else said

    def pads(self, index: int = -1) -> list[Score]:
        """The score pad of every seat after a step."""
        box, state = self.game.box, self.states[index]
        return [tally(state, seat, box.options, box.data.requests) for seat in range(len(self.guilds))]

    @cached_property
    def winners(self) -> Winners:
        """Who wins, or would win if the game ended now."""
        return winners_now(self.states[-1], self.game.box.options, self.game.box.data.requests)

    @cached_property
    def score_by_day(self) -> dict[int, list[int]]:
        """What everybody had for certain at the end of each day that was played."""
        last = {state.day: index for index, state in enumerate(self.states)}
        return {day: [pad.total.least for pad in self.pads(last[day])] for day in DAYS if day in last}

    @cached_property
    def ep_by_kind(self) -> dict[str, list[int]]:
        """EP that every seat spent on each kind of action."""
        spent = {kind: [0] * len(self.guilds) for kind in EP_KINDS}
        for index in range(len(self.steps)):
            action = self.action(index)
            if action is not None and action.by >= 0:
                spent[_kind(action)][action.by] += self.ep_spent(index, action.by)
        return spent

    def ep_spent(self, index: int, seat: int) -> int:
        """EP that a seat gave for a step."""
        before, after = self.states[index].seats[seat], self.states[index + 1].seats[seat]
        same_day = self.states[index].day == self.states[index + 1].day
        return max(0, before.ep - after.ep) if same_day else 0

    @cached_property
    def digs(self) -> dict[str, str]:
        """Who dug which spot."""
        found = {}
        for index in range(len(self.steps)):
            action = self.action(index)
            if isinstance(action, a.Excavate):
                found[str(SPOTS[action.place])] = self.guilds[action.by]
        return found

    def summary(self) -> dict[str, Any]:
        """One line of the list of games."""
        return {
            "number": self.number,
            "started": self.times[0],
            "ended": self.times[-1],
            "guilds": list(self.guilds),
            "day": self.states[-1].day,
            "steps": len(self.steps),
            "flags": self.flags,
            "state": "over" if self.is_over else "running" if self.closed is None else "put away",
            "totals": [str(pad.total) for pad in self.pads()],
            "winners": [self.guilds[seat] for seat in self.winners.seats] if self.is_over else [],
            "certain": self.winners.certain,
        }

    def told(self) -> dict[str, Any]:
        """The whole game for export."""
        return {
            **self.summary(),
            "game": "ice",
            "score": wording.score_rows(self.guilds, self.pads()),
            "pad": wording.pad_rows(self.guilds, self.pads()),
            "score_by_day": {str(day): totals for day, totals in self.score_by_day.items()},
            "ep_by_kind": [[Saying(kind), *spent] for kind, spent in self.ep_by_kind.items()],
            "digs": self.digs,
            "moments": [self.moment(index) for index in range(len(self.steps))],
            "position": showing.public_position(self.game, self.states[-1]),
        }

    def moment(self, index: int) -> dict[str, Any]:
        """One step for export: when, who, what."""
        action = self.action(index)
        by = self.guilds[action.by] if action is not None and action.by >= 0 else "table"
        secret = not self.tells_all and action is not None and showing.stays_secret(self.states[index], action)
        return {
            "at": self.times[index + 1],
            "day": self.states[index].day,
            "by": by,
            "line": "" if action is None or secret else self.game.format(action),
            "say": self.say(index),
            "ep": self.ep_spent(index, action.by) if action is not None and action.by >= 0 else 0,
        }

    def rows(self) -> list[list[Any]]:
        """The game as a table: a heading, then one row per step with the totals after it."""
        head = ["number", "time", "day", "by", "line", "text", "ep", *(f"score {guild}" for guild in self.guilds)]
        rows: list[list[Any]] = [head]
        for index in range(len(self.steps)):
            moment = self.moment(index)
            totals = [str(pad.total) for pad in self.pads(index + 1)]
            rows.append([index + 1, *(moment[name] for name in ("at", "day", "by", "line", "say", "ep")), *totals])
        return rows


def _kind(action: a.Action) -> str:
    return next((kind for kind, types in EP_KINDS.items() if isinstance(action, types)), "other")


def read_chronicle(entries: Sequence[Entry]) -> Chronicle:
    """A game from the events of its journal."""
    line = fold(entry.event for entry in entries)
    state, options = read_position(line.start.position, f"game {entries[0].game}")
    game = game_of(options, tuple(seat.guild for seat in state.seats))
    states = [state]
    for step in line.steps:
        if isinstance(step, Corrected):
            state = read_position(step.position)[0]
        else:
            state = game.apply(state, game.parse(step.line))
        states.append(state)
    written = {id(entry.event): entry.at for entry in entries}
    times = (entries[0].at, *(written[id(step)] for step in line.steps))
    flags = Counter(type(entry.event).__name__ for entry in entries)["Flagged"]
    return Chronicle(entries[0].game, game, line.steps, tuple(states), times, line.closed, flags)


class Archive:
    """All games in a journal, read beside the session that writes it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[int, tuple[int, Chronicle]] = {}

    def numbers(self) -> list[int]:
        """All games, the newest first."""
        if self._path is None or not self._path.exists():
            return []
        journal = Journal(self._path, read_only=True)
        try:
            return sorted(journal.games(), reverse=True)
        finally:
            journal.close()

    def game(self, number: int) -> Chronicle:
        """One game; KeyError when there is none of that number."""
        if self._path is None or not self._path.exists():
            raise KeyError(number)
        journal = Journal(self._path, read_only=True)
        try:
            entries = journal.entries(number)
        finally:
            journal.close()
        if not entries:
            raise KeyError(number)
        newest, known = self._known.get(number, (0, None))
        if known is None or newest != entries[-1].number:
            known = read_chronicle(entries)
            self._known[number] = (entries[-1].number, known)
        return known

    def summaries(self, most: int = 200) -> list[dict[str, Any]]:
        """The newest games, one line each."""
        return [self.game(number).summary() for number in self.numbers()[:most]]
