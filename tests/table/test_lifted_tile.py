"""Which rule is named when somebody lifts a tile that their leader does not stand on."""

from __future__ import annotations

from pathlib import Path

from engine.games.ice.board import INDEX, SPOTS
from engine.spots import Spot
from tests.table.tables import PlainTable


def test_a_dig_away_from_the_leader_is_blamed_on_the_dig(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    table.settle()
    home = next(action["line"] for action in table.public["legal"] if " camp snow" in action["line"]).split()[2]
    table.act(f"navigators camp {home}")
    table.pass_s(1)
    here = INDEX[Spot(home)]
    table.hands("dig", spot=str(SPOTS[next(p for p in range(47, 0, -1) if p != here)]))
    table.pass_s(3)
    assert table.public["refusal"]["rule"] == "R-DIG-1"
