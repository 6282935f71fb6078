"""The devices of a running session while its table is set up: looks, trial colours, tiles to name, LEDs to map."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion import led_map as maps
from companion import workshop
from companion.devices import camera_options
from companion.led_map import LedMap
from companion.led_mapping import Mapper
from companion.messages import Command, Hands, Pause, Resume
from companion.settings import Settings
from engine.spots import Layout, Point, Spot
from hardware.cameras import open_camera
from hardware.leds import LedFrame
from vision.enrolment import Enrolment
from vision.enrolment_file import save_enrolment
from vision.view import Image, Markers, View

Colour = tuple[int, int, int]


class Eye(Protocol):
    """What reads the board."""

    layout: Layout
    markers: Markers
    reader: Any
    view: View | None


class Lamps(Protocol):
    """The strip of a session."""

    trial: Colour | None
    leds_of: Any

    @property
    def count(self) -> int:
        """How many LEDs there are."""

    def show_frame(self, frame: LedFrame) -> None:
        """Light exactly these colours."""


class Lender(Protocol):
    """A session that lends its devices."""

    def submit(self, command: Command) -> None:
        """Hand in a command."""

    def frame(self) -> Image | None:
        """The newest picture."""

    def lend(self, job: Iterator[None]) -> None:
        """Run a job instead of following the game."""


@dataclass(slots=True)
class _Strip:
    lamps: Lamps

    @property
    def count(self) -> int:
        return self.lamps.count

    def show(self, frame: LedFrame) -> None:
        self.lamps.show_frame(frame)


@dataclass(slots=True)
class Bench:
    """One table's devices and what was learnt of them so far."""

    session: Lender
    camera: Any
    eye: Eye
    lamps: Lamps
    make_reader: Callable[[Enrolment], Any]
    folder: Path
    simulated: bool = False
    ground: Enrolment = field(default_factory=Enrolment)
    drafts: dict[str, workshop.LayerDraft] = field(default_factory=dict)
    learnt: dict[str, Enrolment] = field(default_factory=dict)
    led_map: LedMap | None = None
    mapped: int | None = None
    """LEDs mapped so far while mapping runs; None otherwise."""
    trouble: str = ""
    """Why the last job failed."""
    shine: str = "under"
    """Which LEDs light a tile: `under` it or along its `rim`."""
    refit: Callable[[Settings], None] | None = None
    """Uses changed settings at once, where a session runs."""
    pressed: Callable[[], tuple[int, str]] = lambda: (0, "")
    """How many presses of the panel's buttons there were, and the last one's name."""
    use_view: Callable[[View], None] = lambda view: None
    """Lets the running eye use a view that was found by hand."""

    # ---------------------------------------------------------------- looking

    def look(self, address: str, settings: Settings) -> Image | None:
        """A picture of the camera in use, or of another one that is opened for a moment."""
        if address == settings.table.camera:
            return self.session.frame()
        with open_camera(address, camera_options(settings)) as camera:
            return camera.read().image

    def keep_view(self, view: View) -> None:
        """Keep a view that was found by hand, and use it where no markers are seen."""
        workshop.write_view(view, self.folder / workshop.VIEW_FILE)
        self.use_view(view)

    # ---------------------------------------------------------------- tiles

    def lay(self, layer: str) -> None:
        """On a simulated table: hands lay the board up to a layer; the game is paused meanwhile."""
        self.session.submit(Pause())
        self.session.submit(Hands("lay_layer", {"layer": layer}))

    def take_layer(self, layer: str, count: int) -> workshop.LayerDraft | None:
        """Learn what lies on the board: the bare board, or the tiles of a layer in groups to be named."""
        self.session.submit(Pause())
        image = self.session.frame()
        if image is None:
            raise ValueError("the camera has not given a picture yet")
        if layer not in {place.layer for place in self.eye.layout.places.values() if place.takes_tile}:
            self.ground = workshop.draft_ground(image, self.eye.markers, self.eye.layout)
            return None
        draft = workshop.draft_layer(image, self.eye.markers, self.eye.layout, layer, count)
        self.drafts[layer] = draft
        return draft

    def name_layer(self, layer: str, kinds: list[str], turns: list[int], corrections: dict[int, str]) -> None:
        """Take the owner's names for the groups of a layer."""
        self.learnt[layer] = self.drafts[layer].named(kinds, turns, corrections)

    def missing(self) -> list[str]:
        """What still has to be learnt before the eye can be taught anew, lowest layer first."""
        known = {layer for layer in self.eye.layout.layers if not self._takes_tiles(layer) and self.ground.grounds}
        return [layer for layer in reversed(self.eye.layout.layers) if layer not in known | set(self.learnt)]

    def _takes_tiles(self, layer: str) -> bool:
        return any(place.takes_tile for place in self.eye.layout.in_layer(layer))

    def teach(self) -> int:
        """Keep what was learnt and let the eye use it; gives the number of prints."""
        enrolment = self.ground
        for learnt in self.learnt.values():
            enrolment = enrolment.extend(learnt)
        self.folder.mkdir(parents=True, exist_ok=True)
        save_enrolment(enrolment, self.folder / workshop.ENROLMENT_FILE)
        self.eye.reader = self.make_reader(enrolment)
        self.back_to_play()
        return len(enrolment.prints)

    def back_to_play(self) -> None:
        """Lay the game out again where hands can do it, and follow it."""
        if self.simulated:
            self.session.submit(Hands("lay_game", {}))
        self.session.submit(Resume())

    # ---------------------------------------------------------------- lights

    def map_leds(self) -> None:
        """Find every LED with the camera; the board has to be bare."""
        if self.mapped is not None:
            return
        self.mapped, self.trouble = 0, ""
        self.session.submit(Pause())
        self.session.lend(self._mapping())

    def rescan(self, led: int) -> None:
        """Look at one LED again; the board has to be bare."""
        if self.led_map is None:
            raise ValueError("map the LEDs first")
        if not 0 <= led < len(self.led_map.leds):
            raise ValueError(f"expected an LED from 0 to {len(self.led_map.leds) - 1}, got {led}")
        if self.mapped is None:
            self.mapped, self.trouble = 0, ""
            self.session.submit(Pause())
            self.session.lend(self._mapping(led))

    def _mapping(self, only: int | None = None) -> Iterator[None]:
        """The mapper works in a thread of its own while the session's loop idles and lends it the devices."""
        worker = threading.Thread(target=self._map, args=(only,), name="mapping", daemon=True)
        worker.start()
        while worker.is_alive():
            yield
        self.mapped = None
        if self.simulated:
            self.back_to_play()

    def _map(self, only: int | None) -> None:
        try:
            view = workshop.find_board(self.camera.read().image, self.eye.markers, self.eye.layout)
            mapper = Mapper(_Strip(self.lamps), self.camera, view, self.eye.layout)
            known = self.led_map
            found = mapper.map_all(self._count) if only is None or known is None else mapper.rescan(known, only)
            if found is not None:
                self.keep_map(found)
        except Exception as error:  # shown on the page; the game goes on without a new map
            self.trouble = str(error) or type(error).__name__

    def _count(self, done: int) -> bool:
        self.mapped = done
        return True

    def keep_map(self, found: LedMap) -> None:
        """Use and keep a map."""
        maps.save(found, self.folder / workshop.LED_MAP_FILE)
        self.led_map = found
        self.lamps.leds_of = maps.leds_of_spots(found, self.eye.layout, self.shine)

    def move_led(self, led: int, place_mm: Point) -> None:
        """The owner dragged an LED to its place."""
        if self.led_map is None:
            raise ValueError("map the LEDs first")
        self.keep_map(self.led_map.moved(led, place_mm))

    def spots_lit_by(self, led: int) -> list[Spot]:
        """The spots that an LED lights."""
        return [spot for spot, leds in self.lamps.leds_of.items() if led in leds]
