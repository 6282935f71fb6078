"""The session on a simulated table with an ideal eye: one path from hands to lights and page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal import Corrected
from companion.messages import Answer, EndTurn, Fix, Keep, NewGame, Pause, Redo, Resume, Undo
from companion.table_eye import Look
from companion.web import create_app
from engine import lights as roles
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.sighting import Sighting
from engine.spots import Cue, Spot
from hardware.errors import CameraLost
from tests.table.tables import PlainTable

CAMP = "navigators camp snow:5,3,2"


@pytest.fixture
def table(tmp_path: Path) -> PlainTable:
    made = PlainTable(tmp_path)
    made.settle()
    return made


def leader(table: PlainTable) -> str:
    return str(SPOTS[table.state.leaders[0]])


def test_the_laid_board_starts_the_game(table: PlainTable) -> None:
    assert table.public["mode"] == "tracking"
    assert table.public["question"] is None
    assert table.public["headline"].text.startswith("Turn of the")
    assert table.lit


def test_hands_act_and_the_camera_alone_tells_the_session(table: PlainTable) -> None:
    table.act(CAMP)
    assert leader(table) == "snow:5,3,2"
    assert [step.line for step in table.session.desk.referee.steps[-1:]] == [CAMP]
    lit = {light.role for light in table.session.desk.lights().values()}
    assert roles.LEGAL_MOVE in lit


def test_a_whole_dig_by_hands(table: PlainTable) -> None:
    place = table.state.neutral_camps[0]
    table.act(f"navigators sail {SPOTS[place]}")
    assert table.state.leaders[0] == place
    dig = next(x for x in table.table.game.legal_actions(table.state) if isinstance(x, a.Excavate))
    table.act(table.table.game.format(dig))
    assert table.session.desk.referee.refusal is None
    assert not table.state.present >> place & 1
    assert not table.state.asked


def test_a_dig_is_understood_although_the_dug_tile_itself_cannot_be_read(
    table: PlainTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = table.state.neutral_camps[0]
    table.act(f"navigators sail {SPOTS[place]}")
    ideal = table.session.eye.look

    def look(image: object) -> Look:
        found = ideal(image)
        if found.sighting is None:
            return found
        odds = {cue: shares for cue, shares in found.sighting.odds.items() if cue.spot != SPOTS[place]}
        return Look(Sighting(odds, frozenset({SPOTS[place]})), True, found.say, is_fresh=True)

    monkeypatch.setattr(table.session.eye, "look", look)
    dig = next(x for x in table.table.game.legal_actions(table.state) if isinstance(x, a.Excavate))
    table.act(table.table.game.format(dig))
    assert table.session.desk.referee.refusal is None
    assert not table.state.present >> place & 1
    assert not table.state.asked


def test_an_illegal_dig_is_flagged_and_forgiven_when_put_back(table: PlainTable) -> None:
    before = table.state
    spot = next(s for s in table.table.table.tiles if str(s).startswith("snow") and not table.table.table.pieces.get(s))
    kind, turn = table.table.table.tiles[spot].kind, table.table.table.tiles[spot].rotation
    table.hands("dig", spot=spot)
    assert table.public["refusal"] is None, "no complaint at once"
    table.pass_s(1.0)
    refusal = table.public["refusal"]
    assert refusal["rule"].startswith("R-")
    assert str(spot) in refusal["spots"]
    assert refusal["cure"]
    assert table.session.desk.lights()[spot].role == roles.ILLEGAL
    table.table.table.fetch_tile("snow", kind, spot)
    table.table.table.put_tile(spot, turn)
    table.table.table.withdraw()
    table.settle()
    assert table.public["refusal"] is None
    assert table.public["mode"] == "tracking"
    assert table.state == before


def test_we_play_it_that_way(table: PlainTable) -> None:
    spot = next(s for s in table.table.table.tiles if str(s).startswith("snow") and not table.table.table.pieces.get(s))
    table.hands("dig", spot=spot)
    table.pass_s(1.0)
    table.session.submit(Keep())
    table.settle()
    assert not table.state.present >> INDEX[spot] & 1
    assert table.public["refusal"] is None


def test_undo_by_word_lights_what_to_put_back_and_waits(table: PlainTable) -> None:
    before = table.state
    table.act(CAMP)
    table.session.submit(Undo())
    table.pass_s(2.0)
    assert table.state == before, "the board still shows the camp, and nothing is inferred from it"
    assert table.public["mode"] == "restoring"
    assert table.session.desk.lights()[Spot("snow:5,3,2")].role == roles.TAKE_AWAY
    assert {saying.facts["place"].facts["cell"] for saying in table.public["restore"]} == {"5·3·2"}
    table.session.submit(Redo())
    table.settle()
    assert table.public["mode"] == "tracking"
    table.session.submit(Undo())
    table.table.act_out(before)
    table.settle()
    assert table.public["mode"] == "tracking"
    assert table.state == before


def test_what_is_said_first_may_be_shown_later(table: PlainTable) -> None:
    table.session.desk.referee.declare(CAMP)
    table.pass_s(3.0)
    assert leader(table) == "snow:5,3,2", "the unmoved board does not take it back"
    assert table.public["refusal"] is None
    table.table.act_out(table.state)
    table.settle()
    assert leader(table) == "snow:5,3,2"
    assert table.session.desk.referee.differing == frozenset()


def test_a_lifted_leader_shows_where_it_may_go(table: PlainTable) -> None:
    table.act(CAMP)
    table.act(next(x["line"] for x in table.public["legal"] if x["line"].startswith("navigators move snow")))
    before, spot = table.state, SPOTS[table.state.leaders[0]]
    table.table.table.remove_pieces(["leader.blue"], spot)
    table.settle()
    assert table.state == before
    lit = table.session.desk.lights()
    assert lit == table.table.game.lights(before, Cue(spot, "leaders")) != table.table.game.lights(before)
    assert {light.role for light in lit.values()} == {roles.YOUR_LEADER, roles.LEGAL_MOVE}
    assert set(table.public["lights"]) == set(lit), "the page shows the same"


def test_a_lifted_tile_shows_where_its_explorers_go(table: PlainTable) -> None:
    place = table.state.neutral_camps[0]
    table.act(f"navigators sail {SPOTS[place]}")
    before, spot, hands = table.state, SPOTS[place], table.table.table
    hands.remove_pieces([piece.label for piece in hands.pieces[spot]], spot)
    hands.dig(spot)
    while hands.busy:
        table.pass_s(0.1)
    assert table.state == before
    lit = table.session.desk.lights()
    assert lit[spot].role == roles.LEGAL_DIG
    assert roles.PUT_HERE in {light.role for light in lit.values()}


def test_a_known_tile_does_not_become_another_one(table: PlainTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ideal, before = table.session.eye.look, table.state
    spot = Spot("snow:0,5,5")

    def look(image: object) -> Look:
        found = ideal(image)
        odds = {**found.sighting.odds, Cue(spot, "tile"): {"prismatic": 0.99}}
        return Look(Sighting(odds), True, found.say, is_fresh=True)

    monkeypatch.setattr(table.session.eye, "look", look)
    table.pass_s(2.0)
    assert table.public["refusal"] is None
    assert table.state == before


def test_pause_and_resume(table: PlainTable) -> None:
    table.session.submit(Pause())
    table.act(CAMP)
    assert table.state.leaders[0] < 0
    table.session.submit(Resume())
    table.pass_s(1.0)
    assert table.public["mode"] == "restoring"


def test_a_turn_ends_by_the_button_and_not_before_something_was_spent(table: PlainTable) -> None:
    table.session.submit(EndTurn())
    table.settle()
    assert table.public["refusal"]["rule"] == "R-EP-1"
    table.act(CAMP)
    table.session.submit(EndTurn())
    table.settle()
    assert table.public["refusal"] is None
    assert table.public["to_act"] == "incandescents"


def test_one_spot_is_corrected_and_the_camera_not_believed_there(table: PlainTable) -> None:
    spot = Spot("snow:0,5,5")
    table.session.submit(Fix(pieces={spot: {"archaeologists": 2}}, why="the camera does not see them"))
    table.settle()
    assert table.state.archaeologists[INDEX[spot]] == 2
    assert isinstance(table.session.desk.referee.steps[-1], Corrected)
    assert table.public["mode"] == "tracking", "the players know better"
    assert table.public["doubted"] == [spot]
    table.hands("add_pieces", labels=["archaeologist", "archaeologist"], spot=spot)
    assert table.public["doubted"] == [], "now it is seen as well"
    assert table.session.desk.referee.differing == frozenset()


def test_what_cannot_be_done_is_told(table: PlainTable) -> None:
    table.hands("dig", spot="deep:3,3,2")
    assert "lies under" in table.public["note"].text
    table.hands("juggle")
    assert "juggle" in str(table.public["note"].facts)
    table.session.submit(NewGame({"dice": 1}, ()))
    table.settle()
    assert "dice" in str(table.public["note"].facts)


def test_a_restart_offers_the_last_game_and_never_resumes_silently(tmp_path: Path, table: PlainTable) -> None:
    table.act(CAMP)
    believed = table.state
    again = PlainTable(tmp_path)
    again.pass_s(1.0)
    question = again.public["question"]
    assert (question["key"], len(question["options"])) == ("resume", 3)
    assert again.public["mode"] == "paused"
    again.table.table.remove_pieces(["leader.blue"], Spot("snow:5,3,2"))
    again.session.submit(Answer(question["id"], 0))
    again.settle()
    assert again.public["mode"] == "restoring", "the leader is missing"
    again.pass_s(3.0)
    assert again.state == believed
    again.table.act_out(believed)
    again.settle()
    assert again.public["mode"] == "tracking"
    assert again.state == believed


@pytest.mark.parametrize("choice", [1, 2])
def test_a_restart_may_start_anew(tmp_path: Path, table: PlainTable, choice: int) -> None:
    table.act(CAMP)
    again = PlainTable(tmp_path)
    again.session.submit(Answer(0, choice))
    again.settle()
    assert again.public["game"] == 2
    assert again.state.leaders == (-1, -1, -1)


def test_unchanged_snapshots_are_not_made_again(table: PlainTable) -> None:
    version = table.session.board.newest().version
    table.pass_s(1.0)
    assert table.session.board.newest().version == version


def test_a_lost_camera_is_shown_and_the_game_goes_on(table: PlainTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise CameraLost("no picture for 2 s: check the cable")

    read = table.session.camera.read
    monkeypatch.setattr(table.session.camera, "read", fail)
    table.pass_s(0.2)
    status = table.public["status"]["camera"]
    assert not status["ok"]
    assert status["say"].facts["detail"] == "no picture for 2 s: check the cable"
    assert status["say"].facts["what"].text.startswith("No picture comes from the camera")
    monkeypatch.setattr(table.session.camera, "read", read)
    table.pass_s(0.2)
    assert table.public["status"]["camera"]["ok"]


def test_the_strip_is_dark_while_the_camera_looks(table: PlainTable, monkeypatch: pytest.MonkeyPatch) -> None:
    lit: list[bool] = []
    read = table.session.camera.read

    def look() -> object:
        lit.append(table.lit)
        return read()

    monkeypatch.setattr(table.session.camera, "read", look)
    table.pass_s(1.0)
    assert lit
    assert not any(lit)
    assert table.lit, "it shines again afterwards"


def test_the_page_speaks_through_the_session(table: PlainTable) -> None:
    client = create_app(table.session).test_client()
    assert client.post("/api/v1/commands/hands", json={"verb": "act", "arguments": {"line": CAMP}}).status_code == 202
    table.settle()
    state = client.get("/api/v1/state").json
    assert state["position"]["pieces"]["snow:5,3,2"]["leaders"] == ["navigators"]
    assert client.get("/api/v1/why?spot=snow:5,3,2").json["can"]
    assert client.get("/snapshot.jpg").status_code == 200
    assert client.get("/healthz").json["ok"]


def test_the_players_say_that_the_table_is_laid_out_right(tmp_path: Path) -> None:
    """The eye misses a camp from the start: the players overrule it, and the game begins."""
    table = PlainTable(tmp_path)
    ideal = table.session.eye.look
    cue = Cue(SPOTS[table.state.neutral_camps[0]], "camp")

    def without_camp(image: object) -> Look:
        look = ideal(image)  # type: ignore[arg-type]
        if look.sighting is None:
            return look
        return replace(look, sighting=Sighting({**look.sighting.odds, cue: {"none": 0.999}}))

    table.session.eye.look = without_camp  # type: ignore[method-assign]
    table.settle()
    assert table.public["mode"] == "setup"
    assert len(table.public["restore"]) == 1
    table.session.submit(Keep())
    table.pass_s(1.0)
    assert table.public["mode"] == "tracking"
    assert table.public["doubted"] == [str(cue.spot)]
