"""Random whole games followed by the referee through a pretend camera, and how well that went.

`python -m tests.companion.followed_games --players 3 --games 20 --illegal 0.1` prints the counts as one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion import referee as referee_module
from companion.gamedata import shipped
from companion.journal import Event
from companion.pretend_players import Gesture, PretendPlayers, public_facts, shuffled_tiles
from companion.referee import TRACKING, Referee
from engine.explain import explain
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import SPOTS
from engine.games.ice.cards import GUILDS, UNKNOWN
from engine.games.ice.following import ODD
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State
from engine.games.ice.tally import tally
from engine.sighting import Sighting
from engine.spots import Cue, Label

Camera = Callable[[Ice, State], Sighting]
MOST_LOOKS = 6
"""How many still pictures the camera takes before the hands go on."""


def look(game: Ice, state: State) -> Sighting:
    """What an ideal camera sees."""
    seen = ((spot, game.seen_at(state, spot)) for spot in SPOTS)
    return Sighting({Cue(spot, kind): {label: 0.999} for spot, cues in seen for kind, label in cues.items()})


class NoisyCamera:
    """Blurs odds, misses spots, reads some cues wrongly without confidence and a few with some."""

    def __init__(
        self,
        rng: random.Random,
        blurred: float = 0.1,
        missing: float = 0.03,
        doubtful: float = 0.01,
        wrong: float = 0.002,
    ) -> None:
        self.rng, self.blurred, self.missing, self.doubtful, self.wrong = rng, blurred, missing, doubtful, wrong

    def __call__(self, game: Ice, state: State) -> Sighting:
        """One still picture."""
        hidden = frozenset(spot for spot in SPOTS if self.rng.random() < self.missing)
        true = look(game, state)
        odds = {cue: self._read(cue, next(iter(labels))) for cue, labels in true.odds.items() if cue.spot not in hidden}
        return Sighting(odds, hidden)

    def _read(self, cue: Cue, label: Label) -> dict[Label, float]:
        draw = self.rng.random()
        other = self._other(cue, label)
        if draw < self.wrong:
            return {label: 0.18, other: 0.8}
        if draw < self.wrong + self.doubtful:
            return {label: 0.42, other: 0.55}
        if draw < self.wrong + self.doubtful + self.blurred:
            return {label: 0.8, other: 0.15}
        return {label: 0.995}

    def _other(self, cue: Cue, label: Label) -> Label:
        if cue.kind == "archaeologists":
            return str(int(label) + 1 if label == "0" else int(label) + self.rng.choice((-1, 1)))
        if cue.kind == "here":
            return "no" if label == "yes" else "yes"
        if cue.kind == "turn":
            return str((int(label) + 1) % 6)
        return "none" if label != "none" else self.rng.choice(GUILDS)


class FollowedGame:
    """Pretend players and a referee that looks at their board."""

    def __init__(
        self,
        seed: int,
        players: int = 3,
        *,
        options: Options | None = None,
        guilds: tuple[str, ...] | None = None,
        illegal: float = 0.0,
        pressed: bool = True,
        camera: Camera = look,
    ) -> None:
        self.rng, self.illegal, self.pressed, self.camera = random.Random(seed), illegal, pressed, camera
        self.game = Ice(options or Options(players=players), shipped(), guilds)
        start = self.game.start(*shuffled_tiles(self.rng))
        self.people = PretendPlayers(self.game, self.rng, start, pressed)
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.troubles: list[str] = []
        self.clock_s = 0.0
        self.made: tuple[a.Action, ...] = ()
        self.referee = self.new_referee(start)

    def new_referee(self, state: State) -> Referee[State, a.Action]:
        """A referee that believes a state and complains at once."""
        return Referee(
            self.game,
            state,
            self.events.append,
            lambda p: read_position(p)[0],
            complain_after_s=0.0 if self.camera is look else 2.0,
            end_turn_pressed=self.pressed,
            mode=TRACKING,
        )

    # ------------------------------------------------------------------ one gesture

    def watch(self, truth: State) -> None:
        """Take still pictures until the referee has understood, or for a while."""
        for _ in range(MOST_LOOKS):
            self.clock_s += 1.0
            self.referee.consider(self.camera(self.game, truth), self.clock_s)
            self.answer_all(truth)
            is_flagged = self.referee.refusal is not None and self.camera is look
            if is_flagged or (self.referee.refusal is None and self.same(self.referee.state, truth)):
                return

    def play(self) -> Gesture:
        """One gesture of the players, said and shown."""
        gesture = self.people.gesture()
        self.made = gesture.actions
        if gesture.ends_turn:
            if self.pressed or self.people.over:
                self.referee.press_end_turn()
        else:
            for action in gesture.said_first:
                self.say(action)
            if gesture.is_visible:
                self.watch(gesture.after)
        self.answer_all(gesture.after)
        return gesture

    def say(self, action: a.Action) -> None:
        """Answer the open question, or say it unasked; what stays private is not said."""
        question = self.referee.question
        if question is not None and (action,) in question.options:
            self.referee.answer(question.number, question.options.index((action,)))
        elif not isinstance(action, a.Reveal | a.DealRequests | a.LayRequests):
            self.referee.declare(self.game.format(action))

    def answer_all(self, truth: State) -> None:
        """Answer what is asked about the board."""
        while (question := self.referee.question) is not None and question.key in ("which", "reveal", "slot"):
            right = [i for i in range(len(question.options)) if self.is_right(i, truth)]
            self.referee.answer(question.number, right[0] if right else len(question.options))
            if not right:
                self.counts["none_fits"] += 1
                self.referee.consider(self.camera(self.game, truth), self.clock_s)

    def is_right(self, choice: int, truth: State) -> bool:
        """Whether an answer tells what was done, or leads to what everybody at the table knows."""
        question = self.referee.question
        assert question is not None
        state = self.referee.states[-1 - question.undo_first]
        for action in question.options[choice]:
            if question.key != "which":
                return any(action in (made, _in_private(made)) for made in self.made)
            state = self.game.apply(state, action)
        return self.same(state, truth)

    def start(self) -> None:
        """Play through the setup."""
        while self.people.truth.phase == "setup":
            self.play()
        self.counts.clear()

    @property
    def agrees(self) -> bool:
        """Whether the belief is the truth as far as everybody knows it.

        Without a button, a player who goes on alone may have begun a new turn or not; that shows when it matters.
        """
        return self.same(self.referee.state, self.people.truth)

    def same(self, belief: State, truth: State) -> bool:
        """Whether two states are the same as far as everybody knows and the table tells."""
        belief, truth = public_facts(belief), public_facts(truth)
        return belief == truth or (not self.pressed and whole_day(belief) == whole_day(truth))

    # ------------------------------------------------------------------ a whole game

    def follow(self) -> Counter[str]:
        """Play to the end and count."""
        self.start()
        asked = self.referee._asked
        while not self.people.over:
            if self.rng.random() < self.illegal:
                self.do_wrong()
            self._count(self.play())
        self.counts["asked"] += self.referee._asked - asked
        self.counts["games"] += 1
        self.counts["scores_equal"] += self.scores_equal()
        return self.counts

    def _count(self, gesture: Gesture) -> None:
        counts = self.counts
        counts["turns"] += isinstance(gesture.actions[0], a.EndTurn)
        counts["actions"] += len(gesture.actions)
        counts["visible_actions"] += gesture.is_visible
        counts["told"] += gesture.misleads
        is_late = gesture.ends_turn and not self.pressed
        flagged = self.referee.refusal is not None
        counts["false_flags"] += flagged
        if is_late or (not flagged and self.agrees):
            counts["tracked"] += gesture.is_visible
            return
        counts["wrong"] += not flagged
        self.trouble("flagged" if flagged else "wrong", gesture)
        self.put_right()

    def trouble(self, what: str, gesture: Gesture) -> None:
        """Remember what went wrong, for whoever looks for the cause."""
        lines = [self.game.format(action) for action in gesture.actions]
        events = [getattr(event, "line", type(event).__name__) for event in self.events[-6:]]
        self.troubles.append(f"{what}: {lines} {self.referee.refusal} {self.referee.question} after {events}")

    def put_right(self) -> None:
        """The players correct the belief."""
        self.referee.correct(write_position(hidden_hands(self.people.truth), self.game.box.options), "")
        self.referee.consider(look(self.game, self.people.truth), self.clock_s)

    def do_wrong(self) -> None:
        """Hands make an illegal move, see it flagged, and put it back."""
        people = self.people
        if people.looks(self.referee.state) != people.looks(people.truth) or self.referee.question is not None:
            return
        wrong = people.mischief()
        if wrong is None or people.looks(wrong[2]) in people.looks_of(self.referee.state, ODD):
            return  # without a button, the player before may still do that
        action, violation, board = wrong
        self.made = ()
        self.counts["illegal_made"] += 1
        self.watch(board)
        refusal = self.referee.refusal
        rule = refusal.violation.rule if refusal is not None and refusal.violation is not None else None
        self.counts["illegal_flagged"] += refusal is not None
        self.counts["illegal_right_rule"] += rule == violation.rule
        if rule != violation.rule:
            self.troubles.append(f"illegal {self.game.format(action)}: {violation.rule}, told {rule} {refusal}")
        self.watch(people.truth)
        if self.referee.refusal is not None or people.looks(self.referee.state) != people.looks(people.truth):
            self.counts["not_forgiven"] += 1
            self.put_right()

    def scores_equal(self) -> bool:
        """Whether every player's score is the true one."""
        box = self.game.box
        believed, true = (
            [tally(state, seat, box.options, box.data.requests).total for seat in range(len(state.seats))]
            for state in (self.referee.state, self.people.truth)
        )
        return believed == true


