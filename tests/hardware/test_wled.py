"""The packets a WLED controller gets, byte by byte against the published formats, over real sockets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from hardware.errors import BadAddress
from hardware.leds import LedFrame, StripOptions, open_leds, wled
from hardware.leds.strip import RETRY_MOST_S, Strip
from hardware.leds.wled import WledWire
from tests.hardware.test_strip import Immediately
from tests.hardware.wled_controller import Controller


@pytest.fixture
def controller(monkeypatch: pytest.MonkeyPatch) -> Iterator[Controller]:
    monkeypatch.setattr(wled, "REPEAT_S", 3600.0)  # tests beat by hand
    opened = Controller()
    yield opened
    opened.vanish()


def plain(count: int, **more: object) -> StripOptions:
    return StripOptions(count, gamma=1.0, brightness=1.0, budget_ma=1e6, **more)


def colourful(count: int) -> LedFrame:
    return LedFrame(tuple((i % 256, 255 - i % 256, i // 256) for i in range(count)))


def flat(frame: LedFrame) -> bytes:
    return bytes(value for colour in frame.colours for value in colour)


def test_ddp_sends_a_thousand_leds_in_three_packets(controller: Controller) -> None:
    frame = colourful(1000)
    with open_leds(controller.address(), plain(1000)) as leds:
        leds.show(frame)
        packets = controller.wait_for(6)[3:6]  # the first three darken the strip
    data = flat(frame)
    expected = [(0x40, 0, 1440), (0x40, 1440, 1440), (0x41, 2880, 120)]
    assert len(packets) == 3
    for number, (packet, (flags, offset, length)) in enumerate(zip(packets, expected, strict=True)):
        assert packet[0] == flags, "version 1; only the last packet makes the strip show it"
        assert packet[1] == number + 4, "sequence numbers go on from packet to packet"
        assert packet[2] == 0x0B, "RGB, 8 bits each"
        assert packet[3] == 1, "the default display"
        assert int.from_bytes(packet[4:8], "big") == offset
        assert int.from_bytes(packet[8:10], "big") == length
        assert packet[10:] == data[offset : offset + length]


def test_ddp_sequence_runs_from_1_to_15_and_never_names_0(controller: Controller) -> None:
    with open_leds(controller.address(), plain(1)) as leds:
        for i in range(20):
            leds.show(LedFrame(((i, 0, 0),)))
        packets = controller.wait_for(21)
    assert [packet[1] for packet in packets[:21]] == [*range(1, 16), *range(1, 7)]


def test_ddp_marks_rgbw(controller: Controller) -> None:
    with open_leds(controller.address(), plain(2, order="RGBW")) as leds:
        leds.show(LedFrame(((30, 20, 10), (5, 5, 5))))
        packet = controller.wait_for(2)[1]
    assert packet == bytes([0x41, 2, 0x1B, 1, 0, 0, 0, 0, 0, 8, 20, 10, 0, 10, 0, 0, 0, 5])


@pytest.mark.parametrize(("order", "sent"), [("GRB", bytes([30, 20, 10])), ("GRBW", bytes([20, 10, 0, 10]))])
def test_the_controller_orders_colours_itself(controller: Controller, order: str, sent: bytes) -> None:
    with open_leds(controller.address(), plain(1, order=order)) as leds:
        leds.show(LedFrame(((30, 20, 10),)))
        assert controller.wait_for(2)[1][10:] == sent


@pytest.mark.parametrize("count", [1, 490])
def test_drgb_is_one_packet(controller: Controller, count: int) -> None:
    frame = colourful(count)
    with open_leds(controller.address("&protocol=udp"), plain(count)) as leds:
        leds.show(frame)
        assert controller.wait_for(2)[1] == bytes([2, 2]) + flat(frame)


def test_dnrgb_names_the_first_led_of_each_packet(controller: Controller) -> None:
    frame = colourful(1000)
    data = flat(frame)
    with open_leds(controller.address("&protocol=udp"), plain(1000)) as leds:
        leds.show(frame)
        packets = controller.wait_for(6)[3:6]
    assert packets == [
        bytes([4, 2, 0, 0]) + data[: 489 * 3],
        bytes([4, 2, 1, 233]) + data[489 * 3 : 978 * 3],
        bytes([4, 2, 3, 210]) + data[978 * 3 :],
    ]


def test_drgbw_and_its_limit(controller: Controller) -> None:
    with open_leds(controller.address("&protocol=udp"), plain(1, order="RGBW")) as leds:
        leds.show(LedFrame(((9, 8, 7),)))
        assert controller.wait_for(2)[1] == bytes([3, 2, 2, 1, 0, 7])
    with pytest.raises(BadAddress, match="at most 367 RGBW LEDs"):
        open_leds(controller.address("&protocol=udp"), plain(368, order="RGBW"))


def test_the_controller_is_set_to_full_and_given_back_as_it_was(controller: Controller) -> None:
    with open_leds(controller.address(), plain(1)) as leds:
        assert controller.state == {"on": True, "bri": 255, "transition": 0}
        leds.show(LedFrame(((9, 9, 9),)))
    assert controller.state == {"on": False, "bri": 40, "transition": 7}
    assert controller.wait_for(3)[-1][10:] == bytes(3), "dark before it is given back"


def test_the_last_frame_is_repeated_so_that_the_controller_keeps_listening(controller: Controller) -> None:
    wire = WledWire(controller.address(), plain(1))
    wire.send(np.array([[1, 2, 3]], dtype=np.uint8))
    wire.beat(check=False)
    first, second = controller.wait_for(2)[:2]
    assert first[10:] == second[10:] == bytes([1, 2, 3])
    assert (first[1], second[1]) == (1, 2)
    controller.state["bri"] = 3  # somebody dims it on its own page
    wire.beat(check=True)
    assert controller.state["bri"] == 255
    wire.close()


@pytest.mark.parametrize("notice", ["colours", "question"])
def test_it_vanishes_and_comes_back(controller: Controller, notice: str) -> None:
    now = 0.0
    options = plain(2)
    strip = Strip(lambda: WledWire(controller.address(), options), options, clock=lambda: now, background=Immediately())
    red, blue = LedFrame(((255, 0, 0),) * 2), LedFrame(((0, 0, 255),) * 2)
    strip.show(red)
    controller.wait_for(2)
    controller.vanish()
    if notice == "question":
        strip.wire.beat(check=True)
    for _ in range(3):  # the refusal of one packet is told with the next
        strip.show(red)
    assert "WLED controller" in strip.lost
    now += RETRY_MOST_S
    strip.show(red)
    assert "does not answer" in strip.lost
    controller.state = {"on": False, "bri": 12, "transition": 7}
    heard = len(controller.heard)
    controller.come()
    now += 2 * RETRY_MOST_S
    strip.show(blue)
    assert strip.lost == ""
    assert controller.state["bri"] == 255, "it lost our brightness with its power"
    assert controller.wait_for(heard + 1)[heard][10:] == bytes([0, 0, 255] * 2)
    strip.close()


def test_a_controller_that_is_not_there_at_the_start_is_waited_for(controller: Controller) -> None:
    address = controller.address()
    controller.vanish()
    with open_leds(address, plain(1)) as leds:
        assert "is it powered and on this network?" in leds.lost
    controller.come()


@pytest.mark.parametrize("address", ["wled:", "wled://", "wled://h?protocol=tcp", "wled://h?x=1", "wled://h:port"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match="expected wled://HOST"):
        open_leds(address, plain(1))
