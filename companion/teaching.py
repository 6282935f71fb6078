"""Plays a lesson: what was done so far is replayed, the next attempt is judged, and mistakes are told by their rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion import showing
from companion.answers import game_of
from companion.lessons import LEARNER, Lesson
from companion.lighting import hex_colour, screen_colour
from engine.game import TABLE, RuleViolation
from engine.games.ice import Ice, wording
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX
from engine.games.ice.position import read_position
from engine.games.ice.rule_titles import RULES
from engine.games.ice.state import State
from engine.lights import HINT, Light
from engine.sayings import Saying
from engine.spots import Spot

MOST_STEPS: Final = 60
MOST_WRONG: Final = 3
"""Wrong ways to spread explorers that are offered beside the right ones."""


class BadAttempt(ValueError):
    """Lines that do not belong to this lesson."""


@dataclass(frozen=True, slots=True)
class Played:
    """A lesson after some steps."""

    game: Ice
    states: tuple[State, ...]
    actions: tuple[a.Action, ...]
    lines: tuple[str, ...]
    violation: RuleViolation | None = None

    @property
    def state(self) -> State:
        """Where the learner is now."""
        return self.states[-1]


def play(lesson: Lesson, done: Sequence[str], attempt: str | None) -> Played:
    """Replay the steps that were allowed, then judge one more."""
    if len(done) > MOST_STEPS:
        raise BadAttempt(f"a lesson has at most {MOST_STEPS} steps; start it again")
    start, options = read_position(lesson.position, lesson.key)
    game = game_of(options, tuple(seat.guild for seat in start.seats))
    played = Played(game, (start,), (), ())
    for line in done:
        played = _step(played, line)
        if played.violation is not None:
            raise BadAttempt(f"{line!r} was never allowed in this lesson")
    return played if attempt is None else _step(played, attempt)


def _step(played: Played, line: str) -> Played:
    game, state = played.game, played.state
    try:
        action = game.parse(line)
    except ValueError as error:
        raise BadAttempt(str(error)) from None
    violation = game.why_illegal(state, action)
    if violation is not None:
        return Played(game, played.states, played.actions, played.lines, violation)
    state = game.apply(state, action)
    while state.asked and state.actor == TABLE:  # what the table would tell: the tile stays unknown
        state = game.apply(state, game.legal_actions(state)[0])
    return Played(game, (*played.states, state), (*played.actions, action), (*played.lines, line))


def is_done(lesson: Lesson, played: Played) -> bool:
    """Whether the task was really done."""
    return played.violation is None and lesson.done(played.states[0], played.state, played.actions)


def view(lesson: Lesson, played: Played, spot: str | None) -> dict[str, Any]:
    """What the lesson's page shows now."""
    game, state = played.game, played.state
    finished = is_done(lesson, played)
    shown = showing.shown(game, state)
    hint = {"role": HINT, "colour": hex_colour(screen_colour(Light(HINT)))}
    if not finished and not state.asked:
        shown["lights"] = {**dict.fromkeys(lesson.hints, hint), **shown["lights"], **dict.fromkeys(lesson.hints, hint)}
    return {
        "position": shown["position"],
        "lights": shown["lights"],
        "headline": shown["headline"],
        "facts": shown["facts"][:3],
        "done": list(played.lines),
        "steps": [wording.label(game.box, s, x) for s, x in zip(played.states, played.actions, strict=False)],
        "finished": finished,
        "praise": Saying(lesson.praise) if finished else None,
        "refusal": showing.refused(played.violation) if played.violation else None,
        "question": wording.question(state.asked[0].kind) if state.asked else None,
        "choices": [] if finished else [_choice(game, state, action) for action in choices(lesson, game, state, spot)],
    }


def _choice(game: Ice, state: State, action: a.Action) -> dict[str, Any]:
    dig = showing.dig(game, state, action.place)["breakdown"] if isinstance(action, a.Excavate) else None
    return {"line": game.format(action), "label": wording.label(game.box, state, action), "cost": dig}


def choices(lesson: Lesson, game: Ice, state: State, spot: str | None) -> Iterator[a.Action]:
    """What the learner may try now, right and wrong."""
    if state.asked:
        yield from _answers(game, state)
        return
    if spot is not None:
        if spot not in INDEX:
            raise BadAttempt(f"there is no spot {spot[:40]!r}")
        yield from _at(game, state, INDEX[Spot(spot)])
        return
    for offer in (*lesson.offers, "rest" if state.phase == "sunset" else "end"):
        yield game.parse(f"{LEARNER} {offer}")


def _at(game: Ice, state: State, place: int) -> Iterator[a.Action]:
    """The plain attempts at a place; a move with every number of companions, one too many included."""
    here = state.leaders[state.active]
    for action in showing.attempts(game, state, place):
        if isinstance(action, a.UseObliteration):
            continue
        yield action
        if isinstance(action, a.Move) and here >= 0:
            for count in range(1, min(4, state.archaeologists[here]) + 1):
                yield a.Move(state.active, place, count)


def _answers(game: Ice, state: State) -> Iterator[a.Action]:
    """Every right answer, and some wrong ways to spread explorers, in an order that gives nothing away."""
    legal = list(game.legal_actions(state))
    wrong = []
    if state.asked[0].kind == "allocate":
        wrong = [
            action
            for action in game.plausible_actions(state)
            if isinstance(action, a.Allocate) and game.why_illegal(state, action) is not None
        ]
    wrong.sort(key=lambda action: max(getattr(action, "archaeologists", (0,))))
    yield from sorted([*legal[:4], *wrong[:MOST_WRONG]], key=game.format)


def rules_of(lesson: Lesson) -> list[dict[str, Any]]:
    """The rules that a lesson is about, with their titles."""
    return [{"rule": rule, "title": Saying(RULES[rule])} for rule in lesson.rules]
