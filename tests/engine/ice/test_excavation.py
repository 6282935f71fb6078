"""Digging by rule id: legality, cost, collapse, allocation, Azulia (R-DIG, R-COST, R-PROC, R-COL, R-ALLOC, R-AZU)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, COVERS, EDGE, NEIGHBOURS, RIM, SNOW, SPOTS, TILE_COUNT
from engine.games.ice.cards import Area, Artifact, AzuliaMap, Icon
from engine.games.ice.digging import chain, dig_cost, why_not_dig
from engine.games.ice.options import Options
from engine.spots import Spot

from .table import DATA, allow, at, begin, change, choose, make_game, random_game, refused, seat

PLAIN = ("icewalkers", "incandescents")
HERE, NEXT, FAR, SITE = "snow:5,2,3", "snow:5,1,4", "snow:0,5,5", "snow:4,3,3"
LOW, DEEP = "surface:3,3,3", "deep:3,3,2"


def above(spot: str) -> tuple[str, ...]:
    """Every tile that lies over a spot, directly or not."""
    found: list[int] = []
    queue = list(COVERS[at(spot)])
    while queue:
        place = queue.pop()
        if place not in found:
            found.append(place)
            queue += COVERS[place]
    return tuple(SPOTS[place] for place in found)


def standing_on(spot: str, archaeologists: int = 2, *guilds: str, **options: Any) -> tuple[Ice, st.State]:
    """The leader with archaeologists on a bare tile, 6 EP on the track."""
    game = make_game(*(guilds or PLAIN), **options)
    return game, stand(begin(game), spot, archaeologists)


def stand(state: st.State, spot: str, archaeologists: int) -> st.State:
    state = change(state, gone=above(spot)) if above(spot) else state
    state = change(state, leaders=(spot, *state.leaders[1:]), archaeologists={spot: archaeologists})
    return seat(state, 0, ep=6)


def cover(state: st.State, *spots: str) -> st.State:
    """Put empty snow or Exalted tiles back."""
    state = change(state, kinds={s: "empty" if s.startswith("snow") else "exalted" for s in spots})
    return replace(state, present=st.present_mask(state.tiles))


def dig(game: Ice, state: st.State, spot: str, **how: Any) -> st.State:
    """Dig and tell what came up; explorers wait."""
    state = allow(game, state, a.Excavate(0, at(spot), **how))
    while state.asked and state.asked[0].kind == "reveal":
        state = allow(game, state, a.Reveal(TABLE, state.asked[0].tile))
    return state


def test_r_dig_1_the_leader_stands_on_the_tile() -> None:
    game, state = standing_on(HERE)
    assert refused(game, state, a.Excavate(0, at(NEXT))) == "R-DIG-1"


def test_r_dig_1_a_leader_in_reserve_needs_a_camp_first() -> None:
    game, state = standing_on(HERE)
    away = replace(state, leaders=(st.OFF, *state.leaders[1:]))
    violation = game.why_illegal(away, a.Excavate(0, at(HERE)))
    assert violation is not None
    assert (violation.rule, violation.reason) == ("R-DIG-1", "reserve")


def test_r_dig_2_at_most_one_tile_covers_it() -> None:
    game, state = standing_on(LOW)
    assert refused(game, state, a.Excavate(0, at(LOW))) is None
    one = cover(state, "snow:4,3,3")
    assert refused(game, one, a.Excavate(0, at(LOW))) is None
    assert refused(game, cover(one, "snow:3,4,3"), a.Excavate(0, at(LOW))) == "R-DIG-2"


def test_r_dig_3_the_cover_is_itself_uncovered() -> None:
    game, state = standing_on(DEEP, 4)
    covered = cover(state, LOW)
    assert refused(game, covered, a.Excavate(0, at(DEEP))) is None
    assert refused(game, cover(covered, "snow:4,3,3"), a.Excavate(0, at(DEEP))) == "R-DIG-3"


def test_r_dig_4_the_cost_must_be_payable_this_turn() -> None:
    game, state = standing_on(DEEP, 0)
    assert refused(game, state, a.Excavate(0, at(DEEP))) == "R-DIG-4"
    assert refused(game, allow(game, state, a.Overwork(0)), a.Excavate(0, at(DEEP))) is None
    assert refused(game, replace(stand(state, DEEP, 1), spent=1), a.Excavate(0, at(DEEP))) == "R-DIG-4"
    assert refused(game, seat(stand(state, DEEP, 1), 0, ep=1), a.Excavate(0, at(DEEP))) == "R-DIG-4"


def test_r_dig_5_edges_azulia_and_holes_cannot_be_dug() -> None:
    game, state = standing_on(HERE)
    for place in (EDGE.start, at("azulia:2,2,3")):
        assert refused(game, state, a.Excavate(0, place)) == "R-DIG-5"
    assert refused(game, change(state, gone=(FAR,)), a.Excavate(0, at(FAR))) == "R-DIG-5"


def test_every_rule_that_forbids_a_dig_is_named() -> None:
    game, state = standing_on(HERE)
    assert why_not_dig(game.box, state, 0, at(DEEP)) == ["R-DIG-1", "R-DIG-2", "R-DIG-4"]


@pytest.mark.parametrize(
    ("spot", "harder", "costs"),
    [
        (HERE, False, (1, 0, 0, 0, 0)),
        (HERE, True, (2, 1, 0, 0, 0)),
        (LOW, False, (2, 1, 0, 0, 0)),
        (LOW, True, (3, 2, 1, 0, 0)),
        (DEEP, False, (3, 2, 1, 0, 0)),
        (DEEP, True, (4, 3, 2, 1, 0)),
    ],
)
def test_r_cost_1_r_cost_3_r_cost_5_table_of_costs(spot: str, harder: bool, costs: tuple[int, ...]) -> None:
    game, state = standing_on(spot)
    camps = (st.OFF, spot if harder else st.OFF)
    found = [
        dig_cost(game.box, change(state, archaeologists={spot: n}, camps=camps), 0, at(spot)).total for n in range(5)
    ]
    assert tuple(found) == costs


def test_r_cost_2_camp_nunatak_and_cover_cost_one_together() -> None:
    game, state = standing_on(HERE, 0)
    nunatak = change(state, kinds={HERE: "nunatak"})
    both = dig_cost(game.box, change(nunatak, camps=(st.OFF, HERE)), 0, at(HERE))
    assert (both.harder, both.surcharge, both.total) == (("camp", "nunatak"), 1, 2)
    game, state = standing_on(LOW, 0)
    covered = dig_cost(game.box, change(cover(state, SITE), neutral_camps=(LOW,)), 0, at(LOW))
    assert (covered.harder, covered.total) == (("camp", "covered"), 3)


def test_r_cost_3_other_leaders_help_too() -> None:
    game, state = standing_on(HERE, 0)
    assert dig_cost(game.box, change(state, leaders=(HERE, HERE)), 0, at(HERE)).total == 0


def test_r_cost_4_reductions() -> None:
    game, state = standing_on(DEEP, 0)
    assert dig_cost(game.box, state, 0, at(DEEP), termites=2).total == 1
    assert dig_cost(game.box, state, 0, at(DEEP), talisman=True).total == 0


def test_r_cost_6_explorers_on_the_cover_do_not_count() -> None:
    game, state = standing_on(LOW, 0)
    state = change(cover(state, SITE), archaeologists={SITE: 3})
    assert dig_cost(game.box, state, 0, at(LOW)).explorers == 1


def test_r_proc_1_the_cost_is_paid_at_once() -> None:
    game, state = standing_on(LOW, 1)
    after = allow(game, state, a.Excavate(0, at(LOW)))
    assert (after.spent, after.seats[0].ep) == (1, 5)


def test_r_proc_2_r_col_1_the_cover_collapses_and_everything_on_it_goes_home() -> None:
    game, state = standing_on(LOW, 3)
    state = change(cover(state, SITE), archaeologists={SITE: 2}, leaders=(LOW, SITE), camps=(st.OFF, SITE))
    after = allow(game, state, a.Excavate(0, at(LOW)))
    assert not after.tiles[at(SITE)]
    assert (after.leaders[1], after.camps[1], after.archaeologists[at(SITE)]) == (st.OFF, st.OFF, 0)
    assert after.discarded[0] == state.discarded[0] + 1
    assert st.supply(after) == st.supply(state) + 2


def test_r_proc_3_snow_goes_to_the_hand_and_artifacts_on_their_slot() -> None:
    game, state = standing_on(HERE)
    snow = allow(game, allow(game, state, a.Excavate(0, at(HERE))), a.Reveal(TABLE, st.KIND["empty"], "gem"))
    assert snow.seats[0].hand == ("gem",)
    game, state = standing_on(LOW)
    low = allow(game, allow(game, state, a.Excavate(0, at(LOW))), a.Reveal(TABLE, st.KIND["exalted"], shape=2))
    assert low.seats[0].slots[st.EXALTED] == (Artifact("exalted", 1, 2),)
    assert refused(game, allow(game, state, a.Excavate(0, at(LOW))), a.Reveal(TABLE, st.KIND["harmony"])) == "R-PROC-3"


def test_r_proc_4_the_curse_advances_before_step_c() -> None:
    game, state = standing_on(DEEP, expert=True)
    after = allow(game, state, a.Excavate(0, at(DEEP)))
    assert (after.seats[0].curse, after.leaders[0]) == (2, at(DEEP))


def test_r_proc_5_nothing_else_before_the_explorers_are_spread() -> None:
    game, state = standing_on(HERE)
    waiting = dig(game, state, HERE)
    assert refused(game, waiting, a.Recruit(0, at(SITE))) == "R-PROC-5"
    assert refused(game, waiting, a.EndTurn(0)) == "R-PROC-5"


def test_r_col_2_r_col_4_rim_tiles_fall_only_when_dug_from_below() -> None:
    corner = at("snow:7,3,0")
    full = st.present_mask(bytes([1]) * TILE_COUNT)
    for neighbour in NEIGHBOURS[corner]:
        full &= ~(1 << neighbour)
    assert corner in RIM
    assert corner not in chain(full, NEIGHBOURS[corner])
    below = next(p for p in BELOW[corner] if p < TILE_COUNT)
    game, state = standing_on(SPOTS[below], 3)
    state = cover(state, "snow:7,3,0")
    assert not allow(game, state, a.Excavate(0, below)).tiles[corner]


@pytest.mark.parametrize(("lone", "falls"), [(True, True), (False, False)])
def test_r_col_3_a_tile_without_any_neighbour_falls_unless_the_table_says_otherwise(lone: bool, falls: bool) -> None:
    island = at(SITE)
    present = st.present_mask(bytes([1]) * TILE_COUNT)
    gone = NEIGHBOURS[island]
    for place in gone:
        present &= ~(1 << place)
    assert (island in chain(present, gone, lone)) == falls


def test_r_col_5_r_col_6_r_col_9_destruction_starts_chains_too() -> None:
    around = ("snow:3,3,4", "snow:4,4,2", "snow:4,2,4", "snow:5,3,2", "snow:2,4,4", "snow:3,5,2")
    game = make_game(*PLAIN)
    state = change(begin(game), gone=around, leaders=(FAR, st.OFF))
    state = seat(state, 0, hand=("rune",))
    after = allow(game, state, a.PlayRune(0, at("snow:5,2,3")))
    assert not any(after.tiles[at(s)] for s in ("snow:5,2,3", "snow:4,3,3", "snow:3,4,3"))
    assert {place for place, _ in after.lost} == {at(s) for s in ("snow:5,2,3", "snow:4,3,3", "snow:3,4,3")}


@pytest.mark.parametrize("seed", range(40))
def test_r_col_8_the_order_of_a_chain_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    gone = tuple(rng.sample(SNOW, rng.randint(5, 30)))
    present = st.present_mask(bytes([1]) * TILE_COUNT)
    for place in gone:
        present &= ~(1 << place)
    results = {frozenset(chain(present, tuple(rng.sample(gone, len(gone))))) for _ in range(4)}
    assert len(results) == 1


@pytest.mark.parametrize("seed", range(4))
def test_r_col_7_r_col_10_r_adj_2_whatever_falls_nothing_hangs_in_the_air(seed: int) -> None:
    game, state, rng = random_game(seed)
    while state.actor is not None:
        before = state.present
        state = game.apply(state, choose(rng, game.legal_actions(state)))
        fallen = before & ~state.present
        for place in range(TILE_COUNT):
            if state.present >> place & 1:
                assert not any(p < TILE_COUNT and fallen >> p & 1 for p in BELOW[place])


def test_r_alloc_1_all_explorers_go_on_the_three_places_below() -> None:
    game, state = standing_on(HERE)
    waiting = dig(game, state, HERE)
    assert refused(game, waiting, a.Allocate(0, (1, 0, 0), ((0, 2),))) == "R-ALLOC-1"
    assert refused(game, waiting, a.Allocate(0, (1, 1, 0), ())) == "R-ALLOC-1"
    after = allow(game, waiting, a.Allocate(0, (1, 1, 0), ((0, 2),)))
    assert [after.archaeologists[p] for p in BELOW[at(HERE)]] == [1, 1, 0]
    assert after.leaders[0] == BELOW[at(HERE)][2]


def test_r_alloc_2_r_alloc_5_those_already_below_are_counted_and_stay() -> None:
    game, state = standing_on(HERE)
    state = change(state, gone=(NEXT,))
    first = next(i for i, p in enumerate(BELOW[at(HERE)]) if p in BELOW[at(NEXT)])
    state = change(state, archaeologists={SPOTS[BELOW[at(HERE)][first]]: 2})
    waiting = dig(game, state, HERE)
    others = [i for i in range(3) if i != first]
    two = tuple(1 if i in others else 0 for i in range(3))
    assert refused(game, waiting, a.Allocate(0, two, ((0, others[0]),))) is None
    crowded = tuple(2 if i == first else 0 for i in range(3))
    assert refused(game, waiting, a.Allocate(0, crowded, ((0, others[0]),))) == "R-ALLOC-5"


def test_r_alloc_3_edges_count_as_tiles() -> None:
    corner = "snow:7,3,0"
    game, state = standing_on(corner, 2)
    waiting = dig(game, state, corner)
    assert refused(game, waiting, a.Allocate(0, (2, 0, 0), ((0, 1),))) == "R-ALLOC-5"
    after = allow(game, waiting, a.Allocate(0, (0, 1, 1), ((0, 0),)))
    assert sum(after.archaeologists[p] for p in BELOW[at(corner)] if p in EDGE) == 2


@pytest.mark.parametrize(("allocator", "actor"), [("active", 0), ("table", TABLE)])
def test_r_alloc_4_the_active_player_decides_for_everybody(allocator: str, actor: int) -> None:
    game, state = standing_on(HERE, 1, allocator=allocator)
    waiting = dig(game, change(state, leaders=(HERE, HERE)), HERE)
    assert waiting.actor == actor
    assert refused(game, waiting, a.Allocate(actor, (1, 0, 0), ((0, 1), (1, 2)))) is None


def test_r_alloc_7_exceptions_come_after_the_even_spread() -> None:
    game, state = standing_on(HERE, 3)
    waiting = dig(game, state, HERE)
    hooked = allow(game, waiting, a.UseHook(0))
    assert refused(game, hooked, a.Allocate(0, (1, 1, 1), ((0, 0),))) is None
    assert refused(game, hooked, a.Allocate(0, (2, 1, 0), ((0, 2),))) == "R-ALLOC-5"


def test_r_alloc_8_the_camp_goes_on_a_tile_beneath() -> None:
    game, state = standing_on(HERE)
    waiting = dig(game, change(state, camps=(st.OFF, HERE)), HERE)
    placing = allow(game, waiting, a.Allocate(0, (1, 1, 0), ((0, 2),)))
    assert placing.actor == 0
    assert refused(game, placing, a.PlaceCamp(0, at(FAR))) == "R-ALLOC-9"
    after = allow(game, placing, a.PlaceCamp(0, BELOW[at(HERE)][1]))
    assert after.camps[1] == BELOW[at(HERE)][1]


def test_r_alloc_8_the_owner_may_choose_where_the_table_says_so() -> None:
    game, state = standing_on(HERE, camp_chooser="owner")
    waiting = dig(game, change(state, camps=(st.OFF, HERE)), HERE)
    assert allow(game, waiting, a.Allocate(0, (1, 1, 0), ((0, 2),))).actor == 1


def test_r_alloc_9_without_a_free_tile_the_camp_goes_home() -> None:
    corner = "snow:7,3,0"
    game, state = standing_on(corner, 2)
    only = next(SPOTS[p] for p in BELOW[at(corner)] if p < TILE_COUNT)
    state = change(state, camps=(only, corner))
    after = allow(game, dig(game, state, corner), a.Allocate(0, (0, 1, 1), ((0, 0),)))
    assert (after.camps[1], after.asked) == (st.OFF, ())
    free = change(state, camps=(st.OFF, corner))
    after = allow(game, dig(game, free, corner), a.Allocate(0, (0, 1, 1), ((0, 0),)))
    assert SPOTS[after.camps[1]] == only


def city(*icons: Icon, areas: tuple[Area, ...] = ()) -> Ice:
    """A game whose map of Azulia is told."""
    known = AzuliaMap(areas or DATA.azulia.areas, DATA.azulia.adjacent if not areas else (("a", "b"),), icons)
    return Ice(Options(players=2), replace(DATA, azulia=known), PLAIN)


def test_r_azu_1_one_ep_for_each_area() -> None:
    game, state = standing_on("azulia:2,2,3", 1)
    state = change(state, gone=above("azulia:3,2,2"))
    after = allow(game, state, a.Move(0, at("azulia:3,2,2"), 1))
    assert (after.spent, after.leaders[0]) == (1, at("azulia:3,2,2"))
    assert refused(game, state, a.Move(0, at("azulia:0,3,4"))) == "R-ADJ-1"


def test_r_azu_2_no_camp_no_dig_no_study_in_the_city() -> None:
    game, state = standing_on("azulia:2,2,3", 1)
    assert refused(game, state, a.BuildCamp(0, at("azulia:2,2,3"))) == "R-CAMP-4"
    assert refused(game, state, a.Excavate(0, at("azulia:2,2,3"))) == "R-DIG-5"
    assert refused(game, state, a.Study(0, 0)) == "R-STU-2"


def test_r_azu_3_r_proc_6_an_icon_that_is_wholly_visible_pays_once() -> None:
    game = city(Icon("palace", (Spot(DEEP),)))
    state = stand(begin(game), DEEP, 3)
    tokens = state.seats[0].rp
    after = allow(game, state, a.Excavate(0, at(DEEP)))
    assert (after.seats[0].rp, after.icons) == (tokens + 1, 1)


def test_r_azu_3_a_partly_hidden_icon_does_not_pay() -> None:
    game = city(Icon("palace", (Spot(DEEP), Spot("deep:0,3,5"))))
    state = stand(begin(game), DEEP, 3)
    assert allow(game, state, a.Excavate(0, at(DEEP))).seats[0].rp == state.seats[0].rp


def test_r_azu_3_q_1_unknown_icons_are_asked_for() -> None:
    game, state = standing_on(DEEP, 3)
    state = dig(game, state, DEEP)
    state = allow(game, state, next(x for x in game.legal_actions(state) if isinstance(x, a.Allocate)))
    assert state.asked[0].kind == "icons"
    assert refused(game, state, a.CountIcons(TABLE, 4)) == "R-AZU-3"
    assert allow(game, state, a.CountIcons(TABLE, 1)).seats[0].rp == state.seats[0].rp + 1


@pytest.mark.parametrize(("pays", "gained"), [(True, 1), (False, 0)])
def test_r_azu_3_destruction_pays_unless_the_table_says_otherwise(pays: bool, gained: int) -> None:
    known = replace(DATA.azulia, icons=(Icon("palace", (Spot(DEEP),)),))
    game = Ice(Options(players=2, icons_by_destruction=pays), replace(DATA, azulia=known), PLAIN)
    state = seat(stand(begin(game), DEEP, 0), 0, slots=((), (), (), (Artifact("obliteration", 2, 1),), ()))
    after = allow(game, state, a.UseObliteration(0, at(DEEP)))
    assert after.seats[0].rp == state.seats[0].rp + gained


def two_halves() -> tuple[Area, Area]:
    """The city as two areas, the second one under the central deep tiles."""
    spots = [area.positions[0] for area in DATA.azulia.areas]
    inner = tuple(SPOTS[p] for p in BELOW[at(DEEP)])
    outer = tuple(s for s in spots if s not in inner)
    under = {part: tuple({SPOTS[c] for s in part for c in COVERS[at(s)]}) for part in (inner, outer)}
    return Area("a", outer, under[outer]), Area("b", inner, under[inner])


def test_r_alloc_6_parts_of_one_area_are_one_place() -> None:
    game = city(areas=two_halves())
    state = stand(begin(game), DEEP, 3)
    waiting = dig(game, state, DEEP)
    spreads = [x for x in game.legal_actions(waiting) if isinstance(x, a.Allocate)]
    assert spreads == [a.Allocate(0, (3, 0, 0), ((0, 0),))]
    after = allow(game, waiting, spreads[0])
    assert after.archaeologists[after.leaders[0]] == 3
    assert refused(game, waiting, a.Allocate(0, (1, 1, 1), ((0, 0),))) == "R-ALLOC-1"
