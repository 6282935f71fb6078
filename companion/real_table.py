"""A session on a real table: the camera, strip and buttons of the settings, and what the set-up has learnt."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, NoReturn

from companion import led_map, workshop
from companion.darkness import READ_FRAMES, Darkness
from companion.devices import camera_options, panel_options, strip_options
from companion.game_desk import GameDesk
from companion.ice_games import IceGames, Lay
from companion.ice_pieces import RULE_NAMES
from companion.lamps import StripLamps
from companion.messages import NewGame
from companion.picture_sets import table_layout
from companion.session import Fittings, Session
from companion.settings import Settings
from companion.table_eye import HANDS, TROUBLES, BoardReader, Look, TableEye
from companion.table_panel import TablePanel
from engine.games.ice import Ice
from engine.games.ice.state import State
from engine.spots import Layout, Spot
from hardware.cameras import open_camera
from hardware.leds import open_leds
from hardware.panel import open_panel
from vision.beliefs import Agreed
from vision.changes import Memory
from vision.enrolment_file import load_enrolment
from vision.eye import Eye as BoardEye
from vision.locate import NotLocated, check_picture
from vision.steady import Steady
from vision.view import Image, Markers, View

log = logging.getLogger(__name__)

PRINTED: Final = Markers(
    "DICT_4X4_50", 40.0, 0.0, {0: (-205.0, 205.0), 1: (205.0, 205.0), 2: (205.0, -205.0), 3: (-205.0, -205.0)}
)
"""The markers of the printed sheet, as they lie around the board."""


class Untaught:
    """Stands for the eye until the tiles were learnt."""

    def read(self, image: Image, view: View | None = None) -> NoReturn:
        """Nothing can be read yet."""
        raise NotLocated("untaught", "the tiles were not learnt yet; open Set up, step Tiles")

    def read_changes(self, image: Image, cells: Collection[Spot]) -> NoReturn:
        """The same."""
        self.read(image)

    def trust(self, image: Image, agreed: Agreed) -> None:
        """Nothing was read that could be read otherwise."""


class RealEye(TableEye):
    """Says so while it knows no tiles; falls back on corners that somebody dragged when no marker is seen."""

    kept: View | None = None
    darkness: Darkness | None = None
    """Lets only pictures be read that were taken without our own light."""
    _passing: Memory | None = None
    """The picture before, while somebody reaches over the board."""

    def keep(self, view: View) -> None:
        """Fall back on corners that were dragged just now."""
        self.kept = view

    def look(self, image: Image) -> Look:
        """What a frame says."""
        if self.darkness is not None:
            if not self._may_read(image, self.darkness):
                self._follow_hands(image, self.darkness)
                return Look(None, True, HANDS) if self.darkness.has_stirred or self._last is None else self._last
            look = super().look(image)
            self.darkness.has_read(look.ok, self._steady is not None and not self._steady.is_waiting)
        else:
            look = super().look(image)
        return Look(None, False, TROUBLES["untaught"]) if look.ok and isinstance(self.reader, Untaught) else look

    def _follow_hands(self, image: Image, darkness: Darkness) -> None:
        """Cells over which somebody's hand passes are read once it is dark; our own light only makes them more."""
        if not darkness.has_stirred or self._steady is None:
            self._passing = None
            return
        watch = self._steady.watch
        before, self._passing = self._passing, watch.remember(check_picture(image))
        if before is not None:
            self._steady.stir(watch.compare(before, self._passing).cells)

    def _may_read(self, image: Image, darkness: Darkness) -> bool:
        try:
            usable = check_picture(image)
        except NotLocated:
            return True  # reading it says what is wrong with it
        return not self._has_known_size(usable) or darkness.lets_read(usable, self.view)

    def _find(self, image: Image) -> Steady:
        try:
            return super()._find(image)
        except NotLocated:
            height, width = image.shape[:2]
            if self.kept is None or (self.kept.lens.width, self.kept.lens.height) != (width, height):
                raise
        return self._look_through(self.kept)


def table_session(
    data: Path,
    settings: Settings,
    open_games: Callable[[Lay], IceGames],
    still_frames: int,
    clock: Callable[[], float] = time.monotonic,
) -> Session:
    """A session with the devices of the settings; HardwareError when one of them can never work so."""
    desk = GameDesk(open_games(lay_unknown), NewGame({"players": 3}, ()))
    found = table_fittings(data, settings, desk, still_frames)
    session = Session(desk, found.camera, found.eye, found.lamps, clock)
    session.fit(found)
    return session


def lay_unknown(game: Ice, first: int, guided: bool) -> tuple[State, tuple[str, ...]]:
    """The start of a game on a real table: nobody knows yet how its tiles lie."""
    return game.start(first=first), ()


def table_fittings(data: Path, settings: Settings, desk: GameDesk, still_frames: int) -> Fittings:
    """The devices of the settings; HardwareError when one of them can never work so."""
    layout = table_layout()
    lamps = StripLamps(
        open_leds(settings.table.leds, strip_options(settings)),
        lit_spots(data, layout, settings.lights.shine),
        settings.lights.palette,
    )
    buttons = open_panel(panel_options(settings))
    camera = open_camera(settings.table.camera, camera_options(settings))
    panel = TablePanel(buttons, desk, lambda: not camera.lost)
    eye = make_eye(data, layout, still_frames)
    if not camera.takes_when_read:
        eye.still_frames = min(still_frames, READ_FRAMES)
        eye.darkness = Darkness(lamps, layout, PRINTED, still_frames)
    return Fittings(camera, eye, lamps, presses=panel.round, release=panel.close, pressed=panel.trial.look)


def make_eye(data: Path, layout: Layout, still_frames: int) -> RealEye:
    """The eye with what was learnt of tiles and corners so far."""
    learnt = data / workshop.ENROLMENT_FILE
    reader: BoardReader = BoardEye(layout, PRINTED, load_enrolment(learnt)) if learnt.exists() else Untaught()
    eye = RealEye(reader, layout, PRINTED, still_frames, RULE_NAMES)
    eye.kept = workshop.read_view(data / workshop.VIEW_FILE)
    return eye


def kept_map(data: Path) -> led_map.LedMap | None:
    """The map of the strip, if there is one; a damaged one is as good as none, and the log says so."""
    path = data / workshop.LED_MAP_FILE
    try:
        return led_map.load(path) if path.exists() else None
    except led_map.LedMapError as error:
        log.warning("the strip stays dark: %s", error)
        return None


def lit_spots(data: Path, layout: Layout, shine: str = "under") -> dict[Spot, tuple[int, ...]]:
    """The LEDs that light each spot as they were mapped; none before that."""
    kept = kept_map(data)
    return led_map.leds_of_spots(kept, layout, shine) if kept else {}
