"""Settings -> live objects: the only module that joins concrete camera, eye, strip and games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, cast

from companion import gamedata
from companion.bench import Bench
from companion.devices import strip_options
from companion.game_desk import GameDesk
from companion.ice_games import IceGames
from companion.journal import Journal
from companion.lamps import StripLamps
from companion.messages import NewGame
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.real_table import table_session
from companion.session import BEAT_S, Eye, Session
from companion.settings import Settings
from companion.simulated import SimulatedTable
from companion.table_eye import TableEye
from companion.web.home import JOURNAL_FILE
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.state import State
from hardware.cameras import Camera, open_camera
from hardware.leds import open_leds
from vision.eye import Eye as BoardEye

CARDS: Final = "cards"
"""Folder of the owner's card data inside the data folder."""


SIMULATED: Final = "synthetic:"


@dataclass(frozen=True, slots=True)
class Simulation:
    """Which table is simulated."""

    players: int = 3
    condition: str = "mild"
    seed: int = 1
    art: int = 1
    guilds: tuple[str, ...] = ()
    """Who plays; empty = the first guilds of the box."""
    size: tuple[int, int] = (1280, 720)
    beats: int = 2
    """Frames that a hand needs to come in, and as many to leave."""


Senses: TypeAlias = Callable[[SimulatedTable, Settings], tuple[Camera, Eye]]
"""How a simulated table is looked at."""


def open_games(data: Path, settings: Settings, lay: Callable[[Ice], tuple[State, tuple[str, ...]]]) -> IceGames:
    """The journal of a data folder, with the owner's cards if there are any."""
    folder = data / CARDS
    cards = gamedata.load(folder if folder.is_dir() else None).data
    return IceGames(
        Journal(data / JOURNAL_FILE),
        cards,
        lay,
        time.time,
        settings.play.complain_after_s,
        settings.play.end_turn == "pressed",
    )


def drawn_senses(table: SimulatedTable, settings: Settings) -> tuple[Camera, Eye]:
    """A camera that draws pictures of the table and an eye that reads them."""
    reader = BoardEye(table.layout, table.markers, table.enrol())
    return open_camera("synthetic:", pictures=table.picture), table.make_eye(reader, still_frames(settings))


def simulated_session(
    data: Path,
    settings: Settings,
    plan: Simulation,
    clock: Callable[[], float] = time.monotonic,
    senses: Senses = drawn_senses,
) -> tuple[Session, SimulatedTable]:
    """A session on a simulated table: pretend hands, a strip that only remembers; and that table."""
    rng = random.Random(plan.seed)
    first = Ice(Options(players=plan.players), gamedata.shipped())
    table = SimulatedTable(first, plan.condition, plan.seed, plan.size, plan.art, plan.beats)
    camera, eye = senses(table, settings)

    def lay(game: Ice) -> tuple[State, tuple[str, ...]]:
        start = game.start(*shuffled_tiles(rng))
        table.game = game
        table.lay_out(start)
        return start, (game.format(PretendPlayers(game, rng, start).choose(start)),)

    desk = GameDesk(open_games(data, settings, lay), NewGame({"players": plan.players}, plan.guilds))
    if desk.offers:
        table.game = desk.playing.game
        table.lay_out(desk.referee.state)
    strip = table.table.strip
    leds = open_leds("simulator:", strip_options(settings, count=len(strip.points_mm)))
    lamps = StripLamps(leds, strip.leds_of, settings.lights.palette, table.light)
    return Session(desk, camera, eye, lamps, clock, table), table


def open_session(data: Path, settings: Settings, plan: Simulation) -> Session:
    """The table of the settings: a real one, or the simulated one while no camera is set."""
    if settings.table.camera == SIMULATED:
        return simulated_session(data, settings, plan)[0]
    return table_session(data, settings, lambda lay: open_games(data, settings, lay), still_frames(settings))


def bench_of(session: Session, folder: Path) -> Bench:
    """The devices of a session for the pages that set them up."""
    eye, lamps = cast(TableEye, session.eye), cast(StripLamps, session.lamps)
    return Bench(
        session,
        session.camera,
        eye,
        lamps,
        lambda enrolment: BoardEye(eye.layout, eye.markers, enrolment),
        folder,
        simulated=session.hands is not None,
    )


def still_frames(settings: Settings) -> int:
    """Frames in a row without a change that count as a still board."""
    return max(2, round(settings.eye.still_s / BEAT_S))
