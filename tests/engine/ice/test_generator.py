"""The fast list of legal actions equals the checked definition, over random play of all player counts and options."""

import random

import pytest

from engine.game import checked_legal_actions
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.options import Options

from .table import DATA, choose, random_game, seat, shuffled_tiles


@pytest.mark.parametrize("seed", range(20))
def test_fast_and_checked_lists_are_equal(seed: int) -> None:
    game, state, rng = random_game(seed, players=1 + seed % 5)
    for step in range(2000):
        if state.actor is None:
            break
        actions = game.legal_actions(state)
        if step % 5 == seed % 5 or state.asked or state.lost:
            checked = set(checked_legal_actions(game, state))
            assert {game.format(x) for x in actions} == {game.format(x) for x in checked}
            assert len(actions) == len(checked)
        state = game.apply(state, choose(rng, actions))


@pytest.mark.parametrize(
    "changed",
    [
        {"edge_places": "side"},
        {"edge_places": "level"},
        {"adjacent_under_cover": False},
        {"edge_steps_under_frame": True},
        {"crack_step_down": "free"},
        {"fluid_exchange_half_way": True},
        {"allocator": "table"},
        {"camp_chooser": "owner"},
        {"manta_to_azulia": True, "manta_to_edges": False, "manta_from_reserve": True},
        {"overwork_once": False, "overwork_counts_spent": False},
        {"exalted_takes_every": True},
        {"gem_uses_up_effect": True, "gem_on_prismatic": False},
        {"free_dig_meets_minimum": True, "gained_ep_prevents_sunset": False},
        {"hidden_places_closed": True, "lone_tile_collapses": False},
        {"face_down_pays": False, "taken_request_may_pay": False},
        {"partial_reinforcements": False, "sailship_without_others": False},
        {"curse_limits_fluid_move": False, "expert": True, "taken_artifacts_curse": True},
        {"cracks_stop_camp_travel": True, "cracks_stop_destruction": True},
        {"curse_space_by_space": False, "expert": True, "friendly_curse": True, "icons_by_destruction": False},
        {"navigators_neutral_camp_anywhere": False, "activation_expires": False, "nurturers_capacity": 3},
        {"termites_combine": False, "blocked_player_loses_ep": False, "spent_study_counts_as_owned": False},
    ],
    ids=lambda changed: "+".join(changed),
)
def test_other_decisions_can_be_played_to_the_end(changed: dict[str, object]) -> None:
    rng = random.Random(7)
    game = Ice(Options(players=2, **changed), DATA, ("navigators", "incandescents"))  # type: ignore[arg-type]
    state = game.start(*shuffled_tiles(rng))
    for step in range(3000):
        if state.actor is None:
            break
        actions = game.legal_actions(state)
        if step % 20 == 0:
            assert set(actions) == set(checked_legal_actions(game, state))
        state = game.apply(state, choose(rng, actions))
    assert state.actor is None


def test_hands_without_any_told_front_may_play_all_of_them() -> None:
    game, state, rng = random_game(3, players=3)
    while state.asked or state.leaders[state.active] < 0 or state.seats[state.active].ep < 3:
        state = game.apply(state, choose(rng, game.legal_actions(state)))
    state = seat(state, state.active, hand=("unknown", "unknown"))
    actions = game.legal_actions(state)
    assert set(actions) == set(checked_legal_actions(game, state))
    played = {type(x) for x in actions}
    assert {a.PlayWreck, a.PlayRune, a.PlayManta, a.PlaySpiders, a.PlaySmilodon, a.PlayWhistle} <= played
