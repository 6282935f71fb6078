"""A strip: from the colours of a frame to the values on the wire, whatever the wire is."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.closing import Closing
from hardware.errors import BadAddress, LedsLost
from hardware.leds import LedFrame, Segment, StripOptions
from hardware.leds.power import Values, drawn_ma, limit, require_room

log = logging.getLogger(__name__)

Places = NDArray[np.int64]

RETRY_FIRST_S = 0.5
RETRY_MOST_S = 10.0


class Wire(Protocol):
    """The way to a strip: takes finished values; what it raises as OSError means that it is gone."""

    order: str
    """The usual order of the colours on this wire."""
    sorts: bool
    """Whether the device puts colours into the order of its strip itself; then only white LEDs have to be told."""

    def send(self, values: Values) -> None:
        """Light the whole strip, colours in the order of the wire."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


def positions(options: StripOptions) -> Places:
    """Where each LED of a frame sits on the strip."""
    segments = options.segments or (Segment(0, options.count),)
    parts = []
    for segment in segments:
        run = np.arange(segment.start, segment.start + segment.count)
        parts.append(run[::-1] if segment.reverse else run)
    found = np.concatenate(parts)
    if len(found) != options.count or len(set(found.tolist())) != options.count or found.min() < 0:
        raise BadAddress(f"expected segments with {options.count} different LEDs from 0 on, got {segments}")
    return options.skip + (found[::-1] if options.reverse else found)


def order_on(wire: Wire, wanted: str | None) -> str:
    """The order in which a wire takes colours."""
    if wire.sorts:
        return wire.order + "W" * ("W" in (wanted or ""))
    return wanted or wire.order


def light_levels(options: StripOptions) -> Values:
    """What each asked level 0..255 becomes after gamma and brightness; an asked light never vanishes."""
    asked = np.arange(256) / 255.0
    levels = np.rint(255.0 * options.brightness * asked**options.gamma)
    if options.brightness > 0.0:
        levels[1:] = np.maximum(levels[1:], 1.0)
    return levels.astype(np.uint8)


def split_white(light: Values) -> Values:
    """Red, green, blue and white: what the three have in common is given to the white LED."""
    white = light.min(axis=1, keepdims=True)
    return np.hstack([light - white, white])


def join_white(values: Values) -> Values:
    """The colours that an eye sees: white light adds to all three."""
    return values[:, :3] + values[:, 3:4] if values.shape[1] == 4 else values


def _close_late(pending: Future[Wire]) -> None:
    """Close a wire that came after the strip was closed."""
    if not pending.cancelled() and pending.exception() is None:
        pending.result().close()


class Strip(Closing):
    """Brightness, gamma, white, power limit, place and order of colours; loss and return of the wire."""

    def __init__(
        self,
        connect: Callable[[], Wire],
        options: StripOptions,
        clock: Callable[[], float] = time.monotonic,
        background: Executor | None = None,
    ) -> None:
        self._connect = connect
        self._options = options
        self._clock = clock
        self._places = positions(options)
        self._total = int(self._places.max()) + 1
        self._levels = light_levels(options)
        require_room(self._total, options.budget_ma, options.idle_ma)
        self._retry_s = RETRY_FIRST_S
        self._retry_at = 0.0
        self._forget_light()
        self.lost = ""
        """Why the strip takes no colours at the moment; empty when all is well."""
        self.wire: Wire | None = None
        self._pending: Future[Wire] | None = None
        self._background = background or ThreadPoolExecutor(1, thread_name_prefix="strip")
        try:
            self.wire = connect()
            self._send(LedFrame.dark(options.count))  # the strip may still hold what it showed before
        except LedsLost as error:
            self._lose(error)
        except BaseException:
            if self.wire is not None:
                self.wire.close()
            raise

    @property
    def count(self) -> int:
        """How many LEDs a frame has."""
        return self._options.count

    @property
    def shown(self) -> LedFrame:
        """The frame that is lit now; dark at first and while the strip is lost."""
        return self._shown

    @property
    def glow(self) -> Values:
        """The light that comes out, one row of red, green, blue per LED of a frame, 0 to 255 of full brightness."""
        return self._glow

    @property
    def current_ma(self) -> float:
        """What the strip draws now by our reckoning."""
        return self._current_ma

    def show(self, frame: LedFrame) -> None:
        """Light a frame; a lost strip is tried again later and does not stop the game."""
        self._require_open()
        if len(frame.colours) != self._options.count:
            raise BadAddress(f"expected a frame of {self._options.count} LEDs, got {len(frame.colours)}")
        try:
            if self.wire is None:
                self.wire = self._reconnected()
            if self.wire is None:
                return
            self._send(frame)
        except OSError as error:
            self._lose(error)
            return
        if self.lost:
            log.info("the strip is back")
            self.lost, self._retry_s = "", RETRY_FIRST_S

    def _reconnected(self) -> Wire | None:
        """The wire once it can be opened again; tried in the background, so that the game does not wait for it."""
        if self._pending is None and self._clock() >= self._retry_at:
            self._pending = self._background.submit(self._connect)
        if self._pending is None or not self._pending.done():
            return None
        pending, self._pending = self._pending, None
        return pending.result()

    def _send(self, frame: LedFrame) -> None:
        """Everything between the colours asked for and the wire."""
        assert self.wire is not None
        options = self._options
        order = order_on(self.wire, options.order)
        light = self._levels[np.array(frame.colours, dtype=np.uint8).reshape(-1, 3)]
        values = np.zeros((self._total, len(order)), dtype=np.uint8)
        values[self._places] = split_white(light) if "W" in order else light
        values = limit(values, options.budget_ma, options.channel_ma, options.idle_ma)
        self.wire.send(np.ascontiguousarray(values[:, ["RGBW".index(letter) for letter in order]]))
        self._shown = frame
        self._current_ma = drawn_ma(values, options.channel_ma, options.idle_ma)
        self._glow = join_white(values[self._places])

    def _lose(self, error: Exception) -> None:
        if not self.lost:
            log.warning("the strip is lost, trying again: %s", error)
        self.lost = str(error) or type(error).__name__
        self._retry_at = self._clock() + self._retry_s
        self._retry_s = min(2 * self._retry_s, RETRY_MOST_S)
        self._forget_light()
        wire, self.wire = self.wire, None
        if wire is not None:
            wire.close()

    def _forget_light(self) -> None:
        self._shown = LedFrame.dark(self._options.count)
        self._glow = np.zeros((self._options.count, 3), dtype=np.uint8)
        self._current_ma = 0.0

    def _release(self) -> None:
        self._background.shutdown(wait=False, cancel_futures=True)
        if self._pending is not None:
            self._pending.add_done_callback(_close_late)
        if self.wire is None:
            return
        try:
            self._send(LedFrame.dark(self._options.count))
        except OSError as error:
            log.warning("the strip could not be darkened: %s", error)
        self.wire.close()
