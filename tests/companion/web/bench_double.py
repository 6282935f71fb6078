"""A bench over a simulated table whose session only takes notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion import gamedata
from companion.bench import Bench
from companion.messages import Command, Hands
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from hardware.leds import LedFrame
from vision.enrolment import Enrolment
from vision.locate import locate
from vision.view import Image


class NotedSession:
    """Obeys hands at once and remembers the rest."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table, self.taken, self.jobs = table, list[Command](), list[Iterator[None]]()
        self.table.lay_layers("snow")

    def submit(self, command: Command) -> None:
        self.taken.append(command)
        if isinstance(command, Hands) and command.verb == "lay_layer":
            self.table.lay_layers(command.arguments["layer"])

    def frame(self) -> Image | None:
        return self.table.table.picture()

    def lend(self, job: Iterator[None]) -> None:
        self.jobs.append(job)


class NotedLamps:
    """A strip of a few LEDs."""

    def __init__(self, count: int = 3) -> None:
        self.count, self.trial, self.leds_of, self.shown = count, None, {}, list[LedFrame]()

    def show_frame(self, frame: LedFrame) -> None:
        self.shown.append(frame)


def make_bench(folder: Path) -> Bench:
    table = SimulatedTable(Ice(Options(players=3), gamedata.shipped()), "mild", 1, (1280, 720), 1)
    eye: Any = SimpleNamespace(
        layout=table.layout, markers=table.markers, reader=None, view=locate(table.table.picture(), table.markers)
    )

    def make_reader(enrolment: Enrolment) -> Any:
        return enrolment

    lamps: Any = NotedLamps()
    return Bench(NotedSession(table), None, eye, lamps, make_reader, folder, simulated=True)