def whole_day(state: State) -> State:
    """The state without what counts by the turn."""
    return replace(state, spent=0, overwork=0, used=0, free_dig=False, dig=None, lost=())


def hidden_hands(truth: State) -> State:
    """The truth without the snow tiles that stay private."""
    seats = tuple(replace(seat, hand=(UNKNOWN,) * len(seat.hand)) for seat in truth.seats)
    return replace(truth, seats=seats)


def _in_private(action: a.Action) -> a.Action:
    return replace(action, front=UNKNOWN) if isinstance(action, a.Reveal) else action


VARIANTS: dict[str, dict[str, bool]] = {
    "plain": {},
    "expert": {"expert": True, "friendly_curse": True},
    "blessing": {"blessing": True},
    "first": {"first_game": True},
    "logbook": {"logbook_setup": True},
    "fluid": {"fluid_move": True},
}


def followed(
    seed: int, players: int, variant: str, illegal: float, *, pressed: bool = True, noisy: bool = False
) -> FollowedGame:
    """A game with random guilds."""
    return FollowedGame(
        seed,
        options=Options(players=players, **VARIANTS[variant]),
        guilds=tuple(random.Random(seed).sample(GUILDS, players)),
        illegal=illegal,
        pressed=pressed,
        camera=NoisyCamera(random.Random(seed)) if noisy else look,
    )


