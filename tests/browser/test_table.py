"""A game on the simulated table, played through the page with its hands, from the eye's reading to the lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.messages import Hands, NewGame
from companion.web import create_app
from companion.web.home import Home
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.spots import Spot
from tests.browser.conftest import following, opened, serving
from tests.browser.wire import Wire
from tests.table.tables import PlainTable


def middle(page: Any, selector: str) -> tuple[float, float]:
    """The middle of something, which may be drawn anew at any moment."""
    page.wait_for_selector(selector)
    box = page.locator(selector).first.bounding_box() or page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, piece: str, spot: str) -> None:
    """Drag a piece to a spot with the mouse."""
    page.mouse.move(*middle(page, piece))
    page.mouse.down()
    page.mouse.move(*middle(page, f'#board [data-spot="{spot}"] > polygon'), steps=4)
    page.mouse.up()


def drag_off(page: Any, spot: str) -> None:
    """Drag a tile from its place to beside the board."""
    page.mouse.move(*grip(page, spot))
    page.mouse.down()
    page.mouse.move(*middle(page, "#buttons"), steps=4)
    page.mouse.up()


def grip(page: Any, spot: str) -> tuple[float, float]:
    """A point of a tile that nothing covers and no piece stands on."""
    found = page.evaluate(
        """(spot) => {
            const box = document.querySelector(`#board [data-spot="${spot}"] > polygon`).getBoundingClientRect();
            const tries = [[.5, .5], [.5, .2], [.5, .8], [.25, .4], [.75, .4], [.25, .6], [.75, .6], [.5, .1]];
            for (const [x, y] of tries) {
                const at = [box.x + x * box.width, box.y + y * box.height], top = document.elementFromPoint(...at);
                if (top?.closest("[data-spot]")?.dataset.spot === spot && !top.closest("[data-piece]")) return at;
            }
            return null;
        }""",
        spot,
    )
    assert found is not None, f"nothing of {spot} can be taken hold of"
    return found[0], found[1]


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


def test_an_illegal_dig_made_by_dragging_is_flagged_with_its_rule_and_put_back(played: Any, table: PlainTable) -> None:
    home = start(played)
    tap(played, home)
    played.get_by_role("button", name=f"Build a camp on snow {home[5:].replace(',', '·')}").first.click()
    played.wait_for_selector('[data-piece="leader.navigators"]')
    played.wait_for_selector("#restore", state="hidden")
    here = INDEX[Spot(home)]
    other = next(str(SPOTS[p]) for p in range(47, 0, -1) if p != here and not table.state.archaeologists[p])
    drag_off(played, other)
    played.wait_for_selector("#refusal .rule:has-text('R-DIG-1')")
    refusal = played.text_content("#refusal")
    assert "Your leader is not on" in refusal
    assert "To put it right" in refusal
    assert Spot(other) not in table.table.table.tiles
    assert played.locator("#board .marked").count() >= 1
    assert played.locator("#board .light-illegal").count() >= 1

    played.get_by_role("button", name=f"Put the tile of snow {other[5:].replace(',', '·')} back").click()
    played.wait_for_selector("#refusal", state="hidden")
    assert Spot(other) in table.table.table.tiles
    assert table.state.tiles[INDEX[Spot(other)]], "nothing was dug"
    played.wait_for_selector("#taken button", state="detached")


def test_hands_put_everything_right_at_a_tap(played: Any, table: PlainTable) -> None:
    home = start(played)
    drag_off(played, home)
    played.wait_for_selector("#refusal h2")
    played.get_by_role("button", name="Let the hands put it right").click()
    played.wait_for_selector("#refusal", state="hidden")
    assert Spot(home) in table.table.table.tiles


def place_of(page: Any, selector: str) -> Any:
    return page.evaluate(
        "(s) => { const { x, y } = document.querySelector(s).getBoundingClientRect(); return [x, y]; }", selector
    )


def test_no_button_of_the_reserve_slips_away_while_a_dig_goes_on(played: Any, table: PlainTable) -> None:
    home = start(played)
    put(played, "camp: Navigators", home)
    put(played, "leader of Navigators", home)
    played.wait_for_selector('[data-piece="leader.navigators"]')
    archaeologist, end_turn = '#reserve [aria-label="archaeologist"]', "[data-command=end-turn]"
    before = [place_of(played, archaeologist), place_of(played, end_turn)]
    table.session.submit(Hands("dig", {"spot": home}))
    played.wait_for_selector("#in-hand:has-text('In your hand: leader of Navigators')")
    played.wait_for_selector("#taken button")
    assert [place_of(played, archaeologist), place_of(played, end_turn)] == before
    assert played.locator('#reserve [aria-label="camp: Navigators"]').is_enabled(), "the camp came off with its tile"


def test_the_board_stays_under_a_piece_that_is_being_dragged(played: Any, table: PlainTable) -> None:
    played.set_viewport_size({"width": 390, "height": 900})
    home = start(played)
    other = next(str(SPOTS[p]) for p in range(47, 0, -1) if str(SPOTS[p]) != home and not table.state.archaeologists[p])
    target, board = middle(played, f'#board [data-spot="{home}"] > polygon'), place_of(played, "#board")
    played.mouse.move(*middle(played, '#reserve [aria-label="camp: Navigators"]'))
    played.mouse.down()
    played.mouse.move(target[0], target[1] + 40)
    table.session.submit(Hands("dig", {"spot": other}))
    heard = "() => fetch('/api/v1/state').then(a => a.json()).then(s => s.refusal !== null)"
    played.wait_for_function(heard)
    assert place_of(played, "#board") == board
    played.mouse.move(*target)
    played.mouse.up()
    played.wait_for_selector("#refusal h2")
    assert place_of(played, "#board") != board, "the refusal stands above the board once nothing is held"
    played.wait_for_selector('#reserve [aria-label="camp: Navigators"]')
    await_table(played, lambda: Spot(home) in table.table.table.pieces)
    assert [piece.label for piece in table.table.table.pieces[Spot(home)]] == ["camp.blue"]


def test_what_was_dropped_beside_the_board_or_not_taken_is_told(played: Any, table: PlainTable) -> None:
    home = start(played)
    played.mouse.move(*middle(played, '#reserve [aria-label="archaeologist"]'))
    played.mouse.down()
    played.mouse.move(*middle(played, "#turn"), steps=3)
    played.mouse.up()
    played.wait_for_selector("#held:has-text('Dropped beside the board')")
    played.route("**/api/v1/commands/*", lambda route: route.fulfill(status=503, json={"error": "Not now."}))
    drag(played, '#reserve [aria-label="camp: Navigators"]', home)
    played.wait_for_selector("#note:has-text('Not now.')")
    build_meanwhile(table, home)
    played.wait_for_selector('[data-piece="leader.navigators"]')
    assert played.locator("#note").is_visible(), "what was not taken stays told until something is"
    played.unroute("**/api/v1/commands/*")
    played.wait_for_selector("#restore", state="hidden")
    played.get_by_role("button", name="Undo").click()
    played.wait_for_selector("#note", state="hidden")


def test_a_tile_is_laid_elsewhere_without_a_pointer(played: Any, table: PlainTable) -> None:
    home = start(played)
    drag_off(played, home)
    played.wait_for_selector("#taken button")
    other = next(str(SPOTS[p]) for p in range(47, 0, -1) if str(SPOTS[p]) != home and not table.state.archaeologists[p])
    played.locator(f'#board [data-spot="{other}"]').focus()
    played.keyboard.press("Enter")
    played.get_by_label("Where the tile goes").select_option(home)
    played.get_by_role("button", name="Lay the tile there").press("Enter")
    await_table(played, lambda: Spot(home) in table.table.table.tiles)
    assert Spot(other) not in table.table.table.tiles


def await_table(page: Any, holds: Callable[[], bool]) -> None:
    """Until something holds of the table, which goes on by itself."""
    for _ in range(600):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("waited in vain")


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
    played.wait_for_function("() => fetch('/api/v1/state').then(a => a.json()).then(s => s.doubted.length === 1)")
    assert played.locator("#restore").is_hidden(), "the players are right, the camera is not believed there"


def build_meanwhile(table: PlainTable, home: str) -> None:
    """Somebody at the table builds a camp while a page does not hear of it."""
    game = table.session.desk.playing.game
    table.session.submit(Hands("act", {"line": game.format(a.BuildCamp(0, INDEX[Spot(home)]))}))


@pytest.fixture
def wired(chromium: Any, table: PlainTable, tmp_path: Path) -> Iterator[tuple[Any, Wire]]:
    """A page on the session, over a wire."""
    app = create_app(table.session, Home.of(tmp_path))
    with (
        following(table),
        serving(app) as address,
        Wire(int(address.rsplit(":", 1)[1])) as wire,
        opened(chromium, wire.address) as page,
    ):
        yield page, wire


def test_a_reload_and_a_lost_connection_in_the_middle_of_a_turn(wired: tuple[Any, Wire], table: PlainTable) -> None:
    page, wire = wired
    home = start(page)
    tap(page, home)
    page.reload()
    page.wait_for_selector("#link:has-text('live')")
    wire.cut()
    page.wait_for_selector("#link:has-text('connection lost')")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#link:has-text('The table cannot be reached.')")
    build_meanwhile(table, home)
    wire.mend()
    page.wait_for_selector('[data-piece="leader.navigators"]')
    page.wait_for_selector("#link:has-text('live')")
    assert "Navigators" in page.text_content("#turn")


def test_a_line_that_falls_silent_is_noticed_and_opened_again(wired: tuple[Any, Wire], table: PlainTable) -> None:
    page, wire = wired
    page.clock.install()
    home = start(page)
    wire.is_silent = True
    build_meanwhile(table, home)
    page.clock.fast_forward(31_000)  # no heartbeat for so long
    page.wait_for_selector("#link:has-text('connection lost')")
    wire.mend()
    page.clock.fast_forward(3_000)
    page.wait_for_selector('[data-piece="leader.navigators"]')
    page.wait_for_selector("#link:has-text('live')")


def test_a_board_is_laid_out_step_by_step(played: Any, table: PlainTable) -> None:
    table.session.submit(NewGame({"players": 2}, ("navigators", "nurturers"), "nurturers", guided=True))
    played.goto("/")
    for step, lit in (("deep", 27), ("surface", 37), ("snow", 48)):
        played.wait_for_selector(f"#restore [aria-current=step]:has-text('Lay out the {step} layer')")
        assert played.locator("#board .light-put-here").count() == lit
        played.get_by_role("button", name="Let the hands do this step").click()
    played.wait_for_selector("#restore [aria-current=step]:has-text('Archaeologists and the white camp')")
    played.get_by_text("What every player needs").click()
    assert "First player: Nurturers." in played.text_content("#restore")
    played.get_by_role("button", name="Let the hands do this step").click()
    played.wait_for_selector("#restore", state="hidden")
    assert table.table.plan is not None
    assert table.state.tiles == table.table.plan.tiles
