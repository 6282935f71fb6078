"""Whole games by random play: they end, lose no component, and every line can be read back."""

import pytest

from engine.games.ice import actions as a
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.state import OFF, State, supply

from .table import choose, random_game


def count_components(state: State) -> None:
    tiles = state.present.bit_count() + sum(state.discarded)
    tiles += sum(len(seat.hand) + len(seat.hold) + sum(map(len, seat.slots)) for seat in state.seats)
    tiles += sum(1 for question in state.asked if question.kind in ("reveal", "slot"))
    assert tiles == 112
    assert state.present.bit_count() == sum(1 for kind in state.tiles if kind)
    assert supply(state) >= 0
    assert all(0 <= seat.ep <= 6 and seat.rp >= 0 for seat in state.seats)
    camps = [place for place in (*state.camps, *state.neutral_camps) if place != OFF]
    assert len(set(camps)) == len(camps)
    requests = state.requests_left + state.requests_discarded + len(state.row or ())
    requests += sum(len(seat.requests) + len(seat.validated) for seat in state.seats)
    assert requests == 54


@pytest.mark.parametrize("seed", range(15))
def test_random_games_end_with_all_components(seed: int) -> None:
    game, state, rng = random_game(seed, players=1 + seed % 5)
    for _ in range(3000):
        if state.actor is None:
            break
        actions = game.legal_actions(state)
        assert actions, "nobody can act although the game is not over"
        assert len(set(actions)) == len(actions)
        action = choose(rng, actions)
        assert game.parse(game.format(action)) == action
        after = game.apply(state, action)
        assert hash(after) is not None
        state = after
        count_components(state)
    assert state.actor is None
    assert state.day == 4
    assert not game.legal_actions(state)
    assert game.why_illegal(state, a.EndTurn(0)) is not None
    assert UNKNOWN not in state.decrees or set(state.decrees) == {UNKNOWN}
