"""The checks of a machine, on pretend machines: every fault is found and its cure named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.sayings import english
from hardware import checkup
from hardware.cameras import CAMERAS
from hardware.checkup import check_all
from hardware.leds import LEDS
from hardware.machine import ADVICE, FAULT, OK, UNUSED, Finding, Machine

GROUPS = "root:x:0:\nspi:x:1:\ngpio:x:2:\nvideo:x:3:\nrender:x:4:\n"
PI_4 = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/modules": "spidev 1 0\n",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "etc/group": GROUPS,
    "boot/firmware/config.txt": "# comment core_freq_min=1\ndtparam=spi=on\ncore_freq_min=500\n",
    "dev/spidev0.0": "",
    "dev/video0": "",
    "sys/module/spidev/parameters/bufsiz": "4096\n",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    "run/systemd/timesync/synchronized": "",
}
DEFAULTS = {
    "camera": "picamera:0",
    "leds": "spi:0.0",
    "buttons": True,
    "is_root": False,
    "groups": frozenset({"spi", "gpio", "video", "render"}),
    "machine": "aarch64",
    "python": (3, 11),
    "now": lambda: 1_800_000_000.0,
    "succeeds": lambda command: True,
    "has_module": lambda name: True,
    "free_bytes": lambda folder: 9 << 30,
}


def findings(folder: Path, files: dict[str, str | None] | None = None, **changes: object) -> dict[str, Finding]:
    """What the checks say of a Pi 4 with other files (None: the file is missing) and other facts."""
    for path, text in (PI_4 | (files or {})).items():
        if text is not None:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
    machine = Machine(root=folder, data_folder=folder, **(DEFAULTS | changes))
    return {finding.name: finding for finding in check_all(machine)}


def test_a_good_pi_has_no_faults(tmp_path: Path) -> None:
    found = findings(tmp_path)
    assert {finding.name for finding in check_all(Machine())} == set(found)
    unused = {"audio": UNUSED, "strip driver": UNUSED}
    assert {name: finding.status for name, finding in found.items() if finding.status != OK} == unused
    assert not any(finding.cure for finding in found.values())


FAULTS = [
    ("model", {"proc/device-tree/model": "Raspberry Pi Zero W Rev 1.1\0"}, {}, ADVICE, "use a Pi 3, 4, 5 or Zero 2"),
    ("system", {}, {"machine": "armv7l"}, FAULT, "64-bit Raspberry Pi OS"),
    ("system", {}, {"python": (3, 9)}, FAULT, "Bookworm or newer"),
    ("groups", {}, {"groups": frozenset({"video"})}, FAULT, "usermod -aG spi,gpio,render $USER"),
    ("spi", {"dev/spidev0.0": None, "boot/firmware/config.txt": "#dtparam=spi=on"}, {}, FAULT, "do_spi 0"),
    ("spi", {"dev/spidev0.0": None}, {}, FAULT, "restart: SPI is on since"),
    ("spi", {"dev/spidev0.0": None, "proc/device-tree/model": None}, {}, FAULT, "use wled://HOST"),
    ("spi", {"boot/firmware/config.txt": "dtoverlay=tft35a"}, {}, FAULT, "take `dtoverlay=tft35a` out of"),
    ("spi buffer", {}, {"led_count": 600}, FAULT, "spidev.bufsiz=8192"),
    ("spi buffer", {}, {"leds": "spi:0.0?bits=8"}, FAULT, "spidev.bufsiz=8192"),
    ("core clock", {"boot/firmware/config.txt": "dtparam=spi=on"}, {}, ADVICE, "add `core_freq_min=500`"),
    ("core clock", {"proc/device-tree/model": "Raspberry Pi 3 Model B\0"}, {}, ADVICE, "add `core_freq=250`"),
    ("audio", {"proc/modules": "snd_bcm2835 9 1\n"}, {"leds": "ws281x:18"}, FAULT, "dtparam=audio=off"),
    ("strip driver", {"proc/device-tree/model": "Raspberry Pi 5\0"}, {"leds": "ws281x:18"}, FAULT, "use spi:0.0"),
    ("strip driver", {}, {"leds": "ws281x:18", "has_module": lambda name: False}, FAULT, "icelight[ws281x]"),
    ("camera", {}, {"succeeds": lambda command: False}, FAULT, "apt install python3-picamera2"),
    ("camera", {}, {"camera": "usb:1"}, FAULT, "choose one of /dev/video0"),
    ("buttons", {}, {"has_module": lambda name: name != "lgpio"}, FAULT, "python3-lgpio"),
    ("buttons", {}, {"has_module": lambda name: name != "gpiozero"}, FAULT, "icelight[pi]"),
    ("power", {"sys/devices/platform/soc/soc:firmware/get_throttled": "50000\n"}, {}, ADVICE, "separate 5 V supply"),
    ("space", {}, {"free_bytes": lambda folder: 50 << 20}, FAULT, "100 MB are needed"),
    ("space", {}, {"free_bytes": lambda folder: 300 << 20}, ADVICE, "delete old games soon"),
    ("clock", {}, {"now": lambda: 0.0}, FAULT, "connect to the network"),
]


@pytest.mark.parametrize(("name", "files", "changes", "status", "cure"), FAULTS, ids=[f"{f[0]}-{f[4]}" for f in FAULTS])
def test_every_fault_has_its_cure(
    name: str, files: dict, changes: dict, status: str, cure: str, tmp_path: Path
) -> None:
    found = findings(tmp_path, files, **changes)[name]
    assert found.cure is not None
    assert (found.status, cure in english(found.cure)) == (status, True), found


@pytest.mark.parametrize(
    ("name", "files", "changes", "found", "cure"),
    [
        ("groups", {}, {"groups": frozenset({"video"})}, "not in spi, gpio, render",
         "sudo usermod -aG spi,gpio,render $USER, then log in again"),
        ("spi", {"dev/spidev0.0": None, "dev/spidev10.0": ""}, {}, "/dev/spidev0.0 does not exist, only spidev10.0",
         "use spi:10.0"),
        ("spi buffer", {}, {"leds": "spi:0.0?bits=8"}, "7680 of 4096 bytes for 300 LEDs",
         "use spi:0.0, or add spidev.bufsiz=8192 to the line in /boot/firmware/cmdline.txt and restart"),
        ("clock", {}, {"now": lambda: 0.0}, "it says 1970",
         "connect to the network, or `sudo date -s 'YYYY-MM-DD HH:MM'`"),
    ],
)  # fmt: skip
def test_facts_and_commands_are_in_the_sentence(
    name: str, files: dict, changes: dict, found: str, cure: str, tmp_path: Path
) -> None:
    finding = findings(tmp_path, files, **changes)[name]
    assert finding.cure is not None
    assert (english(finding.found), english(finding.cure)) == (found, cure)


def test_every_check_can_fail() -> None:
    names = {finding.name for finding in check_all(Machine())}
    assert names == {fault[0] for fault in FAULTS}


@pytest.mark.parametrize(
    ("name", "files", "changes", "fix"),
    [
        ("spi", {"dev/spidev0.0": None, "dev/spidev10.0": ""}, {}, ("leds", "spi:10.0")),
        ("spi buffer", {}, {"leds": "spi:0.0?bits=8"}, ("leds", "spi:0.0")),
        ("spi buffer", {}, {"leds": "spi:0.0?bits=8", "led_count": 900}, None),
        ("camera", {}, {"camera": "usb:1"}, ("camera", "usb:/dev/video0")),
        ("camera", {"dev/video0": None}, {"camera": "usb:1"}, None),
        ("strip driver", {"proc/device-tree/model": "Raspberry Pi 5\0"}, {"leds": "ws281x:18"}, None),
    ],
)
def test_what_a_setting_cures_can_be_fixed(
    name: str, files: dict, changes: dict, fix: tuple[str, str] | None, tmp_path: Path
) -> None:
    found = findings(tmp_path, files, **changes)[name]
    assert (found.status, found.fix) == (FAULT, fix)
    if fix is not None:
        assert findings(tmp_path, files, **(changes | {fix[0]: fix[1]}))[name].status == OK, "the fix cures it"


def test_the_older_place_of_the_settings_is_read_too(tmp_path: Path) -> None:
    files = {"boot/firmware/config.txt": None, "boot/config.txt": "core_freq_min=500"}
    assert findings(tmp_path, files)["core clock"].status == OK


def test_a_pi_5_needs_no_fixed_clock(tmp_path: Path) -> None:
    files = {"proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0", "boot/firmware/config.txt": "dtparam=spi=on"}
    assert findings(tmp_path, files)["core clock"].status == UNUSED


def test_a_laptop_with_the_simulator_has_no_faults(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        dict.fromkeys(PI_4),
        camera="synthetic:",
        leds="simulator:",
        buttons=False,
        machine="x86_64",
        groups=frozenset(),
    )
    assert {finding.status for finding in found.values()} <= {OK, UNUSED}


@pytest.mark.parametrize("camera", [f"{scheme}:" for scheme in CAMERAS])
@pytest.mark.parametrize("leds", [f"{scheme}:" for scheme in LEDS])
def test_the_list_is_the_same_for_all_devices(camera: str, leds: str, tmp_path: Path) -> None:
    assert list(findings(tmp_path, camera=camera, leds=leds)) == list(findings(tmp_path))


def test_the_checks_for_all_ask_for_the_name_of_no_device() -> None:
    text = Path(checkup.__file__).read_text()
    assert not re.search("|".join(rf"\b{scheme}:" for scheme in [*CAMERAS, *LEDS]), text)
