"""Every golden game plays out exactly as recorded; `python -m tests.playthroughs` records them anew."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.games.ice.position import read_position
from tests.components import check_components
from tests.playthroughs.games import TABLES, summary

FOLDER = Path(__file__).parent / "ice"


def test_every_table_is_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TABLES)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_playthrough(name: str) -> None:
    lines = (FOLDER / f"{name}.txt").read_text().splitlines()
    game = TABLES[name].game()
    state, options = read_position(json.loads(lines[0].removeprefix("start ")))
    assert options == game.box.options
    assert lines[1].strip() == summary(game, state)
    for number in range(2, len(lines), 2):
        action = game.parse(lines[number])
        violation = game.why_illegal(state, action)
        assert violation is None, f"{name}.txt:{number + 1}: {lines[number]} is refused by {violation}"
        state = game.apply(state, action)
        assert lines[number + 1].strip() == summary(game, state), f"{name}.txt:{number + 2}"
        check_components(state, options)
    assert state.actor is None
    assert state.day == 4


def test_together_they_show_nearly_every_kind_of_action() -> None:
    verbs: Counter[str] = Counter()
    for path in FOLDER.glob("*.txt"):
        verbs.update(line.split()[1] for line in path.read_text().splitlines()[2::2])
    game = TABLES["two-players"].game()
    rare = {"blocked", "show", "keep", "learn", "day"}  # forced case, observations, told requests
    missing = set(game.notation.verbs) - set(verbs) - rare
    assert not missing
