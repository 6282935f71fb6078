"""Killed at random moments: every acknowledged event is there afterwards, and the game goes on."""

from __future__ import annotations

import multiprocessing
import random
import threading
from pathlib import Path

import pytest

from tests.table.player import open_desk, play


def kill_at_random(folder: Path, kills: int, seed: int) -> int:
    """Start, kill after some acknowledged events, look, start again; the number of events at the end."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.table.player"])
    rng, acknowledged, cuts = random.Random(seed), 0, 0
    while cuts < kills:
        mine, theirs = context.Pipe(duplex=False)
        child = context.Process(target=play, args=(folder, rng.randrange(10**6), theirs), daemon=True)
        child.start()
        theirs.close()
        is_over = False
        for _ in range(rng.randrange(1, 25)):
            number = mine.recv()
            acknowledged = max(acknowledged, number)
            if is_over := number < 0:
                break
        threading.Event().wait(rng.uniform(0.0, 0.004))
        child.kill()
        child.join()
        while mine.poll():
            try:
                acknowledged = max(acknowledged, mine.recv())
            except EOFError:
                break
        mine.close()
        cuts += not is_over
        _look(folder, acknowledged)
    return acknowledged


def _look(folder: Path, acknowledged: int) -> None:
    desk = open_desk(folder, 1)
    journal = desk.games.journal
    numbers = [entry.number for game in journal.games() for entry in journal.entries(game)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert len(numbers) >= acknowledged
    assert desk.games.read(desk.playing.number).referee.state == desk.referee.state
    journal.close()


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, kills=12, seed=1) > 60


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_in_500_power_cuts(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, kills=500, seed=2) > 3000
