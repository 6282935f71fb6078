"""Warnings: what rests on a stand-in or on something untold is said, never refused (§20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.game import TABLE
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice import state as st
from engine.games.ice.board import BELOW, COVERS, SPOTS
from engine.games.ice.cards import UNKNOWN, Artifact
from engine.games.ice.options import Options

from .table import DATA, allow, at, begin, change, make_game, refused, seat

HERE, NEXT, SITE, LOW = "snow:5,2,3", "snow:5,1,4", "snow:4,3,3", "surface:3,3,3"


def turn(*guilds: str, **fields: Any) -> tuple[Ice, st.State]:
    game = make_game(*(guilds or ("incandescents", "nurturers")))
    state = change(begin(game), leaders=(HERE, st.OFF), archaeologists={HERE: 3})
    return game, seat(state, 0, **fields)


def doubts(game: Ice, state: st.State, action: a.Action) -> list[tuple[str, str]]:
    """The warnings of an action that must be legal."""
    assert refused(game, state, action) is None
    return [(warned.rule, warned.reason) for warned in game.warnings(state, action)]


def test_a_certain_action_raises_no_doubt() -> None:
    game, state = turn()
    assert doubts(game, state, a.Move(0, at(NEXT), 1)) == []
    assert doubts(game, state, a.Recruit(0, at(SITE))) == []


def test_q_7_an_untold_rotation_is_a_doubt_about_steps() -> None:
    game, state = turn(hand=("smilodon", "spiders"))
    state = change(state, kinds={NEXT: "crevasse"}, rotations={NEXT: st.UNKNOWN_TURN})
    for action in (a.Move(0, at(NEXT)), a.PlaySmilodon(0, at(HERE), at(NEXT)), a.PlaySpiders(0, at(NEXT))):
        assert doubts(game, state, action) == [("R-CREV-6", "rotation")]


def test_q_1_the_map_of_azulia_is_a_stand_in() -> None:
    game, state = turn()
    gone: set[int] = set()
    queue = [*COVERS[at("azulia:2,2,3")], *COVERS[at("azulia:3,2,2")]]
    while queue:
        place = queue.pop()
        gone.add(place)
        queue += COVERS[place]
    state = change(state, gone=tuple(SPOTS[p] for p in gone), leaders=("azulia:2,2,3", st.OFF))
    assert doubts(game, state, a.Move(0, at("azulia:3,2,2"))) == [("R-ADJ-7", "stand-in")]
    told = Ice(game.box.options, replace(DATA, azulia=replace(DATA.azulia, stand_in=False)), game.box.guilds)
    assert doubts(told, state, a.Move(0, at("azulia:3,2,2"))) == []


def test_r_cost_2_an_untold_snow_tile_may_be_a_nunatak() -> None:
    game, state = turn()
    state = change(state, kinds={HERE: "unknown"})
    assert doubts(game, state, a.Excavate(0, at(HERE))) == [("R-COST-2", "kind")]


def test_r_art_1_an_untold_artifact_under_the_leader() -> None:
    game, state = turn(hand=("gem", "talisman.harmony"))
    state = change(state, gone=(SITE, "snow:3,4,3", "snow:3,3,4"), kinds={LOW: "unknown"}, leaders=(LOW, st.OFF))
    kind = [("R-ART-1", "kind")]
    assert doubts(game, state, a.Study(0, st.HARMONY)) == kind
    assert doubts(game, state, a.Activate(0, st.HARMONY)) == kind
    assert doubts(game, state, a.UseAchievement(0, a.BY_GEM)) == kind
    assert doubts(game, state, a.Excavate(0, at(LOW), talisman=True)) == kind


def test_r_snow_6_an_untold_hand_may_hold_the_tile() -> None:
    game, state = turn(hand=(UNKNOWN,))
    hand = [("R-SNOW-6", "unknown hand")]
    assert doubts(game, state, a.PlayWreck(0)) == hand
    assert doubts(game, change(state, archaeologists={HERE: 0}), a.Excavate(0, at(HERE), termites=1)) == hand
    state = change(state, gone=(SITE, "snow:3,4,3", "snow:3,3,4"), kinds={LOW: "harmony"}, leaders=(LOW, st.OFF))
    assert doubts(game, state, a.Excavate(0, at(LOW), talisman=True)) == hand
    state = change(state, kinds={LOW: "achievement"})
    assert doubts(game, state, a.UseAchievement(0, a.BY_GEM)) == hand


def test_r_req_1_r_req_9_secret_hands_and_cards_that_are_not_in_the_data() -> None:
    game, state = turn(requests=(UNKNOWN,), slots=((Artifact("prismatic", 2, None),), (), (), (), ()))
    state = replace(state, day=2, phase=st.SUNSET, taken=True, row=())
    pieces = (Artifact("prismatic", 2, None),)
    assert doubts(game, state, a.ValidateRequest(0, "prismatic-2", pieces)) == [("R-REQ-1", "unknown hand")]
    entered = a.ValidateRequest(0, "my own card", pieces)
    assert doubts(game, state, entered) == [("R-REQ-1", "unknown hand"), ("R-REQ-9", "card")]
    assert refused(game, state, a.ValidateRequest(0, "my own card")) == "R-REQ-9"
    paid = allow(game, state, entered).seats[0].validated
    assert paid == (st.Validated(2, "my own card", UNKNOWN),)


def test_r_log_3_a_reconstructed_card() -> None:
    game, state = turn()
    dawn = replace(state, day=2, phase=st.SUNRISE)
    assert doubts(game, dawn, a.DrawLogbook(TABLE, "J1")) == [("R-LOG-3", "stand-in")]
    assert doubts(game, dawn, a.DrawLogbook(TABLE, "a card of ours")) == []


def test_r_var_solo_one_player_only_practises() -> None:
    game = Ice(Options(players=1), DATA)
    state = allow(game, game.start(), a.DrawDecrees(TABLE, (UNKNOWN,) * 3))
    assert doubts(game, state, a.DealRequests(TABLE, 0, (UNKNOWN,) * 5)) == [("R-VAR-SOLO", "practice")]


def test_r_art_1_a_tile_is_told_once_it_is_visible() -> None:
    game, state = turn()
    state = change(state, kinds={NEXT: "unknown", LOW: "unknown"}, rotations={NEXT: st.UNKNOWN_TURN})
    show = a.ShowTile(TABLE, at(NEXT), st.KIND["crevasse"], 2)
    after = allow(game, state, show)
    assert (after.tiles[at(NEXT)], after.turns[at(NEXT)]) == (st.CREVASSE, 2)
    assert refused(game, after, show) == "R-ART-1"
    assert refused(game, after, a.ShowTile(TABLE, at(NEXT), st.KIND["tunnel"])) == "R-ART-1"
    assert refused(game, state, a.ShowTile(TABLE, at(NEXT), st.KIND["harmony"])) == "R-ART-1"
    assert refused(game, state, a.ShowTile(TABLE, at(LOW), st.KIND["harmony"])) == "R-GEO-9"
    assert refused(game, state, a.ShowTile(TABLE, BELOW[at("deep:3,3,2")][0], 1)) == "R-GEO-9"
    assert refused(game, state, a.ShowTile(0, at(NEXT), st.CREVASSE)) == "R-EXP-1"
    kind_only = allow(game, state, a.ShowTile(TABLE, at(NEXT), st.KIND["tunnel"]))
    assert kind_only.turns[at(NEXT)] == st.UNKNOWN_TURN
