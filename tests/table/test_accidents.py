"""What happens at real tables: the camera is bumped, the light goes out, a hand rests, pieces fall, somebody tidies up.

Drawn pictures, the real eye, the whole path; one table for all of them, each test leaves it as it found it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import Event
from engine.games.ice.board import INDEX
from engine.games.ice.state import State
from engine.spots import Spot
from tests.table.tables import DrawnTable, PlainTable

CAMP = Spot("snow:5,3,2")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> DrawnTable:
    """A table in its first turn: camp built, leader there."""
    made = DrawnTable(tmp_path_factory.mktemp("var"))
    made.settle()
    assert made.public["mode"] == "tracking", made.public["restore"]
    made.act(f"navigators camp {CAMP}")
    assert made.state.leaders[0] == INDEX[CAMP]
    return made


@pytest.fixture
def table(shared: DrawnTable) -> Iterator[DrawnTable]:
    """The table; afterwards the belief must be what it was, and picture and belief agree."""
    before = shared.state
    yield shared
    shared.settle()
    shared.pass_s(1.0)
    assert shared.state == before
    assert shared.public["mode"] == "tracking", shared.public["restore"]
    assert shared.public["refusal"] is None
    assert shared.session.desk.referee.off == ()


def events(table: PlainTable) -> list[Event]:
    desk = table.session.desk
    return [entry.event for entry in desk.games.journal.entries(desk.playing.number)]


def test_a_bumped_camera_is_found_again_and_the_game_goes_on(table: DrawnTable) -> None:
    before = table.state
    table.table.table.bump_camera((9.0, -6.0), 2.5)
    table.pass_s(1.0)
    assert table.session.look.ok
    assert table.public["refusal"] is None
    assert table.state == before
    step = next(x for x in table.public["legal"] if " move " in x["line"])["line"]
    table.act(step)
    assert table.state.leaders[0] != before.leaders[0]
    table.table.act_out(before)


def test_light_off_and_on(table: DrawnTable) -> None:
    count = len(events(table))
    table.table.table.switch_light(on=False)
    table.pass_s(1.0)
    assert table.public["status"]["board"]["ok"] is False
    assert "dark" in table.public["status"]["board"]["say"].text
    assert table.public["refusal"] is None
    table.table.table.switch_light(on=True)
    table.pass_s(1.0)
    assert table.public["status"]["board"]["ok"]
    assert len(events(table)) == count


def test_a_hand_rests_on_the_board_for_a_minute(table: DrawnTable) -> None:
    count = len(events(table))
    hands = table.table.table
    hands.reach(Spot("snow:3,3,4"))
    hands.rest(12)
    for _ in range(12):
        table.now += 5.0
        table.pass_s(0.07)
    assert table.public["refusal"] is None, table.public["refusal"]
    assert len(events(table)) == count
    hands.withdraw()


def test_somebody_tidies_the_supply(table: DrawnTable) -> None:
    count = len(events(table))
    table.table.table.tidy_supply()
    table.settle()
    table.pass_s(1.0)
    assert len(events(table)) == count


def test_pieces_are_knocked_over_and_set_up_again(table: DrawnTable) -> None:
    hands = table.table.table
    hands.reach(CAMP)
    hands.knock_over(CAMP)
    hands.withdraw()
    table.settle()
    hands.set_upright(CAMP)  # a leader that lay across its neighbour may have been taken for moved: that is undone
    hands.withdraw()


def turned(table: DrawnTable, kind: str) -> Spot:
    """A tile of that kind lifted and put back turned by 120 degrees; the spot."""
    hands = table.table.table
    spot = next(s for s, tile in hands.tiles.items() if tile.kind == kind and not hands.pieces.get(s))
    hands.turn_tile(spot, (hands.tiles[spot].rotation + 2) % 6)
    hands.withdraw()
    table.settle()
    return spot


def test_a_tile_put_back_turned_matters_only_where_it_has_cracks(table: DrawnTable) -> None:
    hands = table.table.table
    turned(table, "nunatak")
    table.pass_s(1.0)
    assert table.public["refusal"] is None
    spot = turned(table, "crevasse")
    table.pass_s(1.0)
    assert table.public["refusal"] is not None
    assert str(spot) in table.public["refusal"]["spots"]
    assert [cure.text for cure in table.public["refusal"]["cure"]] == ["Turn the tile of {place} as it lay."]
    hands.turn_tile(spot, (hands.tiles[spot].rotation + 4) % 6)
    hands.withdraw()


def test_two_missed_turns_are_understood_at_once(tmp_path: Path) -> None:
    table = PlainTable(tmp_path, end_turn="inferred")
    table.settle()
    game, start = table.table.game, table.state

    def play(state: State, *lines: str) -> State:
        for line in lines:
            state = game.apply(state, game.parse(line))
        return state

    after = play(start, "navigators camp snow:5,3,2", "navigators end", "incandescents camp snow:2,5,3")
    table.table.lay_out(after)  # nobody looked while that was done
    table.settle()
    assert table.state == after
    assert table.public["refusal"] is None
