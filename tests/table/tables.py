"""Sessions on a simulated table: without pixels for what is behind the eye, with drawn pictures for the whole path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.bootstrap import Senses, Simulation, drawn_senses, simulated_session
from companion.messages import Hands
from companion.settings import Eye, Lights, Play, Settings
from companion.simulated import SimulatedTable
from engine.games.ice.state import State
from tests.table.ideal import IdealCamera, IdealEye

SMALL = (320, 240)


def ideal_senses(table: SimulatedTable, settings: Settings) -> tuple[IdealCamera, IdealEye]:
    """No pixels: what lies on the table is known."""
    return IdealCamera(table), IdealEye(table)


class PlainTable:
    """A session whose eye is ideal, its simulated table, and a clock that goes on by a beat per step."""

    senses: Senses = staticmethod(ideal_senses)
    size = SMALL
    condition = "mild"

    def __init__(self, folder: Path, seed: int = 4, players: int = 3, **play: Any) -> None:
        self.now = 0.0
        settings = Settings(
            eye=Eye(still_s=0.2), play=Play(**{"complain_after_s": 0.5, **play}), lights=Lights(brightness=1.0)
        )
        plan = Simulation(players, self.condition, seed, size=self.size, beats=1)
        self.session, self.table = simulated_session(folder, settings, plan, lambda: self.now, self.senses)

    @property
    def lit(self) -> bool:
        """Whether any LED of the strip shines."""
        return bool(self.table.table.leds or self.table.table.lamps)

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


class DrawnTable(PlainTable):
    """The same with drawn pictures and the real eye."""

    senses = staticmethod(drawn_senses)
    size = (1280, 720)
    condition = "mild"
