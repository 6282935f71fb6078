"""The play page in a real browser, over a desk that plays with the engine alone."""

from __future__ import annotations

from typing import Any

import pytest

from companion.messages import Answer, Fix, Hands, Keep
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.games.ice.state import KIND_NAMES
from engine.games.ice.wording import label
from engine.sayings import Saying
from engine.spots import Spot
from tests.browser.wire import Wire
from tests.companion.web.engine_desk import EngineDesk

PHONE = {"width": 360, "height": 740}


def opened(page: Any) -> Any:
    page.goto("/")
    page.wait_for_selector("#board [data-spot]")
    return page


def with_leader(desk: EngineDesk, spot: str = "snow:5,1,4") -> None:
    """The active player's leader and camp stand somewhere; its next turn has begun."""
    desk.attempt(a.BuildCamp(desk.state.active, INDEX[Spot(spot)]))
    desk.attempt(a.EndTurn(desk.state.active))
    while desk.state.active != 0:
        legal = desk.game.legal_actions(desk.state)
        ends = [action for action in legal if isinstance(action, a.EndTurn)]
        desk.attempt((ends or [action for action in legal if isinstance(action, a.BuildCamp)])[0])
    desk.publish()


def test_board_is_drawn_with_lights(page: Any) -> None:
    opened(page)
    assert page.locator("#board .tile-snow").count() == 48
    assert page.locator("#board .light").count() > 0
    assert page.locator("#legend li").count() > 0
    assert "Turn of the Navigators" in page.text_content("#turn")


@pytest.mark.parametrize("language", ["en", "cs", "ru"])
def test_the_first_load_is_at_most_300_kb_over_the_wire(chromium: Any, address: str, language: str) -> None:
    """Every byte that came, heads and the live snapshot included, with an empty cache."""
    with Wire(int(address.rsplit(":", 1)[1])) as wire:
        context = chromium.new_context(base_url=wire.address, locale=language)
        page = opened(context.new_page())
        page.wait_for_load_state("load")
        context.close()
    print(language, wire.came)
    assert 50_000 < wire.came <= 300_000


def test_language_is_switched_and_remembered(page: Any) -> None:
    opened(page).select_option("#language", "cs")
    page.wait_for_selector('html[lang="cs"]')
    page.wait_for_selector("#board [data-spot]")
    assert "Na tahu jsou Navigátoři" in page.text_content("#turn")
    assert page.get_by_role("button", name="Konec tahu").is_visible()
    page.reload()
    page.wait_for_selector('html[lang="cs"]')


def test_a_question_is_answered_by_a_big_button(page: Any, desk: EngineDesk) -> None:
    opened(page)
    first, second = desk.game.legal_actions(desk.state)[:2]
    labels = [label(desk.game.box, desk.state, action) for action in (first, second)]
    desk.ask(Saying("What was done?"), [first, second], labels)
    page.wait_for_selector("#question button")
    assert page.locator("#question button").first.bounding_box()["height"] >= 56
    page.locator("#question button").nth(1).click()
    page.wait_for_selector("#question", state="hidden")
    assert Answer(7, 1) in desk.taken


def test_an_illegal_dig_by_hand_is_flagged_with_its_rule_and_can_be_kept(page: Any, desk: EngineDesk) -> None:
    with_leader(desk)
    opened(page)
    page.locator('[data-spot="snow:5,3,2"]').dispatch_event("click")
    page.get_by_role("button", name="Lift the tile").click()
    page.wait_for_selector("#refusal h2")
    assert "R-DIG-1" in page.text_content("#refusal")
    assert "Your leader is not on snow 5·3·2" in page.text_content("#refusal")
    assert page.locator("#board .marked").count() >= 1
    page.get_by_role("button", name="We play it that way").click()
    page.wait_for_selector("#refusal", state="hidden")
    assert Keep() in desk.taken


def test_a_piece_is_dragged_to_another_place_and_the_move_undone(page: Any, desk: EngineDesk) -> None:
    with_leader(desk)
    opened(page)
    place = desk.state.leaders[0]
    target = next(x for x in desk.game.legal_actions(desk.state) if isinstance(x, a.Move) and not x.archaeologists)
    piece = page.locator('[data-piece="leader.navigators"]').bounding_box()
    spot = str(SPOTS[target.place])
    there = page.locator(f'[data-spot="{spot}"] > polygon').bounding_box()
    page.mouse.move(piece["x"] + piece["width"] / 2, piece["y"] + piece["height"] / 2)
    page.mouse.down()
    page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_selector(f'[data-piece="leader.navigators"][data-at="{spot}"]')
    assert desk.taken[-1] == Hands("move_pieces", {"labels": ["leader.blue"], "start": "snow:5,1,4", "end": spot})
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector('[data-piece="leader.navigators"][data-at="snow:5,1,4"]')
    assert desk.state.leaders[0] == place


def test_a_wrong_belief_is_corrected(page: Any, desk: EngineDesk) -> None:
    opened(page)
    page.locator('[data-spot="snow:0,5,5"]').dispatch_event("click")
    page.get_by_text("Correct this place").click()
    page.select_option('select[name="kind"]', "nunatak")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="This is how it really is").click()
    page.wait_for_selector("#spot-title:has-text('nunatak')")
    assert isinstance(desk.taken[-1], Fix)
    assert KIND_NAMES[desk.state.tiles[INDEX[Spot("snow:0,5,5")]]] == "nunatak"


def test_the_board_is_used_by_keyboard_alone(page: Any) -> None:
    opened(page)
    page.locator('#board [tabindex="0"]').focus()
    before = page.evaluate("document.activeElement.dataset.spot")
    page.keyboard.press("ArrowUp")
    after = page.evaluate("document.activeElement.dataset.spot")
    assert before != after
    page.keyboard.press("Enter")
    page.wait_for_selector("#spot-detail .reasons, #spot-detail .actions")
    assert page.evaluate("document.activeElement.dataset.spot") == after


def test_a_phone_shows_everything_without_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size(PHONE)
    opened(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(
        "[...document.querySelectorAll('button:not([hidden])')].every(b => b.offsetHeight >= 44 || !b.offsetParent)"
    )
