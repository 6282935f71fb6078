"""The worked examples and own vectors of the specification (§22), one test each.

V-20 to V-22 are in `test_board.py` too; here they are checked on the terrain that the rules use.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import board as b
from engine.games.ice.cards import Artifact, AzuliaMap, Icon, Request
from engine.games.ice.curse import DARK_SPACES, LIGHT_SPACES
from engine.games.ice.digging import chain, dig_cost
from engine.games.ice.options import Options
from engine.games.ice.points import exactly
from engine.games.ice.requests import judge, payment
from engine.games.ice.scoring import decree_points, score, set_points
from engine.games.ice.state import HARMONY, OBLITERATION, OFF, State, present_mask
from engine.spots import Spot

from .table import DATA, allow, at, begin, change, make_game, plain_tiles, refused, seat, tell

CENTRE = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4")
LOW = "surface:3,3,3"


def test_v1_ep_round() -> None:
    game = make_game("navigators", "incandescents", "icewalkers", "cryoarchitects")
    near, here, hard = "snow:2,4,4", "snow:2,5,3", "snow:6,1,3"
    state = change(begin(game), leaders=(near, hard, OFF, OFF), kinds={hard: "nunatak"})
    for number, ep in enumerate((3, 2, 3, 1)):
        state = seat(state, number, ep=ep)
    state = allow(game, state, a.Move(0, at(here)))
    state = tell(game, allow(game, state, a.Excavate(0, at(here))))  # snow, one explorer: 1 EP
    state = allow(game, state, a.Allocate(0, (0, 0, 0), ((0, 1),)))
    assert (state.spent, state.seats[0].ep) == (2, 1)
    state = allow(game, state, a.EndTurn(0))
    state = tell(game, allow(game, state, a.Excavate(1, at(hard))))  # harder: 2 EP
    state = allow(game, state, a.Allocate(1, (0, 0, 0), ((1, 0),)))
    state = allow(game, state, a.EndTurn(1))
    assert state.actor == TABLE
    assert refused(game, state, a.LayRequests(TABLE, ("unknown",) * 5)) == "R-DUSK-1"
    state = allow(game, state, a.LayRequests(TABLE, ("unknown",) * 6))
    state = allow(game, state, a.EndSunset(1))
    state = allow(game, state, a.Plan(2))
    assert state.seats[2].ep == 2
    state = allow(game, state, a.EndTurn(2))
    state = allow(game, state, a.Recruit(3, at("snow:4,3,3")))
    state = allow(game, state, a.EndTurn(3))
    assert state.actor == 3  # Sunset; the row is there already
    state = allow(game, state, a.EndSunset(3))
    assert state.active == 0
    state = allow(game, state, a.Plan(0))
    state = allow(game, state, a.EndTurn(0))
    state = allow(game, state, a.EndSunset(0))
    assert state.active == 2


def test_v2_move_with_archaeologists() -> None:
    game = make_game()
    state = change(begin(game), leaders=("snow:6,1,3", OFF), archaeologists={"snow:6,1,3": 2})
    state = allow(game, state, a.Move(0, at("snow:5,2,3"), 2))
    assert state.spent == 1
    state = allow(game, state, a.Move(0, at("snow:5,3,2"), 2))
    assert state.spent == 2
    assert state.archaeologists[at("snow:5,3,2")] == 2
    assert state.leaders[0] == at("snow:5,3,2")


def test_v3_two_free_digs() -> None:
    game = make_game()
    start, camp, low = "snow:5,4,1", "snow:5,3,2", "surface:5,2,2"
    state = change(begin(game), gone=("snow:6,2,2", "snow:5,2,3"), camps=(camp, OFF), leaders=(start, low))
    state = change(state, archaeologists={start: 1, camp: 1, low: 1})
    state = allow(game, state, a.Move(0, at(camp), 1))
    assert dig_cost(game.box, state, 0, at(camp)).total == 0  # 2 + 1 for the camp - 3 explorers
    state = tell(game, allow(game, state, a.Excavate(0, at(camp))))
    assert [b.SPOTS[i] for i in b.BELOW[at(camp)]] == ["surface:4,3,2", low, "surface:5,3,1"]
    state = allow(game, state, a.Allocate(0, (1, 0, 1), ((0, 0),)))
    state = allow(game, state, a.PlaceCamp(0, at(low)))
    state = allow(game, state, a.Move(0, at(low), 1))
    cost = dig_cost(game.box, state, 0, at(low))
    assert (cost.explorers, cost.surcharge, cost.total) == (4, 1, 0)  # 3 + 1 for the camp - 4 explorers
    state = tell(game, allow(game, state, a.Excavate(0, at(low))), shape=2)
    goes = {dict(action.leaders)[1] for action in game.legal_actions(state) if isinstance(action, a.Allocate)}
    assert goes == {0, 1, 2}  # the other player's leader is allocated by the one who dug
    assert state.spent == 2


def test_v4_the_surcharge_does_not_add_up() -> None:
    game = make_game()
    state = change(begin(game), kinds={"snow:6,1,3": "nunatak"}, camps=("snow:6,1,3", OFF))
    cost = dig_cost(game.box, state, 0, at("snow:6,1,3"))
    assert (cost.base, cost.harder, cost.surcharge, cost.total) == (2, ("camp", "nunatak"), 1, 3)


def open_to_deep(state: State, deep: str) -> State:
    """Clear everything above a deep tile."""
    above = [b.SPOTS[c] for c in b.COVERS[at(deep)]]
    higher = {b.SPOTS[c] for spot in above for c in b.COVERS[at(spot)]}
    return change(state, gone=(*above, *higher))


def test_v5_azulia_icon_and_a_move_in_the_city() -> None:
    deep = "deep:3,3,2"
    icons = AzuliaMap(DATA.azulia.areas, DATA.azulia.adjacent, (Icon("one", (Spot(deep),)),), False)
    game = Ice(Options(players=2), replace(DATA, azulia=icons), ("icewalkers", "nurturers"))
    state = open_to_deep(begin(game), deep)
    state = change(state, leaders=(deep, OFF), archaeologists={deep: 2})
    rp = state.seats[0].rp
    state = allow(game, state, a.Excavate(0, at(deep)))
    assert state.spent == 1  # 4 - 3 explorers
    state = tell(game, state, shape=1)
    state = allow(game, state, a.Allocate(0, (1, 1, 0), ((0, 2),)))
    assert state.seats[0].rp == rp + 1
    assert not state.asked
    here = state.leaders[0]
    assert here in b.AZULIA
    there = next(p for p in game.box.terrain.adjacent[here] if p in b.BELOW[at(deep)])
    state = allow(game, state, a.Move(0, there))
    assert state.spent == 2


def test_v6_artifact_use_and_the_daily_flip() -> None:
    game = make_game()
    state = change(begin(game), leaders=("snow:6,1,3", OFF))
    one = [Artifact("harmony", 1, 1), Artifact("harmony", 1, 2)]
    slots = ((), (), (Artifact("philosophical", 2, 1),), (Artifact("obliteration", 1, 1),), tuple(one))
    state = seat(state, 0, slots=slots, ready=1 << OBLITERATION)
    state = allow(game, state, a.UseObliteration(0, at("snow:5,2,3")))  # 1 anima + study token
    assert state.seats[0].down[OBLITERATION] == 1
    assert state.seats[0].ready == 1 << OBLITERATION  # the token is not turned
    assert refused(game, state, a.UseObliteration(0, at("snow:5,1,4"))) == "R-ART-7"
    state = seat(state, 0, down=(0, 0, 0, 1, 1))
    harmony = change(state, gone=CENTRE, kinds={LOW: "harmony"}, leaders=(LOW, OFF), archaeologists={LOW: 2})
    harmony = tell(game, allow(game, harmony, a.Excavate(0, at(LOW))), shape=3)
    assert harmony.seats[0].down[HARMONY] == 2  # laid face down as well
    assert len(harmony.seats[0].slots[HARMONY]) == 3


def test_v7_incandescents_use_a_slot_without_artifacts() -> None:
    game = make_game("incandescents", "nurturers")
    state = change(begin(game), gone=CENTRE, kinds={LOW: "obliteration"}, leaders=(LOW, OFF))
    target = at("snow:4,2,4")
    assert refused(game, state, a.UseObliteration(0, target, a.BY_TOKEN)) == "R-INC-2"
    state = allow(game, state, a.Activate(0, OBLITERATION))
    state = change(state, leaders=("snow:5,2,3", OFF))
    state = allow(game, state, a.UseObliteration(0, target, a.BY_TOKEN))
    assert not state.present >> target & 1
    assert refused(game, state, a.UseObliteration(0, at("snow:6,1,3"), a.BY_TOKEN)) == "R-INC-2"


@pytest.mark.parametrize("means", ["hook", "rope"])
def test_v8_hook_and_rope_join_a_place_that_received_somebody(means: str) -> None:
    game = make_game("icewalkers", "nurturers")
    state = change(begin(game), leaders=("snow:5,2,3", OFF), archaeologists={"snow:5,2,3": 2})
    state = seat(state, 0, hand=("rope",))
    state = tell(game, allow(game, state, a.Excavate(0, at("snow:5,2,3"))))
    together = a.Allocate(0, (1, 1, 0), ((0, 0),)) if means == "hook" else a.Allocate(0, (2, 0, 0), ((0, 0),))
    assert refused(game, state, together) == "R-ALLOC-5"
    state = allow(game, state, a.UseHook(0) if means == "hook" else a.PlayRope(0))
    state = allow(game, state, together)
    assert state.leaders[0] == b.BELOW[at("snow:5,2,3")][0]


def test_v9_cryoarchitects_dig_for_nothing_on_their_camp() -> None:
    game = make_game("cryoarchitects", "nurturers")
    state = change(begin(game), gone=CENTRE, leaders=(LOW, OFF), camps=(LOW, OFF), archaeologists={LOW: 1})
    cost = dig_cost(game.box, state, 0, at(LOW), discount=True)
    assert (cost.base, cost.surcharge, cost.explorers, cost.discount, cost.total) == (3, 0, 2, 1, 0)
    assert allow(game, state, a.Excavate(0, at(LOW), discount=True)).spent == 0


def test_v10_shape_decree() -> None:
    two = [Artifact("exalted", 1, 1), Artifact("exalted", 1, 2)]
    three = [Artifact("harmony", 1, shape) for shape in (1, 2, 3)]
    fewer = [Artifact("achievement", 1, 1), Artifact("achievement", 2, 1)]
    assert decree_points("E", [*two, *three, *fewer], [], 0) == exactly(6)


def test_v11_final_score_of_forty() -> None:
    artifacts = [
        Artifact("exalted", 2, 1),
        *(Artifact("harmony", 1, shape) for shape in (1, 2, 3)),
        *(Artifact("achievement", 1, shape) for shape in (1, 2)),
    ]
    pad = score(
        ["C1", "C5", "E"],
        artifacts,
        [],
        [(2, exactly(4)), (3, exactly(5)), (3, exactly(6)), (4, exactly(5)), (4, exactly(4))],
        rp_tokens=3,
    )
    assert [points for _, points in pad.decrees] == [exactly(2), exactly(3), exactly(6)]
    assert pad.total == exactly(40)


def test_v12_requests() -> None:
    def paid(card: Request, *pieces: Artifact | str) -> object:
        tiles = [piece for piece in pieces if isinstance(piece, Artifact)]
        verdict = judge(card, payment(tiles, [piece for piece in pieces if isinstance(piece, str)]))
        return verdict.points.least if verdict.met else None

    def tile(kind: str, anima: int = 1, shape: int = 1) -> Artifact:
        return Artifact(kind, anima, None if kind == "prismatic" else shape)

    k1 = Request("1", "K1", 2, (), (5,))
    assert paid(k1, tile("prismatic", 2)) == 5
    assert paid(k1, tile("prismatic"), tile("prismatic")) == 5
    k2 = Request("2", "K2", 3, ("obliteration", "harmony", "philosophical"), (5,))
    assert paid(k2, tile("harmony", 2), "philosophical") == 5
    k3 = Request("3", "K3", 2, ("obliteration", "exalted", "philosophical"), (4,))
    assert paid(k3, tile("exalted"), tile("obliteration")) == 4
    assert paid(k3, tile("exalted"), tile("exalted")) is None
    k4 = Request("4", "K4", 2, ("harmony", "exalted"), (4,))
    assert paid(k4, tile("harmony"), tile("harmony")) == 4
    assert paid(k4, tile("harmony"), tile("exalted")) is None
    k5 = Request("5", "K5", 2, ("achievement",), (None, 5, 9))
    assert paid(k5, tile("achievement", 1, 1), tile("achievement", 1, 2)) == 5
    assert paid(k5, *(tile("achievement", 1, shape) for shape in (1, 2, 3))) == 9
    k6 = Request("6", "K6", 3, ("obliteration",), (6,))
    assert paid(k6, tile("obliteration", 2), tile("obliteration", 2)) == 6  # overpaid
    assert paid(k6, tile("obliteration", 2)) is None


def test_v13_curse_tokens() -> None:
    assert LIGHT_SPACES | {1: ()} == {1: (), 2: (4, 5), 3: (4, 5, 6), 4: (4, 4, 5, 6), 5: (4, 4, 5, 5, 6)}
    expected = {1: (), 2: (10, 11), 3: (10, 11, 12), 4: (10, 10, 11, 12), 5: (10, 10, 11, 11, 12)}
    assert expected == DARK_SPACES | {1: ()}


def test_v20_cells_rim_and_edges() -> None:
    assert [len(b.CELLS[level]) for level in b.LEVELS] == [48, 37, 27, 18]
    assert [sum(1 for i in b.RIM if b.LAYER[i] == layer) for layer in b.TILE_LAYERS] == [21, 18, 15]
    assert [len(b.EDGES[level]) for level in b.LEVELS[1:]] == [24, 21, 18]


def test_v21_covers_and_supports() -> None:
    assert {b.SPOTS[i] for i in b.COVERS[at(LOW)]} == set(CENTRE)
    below = make_game().box.terrain.below[at(LOW)]
    assert [b.SPOTS[i] for i in below] == ["deep:2,3,3", "deep:3,2,3", "deep:3,3,2"]


def test_v22_corners() -> None:
    terrain = make_game().box.terrain
    assert {b.SPOTS[i] for i in b.NEIGHBOURS[at("snow:7,3,0")]} == {"snow:6,4,0", "snow:6,3,1", "snow:7,2,1"}
    assert [b.LAYER[i] for i in terrain.below[at("snow:7,3,0")]] == ["surface", "edge.surface", "edge.surface"]
    assert {b.SPOTS[i] for i in terrain.below[at("snow:0,5,5")]} > {"surface:0,4,5", "surface:0,5,4"}
    assert [b.LAYER[i] for i in terrain.below[at("deep:5,3,0")]] == ["azulia", "edge.azulia", "edge.azulia"]


def fall(*removed: str) -> set[str]:
    """What falls after some snow tiles were removed one after another."""
    present = present_mask(plain_tiles())
    fallen: set[str] = set()
    for spot in removed:
        present &= ~(1 << at(spot))
        gone = chain(present, (at(spot),))
        fallen |= {b.SPOTS[i] for i in gone}
        for i in gone:
            present &= ~(1 << i)
    return fallen


def test_v23_chain_of_one() -> None:
    first = ("snow:5,2,3", "snow:5,3,2", "snow:4,4,2", "snow:3,4,3")
    assert fall(*first) == set()
    assert fall(*first, "snow:3,3,4") == {"snow:4,3,3"}


def test_v24_chain_of_two() -> None:
    first = ("snow:3,3,4", "snow:4,4,2", "snow:4,2,4", "snow:5,3,2", "snow:2,4,4", "snow:3,5,2")
    assert fall(*first) == set()
    assert fall(*first, "snow:5,2,3") == {"snow:4,3,3", "snow:3,4,3"}


def test_v25_rim_tiles_stay() -> None:
    assert "snow:7,3,0" not in fall("snow:6,4,0", "snow:6,3,1", "snow:7,2,1")


def test_v26_set_decree() -> None:
    counts = ([1, 1, 1, 1, 1], [2, 2, 2, 2, 1], [2, 2, 2, 2, 0], [3, 1, 1, 1, 0])
    assert [set_points(group) for group in counts] == [4, 6, 4, 2]
