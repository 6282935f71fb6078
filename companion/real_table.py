"""A session on a real table: the camera, strip and buttons of the settings, and what the set-up has learnt."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final, NoReturn

from companion import led_map, messages, workshop
from companion.devices import camera_options, panel_options, strip_options
from companion.game_desk import GameDesk
from companion.ice_games import IceGames
from companion.lamps import StripLamps
from companion.messages import NewGame
from companion.picture_sets import table_layout
from companion.session import Session
from companion.settings import Settings
from companion.table_eye import TROUBLES, BoardReader, Look, TableEye
from engine.games.ice import Ice
from engine.games.ice.state import State
from engine.spots import Layout, Spot
from hardware.cameras import open_camera
from hardware.leds import open_leds
from hardware.panel import Panel, open_panel
from vision.changes import Watch
from vision.enrolment_file import load_enrolment
from vision.eye import Eye as BoardEye
from vision.locate import NotLocated
from vision.steady import Steady
from vision.view import Image, Markers, View

PRINTED: Final = Markers(
    "DICT_4X4_50", 40.0, 0.0, {0: (-205.0, 205.0), 1: (205.0, 205.0), 2: (205.0, -205.0), 3: (-205.0, -205.0)}
)
"""The markers of the printed sheet, as they lie around the board."""
MEANINGS: Final[dict[str, messages.Command]] = {"end_turn": messages.EndTurn(), "undo": messages.Undo()}
"""What buttons of the panel say."""


class Untaught:
    """Stands for the eye until the tiles were learnt."""

    def read(self, image: Image, view: View | None = None) -> NoReturn:
        """Nothing can be read yet."""
        raise NotLocated("untaught", "the tiles were not learnt yet; open Set up, step Tiles")

    def read_changes(self, image: Image, cells: Collection[Spot]) -> NoReturn:
        """The same."""
        self.read(image)


class RealEye(TableEye):
    """Says so while it knows no tiles; falls back on corners that somebody dragged when no marker is seen."""

    kept: View | None = None

    def look(self, image: Image) -> Look:
        """What a frame says."""
        look = super().look(image)
        return Look(None, False, TROUBLES["untaught"]) if look.ok and isinstance(self.reader, Untaught) else look

    def _find(self, image: Image) -> Steady:
        try:
            return super()._find(image)
        except NotLocated:
            height, width = image.shape[:2]
            if self.kept is None or (self.kept.lens.width, self.kept.lens.height) != (width, height):
                raise
        self.view = self.kept
        self._steady = Steady(Watch(self.kept, self.layout, self.markers), self.still_frames)
        return self._steady


def table_session(
    data: Path,
    settings: Settings,
    open_games: Callable[[Callable[[Ice], tuple[State, tuple[str, ...]]]], IceGames],
    still_frames: int,
    clock: Callable[[], float] = time.monotonic,
) -> Session:
    """A session with the devices of the settings; HardwareError when one of them can never work so."""
    layout = table_layout()
    desk = GameDesk(open_games(lambda game: (game.start(), ())), NewGame({"players": 3}, ()))
    lamps = StripLamps(
        open_leds(settings.table.leds, strip_options(settings)), lit_spots(data, layout), settings.lights.palette
    )
    panel = open_panel(panel_options(settings))
    camera = open_camera(settings.table.camera, camera_options(settings))
    return Session(desk, camera, make_eye(data, layout, still_frames), lamps, clock, presses=lambda: said(panel, desk))


def make_eye(data: Path, layout: Layout, still_frames: int) -> TableEye:
    """The eye with what was learnt of tiles and corners so far."""
    learnt = data / workshop.ENROLMENT_FILE
    reader: BoardReader = BoardEye(layout, PRINTED, load_enrolment(learnt)) if learnt.exists() else Untaught()
    eye = RealEye(reader, layout, PRINTED, still_frames)
    eye.kept = workshop.read_view(data / workshop.VIEW_FILE)
    return eye


def lit_spots(data: Path, layout: Layout) -> dict[Spot, tuple[int, ...]]:
    """The LEDs under each spot as they were mapped; none before that."""
    path = data / workshop.LED_MAP_FILE
    return dict(led_map.leds_of_spots(led_map.load(path), layout)) if path.exists() else {}


def said(panel: Panel, desk: GameDesk) -> Iterator[messages.Command]:
    """What the buttons pressed since the last round say; yes and no choose the first and last answer of a question."""
    for press in panel.poll():
        question = desk.referee.question
        if press.held:
            continue
        if press.button in MEANINGS:
            yield MEANINGS[press.button]
        elif press.button in ("yes", "no") and question is not None:
            last = len(question.options) if question.key == "which" else len(question.options) - 1
            yield messages.Answer(question.number, 0 if press.button == "yes" else last)
