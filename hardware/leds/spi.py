"""`spi:0.0`, WS2812 over the data line of an SPI port: needs no root and no table of board revisions.

A WS2812 bit is a pulse, short for 0 and long for 1. Several SPI bits draw that pulse: with 3 at 2.4 MHz a zero is
`100` (0.42 us high) and a one is `110` (0.83 us high). `spi:0.0?bits=8` draws it finer at 6.4 MHz, in more bytes.
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np

from engine.sayings import Saying
from hardware.errors import BadAddress, DeviceRefused
from hardware.leds import StripOptions
from hardware.leds.power import Values
from hardware.machine import ADVICE, FAULT, OK, UNUSED, Finding, Machine, verbatim

RESET_S: Final = 300e-6
"""The line must rest so long before the LEDs take their colours over; older ones need less."""

# From the kernel's linux/spi/spidev.h: _IOW('k', 1, __u8), _IOW('k', 3, __u8), _IOW('k', 4, __u32).
SET_MODE: Final = 0x40016B01
SET_BITS_PER_WORD: Final = 0x40016B03
SET_SPEED_HZ: Final = 0x40046B04

BUFFER_SIZE: Final = Path("/sys/module/spidev/parameters/bufsiz")
COMMAND_LINE: Final = "/boot/firmware/cmdline.txt"
SPI_SCREENS: Final = ("ads7846", "tft", "piscreen", "waveshare", "mhs35", "fbtft")
ENABLE_SPI: Final = "sudo raspi-config nonint do_spi 0 && sudo reboot"


@dataclass(frozen=True, slots=True)
class Timing:
    """How a WS2812 bit is drawn with SPI bits."""

    speed_hz: int
    zero: int
    one: int
    bits: int

    @property
    def reset_bytes(self) -> int:
        """Bytes of silence that make the LEDs show what they got."""
        return int(np.ceil(RESET_S * self.speed_hz / 8))


TIMINGS: Final = {
    3: Timing(speed_hz=2_400_000, zero=0b100, one=0b110, bits=3),
    8: Timing(speed_hz=6_400_000, zero=0b11000000, one=0b11111000, bits=8),
}


def pulse_table(timing: Timing) -> Values:
    """For every byte of colour the SPI bytes that draw its eight pulses, highest bit first."""
    table = np.zeros((256, timing.bits), dtype=np.uint8)
    for value in range(256):
        drawn = 0
        for place in range(7, -1, -1):
            drawn = drawn << timing.bits | (timing.one if value >> place & 1 else timing.zero)
        table[value] = np.frombuffer(drawn.to_bytes(timing.bits, "big"), dtype=np.uint8)
    return table


def encode(values: Values, timing: Timing, table: Values) -> bytes:
    """The SPI bytes of one frame: silence, pulses, silence; the first keeps a disturbed line out of the colours."""
    silence = bytes(timing.reset_bytes)
    return silence + table[values.reshape(-1)].tobytes() + silence


def buffer_size(path: Path = BUFFER_SIZE) -> int:
    """How many bytes the kernel sends in one go; 4096 when the kernel does not say."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 4096


def check_spi(machine: Machine) -> Finding:
    """Is there an SPI port, and is it free?"""
    port = machine.leds.removeprefix("spi:").partition("?")[0]
    device = f"/dev/spidev{port}"
    others = sorted(path.name for path in (machine.root / "dev").glob("spidev*"))
    if device.removeprefix("/dev/") not in others:
        return _no_port(machine, port, others)
    path, lines = machine.config()
    screens = [line for line in lines if line.startswith("dtoverlay=") and any(s in line for s in SPI_SCREENS)]
    if screens:
        cure = Saying(
            "take `{line}` out of {file}, or use wled:// or ws281x:18 for the strip",
            {"line": screens[0], "file": path},
        )
        return Finding("spi", FAULT, Saying("{device} is shared with a screen", {"device": device}), cure)
    return Finding("spi", OK, verbatim(device))


def _no_port(machine: Machine, port: str, others: Sequence[str]) -> Finding:
    """The port that the strip is set to does not exist."""
    device = f"/dev/spidev{port}"
    if others:
        found = Saying("{device} does not exist, only {others}", {"device": device, "others": others})
        other = machine.leds.replace(port, others[0].removeprefix("spidev"), 1)
        return Finding("spi", FAULT, found, Saying("use {address}", {"address": other}), ("leds", other))
    found = Saying("{device} does not exist", {"device": device})
    if not machine.pi:
        cure = Saying("this is no Raspberry Pi: use {address} for the strip", {"address": "wled://HOST"})
    elif "dtparam=spi=on" in machine.config()[1]:
        cure = Saying("restart: SPI is on since the last start")
    else:
        cure = verbatim(ENABLE_SPI)
    return Finding("spi", FAULT, found, cure)


def frame_bytes(leds: int, timing: Timing) -> int:
    """The bytes of one frame."""
    return leds * 3 * timing.bits + 2 * timing.reset_bytes


