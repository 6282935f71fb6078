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
from collections.abc import Callable, Mapping
from typing import Any

from companion import hindsight
from companion.gamedata import shipped
from companion.journal import Event
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.referee import TRACKING, Referee
from companion.rehearsal import ABOUT_THE_TABLE, Rehearsal
from engine.explain import explain
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import SPOTS
from engine.games.ice.cards import GUILDS
from engine.games.ice.options import Options
from engine.games.ice.position import read_position
from engine.games.ice.state import State
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


class FollowedGame(Rehearsal):
    """Pretend players and a referee that looks at their board through a pretend camera."""

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
        self.camera, self.clock_s = camera, 0.0
        self.dice, self.illegal = random.Random(seed + 1), illegal
        self.events: list[Event] = []
        self.game = Ice(options or Options(players=players), shipped(), guilds)
        rng = random.Random(seed)
        start = self.game.start(*shuffled_tiles(rng))
        people = PretendPlayers(self.game, rng, start, pressed)
        referee = self.new_referee(start, pressed)
        super().__init__(people, referee, self.take_pictures, self.tell, lambda: None, pressed)

    def new_referee(self, state: State, pressed: bool | None = None) -> Referee[State, a.Action]:
        """A referee that believes a state and complains at once."""
        return Referee(
            self.game,
            state,
            self.events.append,
            lambda p: read_position(p)[0],
            complain_after_s=0.0 if self.camera is look else 2.0,
            end_turn_pressed=self.pressed if pressed is None else pressed,
            mode=TRACKING,
        )

    def tell(self, position: Mapping[str, Any]) -> None:
        """The players put the belief right, and the table lies so."""
        self.referee.correct(position, "")
        self.referee.consider(look(self.game, self.people.truth), self.clock_s)

    def take_pictures(self, truth: State) -> None:
        """Take still pictures until the referee has understood or asks, or for a while."""
        for _ in range(MOST_LOOKS):
            self.clock_s += 1.0
            self.referee.consider(self.camera(self.game, truth), self.clock_s)
            is_flagged = self.referee.refusal is not None
            asks = self.referee.question is not None and self.referee.question.key in ABOUT_THE_TABLE
            is_right = not is_flagged and self.people.looks(self.referee.state) == self.people.looks(truth)
            if asks or is_right or (is_flagged and self.camera is look):
                return

    def watch(self, truth: State) -> None:
        """Look at the board and answer what is asked about it."""
        self.take_pictures(truth)
        self.answer_all(truth)

    def start(self) -> None:
        """Play through the setup."""
        while self.people.truth.phase == "setup":
            self.play()

    def whole_game(self) -> Counter[str]:
        """Play to the end and count."""
        return self.follow(lambda: self.dice.random() < self.illegal)


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
        counts += game.whole_game()
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

    hindsight.explain = timed
    return times


def quantiles_ms(times: list[float]) -> dict[str, float]:
    """Median, 95th centile and greatest, in milliseconds."""
    ordered = sorted(times) or [0.0]
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * q))] * 1000, 1) for name, q in at.items()}


if __name__ == "__main__":
    main()
