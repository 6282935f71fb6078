"""A dig done slowly, as with one hand: the tile first, then one piece after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.messages import EndTurn
from engine.games.ice.board import BELOW, INDEX, SPOTS
from tests.table.tables import PlainTable


@pytest.fixture
def table(tmp_path: Path) -> PlainTable:
    """The Navigators stand with an archaeologist on a tile that they may dig."""
    found = PlainTable(tmp_path, players=2)
    found.settle()
    inner = [p for p in range(48) if found.state.archaeologists[p] and all(b < 112 for b in BELOW[p])]
    lines = {action["line"]: action["spots"] for action in found.public["legal"]}
    home = next(p for p in inner if f"navigators camp {SPOTS[p]}" in lines)
    found.act(f"navigators camp {SPOTS[home]}")
    for _ in range(2):
        found.session.submit(EndTurn())
        found.settle()
        if found.state.active:
            found.act(next(x["line"] for x in found.public["legal"] if " camp snow" in x["line"]))
    return found


def test_a_dig_waits_for_its_explorers_and_is_understood_when_they_are_spread(table: PlainTable) -> None:
    home = table.state.leaders[0]
    below = [SPOTS[place] for place in BELOW[home]]
    table.hands("dig", spot=str(SPOTS[home]))
    table.pass_s(5)
    assert table.public["refusal"] is None
    table.hands("add_pieces", labels=["leader.blue"], spot=str(below[0]))
    table.pass_s(5)
    assert table.public["refusal"] is None, "the archaeologist is still in the hand"
    table.hands("add_pieces", labels=["archaeologist"], spot=str(below[1]))
    table.pass_s(2)
    assert table.public["refusal"] is None
    table.hands("add_pieces", labels=["camp.blue"], spot=camp_place(table))
    table.pass_s(2)
    assert table.public["refusal"] is None
    assert table.state.leaders[0] == INDEX[below[0]]
    assert not table.state.asked


def camp_place(table: PlainTable) -> str:
    """Where the camp of the dug tile may go: a neighbour of its layer."""
    line = next(action["line"] for action in table.public["legal"] if " settle " in action["line"])
    return str(line.split()[2])


def test_a_dig_that_is_put_back_leaves_everything_as_it_was(table: PlainTable) -> None:
    before, spot = table.state, str(SPOTS[table.state.leaders[0]])
    table.hands("dig", spot=spot)
    table.pass_s(2)
    table.hands("put_tile", spot=spot)
    for label in ("leader.blue", "camp.blue", "archaeologist"):
        table.hands("add_pieces", labels=[label], spot=spot)
    table.pass_s(3)
    assert table.state == before
    assert table.public["refusal"] is None