def main() -> None:
    """Follow games and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--illegal", type=float, default=0.0)
    parser.add_argument("--end-turn", choices=("pressed", "inferred"), default="pressed")
    parser.add_argument("--variant", choices=sorted(VARIANTS), default="plain")
    parser.add_argument("--noisy", action="store_true")
    parser.add_argument("--troubles", type=int, default=0, help="how many troubles to tell on standard error")
    chosen = parser.parse_args()
    times = time_explain()
    counts: Counter[str] = Counter()
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        pressed = chosen.end_turn == "pressed"
        game = followed(seed, chosen.players, chosen.variant, chosen.illegal, pressed=pressed, noisy=chosen.noisy)
        counts += game.follow()
        for trouble in game.troubles[: chosen.troubles]:
            print(f"seed {seed} {trouble}", file=sys.stderr)
    print(json.dumps({**counts, **rates(counts), "explain_ms": quantiles_ms(times)}))


def rates(counts: Counter[str]) -> dict[str, float]:
    """The shares that matter."""
    return {
        "tracked_share": round(counts["tracked"] / max(1, counts["visible_actions"]), 4),
        "asked_per_turn": round(counts["asked"] / max(1, counts["turns"]), 3),
        "false_flags_per_game": round(counts["false_flags"] / max(1, counts["games"]), 3),
    }


def time_explain() -> list[float]:
    """From now on every explanation's CPU time goes to the list, in seconds."""
    times: list[float] = []

    def timed(*args: Any) -> Any:
        start = time.process_time()
        found = explain(*args)
        times.append(time.process_time() - start)
        return found

    referee_module.explain = timed
    return times


def quantiles_ms(times: list[float]) -> dict[str, float]:
    """Median, 95th centile and greatest, in milliseconds."""
    ordered = sorted(times) or [0.0]
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * q))] * 1000, 1) for name, q in at.items()}


if __name__ == "__main__":
    main()
