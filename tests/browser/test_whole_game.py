"""A whole game through the page: what hands can drag is dragged, the rest is tapped, until the points are counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from companion.messages import NewGame
from companion.referee import TRACKING
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import BELOW, SPOTS
from engine.games.ice.state import OVER, State
from tests.browser.test_table import drag_off, middle
from tests.table.tables import PlainTable

MOST_STEPS = 400
WEIGHTS: dict[type[a.Action], int] = {a.Excavate: 12, a.Move: 3, a.BuildCamp: 2, a.Recruit: 1, a.Sail: 1}
"""What is done by hand, and how eagerly."""


class Player:
    """Everybody at the table, with one pair of hands on the page."""

    def __init__(self, page: Any, table: PlainTable, seed: int = 2) -> None:
        self.page, self.table, self.chance = page, table, random.Random(seed)
        self.done: Counter[str] = Counter()

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def game(self) -> Ice:
        return self.table.session.desk.playing.game

    def guild(self, seat: int) -> str:
        return self.game.box.guilds[seat]

    def wait(self, holds: Callable[[], bool]) -> None:
        """Until something holds of the session, which goes on by itself."""
        for _ in range(3000):
            if holds():
                return
            self.page.wait_for_timeout(20)
        told = {name: self.table.public[name] for name in ("mode", "refusal", "question", "note", "hands")}
        raise AssertionError(f"waited in vain after {self.done}: {told}")

    def settle(self) -> None:
        """Until the hands have left, what they did was understood, and the page shows it."""
        referee = self.table.session.desk.referee
        self.wait(lambda: not self.table.table.table.busy and self.table.table.table.hand is None)
        looked = self.table.now
        self.wait(lambda: self.table.now > looked + 0.2)
        self.wait(lambda: not referee.differing or referee.question is not None or referee.refusal is not None)
        self.see()

    def see(self) -> None:
        """Until the page shows what is so now, as somebody who looks before reaching for something."""
        looked = self.table.now
        self.wait(lambda: self.table.now > looked)  # the round that is under way has put up what it did
        version = self.table.session.board.newest().version
        self.page.wait_for_function("(v) => Number(document.body.dataset.version || 0) >= v", arg=version)

    def play(self) -> None:
        """One step."""
        question = self.table.public["question"]
        if question is not None:
            self.page.locator("#question button").first.click()
            self.wait(lambda: self.table.public["question"] != question)
            self.done["answered"] += 1
        else:
            self.choose()
        self.settle()

    def legal(self) -> list[Any]:
        return [self.game.parse(action["line"]) for action in self.table.public["legal"]]

    def choose(self) -> None:
        """Something for the hands, else the end of the turn, else whatever the game waits for."""
        by_hand = [action for action in self.legal() if type(action) in WEIGHTS and self._is_plain(action)]
        if by_hand:
            weights = [WEIGHTS[type(action)] for action in by_hand]
            action = self.chance.choices(by_hand, weights)[0]
            now = self.state
            self.drag(action)
            self.wait(lambda: self.state is not now or self.table.public["question"] or self.table.public["refusal"])
            self.settle()
            assert self.table.public["refusal"] is None, (action, self.table.public["refusal"])
            self.done[type(action).__name__] += 1
        elif any(isinstance(action, a.EndTurn) for action in self.legal()):
            now = self.state
            self.page.get_by_role("button", name="End turn").click()
            self.wait(lambda: self.state is not now)
            self.done["ended"] += 1
        else:
            ends = [action for action in self.legal() if isinstance(action, a.EndSunset)]
            self.tap((ends or self.legal())[0])

    def _is_plain(self, action: Any) -> bool:
        if isinstance(action, a.Excavate):
            return not (action.termites or action.talisman)
        return not getattr(action, "archaeologists", 0) and not getattr(action, "neutral", False)

    def tap(self, action: a.Action) -> None:
        """Tap the button of an action in the list of everything that is legal."""
        line, before = self.game.format(action), self.state
        at = [one["line"] for one in self.table.public["legal"]].index(line)
        if not self.page.locator("#all-legal").get_attribute("open"):
            self.page.evaluate("document.getElementById('all-legal').open = true")
        self.page.locator("#legal button").nth(at).click()
        self.wait(lambda: self.state is not before)
        self.done["tapped"] += 1

    # ------------------------------------------------------------------ hands

    def drag(self, action: Any) -> None:
        seat = self.state.active
        if isinstance(action, a.Excavate):
            tiles = self.table.table.table.tiles
            drag_off(self.page, str(SPOTS[action.place]))
            self.wait(lambda: SPOTS[action.place] not in tiles)
            after = self.game.apply(self.state, action)
            while not isinstance(choice := self.game.legal_actions(after)[0], a.Allocate):
                after = self.game.apply(after, choice)
            self.spread(choice, action.place)
        elif isinstance(action, a.Recruit):
            self.carry(ARCHAEOLOGIST, action.place)
        elif isinstance(action, a.BuildCamp):
            self.bring("camp", seat, action.place)
            self.bring("leader", seat, action.place)
        else:
            self.bring("leader", seat, action.place)

    def spread(self, action: a.Allocate, dug: int) -> None:
        """Put the explorers of a dug tile down, one after the other."""
        below = BELOW[dug]
        for seat, at in action.leaders:
            self.bring("leader", seat, below[at])
        for at, count in enumerate(action.archaeologists):
            for _ in range(count):
                self.carry(ARCHAEOLOGIST, below[at])
        self.done["spread"] += 1

    def bring(self, kind: str, seat: int, place: int) -> None:
        """Drag a leader or a camp from where it really is, the board or the reserve."""
        guild, label = self.guild(seat), f"{kind}.{PAINT[self.guild(seat)]}"
        stands = any(piece.label == label for here in self.table.table.table.pieces.values() for piece in here)
        words = {"leader": "leader of {}", "camp": "camp: {}"}[kind].format(guild.capitalize())
        start = f'#board [data-piece="{kind}.{guild}"]' if stands else f'#reserve button[aria-label="{words}"]'
        self.carry(start, place)

    def carry(self, start: str, place: int) -> None:
        self.see()
        self.page.wait_for_selector(f"{start}:not([disabled])")
        before = self.standing(place)
        self.page.mouse.move(*middle(self.page, start))
        self.page.mouse.down()
        self.page.mouse.move(*self.open_part(place), steps=3)
        self.page.mouse.up()
        self.wait(lambda: self.standing(place) > before)

    def standing(self, place: int) -> int:
        """How many pieces really stand on a place."""
        return len(self.table.table.table.pieces.get(SPOTS[place], ()))

    def open_part(self, place: int) -> tuple[float, float]:
        """A point at which a place can be seen."""
        spot = str(SPOTS[place])
        found = self.page.evaluate(
            """(spot) => {
                const box = document.querySelector(`#board [data-spot="${spot}"] > polygon`).getBoundingClientRect();
                for (let k = 0; k < 400; k++) {
                    const [x, y] = [(k % 20 + .5) / 20, (Math.floor(k / 20) + .5) / 20];
                    const at = [box.x + x * box.width, box.y + y * box.height];
                    const under = document.elementsFromPoint(...at);
                    const hit = under.map((one) => one.closest("#board [data-spot]")).find(Boolean);
                    if (hit?.dataset.spot === spot) return at;
                }
                return null;
            }""",
            spot,
        )
        assert found is not None, f"nothing of {spot} can be seen"
        return found[0], found[1]


ARCHAEOLOGIST = '#reserve button[aria-label="archaeologist"]'
PAINT = {"navigators": "blue", "incandescents": "red"}


def test_a_whole_game_is_played_by_dragging(played: Any, table: PlainTable) -> None:
    table.session.submit(NewGame({"players": 1, "first_game": True}, ("navigators",)))
    played.goto("/")
    player = Player(played, table)
    player.wait(lambda: table.public["mode"] == TRACKING and table.public["position"]["options"]["players"] == 1)
    for _ in range(MOST_STEPS):
        if player.state.phase == OVER:
            break
        player.play()
    print(player.done)
    assert player.state.phase == OVER
    played.wait_for_selector("#turn:has-text('The game is over')")
    assert min(player.done[name] for name in ("Excavate", "Move", "BuildCamp", "spread", "ended")) >= 1, player.done
    played.goto(f"/score/{table.session.desk.playing.number}")
    played.wait_for_selector("p:has-text('won by Navigators')")
