"""The SPI bit stream: decoded back by sigrok, measured against the data sheet, refused where it cannot work."""

from __future__ import annotations

import re
import subprocess
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from hardware.errors import BadAddress, DeviceRefused
from hardware.leds import LedFrame, StripOptions
from hardware.leds import spi as spi_module
from hardware.leds.spi import TIMINGS, SpiPort, SpiWire, buffer_size
from hardware.leds.strip import Strip
from tests.hardware.spi_port import RecordingPort
from tests.programs import need

SAMPLE_HZ = 96_000_000
"""A logic analyser sees the line as it is; 96 MHz is a whole multiple of every clock tried here."""


def colourful(count: int) -> LedFrame:
    return LedFrame(tuple(((37 * i + 1) % 256, (91 * i + 128) % 256, (13 * i + 2) % 256) for i in range(count)))


def stream(count: int, bits: int, order: str | None = None, frames: int = 1) -> bytes:
    ports: list[RecordingPort] = []

    def open_port(device: str, speed_hz: int) -> RecordingPort:
        ports.append(RecordingPort(device, speed_hz))
        return ports[-1]

    options = StripOptions(count, order=order, gamma=1.0, brightness=1.0, budget_ma=1e6)
    strip = Strip(lambda: SpiWire(f"spi:0.0?bits={bits}", options, open_port, room=lambda: 1 << 20), options)
    for _ in range(frames):
        strip.show(colourful(count))
    assert ports[0].speed_hz == TIMINGS[bits].speed_hz
    return b"".join(ports[0].written[1:])  # the first write darkens the strip


def levels(data: bytes) -> np.ndarray:
    return np.unpackbits(np.frombuffer(data, dtype=np.uint8))


