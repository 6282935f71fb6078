"""A state as the page may show it: nothing secret in public, and a reason for everything."""

import json

import pytest

from companion import showing
from companion.web.languages import LANGUAGES, speak_all
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State
from engine.sayings import Saying, english
from tests.companion.web.engine_desk import game_in_exploration


@pytest.fixture(scope="module")
def table() -> tuple[Ice, State]:
    return game_in_exploration()


def with_secrets(game: Ice, state: State) -> State:
    position = write_position(state, game.box.options)
    position["seats"][0]["hand"] = ["rope", "talisman.harmony", "termites"]
    position["seats"][0]["requests"] = ["prismatic-2"]
    return read_position(position)[0]


def test_public_part_holds_no_secret(table: tuple[Ice, State]) -> None:
    game, state = table
    state = with_secrets(game, state)
    for language in LANGUAGES:
        public = json.dumps(speak_all(showing.shown(game, state), language), ensure_ascii=False)
        for secret in ("rope", "talisman", "termites", "prismatic-2", "Talisman", "Slaňovací", "верёвка"):
            assert secret not in public
    private = showing.private(game, state)
    assert len(private["navigators"]["hand"]) == 3
    assert [english(card) for card in private["navigators"]["requests"]] == ["2 anima from prismatic artifacts (5 RP)"]
    assert "prismatic-2" not in str(private["incandescents"])


def test_every_dig_has_a_verdict_and_its_cost_taken_apart(table: tuple[Ice, State]) -> None:
    game, state = table
    digs = showing.shown(game, state)["digs"]
    assert len(digs) == 48
    for dig in digs.values():
        assert dig["legal"] == (not dig["rules"])
        assert isinstance(dig["say"], Saying)
        assert isinstance(dig["breakdown"], Saying)


def test_why_sorts_what_can_happen_from_what_cannot(table: tuple[Ice, State]) -> None:
    game, state = table
    found = showing.why(game, state, "snow:4,3,3")
    legal = {game.format(action) for action in game.legal_actions(state)}
    assert {item["line"] for item in found["can"]} <= legal
    assert found["cannot"]
    assert all(item["rule"].startswith("R-") and item["say"].text for item in found["cannot"])
    with pytest.raises(KeyError):
        showing.why(game, state, "moon:1,1,1")


def test_a_listed_action_names_its_spots(table: tuple[Ice, State]) -> None:
    game, state = table
    camps = [item for item in showing.shown(game, state)["legal"] if " camp " in item["line"]]
    assert camps
    assert all(len(item["spots"]) == 1 for item in camps)


def test_a_refusal_and_an_unexplained_board(table: tuple[Ice, State]) -> None:
    game, state = table
    violation = game.why_illegal(state, a.Move(state.active, 0))
    assert violation is not None
    assert showing.refused(violation)["rule"] == violation.rule
    assert showing.refused(None, cure=(Saying("Day"),))["cure"] == [Saying("Day")]


def test_layout_names_every_place(table: tuple[Ice, State]) -> None:
    game, _ = table
    plan = showing.layout(game)
    assert len(plan["places"]) == 48 + 37 + 27 + 18 + 24 + 21 + 18
    assert all(cover in plan["places"] for place in plan["places"].values() for cover in place["covers"])


def test_a_question_offers_its_answers_as_lines(table: tuple[Ice, State]) -> None:
    game, state = table
    first, second = game.legal_actions(state)[:2]
    question = showing.asked(game, state, 3, "which", [(first,), (first, second)])
    assert question["id"] == 3
    said = speak_all(question["options"], "cs")
    assert len(said) == 3
    assert said[0] in said[1]
    assert said[2] == "Něco jiného"
