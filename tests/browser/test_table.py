"""A game on the simulated table, played through the page with its hands, from the eye's reading to the lights."""

from __future__ import annotations

from typing import Any

from companion.messages import Hands
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.spots import Spot
from tests.table.tables import PlainTable


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, piece: str, spot: str) -> None:
    """Drag a piece to a spot with the mouse."""
    page.mouse.move(*middle(page, piece))
    page.mouse.down()
    page.mouse.move(*middle(page, f'#board [data-spot="{spot}"] > polygon'), steps=4)
    page.mouse.up()


def tap(page: Any, spot: str) -> None:
    page.locator(f'#board [data-spot="{spot}"]').dispatch_event("click")


def put(page: Any, piece: str, spot: str) -> None:
    """Take a piece from the reserve and put it somewhere."""
    page.locator("#reserve").get_by_role("button", name=piece, exact=True).click()
    tap(page, spot)


def start(page: Any) -> str:
    """Open the page, wait until the table is followed; gives a place where the first camp may be built."""
    page.goto("/")
    page.wait_for_selector("#board .light")
    page.wait_for_selector("#restore", state="hidden")
    lines = page.evaluate("fetch('/api/v1/state').then(a => a.json()).then(s => s.legal.map(x => x.line))")
    return str(next(line for line in lines if " camp snow" in line).split()[2])


def test_a_turn_is_played_by_dragging_pieces(played: Any, table: PlainTable) -> None:
    home = start(played)
    put(played, "camp: Navigators", home)
    put(played, "leader of Navigators", home)
    played.wait_for_selector(f'[data-piece="leader.navigators"][data-at="{home}"]')
    played.wait_for_selector("#restore", state="hidden")
    near = next(x.place for x in table.session.desk.playing.game.legal_actions(table.state) if isinstance(x, a.Move))
    target = str(SPOTS[near])
    drag(played, '[data-piece="leader.navigators"]', target)
    played.wait_for_selector(f'[data-piece="leader.navigators"][data-at="{target}"]')
    assert table.state.leaders[0] == near
    assert len(table.session.desk.referee.steps) >= 2
    played.get_by_role("button", name="End turn").click()
    played.wait_for_selector("#turn:has-text('Incandescents')")


def test_an_illegal_dig_is_flagged_with_its_rule_and_put_back(played: Any, table: PlainTable) -> None:
    home = start(played)
    tap(played, home)
    played.get_by_role("button", name=f"Build a camp on snow {home[5:].replace(',', '·')}").first.click()
    played.wait_for_selector('[data-piece="leader.navigators"]')
    here = INDEX[Spot(home)]
    other = next(str(SPOTS[p]) for p in range(47, 0, -1) if p != here and not table.state.archaeologists[p])
    tap(played, other)
    played.get_by_role("button", name="Lift the tile").click()
    played.wait_for_selector("#refusal h2")
    refusal = played.text_content("#refusal")
    assert "R-" in refusal  # which rule: tests/table/test_lifted_tile.py
    assert "To put it right" in refusal
    assert played.locator("#board .marked").count() >= 1
    assert played.locator("#board .light-illegal").count() >= 1

    played.get_by_role("button", name="Let the hands put it right").click()
    played.wait_for_selector("#refusal", state="hidden")


def test_a_correction_an_undo_and_a_redo(played: Any, table: PlainTable) -> None:
    home = start(played)
    steps = len(table.session.desk.referee.steps)
    tap(played, home)
    played.get_by_role("button", name="Build a camp on").first.click()
    played.wait_for_selector('[data-piece="camp.navigators"]')
    played.get_by_role("button", name="Undo").click()
    played.wait_for_selector('[data-piece="camp.navigators"]', state="detached")
    played.wait_for_selector("#restore:has-text('Put the table right')")
    assert played.locator("#board .light-take-away").count() >= 1
    played.get_by_role("button", name="Redo").click()
    played.wait_for_selector('[data-piece="camp.navigators"]')
    played.wait_for_selector("#restore", state="hidden")
    assert len(table.session.desk.referee.steps) > steps
    tap(played, home)
    played.get_by_text("Correct this place").click()
    played.fill('input[name="archaeologists"]', "3")
    played.get_by_role("button", name="This is how it really is").click()
    played.wait_for_selector("#spot-title:has-text('3 archaeologists')")
    assert table.state.archaeologists[INDEX[Spot(home)]] == 3
    played.wait_for_function("fetch('/api/v1/state').then(a => a.json()).then(s => s.doubted.length === 1)")
    assert played.locator("#restore").is_hidden(), "the players are right, the camera is not believed there"


def test_reload_and_lost_connection_in_the_middle_of_a_turn(played: Any, table: PlainTable) -> None:
    home = start(played)
    tap(played, home)
    played.context.set_offline(True)
    played.get_by_role("button", name="Undo").click()
    played.wait_for_selector("#link:has-text('The table cannot be reached.')")
    line = next(
        x
        for x in table.session.desk.playing.game.legal_actions(table.state)
        if isinstance(x, a.BuildCamp) and x.place == INDEX[Spot(home)] and not x.neutral
    )
    table.session.submit(Hands("act", {"line": table.session.desk.playing.game.format(line)}))
    played.context.set_offline(False)
    played.wait_for_selector('[data-piece="leader.navigators"]')
    played.reload()
    played.wait_for_selector('[data-piece="leader.navigators"]')
    assert "Navigators" in played.text_content("#turn")
