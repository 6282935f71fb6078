"""One table, one thread, one path: from a frame to the lights and the page.

`Session.step()` is the function to read first. Commands come in through a queue, snapshots leave; nothing else is
shared with other threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol

import cv2

from companion.game_desk import GameDesk, Refused
from companion.messages import Board, Command, Hands, Snapshot
from companion.referee import PAUSED
from companion.table_eye import Look
from companion.troubles import say_trouble
from companion.virtual_stock import HandsCannot
from engine.lights import Light
from engine.sayings import Saying
from engine.spots import Spot
from hardware.cameras import Camera
from hardware.errors import HardwareError
from vision.beliefs import Agreed
from vision.view import Image

log = logging.getLogger(__name__)

BEAT_S: Final = 1 / 15
"""The loop goes round at most this often."""
KEPT: Final = 10_000
"""Latencies remembered."""


class Eye(Protocol):
    """Looks at the table frame by frame."""

    def look(self, image: Image) -> Look:
        """What a frame says."""

    def trust(self, agreed: Agreed) -> None:
        """Take over what lies and stands where, once that is agreed on."""


class Lamps(Protocol):
    """The light under the board."""

    def dim(self) -> None:
        """No light of ours while the camera looks."""

    def show(self, lights: Mapping[Spot, Light], at_s: float) -> None:
        """Light every spot in the colour and rhythm of its role."""

    def status(self) -> tuple[bool, Saying]:
        """Whether the strip is well, and a word about it."""

    def close(self) -> None:
        """Darken the strip and let go of it."""


class PretendHands(Protocol):
    """The hands of a simulated table."""

    game: Any
    """The game whose words they understand."""

    def obey(self, verb: str, arguments: Mapping[str, Any], believed: Any) -> str | None:
        """Do something; gives what the players say with it."""

    def told(self) -> Mapping[str, Any]:
        """What they hold and have taken away."""


@dataclass(frozen=True, slots=True)
class Fittings:
    """The devices of a table as a session uses them."""

    camera: Camera
    eye: Eye
    lamps: Lamps
    hands: PretendHands | None = None
    presses: Callable[[], Iterable[Command]] = tuple
    release: Callable[[], None] = lambda: None
    """Lets go of the buttons."""
    pressed: Callable[[], tuple[int, str]] = lambda: (0, "")
    """How many presses there were and the last one's name, for trying the buttons."""


