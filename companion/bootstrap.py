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
from companion.ice_games import IceGames, Lay
from companion.ice_laying import is_unlaid
from companion.journal import Journal
from companion.lamps import StripLamps
from companion.messages import NewGame
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.real_table import RealEye, kept_map, lay_unknown, table_fittings, table_session
from companion.refitting import Refitter
from companion.session import BEAT_S, Eye, Fittings, Session
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


def open_games(data: Path, settings: Settings, lay: Lay) -> IceGames:
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
    table = simulated_table(plan)
    camera, eye = senses(table, settings)
    desk = GameDesk(
        open_games(data, settings, laying_on(table, plan.seed)), NewGame({"players": plan.players}, plan.guilds)
    )
    if desk.offers:
        show_game(table, desk)
    return Session(desk, camera, eye, simulated_lamps(table, settings), clock, table), table


def simulated_table(plan: Simulation) -> SimulatedTable:
    """An empty table with everything beside it."""
    first = Ice(Options(players=plan.players), gamedata.shipped())
    return SimulatedTable(first, plan.condition, plan.seed, plan.size, plan.art, plan.beats)


def laying_on(table: SimulatedTable, seed: int) -> Lay:
    """How games start on a simulated table."""
    rng = random.Random(seed)

    def lay(game: Ice, first: int, guided: bool) -> tuple[State, tuple[str, ...]]:
        start = game.start(*shuffled_tiles(rng), first)
        table.game, table.plan = game, start
        if guided:
            table.clear()
            return game.start(first=first), ()
        table.lay_out(start)
        return start, (game.format(PretendPlayers(game, rng, start).choose(start)),)

    return lay


def show_game(table: SimulatedTable, desk: GameDesk) -> None:
    """Lay out on a simulated table what is believed of a game."""
    table.game, table.plan = desk.playing.game, desk.referee.state
    if not is_unlaid(table.plan):
        table.lay_out(table.plan)


def simulated_lamps(table: SimulatedTable, settings: Settings) -> StripLamps:
    """The strip of a simulated table, which shines in its pictures."""
    strip = table.table.strip
    leds = open_leds("simulator:", strip_options(settings, count=len(strip.points_mm)))
    return StripLamps(leds, strip.leds_of, settings.lights.palette, table.light)


def open_session(data: Path, settings: Settings, plan: Simulation) -> Session:
    """The table of the settings: a real one, or the simulated one while no camera is set."""
    if settings.table.camera == SIMULATED:
        return simulated_session(data, settings, plan)[0]
    return table_session(data, settings, lambda lay: open_games(data, settings, lay), still_frames(settings))


def bench_of(session: Session, folder: Path, settings: Settings | None = None, plan: Simulation | None = None) -> Bench:
    """The devices of a session for the pages that set them up; with its settings they can be changed at once."""
    bench = Bench(session, None, cast(TableEye, None), cast(StripLamps, None), lambda _: None, folder)
    follow(bench, session)
    bench.led_map = kept_map(folder)
    if settings is not None:
        bench.shine = settings.lights.shine
        make = fitting_of(session, folder, plan or Simulation())
        refit = Refitter(session, settings, make, lambda: follow(bench, session, refit.settings))
        bench.refit = refit
    return bench


def follow(bench: Bench, session: Session, settings: Settings | None = None) -> None:
    """Let the bench work with the devices that a session has now."""
    bench.shine = settings.lights.shine if settings else bench.shine
    eye = cast(TableEye, session.eye)
    bench.camera, bench.eye, bench.lamps = session.camera, eye, cast(StripLamps, session.lamps)
    bench.make_reader = lambda enrolment: BoardEye(eye.layout, eye.markers, enrolment)
    bench.simulated, bench.pressed = session.hands is not None, session.pressed
    bench.use_view = eye.keep if isinstance(eye, RealEye) else lambda view: None


def fitting_of(session: Session, data: Path, plan: Simulation) -> Callable[[Settings], Fittings]:
    """What makes the devices of a running session anew; a simulated table stays as it lies."""

    def make(settings: Settings) -> Fittings:
        desk = session.desk
        if settings.table.camera != SIMULATED:
            found = table_fittings(data, settings, desk, still_frames(settings))
            desk.games.lay = lay_unknown
            return found
        if isinstance(session.hands, SimulatedTable):
            table = session.hands
            camera = open_camera(SIMULATED, pictures=table.picture)
            eye: Eye = table.make_eye(cast(TableEye, session.eye).reader, still_frames(settings))
        else:
            table = simulated_table(plan)
            camera, eye = drawn_senses(table, settings)
            show_game(table, desk)
            desk.games.lay = laying_on(table, plan.seed)
        return Fittings(camera, eye, simulated_lamps(table, settings), table)

    return make


def still_frames(settings: Settings) -> int:
    """Frames in a row without a change that count as a still board."""
    return max(2, round(settings.eye.still_s / BEAT_S))
