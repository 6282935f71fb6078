"""Pretend players at a table that is followed: they play, say what must be said, answer, misbehave, and keep count.

What the table shows goes through `show`, whatever eye looks at it. The truth is used to play and to judge, never to
follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.ice_view import IceReferee
from companion.pretend_players import Gesture, PretendPlayers, public_facts
from companion.referee import TRACKING, Question
from engine.games.ice import actions as a
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.following import ODD
from engine.games.ice.position import write_position
from engine.games.ice.state import SETUP, State
from engine.games.ice.tally import tally

ABOUT_THE_TABLE: Final = ("which", "reveal", "slot")
"""Questions that pretend players answer at once; the others wait until their action comes."""
PRIVATE: Final = (a.Reveal, a.DealRequests, a.LayRequests)
"""What nobody says aloud."""
LOOKS: Final = 3
"""How often a board is looked at, with answers in between."""
PATIENCE: Final = 6
"""Questions in a row after which a gesture counts as not understood."""


@dataclass(slots=True)
class Rehearsal:
    """One game: the truth with its players, and the belief that follows them."""

    people: PretendPlayers
    referee: IceReferee
    show: Callable[[State], None]
    """Bring the table to look like a state and let it be looked at until that is understood, asked or refused."""
    correct: Callable[[Mapping[str, Any]], None]
    """Tell the companion how the table really is."""
    confirm: Callable[[], None]
    """Tell the companion that the table lies as it is shown, whatever the camera sees."""
    pressed: bool = True
    """Whether the players press a button at the end of a turn."""
    counts: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    """Gestures that were not followed as they should, for a person to read."""
    _made: tuple[a.Action, ...] = ()
    _helped: bool = False
    _honest: bool = True

    # ------------------------------------------------------------------ a whole game

    def follow(self, is_wicked: Callable[[], bool] = lambda: False) -> Counter[str]:
        """Play to the end; `is_wicked` decides before each gesture whether hands try something illegal first."""
        self.set_up()
        while not self.people.over:
            if is_wicked():
                self.misbehave()
            self.play_judged()
        self.counts["games"] += 1
        self.counts["scores_equal"] += self.scores_agree
        return self.counts

    def set_up(self) -> None:
        """Play up to the first turn; that does not count, but that the players had to vouch for their board does."""
        while self.people.truth.phase == SETUP:
            self.play()
        self.counts.clear()
        if self.referee.mode != TRACKING:
            self.counts["asked"] += 1
            self.confirm()
            self.show(self.people.truth)

    def play_judged(self) -> None:
        """One gesture, and whether it was followed."""
        self._judge(self.play())

    @property
    def agrees(self) -> bool:
        """Whether the belief is the truth, as far as everybody at the table may know it."""
        return self._same(self.referee.state, self.people.truth)

    def _same(self, belief: State, truth: State) -> bool:
        """Whether two states are the same as far as everybody knows and the table tells.

        Without a button, a player who goes on alone may have begun a new turn or not; that shows when it matters.
        """
        belief, truth = public_facts(belief), public_facts(truth)
        return belief == truth or (not self.pressed and _whole_day(belief) == _whole_day(truth))

    @property
    def _looks_right(self) -> bool:
        """Whether the board looks as it is believed to."""
        return self.people.looks(self.referee.state) == self.people.looks(self.people.truth)

    @property
    def scores_agree(self) -> bool:
        """Whether the belief's score of every seat is the truth's."""
        box = self.people.game.box

        def scores(state: State) -> list[Any]:
            return [tally(state, seat, box.options, box.data.requests).total for seat in range(len(state.seats))]

        return scores(self.referee.state) == scores(self.people.truth)

    # ------------------------------------------------------------------ legal play

    def play(self) -> Gesture:
        """One gesture of the players, said and shown."""
        gesture = self.people.gesture()
        self._made, self._helped = gesture.actions, False
        if gesture.ends_turn:
            if self.pressed or self.people.over:
                self.referee.press_end_turn()
        else:
            for action in gesture.said_first:
                self.say(action)
            for _ in range(LOOKS if gesture.is_visible else 0):
                self.show(gesture.after)
                self.answer_all(gesture.after)
                if self.agrees:
                    break
        self.answer_all(gesture.after)
        return gesture

    def say(self, action: a.Action) -> None:
        """Give an action as the answer when it is asked for, or say it unasked."""
        question = self.referee.question
        if question is not None and (action,) in question.options:
            self.referee.answer(question.number, question.options.index((action,)))
        elif not isinstance(action, PRIVATE):
            self.referee.declare(self.people.game.format(action))

    def answer_all(self, truth: State) -> None:
        """Answer what is asked about the board."""
        for _ in range(PATIENCE):
            question = self.referee.question
            if question is None or question.key not in ABOUT_THE_TABLE:
                return
            self.counts["asked"] += 1
            self._helped = self._helped or self._tells_what_shows(question)
            right = [i for i in range(len(question.options)) if self._honest and self._is_right(question, i, truth)]
            self.referee.answer(question.number, right[0] if right else len(question.options))
            if not right:
                self.counts["none_fits"] += self._honest
                self.show(truth)

    def _is_right(self, question: Question[a.Action], choice: int, truth: State) -> bool:
        """Whether an answer tells what was done, or leads to what everybody at the table knows."""
        option = question.options[choice]
        if question.key != "which":
            return any(option[0] in (made, _in_public(made)) for made in self._made)
        state = self.people.after(self.referee.states[-1 - question.undo_first], option)
        return self._same(state, truth)

    def _tells_what_shows(self, question: Question[a.Action]) -> bool:
        """Whether an answer tells what a camera should have seen: options that look the same ask what it cannot."""
        before = self.referee.states[-1 - question.undo_first]
        boards = {self.people.looks(self.people.after(before, option)) for option in question.options}
        return question.key == "which" and len(boards) > 1

    def _judge(self, gesture: Gesture) -> None:
        counts = self.counts
        counts["turns"] += isinstance(gesture.actions[0], a.EndTurn)
        counts["actions"] += len(gesture.actions)
        seen = gesture.is_visible and not gesture.misleads
        counts["visible_actions"] += seen
        counts["told"] += gesture.is_visible and gesture.misleads
        is_late = gesture.ends_turn and not self.pressed
        is_flagged = self.referee.refusal is not None
        if is_late or (self.agrees and not is_flagged):
            counts["tracked"] += seen and not self._helped
            return
        counts["false_flags"] += is_flagged
        counts["wrong"] += not is_flagged
        self._tell("flagged" if is_flagged else "wrong", gesture)
        self._put_right()

    def _tell(self, what: str, gesture: Gesture) -> None:
        lines = [self.people.game.format(action) for action in gesture.actions]
        steps = [getattr(step, "line", "corrected") for step in self.referee.steps[-4:]]
        off = [f"{d.spot} {d.kind}: {d.seen} for {d.wanted}" for d in self.referee.off]
        self.troubles.append(f"{what}: {lines}; after {steps}; seen {off}; {self.referee.refusal}")

    def _put_right(self) -> None:
        """The players correct the belief, so that one mistake is counted once."""
        seats = tuple(replace(seat, hand=(UNKNOWN,) * len(seat.hand)) for seat in self.people.truth.seats)
        told = replace(self.people.truth, seats=seats)
        self.correct(write_position(told, self.people.game.box.options))
        self.show(self.people.truth)

    # ------------------------------------------------------------------ mischief

    def misbehave(self) -> None:
        """Do something that a rule forbids, see whether it is flagged, and put it back."""
        if self.referee.question is not None or self.referee.mode != TRACKING or not self._looks_right:
            return
        wrong = self.people.mischief()
        if wrong is None or self.people.looks(wrong[2]) in self.people.looks_of(self.referee.state, ODD):
            return  # without a button, the player before may still do that
        action, violation, board = wrong
        self._made, self._honest = (), False
        self.counts["illegal_made"] += 1
        self.show(board)
        self.answer_all(board)
        self._honest = True
        refusal = self.referee.refusal
        rule = refusal.violation.rule if refusal is not None and refusal.violation is not None else None
        self.counts["illegal_flagged"] += refusal is not None
        self.counts["illegal_right_rule"] += rule == violation.rule
        if rule != violation.rule:
            self.troubles.append(f"illegal {self.people.game.format(action)}: {violation.rule}, told {rule}")
        self.show(self.people.truth)
        if self.referee.refusal is not None or not self._looks_right:
            self.counts["not_forgiven"] += 1
            self.troubles.append(f"illegal {self.people.game.format(action)} was put back and not forgiven")
            self._put_right()


def _whole_day(state: State) -> State:
    """The state without what counts by the turn."""
    return replace(state, spent=0, overwork=0, used=0, free_dig=False, dig=None, lost=())


def _in_public(action: a.Action) -> a.Action:
    """An action without what only its player knows."""
    return replace(action, front=UNKNOWN) if isinstance(action, a.Reveal) else action
