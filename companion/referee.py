"""Follows one game: what the eye saw and what players said become events; doubt is asked, a wrong is refused.

No device, clock or disk in here: sightings, commands and the time come in. Every change goes through `Belief`, so an
event is in the journal before the belief changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from companion.belief import A, S
from companion.hindsight import MOST_OPTIONS, MOST_REVISED, Hindsight, after_all, readings_of
from companion.journal import ActionKept, Corrected, Flagged, Redone, Undone
from companion.restoring import PIECES, Difference, lifted
from engine.explain import Ambiguous, Explained, Forbidden, Reading, Unexplained
from engine.game import RuleViolation
from engine.sighting import Sighting
from engine.spots import Spot

TRACKING, RESTORING, SETUP, PAUSED = "tracking", "restoring", "setup", "paused"
HOLDING = 10.0
"""So many times longer than usual somebody may hold a piece in the hand before that is complained about."""


@dataclass(frozen=True, slots=True)
class Refusal(Generic[A]):
    """An attempt that a rule forbids, or a board that nothing explains."""

    violation: RuleViolation | None
    action: A | None
    spots: tuple[Spot, ...]
    by_picture: bool
    """True when the table must be put right; False when only something that was said is refused."""


@dataclass(frozen=True, slots=True)
class Question(Generic[A]):
    """A doubt with its answers; an answer is a list of actions from the state it was asked in."""

    number: int
    key: str
    options: tuple[tuple[A, ...], ...]
    undo_first: int = 0
    """Steps that are taken back before an answer is played."""


@dataclass(slots=True)
class Referee(Hindsight[S, A]):
    """The belief about one game and everything that may change it."""

    complain_after_s: float = 2.0
    mode: str = SETUP
    refusal: Refusal[A] | None = None
    question: Question[A] | None = None
    off: tuple[Difference, ...] = ()
    """What the newest picture shows otherwise than believed, thing by thing."""
    understood: S | None = None
    """What the newest picture shows, once that is clear; what was only said since is not in it."""
    _shown: S | None = None
    """The board before something was said that the table still has to show."""
    _odd: frozenset[Spot] = frozenset()
    """Spots that have differed in every picture since then."""
    _odd_since: float = 0.0
    _asked: int = 0
    _sighting: Sighting = field(default_factory=lambda: Sighting({}))

    def begin(self) -> None:
        """Ask what the game waits for when it starts or goes on."""
        if self.question is None:
            self._settle()

    # ------------------------------------------------------------------ what the eye saw

    def consider(self, sighting: Sighting, now: float, others: Callable[[], Iterable[Sighting]] = lambda: ()) -> None:
        """Take in a settled sighting; `others` are what the picture may show as well, if this makes no sense."""
        if self.mode == PAUSED:
            return
        surprises = self._surprises(self.state, sighting)
        self.differing = frozenset(surprises)
        self.off = self._off(sighting)
        self.understood, self._sighting = None, sighting
        is_calm = all(value <= self.weights.calm for value in surprises.values())
        is_faint = self._is_faint(sighting)
        if not self.differing or (is_calm and self._is_restored(is_faint)):
            self._agree()
            return
        self._remember_odd(now)
        if self.question is not None or self._is_waited_for(sighting):
            return
        if not is_calm and self._put_back(sighting, now):
            return
        if sum(surprises.values()) < self.weights.least and not self._has_lasted(now):
            return  # too little to believe that somebody did something
        found = self._explain(self.state, sighting)
        found = self._plainer(found, others)
        if isinstance(found, Explained) and is_faint:
            found = Ambiguous((found.reading,))
        if isinstance(found, Ambiguous) and not self._has_lasted(now):
            return  # perhaps a hand has not finished
        if self._follow(found):
            return
        if not self._denied and (self._revise(sighting) or self._take_otherwise(sighting, now)):
            return
        if is_calm and self._has_lasted(now):
            self._agree()  # a doubt that no action explains is the picture's
        elif isinstance(found, Forbidden) or sum(surprises.values()) > self.weights.strange:
            self._complain(found, now)

    def _remember_odd(self, now: float) -> None:
        """Note since when the same spots differ: what flickers is the picture's fault, not the players'."""
        self._odd &= self.differing
        if not self._odd:
            self._odd, self._odd_since = self.differing, now

    def _has_lasted(self, now: float) -> bool:
        return now - self._odd_since >= self.complain_after_s

    def _plainer(self, found: Any, others: Callable[[], Iterable[Sighting]]) -> Any:
        """An account of something else that a picture may show, if that is plain and this is far-fetched."""
        most = min((reading.cost for reading in readings_of(found)), default=self.weights.most)
        if isinstance(found, Explained):
            most -= self.weights.margin
        elif isinstance(found, Ambiguous) and found.readings[0].boldest <= self.weights.sure:
            return found
        if most < self.weights.least:
            return found
        for other in others():
            instead = self._explain(self.state, other)
            if isinstance(instead, Explained) and instead.reading.cost <= most:
                return instead
        return found

    def _is_waited_for(self, sighting: Sighting) -> bool:
        """Whether the table is to follow the belief, not the belief the table."""
        if self.mode == SETUP or (self.mode == RESTORING and self.refusal is None):
            return True
        if self._shown is not None and self._looks_like(self._shown, sighting):
            return True  # it was said, and nobody has moved yet
        self._shown = None
        return False

    def _is_restored(self, is_faint: bool) -> bool:
        """Whether what was to be put right looks right, or nearly, and something else flickers."""
        return self.mode == RESTORING and (is_faint or self._odd.isdisjoint(self.differing))

    def _agree(self) -> None:
        self.understood = self.state
        self._odd, self._denied, self._shown = frozenset(), frozenset(), None
        if self.refusal is not None and self.refusal.by_picture:
            self.refusal = None
        if self.question is not None and self.question.key == "which":
            self.question = None  # it was put back while we asked
        if self.mode in (RESTORING, SETUP):
            self.mode = TRACKING

    def _follow(self, found: Any, undo_first: int = 0) -> bool:
        """Accept or ask; False when the picture needs another explanation."""
        if isinstance(found, Explained):
            self._accept(found.reading, undo_first)
            return True
        if isinstance(found, Ambiguous):
            readings = found.readings[:MOST_OPTIONS]
            self._ask("which", tuple(reading.actions for reading in readings), undo_first)
            return True
        return False

    def _accept(self, reading: Reading[S, A], undo_first: int) -> None:
        for _ in range(undo_first):
            self._write(Undone())
        for action in reading.actions:
            self._take(action)
        self._carry_on()
        self.understood = self.state
        self._settle()

    def _put_back(self, sighting: Sighting, now: float) -> bool:
        """Recognise an undo on the table: everything seen since lies again as it lay before."""
        for back in self._steps_back():
            if self._was_said(back):
                return False
            if not self._looks_like(self.states[-1 - back], sighting):
                continue
            if played_on := self._ways_to_play_on(sighting):
                if self._has_lasted(now):
                    self._ask("which", ((), *((*self._made(back), *each.actions) for each in played_on)), back)
                return True
            for _ in range(back):
                self._write(Undone())
            self._carry_on()
            self.understood = self.state
            return True
        return False

    def _revise(self, sighting: Sighting) -> bool:
        """Understand the last steps anew, because pieces followed later; a dig is one step."""
        most, now = self.weights.usual, self._total(self.state, sighting)
        for back in self._steps_back(past_ends=not self.end_turn_pressed):
            before = self.states[-1 - back]
            if self._was_said(back):
                return False
            if self.game.is_midway(before):
                continue
            found = self._explain(before, sighting, most)
            is_better = all(self._total(r.state, sighting) < now - self.weights.calm for r in readings_of(found))
            if is_better and self._follow(found, undo_first=back):
                return True
            most += self.weights.least
        return False

    def _take_otherwise(self, sighting: Sighting, now: float) -> bool:
        """Take a step of this turn for something else that looks the same, if only then the picture is legal."""
        for back in self._steps_back():
            before = self.states[-1 - back]
            if self.game.is_midway(before) or not self.game.changed(before, self.states[-back]):
                continue
            taken, *later = self._made(back)
            for instead in self._alike(before, taken):
                made = [*instead, *later]
                found = self._explain(self._after(before, made), sighting) if self._all_legal(before, made) else None
                if isinstance(found, Explained) or (isinstance(found, Ambiguous) and self._has_lasted(now)):
                    return self._follow(after_all(made, found), undo_first=back)
        return False

    def _complain(self, found: Any, now: float) -> None:
        holding = lifted(self.off)
        patience = HOLDING if holding is not None and holding.kind in PIECES else 1.0
        is_known = self.refusal is not None and self.refusal.by_picture
        if is_known or now - self._odd_since < patience * self.complain_after_s:
            return
        if isinstance(found, Forbidden):
            action = found.reading.actions[found.reading.illegal_at or 0]
            violation = found.violation
            self._refuse(violation, action, violation.spots or tuple(sorted(self.differing)), by_picture=True)
        elif isinstance(found, Unexplained):
            self._refuse(None, None, tuple(sorted(found.spots)), by_picture=True)

    def _refuse(
        self, violation: RuleViolation | None, action: A | None, spots: tuple[Spot, ...], *, by_picture: bool
    ) -> None:
        line = "" if action is None else self.game.format(action)
        self._write(Flagged(violation.rule if violation else "", line, [str(spot) for spot in spots]))
        self.refusal = Refusal(violation, action, spots, by_picture)
        if by_picture:
            self.mode = RESTORING

    # ------------------------------------------------------------------ what players said

    def declare(self, line: str) -> None:
        """An action that was said instead of seen; refused with its rule, or fitted in where it belongs."""
        action = self.game.parse(line)
        violation = self.game.why_illegal(self.state, action)
        if violation is None:
            self._say_before_showing([action])
            self._take(action)
            self.refusal = None
            self._settle()
        elif not (self._went_without_saying(action) or self._end_first(action) or self._insert(action)):
            self._refuse(violation, action, violation.spots, by_picture=False)

    def _went_without_saying(self, action: A) -> bool:
        """Whether this is what was done silently just now."""
        return len(self.states) > 1 and self._default(self.states[-2]) == action

    def _say_before_showing(self, actions: Iterable[A]) -> None:
        """Remember what the table shows while hands have yet to do what was said."""
        if self._shown is None and self.game.changed(self.state, self._after(self.state, actions)):
            self._shown = self.state

    def _insert(self, action: A) -> bool:
        """Say something too late: put it before steps of this turn that stay legal and lead to the same board."""
        for back in self._steps_back():
            at = len(self.steps) - back
            later = self._made(back)
            if self._all_legal(self.states[at], [action, *later]):
                for _ in range(back):
                    self._write(Undone())
                for each in [action, *later]:
                    self._take(each)
                self._settle()
                return True
        return False

    def _end_first(self, action: A) -> bool:
        """Without a button, who says something after a turn has ended that turn before."""
        state, ends = self.state, list[A]()
        while not self.end_turn_pressed and len(ends) < MOST_REVISED:
            end = self._default(state) or self.game.end_turn(state)
            if end is None or self.game.why_illegal(state, end) is not None:
                break
            state = self.game.apply(state, end)
            ends.append(end)
            if self.game.why_illegal(state, action) is None:
                for each in [*ends, action]:
                    self._take(each)
                self.refusal = None
                self._settle()
                return True
        return False

    def press_end_turn(self) -> None:
        """The active player is done; what still misses is refused with its rule."""
        action = self.game.end_turn(self.state)
        if action is None:
            return
        violation = self.game.why_illegal(self.state, action)
        if violation is None:
            self._take(action)
            self.refusal = None
            self._settle()
        else:
            self._refuse(violation, action, violation.spots, by_picture=False)

    def answer(self, number: int, choice: int) -> None:
        """A tap on a question's button; one past the options means none of them."""
        question = self.question
        if question is None or question.number != number or not 0 <= choice <= len(question.options):
            return
        self.question = None
        if choice == len(question.options):
            if question.key == "which":
                before = self.states[-1 - question.undo_first]
                self._denied |= {self._after(before, option) for option in question.options}
            return
        for _ in range(question.undo_first):
            self._write(Undone())
        if question.key != "which":  # that one is about what the table shows already
            self._say_before_showing(question.options[choice])
        for action in question.options[choice]:
            self._take(action)
        self._carry_on()
        if question.key == "which":
            self.understood = self.state
        self._settle()

    def keep(self) -> None:
        """We play it that way: the refused action stands as a house ruling."""
        refusal = self.refusal
        if refusal is None or refusal.action is None:
            return
        rule = refusal.violation.rule if refusal.violation else ""
        self._write(ActionKept(self.game.format(refusal.action), rule))
        self._carry_on()
        self._settle()

    def undo(self) -> None:
        """Take back the newest step; the table is to follow."""
        if self.steps:
            self._write(Undone())
            self._change_by_word()

    def redo(self) -> None:
        """Make the undone step again; the table is to follow."""
        if self.undone:
            self._write(Redone())
            self._change_by_word()

    def correct(self, position: Mapping[str, Any], why: str) -> None:
        """The players put the belief right."""
        self.read_position(position)
        self._write(Corrected(dict(position), why))
        self._change_by_word()

    def _carry_on(self) -> None:
        self.refusal, self._odd, self._denied, self.mode = None, frozenset(), frozenset(), TRACKING

    def _change_by_word(self) -> None:
        self._carry_on()
        self.question, self.mode, self._shown = None, RESTORING, None

    # ------------------------------------------------------------------ asking

    def _ask(self, key: str, options: tuple[tuple[A, ...], ...], undo_first: int = 0) -> None:
        self._asked += 1
        self.question = Question(self._asked, key, options, undo_first)

    def _settle(self) -> None:
        """Answer silently what needs no question; ask what does."""
        while (waiting := self.game.pending(self.state)) is not None:
            if waiting.default is None:
                self._ask(waiting.key, tuple((action,) for action in waiting.options))
                return
            self._take(waiting.default)