def sigrok_colours(data: bytes, clock_hz: int, folder: Path) -> list[str]:
    """What sigrok's WS281x decoder reads from the line when the port runs at the given clock."""
    program = need("sigrok-cli", "sigrok-cli")
    assert SAMPLE_HZ % clock_hz == 0
    samples = folder / "line.bin"
    samples.write_bytes(np.repeat(levels(data), SAMPLE_HZ // clock_hz).tobytes())
    command = [program, "-i", str(samples), "-I", f"binary:numchannels=1:samplerate={SAMPLE_HZ}"]
    command += ["-P", "rgb_led_ws281x:din=0", "-A", "rgb_led_ws281x=rgb:reset"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return re.findall(r"#[0-9a-f]{6}|RESET", done.stdout)


def expected_colours(count: int, order: str = "GRB") -> list[str]:
    """Sigrok takes the first byte of an LED for green, the second for red, the third for blue."""
    found = []
    for colour in colourful(count).colours:
        first, second, third = (colour["RGB".index(letter)] for letter in order)
        found.append(f"#{second:02x}{first:02x}{third:02x}")
    return found


@pytest.mark.parametrize("bits", [3, 8])
@pytest.mark.parametrize("count", [1, 2, 112, 300])
def test_sigrok_reads_back_the_colours(bits: int, count: int, tmp_path: Path) -> None:
    read = sigrok_colours(stream(count, bits), TIMINGS[bits].speed_hz, tmp_path)
    assert read == [*expected_colours(count), "RESET"]


@pytest.mark.parametrize("order", ["RGB", "GRB", "BRG", "BGR"])
def test_sigrok_reads_back_the_colour_order(order: str, tmp_path: Path) -> None:
    read = sigrok_colours(stream(5, 3, order), TIMINGS[3].speed_hz, tmp_path)
    assert read == [*expected_colours(5, order), "RESET"]


def test_sigrok_sees_the_gap_between_frames(tmp_path: Path) -> None:
    read = sigrok_colours(stream(4, 3, frames=3), TIMINGS[3].speed_hz, tmp_path)
    assert read == [*expected_colours(4), "RESET"] * 3


@pytest.mark.parametrize(
    ("bits", "clock_hz"), [(3, 1_200_000), (3, 4_800_000), (8, 3_200_000), (8, 12_000_000)], ids=str
)
def test_sigrok_misreads_a_wrong_clock(bits: int, clock_hz: int, tmp_path: Path) -> None:
    """The decoder times the last pulse of a frame: a slow clock makes a 1 of a last 0, a fast one a 0 of a last 1."""
    last_bit = 0 if clock_hz < TIMINGS[bits].speed_hz else 1
    count = next(n for n in range(1, 20) if colourful(n).colours[-1][2] % 2 == last_bit)
    assert sigrok_colours(stream(count, bits), clock_hz, tmp_path) != [*expected_colours(count), "RESET"]


@pytest.mark.parametrize("bits", [3, 8])
def test_pulses_keep_the_data_sheet(bits: int) -> None:
    """WS2812B: high 0.22 to 0.48 us for 0, 0.58 to 1.0 us for 1, a bit 1.25 us +- 0.3, at least 280 us of rest."""
    timing = TIMINGS[bits]
    line = levels(stream(20, bits))
    tick_us = 1e6 / timing.speed_hz
    runs = [(int(level), sum(1 for _ in run) * tick_us) for level, run in groupby(line)]
    assert runs[0][0] == 0
    assert runs[-1][0] == 0
    assert min(runs[0][1], runs[-1][1]) >= 280.0
    pulses = list(zip(runs[1::2], runs[2::2], strict=True))
    assert len(pulses) == 20 * 24
    read = []
    for (_, high_us), (_, low_us) in pulses[:-1]:
        assert 0.22 <= high_us <= 0.48 or 0.58 <= high_us <= 1.0, f"{high_us:.3f} us is neither 0 nor 1"
        assert 0.95 <= high_us + low_us <= 1.55
        read.append(int(high_us > 0.5))
    colours = [value for r, g, b in colourful(20).colours for value in (g, r, b)]
    assert read == [int(bit) for value in colours for bit in f"{value:08b}"][:-1]


def test_a_strip_too_long_for_the_buffer_is_refused_with_the_cure() -> None:
    options = StripOptions(300)
    for bits, room, message in [
        (8, 4096, r"300 LEDs on spi:0.0\?bits=8 need 7680 bytes, the SPI buffer has 4096: use spi:0.0 without"),
        (3, 2000, "need 2880 bytes, the SPI buffer has 2000: add spidev.bufsiz=4096"),
    ]:
        with pytest.raises(BadAddress, match=message):
            Strip(lambda: SpiWire(f"spi:0.0?bits={bits}", options, RecordingPort, room=lambda: room), options)  # noqa: B023
    Strip(lambda: SpiWire("spi:0.0", options, RecordingPort, room=lambda: 4096), options).close()


def test_the_buffer_size_is_read_from_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "bufsiz").write_text("65536\n")
    assert buffer_size(tmp_path / "bufsiz") == 65536
    assert buffer_size(tmp_path / "absent") == 4096


def test_a_missing_or_wrong_port_names_the_cure(tmp_path: Path) -> None:
    with pytest.raises(DeviceRefused, match="does not exist: switch SPI on"):
        SpiPort(str(tmp_path / "spidev0.0"), 2_400_000)
    (tmp_path / "file").touch()
    with pytest.raises(DeviceRefused, match="does not answer as an SPI port"):
        SpiPort(str(tmp_path / "file"), 2_400_000)


@pytest.mark.parametrize("address", ["spi:", "spi:0", "spi:0.0?bits=5", "spi:/dev/spidev0.0"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match=r"expected spi:BUS\.DEVICE"):
        SpiWire(address, StripOptions(1), RecordingPort)


def test_the_calls_have_the_numbers_of_the_kernel(tmp_path: Path) -> None:
    compiler = need("gcc", "gcc")
    if not Path("/usr/include/linux/spi/spidev.h").exists():
        pytest.skip("the kernel's headers are not installed: sudo apt install linux-libc-dev")
    source = tmp_path / "numbers.c"
    names = {"SET_MODE": "SPI_IOC_WR_MODE", "SET_BITS_PER_WORD": "SPI_IOC_WR_BITS_PER_WORD"}
    names["SET_SPEED_HZ"] = "SPI_IOC_WR_MAX_SPEED_HZ"
    values = ", ".join(f"(unsigned long){name}" for name in names.values())
    source.write_text(
        "#include <linux/types.h>\n#include <linux/spi/spidev.h>\n#include <sys/ioctl.h>\n#include <stdio.h>\n"
        f'int main(void) {{ printf("%lu %lu %lu", {values}); return 0; }}\n'
    )
    subprocess.run([compiler, "-o", str(tmp_path / "numbers"), str(source)], check=True)
    printed = subprocess.run([tmp_path / "numbers"], capture_output=True, check=True).stdout.split()
    assert [int(number) for number in printed] == [getattr(spi_module, name) for name in names]
