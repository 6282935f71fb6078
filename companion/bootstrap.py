"""Settings -> live objects: the only module that joins concrete camera, eye, strip and games."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from companion import gamedata
from companion.bench import Bench
from companion.devices import strip_options
from companion.game_desk import GameDesk
from companion.ice_games import IceGames
from companion.journal import Journal
from companion.lamps import StripLamps
from companion.messages import NewGame
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.session import BEAT_S, Session
from companion.settings import Settings
from companion.simulated import SimulatedTable
from companion.table_eye import TableEye
from companion.web.home import JOURNAL_FILE
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.state import State
from hardware.cameras import open_camera
from hardware.leds import open_leds
from vision.reader import Reader

log = logging.getLogger(__name__)

CARDS: Final = "cards"
"""Folder of the owner's card data inside the data folder."""
SIZE: Final = (1280, 720)


@dataclass(frozen=True, slots=True)
class Simulation:
    """Which table is simulated."""

    players: int = 3
    condition: str = "mild"
    seed: int = 1
    art: int = 1


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


def simulated_session(
    data: Path, settings: Settings, plan: Simulation, clock: Callable[[], float] = time.monotonic
) -> Session:
    """A session on a simulated table: drawn pictures, pretend hands, a strip that only remembers."""
    rng = random.Random(plan.seed)
    first = Ice(Options(players=plan.players), gamedata.shipped())
    table = SimulatedTable(first, plan.condition, plan.seed, SIZE, plan.art)
    reader = Reader(table.layout, table.markers, table.enrol())
    table.says_everything = True
    log.info("this eye reads tiles, not pieces: moves are told on the page")

    def lay(game: Ice) -> tuple[State, tuple[str, ...]]:
        start = game.start(*shuffled_tiles(rng))
        table.game = game
        table.lay_out(start)
        return start, (game.format(PretendPlayers(game, rng, start).choose(start)),)

    desk = GameDesk(open_games(data, settings, lay), NewGame({"players": plan.players}, ()))
    if desk.offers:
        table.game = desk.playing.game
        table.lay_out(desk.referee.state)
    options = strip_options(settings, count=len(table.table.strip.points_mm))
    lamps = StripLamps(
        open_leds("simulator:", options), table.table.strip.leds_of, settings.lights.palette, table.light
    )
    eye = table.make_eye(reader, still_frames(settings))
    return Session(desk, open_camera("synthetic:", pictures=table.picture), eye, lamps, clock, table)


def bench_of(session: Session, folder: Path) -> Bench:
    """The devices of a session for the pages that set them up."""
    eye, lamps = cast(TableEye, session.eye), cast(StripLamps, session.lamps)
    return Bench(
        session,
        session.camera,
        eye,
        lamps,
        lambda enrolment: Reader(eye.layout, eye.markers, enrolment),
        folder,
        simulated=session.hands is not None,
    )


def still_frames(settings: Settings) -> int:
    """Frames in a row without a change that count as a still board."""
    return max(2, round(settings.eye.still_s / BEAT_S))
