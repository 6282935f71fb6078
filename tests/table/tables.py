"""Sessions on a simulated table without pixels, for tests that are about everything behind the eye."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from companion.bootstrap import open_games
from companion.game_desk import GameDesk
from companion.gamedata import shipped
from companion.lamps import StripLamps
from companion.messages import Hands, NewGame
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.session import Session
from companion.settings import Play, Settings
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.state import State
from hardware.leds import StripOptions, open_leds
from tests.table.ideal import IdealCamera, IdealEye

SMALL = (320, 240)


class PlainTable:
    """A session whose eye is ideal, its simulated table, and a clock that goes on by a beat per step."""

    def __init__(self, folder: Path, seed: int = 4, players: int = 3, complain_after_s: float = 0.5) -> None:
        rng = random.Random(seed)
        self.now = 0.0
        self.table = SimulatedTable(Ice(Options(players=players), shipped()), seed=seed, size=SMALL, beats=1)

        def lay(game: Ice) -> tuple[State, tuple[str, ...]]:
            start = game.start(*shuffled_tiles(rng))
            self.table.game = game
            self.table.lay_out(start)
            return start, (game.format(PretendPlayers(game, rng, start).choose(start)),)

        settings = Settings(play=Play(complain_after_s=complain_after_s))
        desk = GameDesk(open_games(folder, settings, lay), NewGame({"players": players}, ()))
        if desk.offers:
            self.table.game = desk.playing.game
            self.table.lay_out(desk.referee.state)
        strip = self.table.table.strip
        self.leds = open_leds("simulator:", StripOptions(len(strip.points_mm), brightness=1.0))
        lamps = StripLamps(self.leds, strip.leds_of, shine=self.table.light)
        camera = IdealCamera(self.table)
        self.session = Session(desk, camera, IdealEye(self.table), lamps, lambda: self.now, self.table)

    @property
    def public(self) -> dict[str, Any]:
        return dict(self.session.board.newest().public)

    @property
    def state(self) -> State:
        return self.session.desk.referee.state

    def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds * 15)):
            self.now += 1 / 15
            self.session.step()

    def settle(self) -> None:
        """Until the hands have left and what they did was understood."""
        self.pass_s(0.2)
        while self.table.table.busy:
            self.pass_s(0.2)
        self.pass_s(0.4)

    def hands(self, verb: str, **arguments: Any) -> None:
        self.session.submit(Hands(verb, arguments))
        self.settle()

    def act(self, line: str) -> None:
        self.hands("act", line=line)
