"""Is this machine ready? Every need is looked at by itself, and what is amiss comes with its cure."""

from __future__ import annotations

import grp
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.sayings import Saying
from hardware.leds.spi import TIMINGS, Timing, buffer_size
from hardware.pi import generation, read_model

OK, ADVICE, FAULT, UNUSED = "ok", "advice", "fault", "unused"
"""All is well; works but better so; does not work; not needed with these devices."""

CONFIG_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""Where the firmware's settings are: the newer place first."""
COMMAND_LINE: Final = "/boot/firmware/cmdline.txt"
SPI_SCREENS: Final = ("ads7846", "tft", "piscreen", "waveshare", "mhs35", "fbtft")
ENABLE_SPI: Final = "sudo raspi-config nonint do_spi 0 && sudo reboot"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found, and its cure unless all is well."""

    name: str
    status: str
    found: Saying
    cure: Saying | None = None
    fix: tuple[str, str] | None = None
    """A setting (`camera` or `leds`) and the value that cures it: nothing else changes, no wire has to be moved."""


def verbatim(text: str) -> Saying:
    """A name, a command to type or a device's own words: the same in every language."""
    return Saying("{text}", {"text": text})


def run_quietly(command: Sequence[str]) -> bool:
    """Whether a command succeeds within a few seconds."""
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def own_groups() -> set[str]:
    """Names of the groups this process is in."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return names


@dataclass(frozen=True)
class Machine:
    """What the checks look at; tests give another one."""

    camera: str = "synthetic:"
    leds: str = "simulator:"
    led_count: int = 300
    buttons: bool = False
    data_folder: Path = field(default_factory=Path.home)
    root: Path = Path("/")
    is_root: bool = field(default_factory=lambda: os.geteuid() == 0)
    groups: frozenset[str] = field(default_factory=lambda: frozenset(own_groups()))
    machine: str = field(default_factory=platform.machine)
    python: tuple[int, int] = (sys.version_info[0], sys.version_info[1])
    now: Callable[[], float] = time.time
    succeeds: Callable[[Sequence[str]], bool] = run_quietly
    has_module: Callable[[str], bool] = lambda name: importlib.util.find_spec(name) is not None
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free

    @property
    def model(self) -> str:
        """Such as `Raspberry Pi 4 Model B Rev 1.4`; empty elsewhere."""
        return read_model(self.root / "proc/device-tree/model")

    @property
    def pi(self) -> int:
        """Generation of the Pi, 0 elsewhere."""
        return generation(self.model)

    def text(self, path: str) -> str:
        """A file's text, empty when it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace")
        except OSError:
            return ""

    def config(self) -> tuple[str, list[str]]:
        """The firmware's settings file and its effective lines."""
        for path in CONFIG_FILES:
            lines = [line.split("#")[0].strip() for line in self.text(path).splitlines()]
            if any(lines):
                return "/" + path, [line for line in lines if line]
        return "/" + CONFIG_FILES[0], []


def check_model(machine: Machine) -> Finding:
    """Which computer this is."""
    if not machine.model:
        found = Saying("not a Raspberry Pi: webcam, network camera, WLED and the simulator work")
        return Finding("model", OK, found)
    found = verbatim(machine.model)
    if machine.pi < 3:
        cure = Saying("it is slow for reading pictures; use a Pi 3, 4, 5 or Zero 2")
        return Finding("model", ADVICE, found, cure)
    return Finding("model", OK, found)


