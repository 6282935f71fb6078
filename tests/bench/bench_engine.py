"""Random play of I C E against python-chess: in turns and in CPU time, so that noise hits both alike."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import chess

from companion.gamedata import shipped
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.state import State
from tests.random_play import laid_out

ROUNDS = 15
SECONDS = 0.4
PLIES = 200
"""A chess game is broken off here: random kings would chase each other for ever."""

Rates = tuple[float, float]
"""Legal actions listed and steps played, per second."""


def _rates(play: Callable[[random.Random], tuple[int, int]], rng: random.Random) -> Rates:
    """Play whole games until the time is up."""
    listed = steps = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        more_listed, more_steps = play(rng)
        listed, steps = listed + more_listed, steps + more_steps
    return listed / spent, steps / spent


def _play_chess(rng: random.Random) -> tuple[int, int]:
    board = chess.Board()
    listed = steps = 0
    for _ in range(PLIES):
        moves = list(board.legal_moves)
        if not moves:
            break
        listed, steps = listed + len(moves), steps + 1
        board.push(moves[int(rng.random() * len(moves))])
    return listed, steps


def _play_ice(rng: random.Random) -> tuple[int, int]:
    game, state = STARTS[rng.randrange(len(STARTS))]
    listed = steps = 0
    while actions := game.legal_actions(state):
        listed, steps = listed + len(actions), steps + 1
        state = game.apply(state, actions[int(rng.random() * len(actions))])
    return listed, steps


GAMES = [Ice(Options(players=players), shipped()) for players in (2, 3, 4, 5)]
STARTS = [(game, laid_out(game, random.Random(seed))) for seed in range(50) for game in GAMES]
"""Shuffled tables, laid out before anything is timed."""


def mid_game_states(count: int, rng: random.Random) -> list[tuple[Ice, State]]:
    """States on days 2 and 3 in which a player has a whole turn before them."""
    found: list[tuple[Ice, State]] = []
    while len(found) < count:
        game = GAMES[rng.randrange(len(GAMES))]
        state = laid_out(game, rng)
        while actions := game.legal_actions(state):
            state = game.apply(state, actions[int(rng.random() * len(actions))])
            if state.day in (2, 3) and state.phase == "exploration" and not state.asked and not state.spent:
                found.append((game, state))
                if rng.random() < 0.2:
                    break
    return found[:count]


def size_of(value: Any, seen: set[int]) -> int:
    """Bytes of a value and all it refers to, shared parts once."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    parts: Iterable[Any] = ()
    if isinstance(value, tuple | frozenset):
        parts = value
    elif hasattr(value, "__dataclass_fields__"):
        parts = (getattr(value, name) for name in value.__dataclass_fields__)
    return sys.getsizeof(value) + sum(size_of(part, seen) for part in parts)


def measure() -> Iterable[tuple[str, str]]:
    rng = random.Random(20)
    _play_ice(rng)
    _play_chess(rng)
    rows = [(_rates(_play_ice, rng), _rates(_play_chess, rng)) for _ in range(ROUNDS)]
    for number, name in enumerate(("legal actions listed", "steps played")):
        ice = statistics.median(row[0][number] for row in rows)
        other = statistics.median(row[1][number] for row in rows)
        ratio = statistics.median(row[0][number] / row[1][number] for row in rows)
        goal = (1.0, 0.5)[number]
        yield f"{name} per second, I C E", f"{ice:,.0f}"
        yield f"{name} per second, python-chess", f"{other:,.0f}"
        yield f"ratio of {name} per second (goal >= {goal})", f"{ratio:.2f}"
    states = mid_game_states(300, rng)
    times_us, counts = [], []
    for game, state in states:
        began = time.process_time()
        actions = game.legal_actions(state)
        times_us.append(1e6 * (time.process_time() - began))
        counts.append(len(actions))
    times_us.sort()
    yield "legal_actions of a mid-game position, actions (mean)", f"{statistics.mean(counts):.0f}"
    yield "legal_actions of a mid-game position, mean", f"{statistics.mean(times_us):.0f} us"
    yield "legal_actions of a mid-game position, p99", f"{times_us[int(0.99 * len(times_us))]:.0f} us"
    alone = [size_of(state, set()) for _, state in states]
    yield "bytes of one state with all it refers to (mean)", f"{statistics.mean(alone):.0f}"
    yield "bytes that one more state of a game adds (mean)", f"{_added_bytes(rng):.0f}"


def _added_bytes(rng: random.Random) -> float:
    """Successive states share most of their parts; this counts what is new in each."""
    game = GAMES[1]
    state = laid_out(game, rng)
    seen: set[int] = set()
    kept = [state]  # keeps every part alive, so that no id is used twice
    size_of(state, seen)
    added = []
    while actions := game.legal_actions(state):
        state = game.apply(state, actions[int(rng.random() * len(actions))])
        kept.append(state)
        added.append(size_of(state, seen))
    return statistics.mean(added)
