"""A new game is laid out layer by layer: the camera learns the tiles, words and lights say what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game_desk import CONTINUE, OFFER
from companion.ice_laying import is_unlaid
from companion.messages import Answer, Fix, Hands, NewGame
from companion.referee import SETUP, TRACKING
from engine.games.ice.board import CENTRAL, DEEP, SNOW, SPOTS, SURFACE
from engine.games.ice.state import CAMPSITE, CREVASSE, KIND_NAMES, UNKNOWN_KIND
from engine.spots import Spot
from tests.table.tables import DrawnTable, PlainTable


def begin(table: PlainTable, **options: object) -> None:
    table.session.submit(NewGame({"players": 3, **options}, (), "icewalkers", guided=True))
    table.settle()


def words(table: PlainTable) -> str:
    return "\n".join(f"{say.text} {dict(say.facts)}" for say in table.public["restore"])


def now(table: PlainTable) -> str:
    return next(step["say"].text for step in table.public["laying"]["steps"] if step["now"])


def lay_tiles(table: PlainTable, tiles: dict[Spot, tuple[str, int]]) -> None:
    table.table.table.arrange(tiles, {})
    table.settle()


def planned(table: PlainTable, *layers: str) -> dict[Spot, tuple[str, int]]:
    assert table.table.plan is not None
    tiles, _ = table.table._wanted(table.table.plan)
    return {spot: tile for spot, tile in tiles.items() if spot.split(":")[0] in layers}


@pytest.mark.parametrize("kind", [PlainTable, DrawnTable])
def test_hands_lay_a_board_that_the_camera_learns(tmp_path: Path, kind: type[PlainTable]) -> None:
    table = kind(tmp_path)
    begin(table)
    assert table.session.desk.referee.mode == SETUP
    for title, places in (
        ("Lay out the deep layer", DEEP),
        ("Lay out the surface layer", SURFACE),
        ("Lay out the snow layer", SNOW),
    ):
        assert now(table) == title
        assert set(table.public["lights"]) == {str(SPOTS[place]) for place in places}
        assert {light["role"] for light in table.public["lights"].values()} == {"put here"}
        table.hands("lay_next")
    assert now(table) == "Archaeologists and the white camp"
    assert table.table.plan is not None
    assert table.state.tiles == table.table.plan.tiles
    cracked = [place for place in SNOW if table.state.tiles[place] == CREVASSE]
    assert [table.state.turns[place] for place in cracked] == [table.table.plan.turns[place] for place in cracked]
    assert {light["role"] for light in table.public["lights"].values()} == {"put here"}
    assert len(table.public["lights"]) == 13
    table.hands("lay_next")
    assert table.session.desk.referee.mode == TRACKING
    assert table.public.get("laying") is None
    assert table.session.desk.referee.state.first == table.session.desk.playing.game.box.guilds.index("icewalkers")
    assert table.session.desk.referee.question is not None, "the decrees are asked for once the board lies"


def test_what_is_missing_and_what_came_too_early_is_said(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    begin(table)
    deep = planned(table, "deep")
    gap = Spot("deep:3,2,3")
    lay_tiles(table, {spot: tile for spot, tile in deep.items() if spot != gap})
    assert "'laid': 26" in words(table)
    assert "A tile is missing on {place}." in words(table)
    assert list(table.public["lights"]) == [gap]
    assert set(table.public["position"]["tiles"]) == set(deep) - {gap}, "only what lies is drawn"
    lay_tiles(table, {**{s: t for s, t in deep.items() if s != gap}, Spot("surface:1,4,4"): ("harmony", 0)})
    assert "too early" in words(table)
    assert table.public["lights"]["surface:1,4,4"]["role"] == "take away"
    assert is_unlaid(table.state)


def test_the_campsite_belongs_in_the_middle(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    begin(table)
    tiles = planned(table, "deep", "surface", "snow")
    lay_tiles(table, planned(table, "deep"))
    lay_tiles(table, planned(table, "deep", "surface"))
    site = next(spot for spot, (kind, _) in tiles.items() if kind == "campsite")
    other = Spot("snow:0,5,5")
    lay_tiles(table, {**tiles, site: tiles[other], other: tiles[site]})
    assert "The campsite lies on {place}; it belongs on one of the three places in the middle." in words(table)
    assert table.public["lights"][other]["role"] == "take away"
    assert is_unlaid(table.state)
    lay_tiles(table, tiles)
    assert table.state.tiles[SNOW.start : SNOW.stop].count(CAMPSITE) == 1
    assert not is_unlaid(table.state)


def test_a_board_that_lies_already_needs_no_steps(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    begin(table)
    lay_tiles(table, planned(table, "deep", "surface", "snow"))
    assert now(table) == "Archaeologists and the white camp"
    assert set(table.state.tiles[DEEP.start : DEEP.stop]) == {UNKNOWN_KIND}, "nobody has seen what lies below"


def test_players_know_better_what_a_tile_is(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    begin(table)
    tiles = planned(table, "deep", "surface", "snow")
    site = next(spot for spot, (kind, _) in tiles.items() if kind == "campsite")
    empty = next(spot for spot, (kind, _) in tiles.items() if kind == "empty")
    lay_tiles(table, {**tiles, site: tiles[empty], empty: tiles[site]})
    assert "The campsite lies on" in words(table)
    for spot, kind in ((empty, "empty"), (site, "campsite")):
        table.session.submit(Fix({str(spot): {"kind": kind}}))
    table.pass_s(1.0)
    assert not is_unlaid(table.state)
    assert KIND_NAMES[table.state.tiles[SPOTS.index(site)]] == "campsite"


def test_a_power_cut_while_laying_loses_no_complete_layer(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    begin(table)
    table.hands("lay_next")
    deep = table.state.tiles[DEEP.start : DEEP.stop]
    assert UNKNOWN_KIND not in deep
    again = PlainTable(tmp_path)
    again.session.submit(Answer(OFFER, CONTINUE))
    again.pass_s(0.2)
    assert again.session.desk.referee.mode == SETUP
    assert again.state.tiles[DEEP.start : DEEP.stop] == deep
    assert again.session.desk.laying is not None
    assert all(place in CENTRAL or again.state.tiles[place] == UNKNOWN_KIND for place in SNOW)


def test_what_no_camera_sees_is_remembered_for_the_players(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    table.session.submit(NewGame({"players": 2}, ("icewalkers", "nurturers"), "nurturers", guided=True))
    table.settle()
    said = [say.text for say in table.public["laying"]["reminders"]]
    assert any("hook tokens" in text for text in said)
    assert any("on the guild board" in text for text in said)
    assert any("fluid-move" in text for text in said)
    assert said[-1] == "First player: {guild}."


def test_hands_without_a_plan_say_so(tmp_path: Path) -> None:
    table = PlainTable(tmp_path)
    table.table.plan = None
    table.session.submit(Hands("lay_next", {}))
    table.settle()
    assert table.public["note"].text == "Nobody has said which game is to be laid out."