def check_system(machine: Machine) -> Finding:
    """Operating system and Python."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', machine.text("etc/os-release"), re.M)
    system = verbatim(name[1]) if name else Saying("unknown system")
    python = f"Python {'.'.join(map(str, machine.python))}"
    found = Saying("{system}, {machine}, {python}", {"system": system, "machine": machine.machine, "python": python})
    if machine.python < (3, 11):
        return Finding("system", FAULT, found, Saying("install Raspberry Pi OS Bookworm or newer (Python 3.11)"))
    if machine.pi and machine.machine != "aarch64":
        cure = Saying("install the 64-bit Raspberry Pi OS: OpenCV has no 32-bit package")
        return Finding("system", FAULT, found, cure)
    return Finding("system", OK, found)


def check_groups(machine: Machine) -> Finding:
    """May this user reach the devices without being root?"""
    needs = {"spi": machine.leds.startswith("spi:"), "gpio": machine.buttons}
    needs["video"] = machine.camera.startswith(("usb:", "picamera:"))
    needs["render"] = machine.camera.startswith("picamera:")
    wanted = [name for name, needed in needs.items() if needed]
    known = {line.split(":")[0] for line in machine.text("etc/group").splitlines()}
    missing = [name for name in wanted if name in known and name not in machine.groups]
    if not wanted:
        return Finding("groups", UNUSED, Saying("no device here needs a group"))
    if missing and not machine.is_root:
        command = f"sudo usermod -aG {','.join(missing)} $USER"
        cure = Saying("{command}, then log in again", {"command": command})
        return Finding("groups", FAULT, Saying("not in {groups}", {"groups": missing}), cure)
    return Finding("groups", OK, verbatim("root" if machine.is_root else ", ".join(wanted)))


def check_spi(machine: Machine) -> Finding:
    """Is there an SPI port, and is it free?"""
    if not machine.leds.startswith("spi:"):
        return Finding("spi", UNUSED, Saying("the strip is {address}", {"address": machine.leds}))
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
    if not machine.leds.startswith("spi:"):
        return Finding("spi buffer", UNUSED, Saying("the strip is {address}", {"address": machine.leds}))
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
    if not machine.leds.startswith("spi:") or machine.pi not in (1, 2, 3, 4):
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


def check_audio(machine: Machine) -> Finding:
    """Does the sound of the Pi use the same output as the strip?"""
    pin = re.fullmatch(r"ws281x:(\d+)", machine.leds)
    if not pin or int(pin[1]) not in (12, 13, 18, 19):
        return Finding("audio", UNUSED, Saying("matters for a strip on a PWM pin"))
    if re.search(r"^snd_bcm2835 ", machine.text("proc/modules"), re.M):
        facts = {"setting": "dtparam=audio=off", "file": machine.config()[0]}
        cure = Saying("set `{setting}` in {file} and restart, or put the strip on spi:0.0", facts)
        return Finding("audio", FAULT, Saying("the sound driver uses the PWM that the strip needs"), cure)
    return Finding("audio", OK, Saying("the sound driver is not loaded"))


def check_driver(machine: Machine) -> Finding:
    """Does the way to the strip work on this model?"""
    if machine.leds.startswith("ws281x:") and not 1 <= machine.pi <= 4:
        found = Saying("{address} does not work on this machine", {"address": machine.leds})
        return Finding("strip driver", FAULT, found, Saying("use spi:0.0 or wled://"))
    if machine.leds.startswith("ws281x:") and not machine.has_module("rpi_ws281x"):
        return Finding("strip driver", FAULT, _not_installed("rpi_ws281x"), verbatim("pip install 'icelight[ws281x]'"))
    return Finding("strip driver", OK, verbatim(machine.leds))


def _not_installed(module: str) -> Saying:
    return Saying("{module} is not installed", {"module": module})


def check_camera(machine: Machine) -> Finding:
    """Is what the camera needs installed and plugged in?"""
    scheme = machine.camera.partition(":")[0]
    if scheme == "picamera":
        if not machine.succeeds(["/usr/bin/python3", "-c", "import picamera2"]):
            found = Saying("{module} does not load in the system's Python", {"module": "picamera2"})
            return Finding("camera", FAULT, found, verbatim("sudo apt install python3-picamera2"))
        return Finding("camera", OK, verbatim("picamera2"))
    if scheme == "usb":
        return _check_webcam(machine)
    return Finding("camera", OK, verbatim(machine.camera))


def _check_webcam(machine: Machine) -> Finding:
    rest = machine.camera.removeprefix("usb:")
    wanted = f"/dev/video{rest}" if rest.isdecimal() else rest
    if (machine.root / wanted.lstrip("/")).exists():
        return Finding("camera", OK, verbatim(wanted))
    found = Saying("{device} does not exist", {"device": wanted})
    devices = sorted(f"/dev/{path.name}" for path in (machine.root / "dev").glob("video*"))
    if not devices:
        return Finding("camera", FAULT, found, Saying("plug the camera in"))
    cure = Saying("plug the camera in, or choose one of {devices}", {"devices": devices})
    return Finding("camera", FAULT, found, cure, ("camera", f"usb:{devices[0]}"))


def check_pins(machine: Machine) -> Finding:
    """Can buttons be read?"""
    if not machine.buttons:
        return Finding("buttons", UNUSED, Saying("no button is set up"))
    if not machine.has_module("gpiozero"):
        return Finding("buttons", FAULT, _not_installed("gpiozero"), verbatim("pip install 'icelight[pi]'"))
    if machine.pi and not machine.has_module("lgpio"):
        return Finding("buttons", FAULT, _not_installed("lgpio"), verbatim("sudo apt install python3-lgpio"))
    return Finding("buttons", OK, verbatim("gpiozero"))


def check_power(machine: Machine) -> Finding:
    """Has the supply of the Pi been too weak since it started?"""
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled").strip()
    if not re.fullmatch(r"[0-9a-fA-F]+", text):
        return Finding("power", UNUSED, Saying("only a Raspberry Pi tells"))
    if int(text, 16) & 0x10001:
        cure = Saying("use the official supply for the Pi and a separate 5 V supply for the strip")
        return Finding("power", ADVICE, Saying("the voltage was too low since the start"), cure)
    return Finding("power", OK, Saying("the voltage was always high enough"))


def check_space(machine: Machine) -> Finding:
    """Is there room for games and settings?"""
    free_mb = machine.free_bytes(machine.data_folder) >> 20
    found = Saying("{free} MB free in {folder}", {"free": free_mb, "folder": machine.data_folder})
    if free_mb < 100:
        cure = Saying("delete old games or use a larger card; 100 MB are needed")
        return Finding("space", FAULT, found, cure)
    if free_mb < 500:
        return Finding("space", ADVICE, found, Saying("delete old games soon"))
    return Finding("space", OK, found)


def check_clock(machine: Machine) -> Finding:
    """Is the time of day right? A Pi without network starts in the past."""
    year = time.gmtime(machine.now()).tm_year
    if year < 2025:
        cure = Saying("connect to the network, or `{command}`", {"command": "sudo date -s 'YYYY-MM-DD HH:MM'"})
        return Finding("clock", FAULT, Saying("it says {year}", {"year": year}), cure)
    if (machine.root / "run/systemd/timesync/synchronized").exists():
        return Finding("clock", OK, Saying("{year}, set by the network", {"year": year}))
    return Finding("clock", OK, verbatim(str(year)))


CHECKS: Final[tuple[Callable[[Machine], Finding], ...]] = (
    check_model, check_system, check_groups, check_driver, check_spi, check_spi_buffer, check_core_clock, check_audio,
    check_camera, check_pins, check_power, check_space, check_clock,
)  # fmt: skip


def check_all(machine: Machine) -> list[Finding]:
    """Every check in turn."""
    return [check(machine) for check in CHECKS]
