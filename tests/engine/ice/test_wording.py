"""What the page says about a game, in English."""

import random

import pytest

from companion.gamedata import shipped
from engine.game import RuleViolation
from engine.games.ice import Ice, wording
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX
from engine.games.ice.digging import DigCost
from engine.games.ice.options import Options
from engine.games.ice.tally import tally
from engine.sayings import english
from engine.spots import Spot


@pytest.fixture(scope="module")
def game() -> Ice:
    return Ice(Options(players=3), shipped())


def test_every_kind_of_action_has_a_label() -> None:
    assert set(wording.ACTIONS) == set(a.ACTIONS)


def test_labels_are_whole_for_every_legal_action_of_a_game(game: Ice) -> None:
    chance = random.Random(3)
    state = game.start()
    kinds = set()
    for _ in range(260):
        legal = game.legal_actions(state)
        if not legal:
            break
        for action in legal[:40]:
            said = english(wording.label(game.box, state, action))
            assert "{" not in said
            assert "…" not in said, (action, said)
            kinds.add(type(action))
        english(wording.headline(game.box, state))
        assert all(english(name) for name, _ in wording.facts(game.box, state))
        state = game.apply(state, chance.choice(legal))
    assert len(kinds) > 12


def test_a_move_is_said_with_those_who_come_along(game: Ice) -> None:
    state, place = game.start(), INDEX[Spot("snow:4,3,3")]
    assert english(wording.label(game.box, state, a.Move(0, place, 1))) == "Move to snow 4·3·3 with 1 archaeologist"
    assert english(wording.label(game.box, state, a.Move(0, place))) == "Move to snow 4·3·3"


def test_the_cost_of_a_dig_is_taken_apart() -> None:
    cost = DigCost(3, ("camp", "covered"), 1, 2, 1, 0, False, 1)
    assert english(wording.cost(cost)) == (
        "1 EP = 3 for the layer, 1 more (camp, covered by a tile), 2 less for the explorers on it; "
        "1 less by tiles and abilities"
    )


def test_a_refusal_has_title_and_sentence() -> None:
    title, sentence = wording.refusal(RuleViolation("R-DIG-1", "leader", (Spot("deep:3,3,2"),)))
    assert english(title) == "The own leader stands on the tile"
    assert english(sentence) == "Your leader is not on deep 3·3·2: move it there first."


def test_the_pad_has_a_column_per_guild(game: Ice) -> None:
    state = game.start()
    pads = [tally(state, seat, game.box.options, game.box.data.requests) for seat in range(3)]
    rows = wording.score_rows(game.box.guilds, pads)
    assert [len(row) for row in rows] == [4] * 7
