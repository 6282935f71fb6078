"""Whole games on the simulated table through the same code as a real one: hands, camera, eye, referee, lights."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from companion.bootstrap import Senses, Simulation, drawn_senses, simulated_session
from companion.messages import Correct, Keep
from companion.pretend_players import PretendPlayers
from companion.rehearsal import ABOUT_THE_TABLE, Rehearsal
from companion.session import BEAT_S
from companion.settings import Eye, Play, Settings
from engine.games.ice.cards import GUILDS
from engine.games.ice.state import State

STILL_S: Final = 3 * BEAT_S
COMPLAIN_AFTER_S: Final = 1.0
"""Stillness before anything is asked or complained about: half of what people get, since pretend hands never dawdle."""
PATIENCE_S: Final = 11.0
"""How long a board is looked at before the hands go on."""
MISCHIEF: Final = 7919
"""Illegal moves have dice of their own, so that the legal game is the same with and without them."""


@dataclass(slots=True)
class Outcome:
    """What games gave: counts, times, and what a person should look at."""

    counts: Counter[str] = field(default_factory=Counter)
    latencies_s: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Count another game too."""
        self.counts += other.counts
        self.latencies_s += other.latencies_s
        self.troubles += other.troubles

    def document(self) -> dict[str, Any]:
        """As the command prints it."""
        names = (
            "games", "turns", "actions", "visible_actions", "tracked", "asked", "wrong", "illegal_made",
            "illegal_flagged", "illegal_right_rule", "false_flags", "told", "none_fits", "not_forgiven", "scores_equal",
        )  # fmt: skip
        return {**{name: self.counts[name] for name in names}, "latency_ms": quantiles_ms(self.latencies_s)}


class SimulatedGame:
    """One game from setup to the score, with pretend players, a clock that only frames move, and a real session."""

    def __init__(
        self,
        folder: Path,
        plan: Simulation,
        *,
        pressed: bool = True,
        illegal: float = 0.0,
        senses: Senses = drawn_senses,
    ) -> None:
        end_turn: Literal["pressed", "inferred"] = "pressed" if pressed else "inferred"
        settings = Settings(eye=Eye(still_s=STILL_S), play=Play(complain_after_s=COMPLAIN_AFTER_S, end_turn=end_turn))
        self._now = 0.0
        self.session, self.table = simulated_session(folder, settings, plan, lambda: self._now, senses)
        referee = self.session.desk.referee
        people = PretendPlayers(self.table.game, random.Random(plan.seed), referee.state, pressed)
        desk = self.session.desk
        self.rehearsal = Rehearsal(
            people, referee, self.show, lambda told: desk.obey(Correct(told)), lambda: desk.obey(Keep()), pressed
        )
        self._dice = random.Random(plan.seed + MISCHIEF)
        self._illegal = illegal

    def play(self) -> Outcome:
        """The whole game."""
        self._look()
        counts = self.rehearsal.follow(lambda: self._dice.random() < self._illegal)
        self.session.lamps.close()
        self.session.camera.close()
        return Outcome(counts, list(self.session.latencies_s), self.rehearsal.troubles)

    def show(self, state: State) -> None:
        """Hands bring the table to a state; it is looked at until that is understood, asked about or refused."""
        self.table.act_out(state)
        self._look()

    def _look(self) -> None:
        referee, patience = self.session.desk.referee, round(PATIENCE_S / BEAT_S)
        while self.table.table.busy:
            self._step()
        is_read = False
        for _ in range(patience):
            self._step()
            is_read = is_read or self.session.look.is_fresh
            asked = referee.question is not None and referee.question.key in ABOUT_THE_TABLE
            if is_read and (not referee.differing or asked or referee.refusal is not None):
                return

    def _step(self) -> None:
        self._now += BEAT_S
        self.session.step()


def play_drawn(
    players: int, condition: str, seed: int, size: tuple[int, int], *, pressed: bool, illegal: float
) -> Outcome:
    """A whole game seen by the whole eye; its seed decides the copy, the table, the light and what is played."""
    plan = Simulation(players, condition, seed, art=seed, guilds=guilds_of(players, seed), size=size, beats=1)
    with tempfile.TemporaryDirectory() as folder:
        return SimulatedGame(Path(folder), plan, pressed=pressed, illegal=illegal).play()


def guilds_of(players: int, seed: int) -> tuple[str, ...]:
    """Who plays in a game: every guild has its turn."""
    return tuple(random.Random(seed).sample(GUILDS, players))


def quantiles_ms(times_s: Sequence[float]) -> dict[str, float]:
    """Median, 95th centile and greatest, in milliseconds."""
    ordered = sorted(times_s) or [0.0]
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * q))] * 1000, 1) for name, q in at.items()}
