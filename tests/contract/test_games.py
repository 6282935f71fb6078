"""One suite over every game: what `engine.game.Game` promises; a game package without an entry here fails."""

from __future__ import annotations

import pkgutil
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import engine.games
from engine.game import IllegalAction, RuleViolation, checked_legal_actions, perft, play
from engine.lights import ROLES, Light
from engine.spots import Cue
from tests.playthroughs.games import TABLES
from tests.random_play import choose, laid_out

Situation = tuple[Any, Any]


def ice_situations() -> Iterator[Situation]:
    """States along two short games."""
    for name in ("two-players", "expert"):
        game, rng = TABLES[name].game(), random.Random(1)
        state = laid_out(game, rng)
        step = 0
        while actions := game.legal_actions(state):
            if step % 16 == 0 or state.asked:
                yield game, state
            state = game.apply(state, choose(sorted(actions, key=game.format), rng))
            step += 1
        yield game, state


SITUATIONS: dict[str, Callable[[], Iterator[Situation]]] = {"ice": ice_situations}


def test_every_game_is_here() -> None:
    assert {module.name for module in pkgutil.iter_modules(engine.games.__path__)} == set(SITUATIONS)


@pytest.fixture(params=sorted(SITUATIONS))
def situations(request: pytest.FixtureRequest) -> list[Situation]:
    return list(SITUATIONS[request.param]())


def test_the_game_has_its_package_name(situations: list[Situation], request: pytest.FixtureRequest) -> None:
    assert situations[0][0].name in request.node.name


def test_states_and_actions_are_values(situations: list[Situation]) -> None:
    for game, state in situations:
        hash(state)
        for action in game.legal_actions(state):
            hash(action)
            with pytest.raises(AttributeError):
                action.by = 0


def test_fast_legal_actions_equal_the_definition(situations: list[Situation]) -> None:
    for game, state in situations:
        legal = game.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert set(legal) == set(checked_legal_actions(game, state))
        assert perft(game, state, 1) == len(legal)


def test_somebody_acts_exactly_while_there_are_actions(situations: list[Situation]) -> None:
    for game, state in situations:
        assert (game.to_act(state) is None) == (not game.legal_actions(state))


def test_play_refuses_with_the_same_violation(situations: list[Situation]) -> None:
    refused = 0
    for game, state in situations:
        for action in list(game.plausible_actions(state))[::7]:
            violation = game.why_illegal(state, action)
            if violation is None:
                assert play(game, state, action) == game.apply(state, action)
                continue
            refused += 1
            assert isinstance(violation, RuleViolation)
            with pytest.raises(IllegalAction) as caught:
                play(game, state, action)
            assert caught.value.violation == violation
    assert refused > 100


def test_lines(situations: list[Situation]) -> None:
    for game, state in situations:
        for action in game.legal_actions(state):
            assert game.parse(game.format(action)) == action
        with pytest.raises(ValueError, match="expected"):
            game.parse("nobody does nothing")


def test_sights_and_lights_lie_in_the_layout(situations: list[Situation]) -> None:
    for game, state in situations:
        places = game.layout().places
        seen = game.visible(state)
        assert all(isinstance(cue, Cue) and cue.spot in places for cue in seen)
        lights = game.lights(state)
        assert set(lights) <= set(places)
        assert all(isinstance(light, Light) and light.role in ROLES for light in lights.values())
        assert all(0 <= light.strength <= 1 for light in lights.values())


def test_what_looks_different_was_touched(situations: list[Situation]) -> None:
    for game, state in situations:
        before = game.visible(state)
        for action in game.legal_actions(state)[::5]:
            after = game.visible(game.apply(state, action))
            changed = {cue.spot for cue in before.keys() | after.keys() if before.get(cue) != after.get(cue)}
            assert changed <= game.touched(state, action), game.format(action)


def test_warnings_are_told_about_legal_actions(situations: list[Situation]) -> None:
    for game, state in situations:
        for action in game.legal_actions(state)[::5]:
            for warned in game.warnings(state, action):
                assert warned.rule.startswith("R-")
