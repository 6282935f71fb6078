"""The thread that empties a live camera: only the newest picture is kept; loss is noticed, retried, logged once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import cv2

from hardware.cameras import CameraOptions, Frame, Image
from hardware.cameras.pictures import require_usable
from hardware.closing import Closing
from hardware.errors import BadPicture, CameraLost, DeviceClosed, HardwareError

log = logging.getLogger(__name__)

RETRY_FIRST_S: Final = 0.25
RETRY_MOST_S: Final = 5.0
LOST_WAIT_S: Final = 0.5
"""While a camera is lost a read waits only so long, so that the game goes on."""
BAD_PAUSE_S: Final = 0.02
LEAVE_S: Final = 3.0


class Source(Protocol):
    """An open device; what it raises as OSError means that it is gone, BadPicture that one picture was no good."""

    def grab(self) -> Image:
        """Wait for the next picture."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


class Reader(Closing):
    """A live camera: reads a source in its own thread and opens it again when it is lost."""

    takes_when_read = False

    def __init__(
        self,
        name: str,
        open_source: Callable[[], Source],
        options: CameraOptions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._open_source = open_source
        self._loss_s = options.loss_s
        self._clock = clock
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._frame: Frame | None = None
        self._last = clock()
        self.lost = ""
        """Why there is no picture at the moment; empty when all is well."""
        try:
            source: Source | None = open_source()
        except OSError as error:
            source = None
            self._lose(str(error))
        self._last = clock()  # opening may take long, as finding focus and exposure does: patience begins now
        self._thread = threading.Thread(target=self._run, args=(source,), name=name, daemon=True)
        self._thread.start()

    def read(self) -> Frame:
        """The newest picture that was not read before; raises CameraLost when none comes in time."""
        self._require_open()
        with self._changed:
            due_s = LOST_WAIT_S if self.lost else max(0.0, self._last + self._loss_s - self._clock())
            self._changed.wait_for(lambda: self._frame is not None or self._closed, due_s)
            frame, self._frame = self._frame, None
            if self._closed:
                raise DeviceClosed(f"the camera {self._name} was closed while it was read")
            if frame is None or self._clock() - frame.time > self._loss_s:
                self._lose(f"no picture for {self._loss_s:g} s")
                raise CameraLost(f"the camera {self._name} gives no pictures, trying again: {self.lost}")
            return frame

    def _run(self, source: Source | None) -> None:
        pause_s = RETRY_FIRST_S
        while not self._stop.is_set():
            try:
                source = source or self._open_source()
                image = require_usable(source.grab())
            except BadPicture as error:
                self._note_bad(str(error))
                self._stop.wait(BAD_PAUSE_S)
            except (OSError, HardwareError, cv2.error) as error:
                with self._changed:
                    self._lose(str(error))
                self._close_source(source)
                source = None
                self._stop.wait(pause_s)
                pause_s = min(2 * pause_s, RETRY_MOST_S)
            else:
                pause_s = RETRY_FIRST_S
                self._keep(image)
        self._close_source(source)

    def _close_source(self, source: Source | None) -> None:
        if source is not None:
            try:
                source.close()
            except OSError as error:
                log.debug("closing the camera %s: %s", self._name, error)

    def _keep(self, image: Image) -> None:
        with self._changed:
            if self.lost:
                log.info("the camera %s is back", self._name)
                self.lost = ""
            self._last = self._clock()
            self._frame = Frame(image, self._last)
            self._changed.notify_all()

    def _note_bad(self, reason: str) -> None:
        """One bad picture is passed over; a camera that gives nothing else is lost."""
        with self._changed:
            if self._clock() - self._last > self._loss_s:
                self._lose(reason)

    def _lose(self, reason: str) -> None:
        if not self.lost:
            log.warning("the camera %s is lost, trying again: %s", self._name, reason)
            self.lost = reason or "it is gone"

    def _release(self) -> None:
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(LEAVE_S)
