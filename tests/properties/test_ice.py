"""What must hold in every situation of I C E."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from engine.game import RuleViolation, checked_legal_actions
from engine.games.ice import Ice
from engine.games.ice.position import read_position, write_position
from engine.games.ice.reasons import say
from engine.games.ice.rule_titles import RULES
from engine.games.ice.state import State
from engine.history import History, replay
from tests.components import check_components
from tests.random_play import choose, laid_out, random_game
from tests.strategies import any_action, games, reachable, seeds, situations

Situation = tuple[Ice, State]

few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
many = settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))


def legal_is_what_no_rule_forbids(situation: Situation) -> None:
    game, state = situation
    legal = game.legal_actions(state)
    assert len(set(legal)) == len(legal)
    assert set(legal) == set(checked_legal_actions(game, state))
    assert all(game.why_illegal(state, action) is None for action in legal)


def actions_can_be_written_and_change_nothing_in_place(situation: Situation) -> None:
    game, state = situation
    before, number = write_position(state, game.box.options), hash(state)
    for action in game.legal_actions(state)[:60]:
        line = game.format(action)
        assert "\n" not in line
        assert game.parse(line) == action
        after = game.apply(state, action)
        assert after == game.apply(state, action)
        hash(after)
    assert write_position(state, game.box.options) == before
    assert hash(state) == number


def a_state_is_written_and_read_without_loss(situation: Situation) -> None:
    game, state = situation
    options = game.box.options
    text = json.dumps(write_position(state, options))
    assert read_position(json.loads(text)) == (state, options)


def nonsense_is_refused_with_a_rule_and_never_raises(situation: Situation, data: some.DataObject) -> None:
    game, state = situation
    for _ in range(12):
        action = data.draw(any_action(len(state.seats)))
        assert game.parse(game.format(action)) == action
        violation = game.why_illegal(state, action)
        if violation is None:
            game.apply(state, action)
            continue
        assert isinstance(violation, RuleViolation)
        assert violation.rule in RULES
        assert say(violation).strip()
        assert "forbids this" not in say(violation), violation


def a_plausible_action_can_be_insisted_on(situation: Situation, seed: int) -> None:
    """A table that insists is followed: `apply` gives a state that can be written, whatever the rules say."""
    game, state = situation
    plausible = list(game.plausible_actions(state))
    for action in random.Random(seed).sample(plausible, min(20, len(plausible))):
        after = game.apply(state, action)
        write_position(after, game.box.options)
        game.legal_actions(after)


@few
@given(situations)
def test_legal_is_what_no_rule_forbids(situation: Situation) -> None:
    legal_is_what_no_rule_forbids(situation)


@few
@given(situations)
def test_actions_can_be_written_and_change_nothing_in_place(situation: Situation) -> None:
    actions_can_be_written_and_change_nothing_in_place(situation)


@few
@given(situations)
def test_a_state_is_written_and_read_without_loss(situation: Situation) -> None:
    a_state_is_written_and_read_without_loss(situation)


@few
@given(situations, some.data())
def test_nonsense_is_refused_with_a_rule_and_never_raises(situation: Situation, data: some.DataObject) -> None:
    nonsense_is_refused_with_a_rule_and_never_raises(situation, data)


@few
@given(situations, seeds)
def test_a_plausible_action_can_be_insisted_on(situation: Situation, seed: int) -> None:
    a_plausible_action_can_be_insisted_on(situation, seed)


@few
@given(reachable())
def test_components_are_kept(situation: Situation) -> None:
    game, state = situation
    check_components(state, game.box.options)
    for action in game.legal_actions(state)[:60]:
        check_components(game.apply(state, action), game.box.options)


@settings(few, max_examples=10)
@given(games(), seeds)
def test_replay_equals_live_and_undo_then_redo_changes_nothing(game: Ice, seed: int) -> None:
    rng = random.Random(seed)
    state = laid_out(game, rng)
    history: History[State, Any] = History(state)
    for _ in range(60):
        actions = game.legal_actions(state)
        if not actions:
            break
        action = choose(actions, rng)
        state, history = game.apply(state, action), history.take(action)
    assert replay(game, history) == state
    lines = [game.format(action) for action in history.actions]
    assert replay(game, History(history.start, tuple(map(game.parse, lines)))) == state
    back = history
    for _ in range(rng.randrange(1, 30)):
        back = back.undo()
    assert replay(game, back) == replay(game, History(history.start, history.actions[: len(back.actions)]))
    while back.undone:
        back = back.redo()
    assert back == history


def play_out(seed: int) -> None:
    """One whole game with any options; everything is counted after every action."""
    rng = random.Random(seed)
    players = 1 + seed % 5
    from companion.answers import game_of
    from engine.games.ice.cards import GUILDS
    from engine.games.ice.options import Options

    names = ("expert", "blessing", "fluid_move", "first_game", "logbook_setup", "friendly_curse")
    options = Options(players=players, **{name: rng.random() < 0.3 for name in names})
    game = game_of(options, tuple(rng.sample(GUILDS, players)))
    state = laid_out(game, rng, rng.randrange(players))
    for _, _, after in random_game(game, state, rng):
        check_components(after, options)
        state = after
    assert state.actor is None
    assert state.day == 4
    assert not game.legal_actions(state)
    assert not list(game.plausible_actions(state))


@pytest.mark.parametrize("chunk", range(20))
def test_three_hundred_random_games_end_with_all_components(chunk: int) -> None:
    for seed in range(chunk * 15, chunk * 15 + 15):
        play_out(seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(100))
def test_ten_thousand_random_games_end_with_all_components(chunk: int) -> None:
    for seed in range(1_000_000 + chunk * 100, 1_000_000 + chunk * 100 + 100):
        play_out(seed)


@pytest.mark.slow
@many
@given(situations)
def test_many_situations(situation: Situation) -> None:
    legal_is_what_no_rule_forbids(situation)
    actions_can_be_written_and_change_nothing_in_place(situation)
    a_state_is_written_and_read_without_loss(situation)


@pytest.mark.slow
@many
@given(situations, some.data(), seeds)
def test_much_nonsense(situation: Situation, data: some.DataObject, seed: int) -> None:
    nonsense_is_refused_with_a_rule_and_never_raises(situation, data)
    a_plausible_action_can_be_insisted_on(situation, seed)
