"""Whole games by random play: they end, lose no component, and every line can be read back."""

import pytest

from engine.game import TABLE, checked_legal_actions
from engine.games.ice import actions as a
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.state import OFF, UNKNOWN_KIND, UNKNOWN_TURN, State, supply

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


@pytest.mark.parametrize("seed", range(5))
def test_games_with_untold_tiles_go_on_and_learn_them(seed: int) -> None:
    game, state, rng = random_game(seed, players=1 + seed % 5)
    kinds = [kind if rng.random() < 0.4 else UNKNOWN_KIND for kind in state.tiles]
    state = game.start(bytes(kinds), bytes(turn if rng.random() < 0.3 else UNKNOWN_TURN for turn in state.turns))
    shown = warned = 0
    while state.actor is not None:
        actions = game.legal_actions(state)
        if rng.random() < 0.05:
            assert set(actions) == set(checked_legal_actions(game, state))
        action = choose(rng, actions)
        warned += len(game.warnings(state, action))
        state = game.apply(state, action)
        place = rng.randrange(112)
        seen = a.ShowTile(TABLE, place, rng.randrange(1, 5) if place < 48 else rng.randrange(6, 12), rng.randrange(6))
        if game.why_illegal(state, seen) is None:
            state = game.apply(state, seen)
            assert state.tiles[place] == seen.kind
            shown += 1
        count_components(state)
    assert shown > 0
    assert warned > 0
