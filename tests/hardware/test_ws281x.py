"""rpi_ws281x in its own process: the real library as far as it goes here, a recording double for the rest."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.errors import BadAddress, DeviceRefused, LibraryMissing
from hardware.leds import LedFrame, StripOptions, open_leds
from hardware.leds.strip import Strip
from hardware.leds.ws281x import Ws281xWire
from hardware.pi import generation, read_model

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
DOUBLE = Path(__file__).parent / "ws281x_double"


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "calls"
    monkeypatch.setenv("PYTHONPATH", str(DOUBLE))
    monkeypatch.setenv("WS281X_RECORD", str(path))
    return path


def calls(record: Path) -> list[list]:
    return [json.loads(line) for line in record.read_text().splitlines()]


def make(pin: int, options: StripOptions) -> Strip:
    return Strip(lambda: Ws281xWire(f"ws281x:{pin}", options, model=PI_4), options)


def plain(count: int, **more: object) -> StripOptions:
    return StripOptions(count, gamma=1.0, brightness=1.0, budget_ma=1e6, **more)


def test_frames_reach_the_library_in_the_order_of_the_wire(record: Path) -> None:
    with make(18, plain(2)) as strip:
        strip.show(LedFrame(((1, 2, 3), (255, 0, 0))))
    assert calls(record) == [
        ["strip", 2, 18, 10, 0, 0x00100800],
        ["begin"],
        ["show", [0, 0]],
        ["show", [0x020103, 0x00FF00]],
        ["show", [0, 0]],
    ]


def test_white_and_the_second_channel(record: Path) -> None:
    with make(13, plain(1, order="GRBW")) as strip:
        strip.show(LedFrame(((30, 20, 10),)))
    assert calls(record)[0] == ["strip", 1, 13, 10, 1, 0x18100800]
    assert calls(record)[3] == ["show", [0 << 16 | 10 << 24 | 10 << 16 | 20 << 8]]


def test_a_failed_start_names_the_cure(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WS281X_FAIL", "begin")
    with pytest.raises(DeviceRefused, match=r"code -5 .*needs root for /dev/mem; use spi:0\.0"):
        make(18, plain(1))


@pytest.mark.parametrize(("failure", "message"), [("show", "SPI transfer error"), ("die", "does not answer")])
def test_a_crash_of_the_child_is_a_lost_strip(
    failure: str, message: str, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WS281X_FAIL", failure)
    with make(18, plain(1)) as strip:
        assert message in strip.lost


def test_the_real_library_fails_clearly_without_its_hardware() -> None:
    if importlib.util.find_spec("rpi_ws281x") is None:
        pytest.skip("rpi_ws281x is not installed: pip install rpi_ws281x (needs gcc and python3-dev)")
    if read_model():
        pytest.skip("this is a Raspberry Pi: tests/on_pi drives the real strip")
    with pytest.raises(DeviceRefused, match=r"code -3 \(Hardware revision is not supported\).*use spi:0\.0"):
        make(18, plain(8))


def test_without_the_library_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rpi_ws281x.py").write_text("raise ImportError('no module')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(LibraryMissing, match="rpi_ws281x is not installed"):
        make(18, plain(1))


def test_it_is_not_tried_where_it_cannot_work() -> None:
    with pytest.raises(DeviceRefused, match="this machine is none; use wled://HOST or simulator:"):
        Ws281xWire("ws281x:18", plain(1), model="")
    with pytest.raises(DeviceRefused, match=r"does not work on a Raspberry Pi 5 Model B: use spi:0\.0"):
        Ws281xWire("ws281x:18", plain(1), model="Raspberry Pi 5 Model B")


def test_the_library_is_never_imported_in_our_process() -> None:
    code = (
        "import sys\nfrom hardware.errors import HardwareError\nfrom hardware.leds import StripOptions, open_leds\n"
        "try: open_leds('ws281x:18', StripOptions(8))\nexcept HardwareError as e: print(e)\n"
        "assert not any('ws281x' in name and not name.startswith('hardware.') for name in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("address", ["ws281x:", "ws281x:17", "ws281x:18.0"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(BadAddress, match="expected ws281x:PIN with PIN one of"):
        open_leds(address, plain(1))


@pytest.mark.parametrize(
    ("model", "number"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", 5),
        ("Raspberry Pi 4 Model B Rev 1.4", 4),
        ("Raspberry Pi Compute Module 4 Rev 1.0", 4),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", 3),
        ("Raspberry Pi Zero 2 W Rev 1.0", 3),
        ("Raspberry Pi Zero W Rev 1.1", 1),
        ("Raspberry Pi Model B Rev 2", 1),
        ("Raspberry Pi 500 Rev 1.0", 5),
        ("", 0),
    ],
)
def test_generations(model: str, number: int, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(model.encode() + b"\0")
    assert generation(read_model(tmp_path / "model")) == number


def test_another_machine_is_no_pi(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Radxa ROCK 5B\0")
    assert read_model(tmp_path / "model") == ""
    assert read_model(tmp_path / "absent") == ""
