"""Adjacency, edges, Azulia and crevasses (R-ADJ, R-CREV, R-AZU-1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import board as b
from engine.games.ice.cards import Area, AzuliaMap
from engine.games.ice.digging import even_results, merged_places
from engine.games.ice.options import Options
from engine.games.ice.state import OFF
from engine.games.ice.terrain import are_adjacent, is_open, make_terrain, walkable
from engine.hexes import add, subtract

from .table import DATA, allow, at, begin, change, make_game, refused, spots

GAME = make_game()
START = begin(GAME)
TERRAIN = GAME.box.terrain
HERE, NEXT = "snow:5,2,3", "snow:5,1,4"
CENTRE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def side(start: str, end: str) -> int:
    return b.SIDE_STEPS.index(subtract(b.CELL[at(end)], b.CELL[at(start)]))


def test_r_adj_1_sides_and_covers_are_adjacent_corners_are_not() -> None:
    assert spots(walkable(TERRAIN, START, at(HERE))) == spots(b.NEIGHBOURS[at(HERE)])
    assert are_adjacent(TERRAIN, START.present, at(LOW), at(CENTRE[0]))
    corner = b.place_at(0, add(b.CELL[at(HERE)], (1, 1, -2)))
    assert corner is not None
    assert not are_adjacent(TERRAIN, START.present, at(HERE), corner)
    assert refused(GAME, change(START, leaders=(HERE, OFF)), a.Move(0, corner)) == "R-ADJ-1"


def test_r_adj_1_adjacency_is_mutual() -> None:
    for start, steps in enumerate(TERRAIN.steps):
        for step in steps:
            assert start in TERRAIN.adjacent[step.to]


def test_r_adj_2_snow_never_touches_deep() -> None:
    assert not any(end in b.DEEP for start in b.SNOW for end in TERRAIN.adjacent[start])


def test_r_adj_3_the_top_frame_is_no_place_lower_edges_are() -> None:
    assert not any(spot.startswith("edge.snow") for spot in b.SPOTS)
    with pytest.raises(ValueError, match="spot"):
        GAME.parse("icewalkers move edge.snow:8,2,0")
    corner = "snow:7,3,0"
    state = change(START, leaders=("snow:6,3,1", OFF), gone=(corner,))
    edge = next(p for p in b.BELOW[at(corner)] if p in b.EDGE)
    below = b.BELOW[at(corner)][0]
    state = change(state, leaders=(b.SPOTS[below], OFF))
    assert refused(GAME, state, a.Move(0, edge)) is None  # R-MOVE-5


def test_r_adj_4_an_edge_opens_when_a_tile_on_it_is_gone() -> None:
    corner = "snow:7,3,0"
    edge = next(p for p in b.BELOW[at(corner)] if p in b.EDGE)
    assert not is_open(TERRAIN, START.present, edge)
    assert is_open(TERRAIN, change(START, gone=(corner,)).present, edge)


def test_r_adj_4_edges_may_be_one_place_per_side_or_level() -> None:
    places = []
    for value in ("position", "side", "level"):
        terrain = make_terrain(Options(edge_places=value), DATA.azulia)  # type: ignore[arg-type]
        places.append(len({terrain.rep[i] for i in b.EDGE}))
    assert places == [63, 18, 3]


def test_r_adj_5_twelve_pairs_of_edges_touch_on_each_level() -> None:
    for level in ("edge.surface", "edge.deep", "edge.azulia"):
        edges = [i for i in b.EDGE if b.LAYER[i] == level]
        pairs = {frozenset((i, j)) for i in edges for j in TERRAIN.adjacent[i] if b.LAYER[j] == level}
        assert len(pairs) == 12
    more = make_terrain(Options(edge_steps_under_frame=True), DATA.azulia)
    assert sum(map(len, more.adjacent)) > sum(map(len, TERRAIN.adjacent))


def test_r_adj_6_neighbours_under_a_common_cover() -> None:
    low, other = LOW, "surface:4,2,3"
    common = next(c for c in b.COVERS[at(low)] if c in b.COVERS[at(other)])
    others = tuple(b.SPOTS[c] for c in {*b.COVERS[at(low)], *b.COVERS[at(other)]} if c != common)
    state = change(START, gone=others, leaders=(low, OFF))
    assert refused(GAME, state, a.Move(0, at(other))) is None
    strict = make_game(adjacent_under_cover=False)
    assert refused(strict, state, a.Move(0, at(other))) == "R-ADJ-1"


def test_r_adj_7_r_alloc_6_areas_of_azulia_may_have_several_positions() -> None:
    deep = "deep:3,3,2"
    one, two, three = (b.SPOTS[p] for p in b.BELOW[at(deep)])
    rest = [area for area in DATA.azulia.areas if area.positions[0] not in (one, two)]
    under = tuple({spot for area in DATA.azulia.areas if area.positions[0] in (one, two) for spot in area.under})
    city = AzuliaMap(
        (Area("A", (one, two), under), *rest), (("A", next(x.id for x in rest if three in x.positions)),), None
    )
    game = Ice(Options(players=2), replace(DATA, azulia=city), ("icewalkers", "nurturers"))
    assert merged_places(game.box, at(deep)) == (0, 0, 2)
    assert even_results((0, 0, 0), 3, (0, 0, 2)) == {(2, 0, 1), (1, 0, 2)}
    area = game.box.terrain.rep[at(two)]
    assert area == at(one)
    assert at(three) in game.box.terrain.adjacent[area]


def test_r_geo_9_hidden_places_cannot_be_entered() -> None:
    low = b.SPOTS[b.BELOW[at(HERE)][0]]
    state = change(START, leaders=(HERE, OFF))
    assert refused(GAME, state, a.Move(0, at(low))) == "R-GEO-9"
    assert refused(make_game(hidden_places_closed=False), state, a.Move(0, at(low))) is None


def test_r_geo_8_a_visible_part_is_enough() -> None:
    low = b.SPOTS[b.BELOW[at(HERE)][0]]
    cover = next(b.SPOTS[c] for c in b.COVERS[at(low)] if b.SPOTS[c] != HERE)
    assert refused(GAME, change(START, leaders=(HERE, OFF), gone=(cover,)), a.Move(0, at(low))) is None


@pytest.mark.parametrize("cracked", [HERE, NEXT])
def test_r_crev_1_r_move_4_nobody_crosses_a_crack(cracked: str) -> None:
    other = NEXT if cracked == HERE else HERE
    turn = side(cracked, other)
    for rotation in range(6):
        state = change(START, leaders=(HERE, OFF), kinds={cracked: "crevasse"}, rotations={cracked: rotation})
        blocked = turn in (rotation, (rotation + 1) % 6)
        assert refused(GAME, state, a.Move(0, at(NEXT))) == ("R-CREV-1" if blocked else None)


def test_r_crev_3_camps_and_sailing_ignore_cracks_unless_decided() -> None:
    turn = side(HERE, NEXT)
    state = change(START, leaders=(HERE, OFF), kinds={HERE: "crevasse"}, rotations={HERE: turn}, camps=(OFF, NEXT))
    assert refused(GAME, state, a.Sail(0, at(NEXT))) is None
    strict = make_game(cracks_stop_camp_travel=True)
    assert refused(strict, state, a.Sail(0, at(NEXT))) == "R-CREV-1"


def test_r_crev_5_stepping_down_is_banned_only_if_every_open_side_is_cracked() -> None:
    low = b.SPOTS[b.BELOW[at(HERE)][0]]
    covers = [b.SPOTS[c] for c in b.COVERS[at(low)] if b.SPOTS[c] != HERE]
    first, second = (side(HERE, cover) for cover in covers)
    rotation = first if (first + 1) % 6 == second else second
    state = change(START, leaders=(HERE, OFF), kinds={HERE: "crevasse"}, rotations={HERE: rotation})
    both = change(state, gone=tuple(covers))
    assert refused(GAME, both, a.Move(0, at(low))) == "R-CREV-1"
    one = change(state, gone=(covers[0],), rotations={HERE: (first + 2) % 6})
    assert refused(GAME, one, a.Move(0, at(low))) is None
    open_second = change(both, rotations={HERE: (rotation + 1) % 6})
    assert refused(GAME, open_second, a.Move(0, at(low))) is None
    assert refused(make_game(crack_step_down="free"), both, a.Move(0, at(low))) is None


def test_r_crev_6_an_unknown_rotation_warns_and_never_refuses() -> None:
    state = change(START, leaders=(HERE, OFF), kinds={HERE: "crevasse"}, rotations={HERE: 255})
    action = a.Move(0, at(NEXT))
    assert refused(GAME, state, action) is None
    assert [warned.rule for warned in GAME.warnings(state, action)] == ["R-CREV-6"]


def test_r_azu_1_moving_in_the_city_costs_one_ep() -> None:
    deep = "deep:3,3,2"
    above = [b.SPOTS[c] for c in b.COVERS[at(deep)]]
    higher = [b.SPOTS[c] for spot in above for c in b.COVERS[at(spot)]]
    area = b.BELOW[at(deep)][0]
    state = change(START, gone=(deep, *above, *higher), leaders=(b.SPOTS[area], OFF))
    other = next(p for p in b.BELOW[at(deep)] if p in TERRAIN.adjacent[area])
    after = allow(GAME, state, a.Move(0, other))
    assert after.spent == 1
    assert [warned.rule for warned in GAME.warnings(state, a.Move(0, other))] == ["R-ADJ-7"]
