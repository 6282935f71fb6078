"""Every golden game plays out exactly as recorded; `python -m tests.playthroughs` records them anew."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from companion.records import record, replay
from tests.components import check_components
from tests.playthroughs.games import TABLES

FOLDER = Path(__file__).parent / "ice"


def test_every_table_is_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TABLES)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_playthrough(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    played = replay(path.read_text().splitlines(), path.name)
    assert played.game.box.options == TABLES[name].game().box.options
    for state in played.states:
        check_components(state, played.game.box.options)
    assert played.states[-1].actor is None
    assert played.states[-1].day == 4
    lines = list(record(played.game, played.states, played.steps))
    assert lines == path.read_text().splitlines(), "written as it was read"


def test_together_they_show_nearly_every_kind_of_action() -> None:
    verbs: Counter[str] = Counter()
    for path in FOLDER.glob("*.txt"):
        verbs.update(line.split()[1] for line in path.read_text().splitlines()[2::2])
    game = TABLES["two-players"].game()
    rare = {"blocked", "show", "keep", "learn", "day"}  # forced case, observations, told requests
    missing = set(game.notation.verbs) - set(verbs) - rare
    assert not missing
