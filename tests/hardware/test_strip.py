"""From colours to values on the wire: gamma, brightness, order, place, white, power, loss and return."""

from __future__ import annotations

import logging
from concurrent.futures import Executor, Future

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import BadAddress
from hardware.leds import LedFrame, Segment, StripOptions
from hardware.leds.power import Values, drawn_ma
from hardware.leds.simulator import SimulatorWire
from hardware.leds.strip import RETRY_FIRST_S, Strip

PLAIN = {"gamma": 1.0, "brightness": 1.0, "budget_ma": 100_000.0}
RED, GREEN, BLUE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)


def sent(options: StripOptions, *colours: tuple[int, int, int]) -> list[list[int]]:
    wire = SimulatorWire("simulator:", options)
    strip = Strip(lambda: wire, options)
    strip.show(LedFrame(colours))
    return [row.tolist() for row in wire.sent[-1]]


@pytest.mark.parametrize("order", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_colour_order(order: str) -> None:
    (values,) = sent(StripOptions(1, order=order, **PLAIN), (1, 2, 3))
    assert values == ["_RGB".index(letter) for letter in order]


def test_white_takes_what_the_colours_have_in_common() -> None:
    assert sent(StripOptions(2, order="GRBW", **PLAIN), (200, 100, 50), (9, 9, 9)) == [[50, 150, 0, 50], [0, 0, 0, 9]]


def test_gamma_and_brightness_keep_a_faint_light_alive() -> None:
    options = StripOptions(3, order="RGB", gamma=2.2, brightness=0.5, budget_ma=1e5)
    assert sent(options, (255, 0, 128), (1, 0, 0), BLACK) == [[128, 0, 28], [1, 0, 0], [0, 0, 0]]


def test_no_brightness_is_dark() -> None:
    assert sent(StripOptions(1, order="RGB", brightness=0.0), (255, 255, 255)) == [[0, 0, 0]]


def test_skip_reverse_and_segments() -> None:
    options = StripOptions(4, order="RGB", skip=1, segments=(Segment(4, 2), Segment(0, 2, reverse=True)), **PLAIN)
    assert sent(options, RED, GREEN, BLUE, (9, 9, 9)) == [
        [0, 0, 0], [9, 9, 9], [0, 0, 255], [0, 0, 0], [0, 0, 0], [255, 0, 0], [0, 255, 0],
    ]  # fmt: skip
    assert sent(StripOptions(2, order="RGB", reverse=True, **PLAIN), RED, BLUE) == [[0, 0, 255], [255, 0, 0]]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: StripOptions(0), "at least one LED"),
        (lambda: StripOptions(1, order="RGX"), "colour order such as GRB"),
        (lambda: StripOptions(1, brightness=1.5), "brightness 0 to 1"),
        (lambda: sent(StripOptions(3, segments=(Segment(0, 2), Segment(1, 1))), *[RED] * 3), "3 different LEDs"),
        (lambda: sent(StripOptions(300, budget_ma=200.0), *[RED] * 300), "draw 300 mA even when dark"),
    ],
)
def test_impossible_strips_are_refused(build, message: str) -> None:
    with pytest.raises(BadAddress, match=message):
        build()


@given(
    st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40),
    st.sampled_from(["RGB", "GRBW"]),
    st.floats(0.0, 1.0),
    st.floats(0.5, 3.0),
    st.floats(0.0, 4000.0),
    st.floats(1.0, 60.0),
)
def test_the_budget_is_never_exceeded(colours, order, brightness, gamma, above_idle_ma, channel_ma) -> None:
    count = len(colours)
    options = StripOptions(
        count, order=order, brightness=brightness, gamma=gamma, budget_ma=count + above_idle_ma, channel_ma=channel_ma
    )
    wire = SimulatorWire("simulator:", options)
    strip = Strip(lambda: wire, options)
    strip.show(LedFrame(tuple(colours)))
    assert drawn_ma(wire.sent[-1], channel_ma, options.idle_ma) <= options.budget_ma
    assert strip.current_ma <= options.budget_ma


def test_the_limiter_uses_the_budget_it_has() -> None:
    options = StripOptions(300, order="RGB", gamma=1.0, brightness=1.0, budget_ma=2000.0)
    wire = SimulatorWire("simulator:", options)
    strip = Strip(lambda: wire, options)
    strip.show(LedFrame(((255, 255, 255),) * 300))
    assert 1900.0 < strip.current_ma <= 2000.0


class FrailWire(SimulatorWire):
    """A wire that can be torn off."""

    torn = False

    def send(self, values: Values) -> None:
        if self.torn:
            raise OSError("no route to the strip")
        super().send(values)


class Immediately(Executor):
    """Runs what it is given at once, in the same thread."""

    def submit(self, work, /, *args, **kwargs) -> Future:
        done: Future = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except OSError as error:
            done.set_exception(error)
        return done


def test_loss_and_return_are_logged_once_with_retries_in_between(caplog: pytest.LogCaptureFixture) -> None:
    now = 100.0
    options = StripOptions(1, order="RGB", **PLAIN)
    wires: list[FrailWire] = []

    def connect() -> FrailWire:
        wires.append(FrailWire("simulator:", options))
        return wires[-1]

    caplog.set_level(logging.INFO)
    strip = Strip(connect, options, clock=lambda: now, background=Immediately())
    strip.show(LedFrame((RED,)))
    FrailWire.torn = True
    for _ in range(40):
        strip.show(LedFrame((GREEN,)))
        now += 0.1
    assert strip.lost == "no route to the strip"
    assert strip.shown == LedFrame((BLACK,))
    assert 3 <= len(wires) <= 5, "expected a few tries with growing pauses"
    assert all(wire.closed for wire in wires)
    FrailWire.torn = False
    now += 8 * RETRY_FIRST_S
    strip.show(LedFrame((BLUE,)))
    assert strip.lost == ""
    assert wires[-1].sent[-1].tolist() == [[0, 0, 255]]
    assert [record.getMessage() for record in caplog.records] == [
        "the strip is lost, trying again: no route to the strip",
        "the strip is back",
    ]


def test_close_darkens_the_strip() -> None:
    options = StripOptions(2, order="RGB", **PLAIN)
    wire = SimulatorWire("simulator:", options)
    with Strip(lambda: wire, options) as strip:
        strip.show(LedFrame((RED, RED)))
        assert np.any(wire.sent[-1])
    assert not np.any(wire.sent[-1])
    assert wire.closed