class Session:
    """Owns the belief about the game; the page sees it as its desk."""

    def __init__(
        self,
        desk: GameDesk,
        camera: Camera,
        eye: Eye,
        lamps: Lamps,
        clock: Callable[[], float],
        hands: PretendHands | None = None,
        presses: Callable[[], Iterable[Command]] = tuple,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.desk, self.camera, self.eye, self.lamps, self.clock = desk, camera, eye, lamps, clock
        self.hands, self.presses, self.stopwatch = hands, presses, stopwatch
        self.release: Callable[[], None] = lambda: None
        self.pressed: Callable[[], tuple[int, str]] = lambda: (0, "")
        self.latencies_s: deque[float] = deque(maxlen=KEPT)
        """From the last picture of a board that came to rest to its lights."""
        self._commands: SimpleQueue[Command] = SimpleQueue()
        self._look = Look(None, True, Saying("Waiting for the first picture."))
        self._image: Image | None = None
        self._camera_trouble: Saying | None = None
        self._fault = ""
        self._published: object = None
        self._job: Iterator[None] | None = None
        self._between: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.board = Board(Snapshot(0, {}))
        self._publish()

    # ------------------------------------------------------------------ the loop

    def step(self) -> None:
        """Once round: what was said, what is seen, what it means, what is lit and shown."""
        while not self._between.empty():
            self._between.get()()
        for command in self._said():
            self._obey(command)
        if self._job is not None:
            self._work(self._job)
            return
        if self.camera.takes_when_read:
            self.lamps.dim()  # before a live camera's picture, which is older, this would only make the strip flicker
        image = self._see()
        lights = self.desk.lights()
        self.lamps.show(lights, self.clock())
        if image is not None:
            began = self.stopwatch()
            self._look = self.eye.look(image)
            if self._look.sighting is not None:
                self.desk.consider(self._look.sighting, self.clock(), self._look.glimpse)
            if self.desk.lights() is not lights:
                self.lamps.show(self.desk.lights(), self.clock())
            if self._look.is_fresh:
                self.latencies_s.append(self.stopwatch() - began)
            memory = self.desk.memory
            if not memory.agreed.tiles or memory.has_agreed_on(self._look.glimpse):
                self.eye.trust(memory.agreed)
        self._publish()

    def run(self, stop: threading.Event, beat: Callable[[], None] = lambda: None) -> None:
        """Go round until told to stop; `beat` tells a watchdog that the loop is alive."""
        try:
            while not stop.is_set():
                began = self.clock()
                self._step_or_tell()
                beat()
                stop.wait(max(0.0, began + BEAT_S - self.clock()))
        finally:
            self.let_go()

    def lend(self, job: Iterator[None]) -> None:
        """Let somebody else use camera and strip: the loop takes one step of the job instead of one of its own."""
        self._job = job

    def between_rounds(self, job: Callable[[], None]) -> None:
        """Let the loop do something before its next round; may be called from any thread."""
        self._between.put(job)

    def let_go(self) -> None:
        """Darken the strip and close every device."""
        self.lamps.close()
        self.camera.close()
        self.release()

    def fit(self, found: Fittings) -> None:
        """Use other devices from now on; the game and everything believed of it stay."""
        self.camera, self.eye, self.lamps = found.camera, found.eye, found.lamps
        self.hands, self.presses, self.release, self.pressed = found.hands, found.presses, found.release, found.pressed
        self._look = Look(None, True, Saying("Waiting for the first picture."))
        self._image, self._camera_trouble, self._published = None, None, None

    def _work(self, job: Iterator[None]) -> None:
        try:
            next(job)
        except StopIteration:
            self._job = None
        except Exception:
            self._job = None
            raise

    def _step_or_tell(self) -> None:
        """An error in one round is logged once and shown; the next round tries again."""
        try:
            self.step()
            self._fault = ""
        except Exception as error:
            if str(error) != self._fault:
                log.exception("the game loop failed")
            self._fault = str(error) or type(error).__name__
            self._publish()

    def _see(self) -> Image | None:
        try:
            frame = self.camera.read()
        except HardwareError as error:
            if not self._camera_trouble:
                log.warning("no picture: %s", error)
            self._camera_trouble = say_trouble(error)
            return None
        if self._camera_trouble:
            log.info("the camera is back")
        self._camera_trouble = None
        self._image = frame.image
        return self._image

    @property
    def look(self) -> Look:
        """What the newest frame gave."""
        return self._look

    # ------------------------------------------------------------------ commands

    def _said(self) -> Iterable[Command]:
        yield from self.presses()
        while True:
            try:
                yield self._commands.get_nowait()
            except Empty:
                return

    def _obey(self, command: Command) -> None:
        try:
            if isinstance(command, Hands):
                self._move_hands(command)
            else:
                self.desk.obey(command)
        except Refused as error:
            self.desk.note = error.say
        except HandsCannot as error:
            self.desk.note = error.say
        except ValueError as error:
            self.desk.note = Saying("That did not work: {reason}", {"reason": str(error)})

    def _move_hands(self, command: Hands) -> None:
        if self.hands is None:
            raise Refused(Saying("Only a simulated table has hands to be told."))
        self.hands.game = self.desk.playing.game
        line = self.hands.obey(command.verb, command.arguments, self.desk.referee.state)
        self.desk.note = None
        if line is not None:
            self.desk.referee.declare(line)

    # ------------------------------------------------------------------ what the page sees

    def submit(self, command: Command) -> None:
        """Hand in a command from any thread; its outcome shows in a later snapshot."""
        self._commands.put(command)

    def picture(self) -> bytes | None:
        """The newest camera picture as JPEG."""
        image = self._image
        if image is None:
            return None
        return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])

    def frame(self) -> Image | None:
        """The newest camera picture as it was taken."""
        return self._image

    def layout(self) -> Mapping[str, Any]:
        """Outlines of all spots in millimetres."""
        return self.desk.layout()

    def why(self, spot: str) -> Mapping[str, Any]:
        """What can happen at a spot now, and why the rest cannot."""
        return self.desk.why(spot)

    def _publish(self) -> None:
        """Put up a new snapshot when something in it has changed."""
        status = self._status()
        hands = self.hands.told() if self.hands is not None else None
        now = (self.desk.version(), hands, tuple((name, part["ok"], part["say"]) for name, part in status.items()))
        if now == self._published:
            return
        self._published = now
        public = {"simulated": self.hands is not None, "hands": hands, **self.desk.public(), "status": status}
        self.board.put_up(Snapshot(self.board.newest().version + 1, public, self.desk.private()))

    def _status(self) -> dict[str, dict[str, Any]]:
        trouble = self._camera_trouble
        if trouble is None and self.camera.lost:
            trouble = Saying("The camera gives no picture: {reason}", {"reason": self.camera.lost})
        lit, word = self.lamps.status()
        status: dict[str, dict[str, Any]] = {
            "camera": {"ok": not trouble, "say": trouble or Saying("The camera gives pictures.")},
            "board": {"ok": self._look.ok, "say": self._board_word()},
            "leds": {"ok": lit, "say": word},
        }
        if self._fault:
            status["session"] = {
                "ok": False,
                "say": Saying("Something failed; the companion tries again: {reason}", {"reason": self._fault}),
            }
        return status

    def _board_word(self) -> Saying:
        if self.desk.referee.mode == PAUSED:
            return Saying("Paused: nothing is followed.")
        return self._look.say
