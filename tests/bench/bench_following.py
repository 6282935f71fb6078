"""How well and how fast whole games are followed through the synthetic camera, `explain` alone included.

`BENCH_GAMES` games of each kind are played, by default one; the first has the seed `BENCH_SEED`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from companion.simulation import Outcome, play_drawn
from tests.companion.followed_games import quantiles_ms, rates, time_explain

GAMES = int(os.environ.get("BENCH_GAMES", "1"))
SEED = int(os.environ.get("BENCH_SEED", "5001"))
KINDS = ((3, "medium", True), (4, "harsh", True), (3, "medium", False))
"""Players, light, and whether turns end by the button."""
ILLEGAL = 0.1


def _played(players: int, condition: str, pressed: bool) -> Outcome:
    total = Outcome()
    for seed in range(SEED, SEED + GAMES):
        total.add(play_drawn(players, condition, seed, (1920, 1080), pressed=pressed, illegal=ILLEGAL))
    return total


def measure() -> Iterator[tuple[str, str]]:
    """Counts of `companion simulate`, times by the clock from a board at rest to its lights, CPU time of `explain`."""
    times = time_explain()
    for players, condition, pressed in KINDS:
        times.clear()
        found = _played(players, condition, pressed)
        n, lights, explain = found.counts, found.document()["latency_ms"], quantiles_ms(times)
        name = f"{players} players, {condition}, {'button' if pressed else 'no button'}"
        yield f"{name}: followed without help", f"{n['tracked']} of {n['visible_actions']}, wrong {n['wrong']}"
        yield f"{name}: asked per turn", f"{rates(n)['asked_per_turn']:.2f}"
        flagged = f"{n['illegal_flagged']} of {n['illegal_made']}, {n['illegal_right_rule']} by their rule"
        yield f"{name}: illegal moves flagged", f"{flagged}; false flags {n['false_flags']}"
        yield f"{name}: games whose scores are equal", f"{n['scores_equal']} of {n['games']}"
        yield f"{name}: hand away to lights, p50 and p95, ms", f"{lights['p50']:.0f}, {lights['p95']:.0f}"
        yield f"{name}: explain alone, p95, ms of CPU", f"{explain['p95']:.0f}"
