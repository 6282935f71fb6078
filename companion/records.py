"""Recorded games as text: the start, then two lines per step: what was done, and what it led to.

    start {position}
      <fingerprint> | day 1 setup, table | …
    navigators camp snow:5,3,2
      <fingerprint> | …

A house ruling is written `kept RULE LINE`, a correction `correct {position}`. The indented lines are checked when a
record is replayed; without them it replays just as well.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.answers import game_of
from companion.journal import ActionKept, ActionTaken, Corrected, Step
from engine.documents import DataError
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.position import actor_name, read_position, write_position
from engine.games.ice.state import State
from engine.strict_json import BadJson, decode

START, KEPT, CORRECT = "start ", "kept ", "correct "
MARGIN: Final = "  "
"""Begins the lines that tell what a step led to."""


class RecordError(ValueError):
    """A record cannot be replayed; the message names the line."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record that was played again."""

    game: Ice
    states: tuple[State, ...]
    """The start and the state after each step."""
    steps: tuple[Step, ...]


def fingerprint(game: Ice, state: State) -> str:
    """Twelve hex digits that change when anything in the written position does."""
    text = json.dumps(write_position(state, game.box.options), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def summary(game: Ice, state: State) -> str:
    """What a reader can check: whose turn, points, how much is legal, what is lit."""
    lights = Counter(light.role for light in game.lights(state).values())
    lit = ", ".join(f"{count} {role}" for role, count in sorted(lights.items())) or "dark"
    points = " ".join(f"{seat.ep}/{seat.rp}" for seat in state.seats)
    return (
        f"{fingerprint(game, state)} | day {state.day} {state.phase}, {actor_name(state) or 'nobody'} | ep/rp {points}"
        f" | tiles {state.present.bit_count()} | legal {len(game.legal_actions(state))} | {lit}"
    )


def record(game: Ice, states: Sequence[State], steps: Iterable[Step]) -> Iterator[str]:
    """The lines of a game: its start and every step with what it led to."""
    yield START + _compact(write_position(states[0], game.box.options))
    yield MARGIN + summary(game, states[0])
    for step, state in zip(steps, states[1:], strict=True):
        yield _line(step)
        yield MARGIN + summary(game, state)


def _line(step: Step) -> str:
    if isinstance(step, Corrected):
        return CORRECT + _compact({"position": step.position, "why": step.why})
    return f"{KEPT}{step.rule or '-'} {step.line}" if isinstance(step, ActionKept) else step.line


def _compact(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def replay(lines: Iterable[str], where: str) -> Replayed:
    """Play a record again: every step must be legal or marked as kept, and lead to what its line says."""
    game: Ice | None = None
    states: list[State] = []
    steps: list[Step] = []
    for number, line in enumerate(lines, start=1):
        at = f"{where}:{number}"
        if not line.strip():
            continue
        if game is None:
            start, options = _position(line, START, at)
            game = game_of(options, tuple(seat.guild for seat in start.seats))
            states.append(start)
        elif line.startswith(MARGIN):
            _check(game, states[-1], line.strip(), at)
        else:
            step, state = _take(game, states[-1], line.strip(), at)
            steps.append(step)
            states.append(state)
    if game is None:
        raise RecordError(f"{where}: expected a line that begins with 'start', got nothing")
    return Replayed(game, tuple(states), tuple(steps))


def _check(game: Ice, state: State, told: str, at: str) -> None:
    found = summary(game, state)
    if told != found:
        raise RecordError(f"{at}: the game is elsewhere than recorded: expected '{told}', got '{found}'")


def _take(game: Ice, state: State, line: str, at: str) -> tuple[Step, State]:
    if line.startswith(CORRECT):
        told = _json(line.removeprefix(CORRECT), at)
        if not isinstance(told, dict) or not isinstance(told.get("position"), dict):
            raise RecordError(f"{at}: a correction needs a position")
        position = told["position"]
        return Corrected(position, str(told.get("why", ""))), _read(position, at)[0]
    rule, text = "", line
    if line.startswith(KEPT):
        rule, _, text = line.removeprefix(KEPT).partition(" ")
    try:
        action = game.parse(text)
    except ValueError as error:
        raise RecordError(f"{at}: {error}") from None
    violation = game.why_illegal(state, action)
    if violation is not None and not rule:
        raise RecordError(f"{at}: {text} is forbidden by {violation.rule}; a house ruling is written 'kept RULE LINE'")
    step = ActionKept(text, "" if rule == "-" else rule) if rule else ActionTaken(text)
    return step, game.apply(state, action)


def _position(line: str, word: str, at: str) -> tuple[State, Options]:
    if not line.startswith(word):
        raise RecordError(f"{at}: expected a line that begins with '{word.strip()}', got '{line[:40]}'")
    return _read(_json(line.removeprefix(word), at), at)


def _json(text: str, at: str) -> Any:
    try:
        return decode(text)
    except BadJson as error:
        raise RecordError(f"{at}: {error}") from None


def _read(document: object, at: str) -> tuple[State, Options]:
    try:
        return read_position(document, at)
    except DataError as error:
        raise RecordError(str(error)) from None