def check_spi_buffer(machine: Machine) -> Finding:
    """Does a whole frame fit into what the kernel sends in one go?"""
    plain, fine = machine.leds.partition("?bits=8")[:2]
    needed = frame_bytes(machine.led_count, TIMINGS[8 if fine else 3])
    room = buffer_size(machine.root / "sys/module/spidev/parameters/bufsiz")
    facts = {"needed": needed, "room": room, "leds": machine.led_count}
    found = Saying("{needed} of {room} bytes for {leds} LEDs", facts)
    if needed <= room:
        return Finding("spi buffer", OK, found)
    setting = f"spidev.bufsiz={1 << needed.bit_length()}"
    enlarge = Saying("add {setting} to the line in {file} and restart", {"setting": setting, "file": COMMAND_LINE})
    if fine and frame_bytes(machine.led_count, TIMINGS[3]) <= room:
        cure = Saying("use {address}, or {other}", {"address": plain, "other": enlarge})
        return Finding("spi buffer", FAULT, found, cure, ("leds", plain))
    return Finding("spi buffer", FAULT, found, enlarge)


def check_core_clock(machine: Machine) -> Finding:
    """Does the clock behind SPI keep still? When it scales, colours go wrong."""
    if machine.pi not in (1, 2, 3, 4):
        return Finding("core clock", UNUSED, Saying("matters for SPI on a Pi up to 4"))
    name, least = ("core_freq_min", 500) if machine.pi == 4 else ("core_freq", 250)
    path, lines = machine.config()
    values = [int(m[1]) for line in lines if (m := re.fullmatch(rf"{name}=(\d+)", line))]
    if values and values[-1] >= least:
        return Finding("core clock", OK, verbatim(f"{name}={values[-1]}"))
    if values:
        found = Saying("{setting} in {file}", {"setting": f"{name}={values[-1]}", "file": path})
    else:
        found = Saying("{setting} is not set in {file}", {"setting": name, "file": path})
    cure = Saying("add `{setting}` to {file} and restart", {"setting": f"{name}={least}", "file": path})
    return Finding("core clock", ADVICE, found, cure)


class Port(Protocol):
    """What a wire needs of an SPI port."""

    def write(self, data: bytes) -> None:
        """Send bytes without a pause in between."""
        ...

    def close(self) -> None:
        """Let go of the port."""
        ...


class SpiPort:
    """A port of the kernel's spidev driver, used through the calls of its documentation."""

    def __init__(self, device: str, speed_hz: int) -> None:
        try:
            self._file = os.open(device, os.O_WRONLY)
        except FileNotFoundError as error:
            raise DeviceRefused(
                f"{device} does not exist: switch SPI on (`sudo raspi-config nonint do_spi 0`) and restart"
            ) from error
        except PermissionError as error:
            raise DeviceRefused(
                f"{device} may not be opened: add yourself to the group (`sudo adduser $USER spi`) and log in again"
            ) from error
        try:
            fcntl.ioctl(self._file, SET_MODE, struct.pack("B", 0))
            fcntl.ioctl(self._file, SET_BITS_PER_WORD, struct.pack("B", 8))
            fcntl.ioctl(self._file, SET_SPEED_HZ, struct.pack("I", speed_hz))
        except OSError as error:
            os.close(self._file)
            raise DeviceRefused(f"{device} does not answer as an SPI port ({error.strerror})") from error

    def write(self, data: bytes) -> None:
        """Send bytes without a pause in between."""
        sent = os.write(self._file, data)
        if sent != len(data):
            raise OSError(f"expected to send {len(data)} bytes at once, sent {sent}")

    def close(self) -> None:
        """Let go of the port."""
        os.close(self._file)


class SpiWire:
    """Draws the pulses of a strip on an SPI port."""

    groups = ("spi",)
    checks: ClassVar = {"spi": check_spi, "spi buffer": check_spi_buffer, "core clock": check_core_clock}
    order = "GRB"
    sorts = False

    def __init__(
        self,
        address: str,
        options: StripOptions,
        open_port: Callable[[str, int], Port] | None = None,
        room: Callable[[], int] = buffer_size,
    ) -> None:
        found = re.fullmatch(r"spi:(\d+)\.(\d+)(?:\?bits=(3|8))?", address)
        if not found:
            raise BadAddress(f"expected spi:BUS.DEVICE such as spi:0.0 or spi:0.0?bits=8, got '{address}'")
        self.timing = TIMINGS[int(found[3] or 3)]
        self._table = pulse_table(self.timing)
        self._room = room()
        self._address = address
        self._port = (open_port or SpiPort)(f"/dev/spidev{found[1]}.{found[2]}", self.timing.speed_hz)

    def send(self, values: Values) -> None:
        """Draw a frame in one go; a pause in the middle would be taken for its end."""
        data = encode(values, self.timing, self._table)
        if len(data) > self._room:
            cure = "use spi:0.0 without bits=8, or " if self.timing.bits == 8 else ""
            raise BadAddress(
                f"{len(values)} LEDs on {self._address} need {len(data)} bytes, the SPI buffer has {self._room}: "
                f"{cure}add spidev.bufsiz={1 << len(data).bit_length()} to the kernel command line and restart"
            )
        self._port.write(data)

    def close(self) -> None:
        """Let go of the port."""
        self._port.close()
