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

from hardware.leds.spi import TIMINGS, buffer_size
from hardware.pi import generation, read_model

OK, ADVICE, FAULT, UNUSED = "ok", "advice", "fault", "unused"
"""All is well; works but better so; does not work; not needed with these devices."""

CONFIG_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""Where the firmware's settings are: the newer place first."""
SPI_SCREENS: Final = ("ads7846", "tft", "piscreen", "waveshare", "mhs35", "fbtft")
ENABLE_SPI: Final = "sudo raspi-config nonint do_spi 0 && sudo reboot"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; `cure` is empty when all is well."""

    name: str
    status: str
    found: str
    cure: str = ""


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
        return Finding("model", OK, "not a Raspberry Pi: webcam, network camera, WLED and the simulator work")
    if machine.pi < 3:
        return Finding("model", ADVICE, machine.model, "it is slow for reading pictures; use a Pi 3, 4, 5 or Zero 2")
    return Finding("model", OK, machine.model)


def check_system(machine: Machine) -> Finding:
    """Operating system and Python."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', machine.text("etc/os-release"), re.M)
    found = f"{name[1] if name else 'unknown system'}, {machine.machine}, Python {'.'.join(map(str, machine.python))}"
    if machine.python < (3, 11):
        return Finding("system", FAULT, found, "install Raspberry Pi OS Bookworm or newer (Python 3.11)")
    if machine.pi and machine.machine != "aarch64":
        return Finding("system", FAULT, found, "install the 64-bit Raspberry Pi OS: OpenCV has no 32-bit package")
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
        return Finding("groups", UNUSED, "no device here needs a group")
    if missing and not machine.is_root:
        cure = f"sudo usermod -aG {','.join(missing)} $USER, then log in again"
        return Finding("groups", FAULT, f"not in {', '.join(missing)}", cure)
    return Finding("groups", OK, "root" if machine.is_root else ", ".join(wanted))


def check_spi(machine: Machine) -> Finding:
    """Is there an SPI port, and is it free?"""
    if not machine.leds.startswith("spi:"):
        return Finding("spi", UNUSED, f"the strip is {machine.leds}")
    wanted = "spidev" + machine.leds.removeprefix("spi:").partition("?")[0]
    ports = sorted(path.name for path in (machine.root / "dev").glob("spidev*"))
    path, lines = machine.config()
    if wanted not in ports:
        found = f"/dev/{wanted} does not exist" + (f", only {', '.join(ports)}" if ports else "")
        written = "dtparam=spi=on" in lines
        return Finding("spi", FAULT, found, "restart: SPI is on since the last start" if written else ENABLE_SPI)
    screens = [line for line in lines if line.startswith("dtoverlay=") and any(s in line for s in SPI_SCREENS)]
    if screens:
        cure = f"take `{screens[0]}` out of {path}, or use wled:// or ws281x:18 for the strip"
        return Finding("spi", FAULT, f"/dev/{wanted} is shared with a screen", cure)
    return Finding("spi", OK, f"/dev/{wanted}")


def check_spi_buffer(machine: Machine) -> Finding:
    """Does a whole frame fit into what the kernel sends in one go?"""
    if not machine.leds.startswith("spi:"):
        return Finding("spi buffer", UNUSED, f"the strip is {machine.leds}")
    timing = TIMINGS[8 if machine.leds.endswith("bits=8") else 3]
    needed = machine.led_count * 3 * timing.bits + 2 * timing.reset_bytes
    room = buffer_size(machine.root / "sys/module/spidev/parameters/bufsiz")
    found = f"{needed} of {room} bytes for {machine.led_count} LEDs"
    if needed > room:
        line = f"add spidev.bufsiz={1 << needed.bit_length()} to the line in /boot/firmware/cmdline.txt and restart"
        return Finding("spi buffer", FAULT, found, line)
    return Finding("spi buffer", OK, found)


def check_core_clock(machine: Machine) -> Finding:
    """Does the clock behind SPI keep still? When it scales, colours go wrong."""
    if not machine.leds.startswith("spi:") or machine.pi not in (1, 2, 3, 4):
        return Finding("core clock", UNUSED, "matters for SPI on a Pi up to 4")
    name, least = ("core_freq_min", 500) if machine.pi == 4 else ("core_freq", 250)
    path, lines = machine.config()
    values = [int(m[1]) for line in lines if (m := re.fullmatch(rf"{name}=(\d+)", line))]
    if values and values[-1] >= least:
        return Finding("core clock", OK, f"{name}={values[-1]}")
    found = f"{name}={values[-1]} in {path}" if values else f"{name} is not set in {path}"
    return Finding("core clock", ADVICE, found, f"add `{name}={least}` to {path} and restart")


def check_audio(machine: Machine) -> Finding:
    """Does the sound of the Pi use the same output as the strip?"""
    found = re.fullmatch(r"ws281x:(\d+)", machine.leds)
    if not found or int(found[1]) not in (12, 13, 18, 19):
        return Finding("audio", UNUSED, "matters for a strip on a PWM pin")
    if re.search(r"^snd_bcm2835 ", machine.text("proc/modules"), re.M):
        path, _ = machine.config()
        cure = f"set `dtparam=audio=off` in {path} and restart, or put the strip on spi:0.0"
        return Finding("audio", FAULT, "the sound driver uses the PWM that the strip needs", cure)
    return Finding("audio", OK, "the sound driver is not loaded")


def check_driver(machine: Machine) -> Finding:
    """Does the way to the strip work on this model?"""
    if machine.leds.startswith("ws281x:") and not 1 <= machine.pi <= 4:
        return Finding("strip driver", FAULT, f"{machine.leds} does not work on this machine", "use spi:0.0 or wled://")
    if machine.leds.startswith("ws281x:") and not machine.has_module("rpi_ws281x"):
        return Finding("strip driver", FAULT, "rpi_ws281x is not installed", "pip install 'icelight[ws281x]'")
    return Finding("strip driver", OK, machine.leds)


def check_camera(machine: Machine) -> Finding:
    """Is what the camera needs installed and plugged in?"""
    scheme = machine.camera.partition(":")[0]
    if scheme == "picamera":
        if not machine.succeeds(["/usr/bin/python3", "-c", "import picamera2"]):
            cure = "sudo apt install python3-picamera2"
            return Finding("camera", FAULT, "picamera2 does not load in the system's Python", cure)
        return Finding("camera", OK, "picamera2")
    if scheme == "usb":
        devices = sorted(f"/dev/{path.name}" for path in (machine.root / "dev").glob("video*"))
        rest = machine.camera.removeprefix("usb:")
        wanted = f"/dev/video{rest}" if rest.isdecimal() else rest
        if not (machine.root / wanted.lstrip("/")).exists():
            cure = "plug the camera in" + (f", or choose one of {', '.join(devices)}" if devices else "")
            return Finding("camera", FAULT, f"{wanted} does not exist", cure)
        return Finding("camera", OK, wanted)
    return Finding("camera", OK, machine.camera)


def check_pins(machine: Machine) -> Finding:
    """Can buttons be read?"""
    if not machine.buttons:
        return Finding("buttons", UNUSED, "no button is set up")
    if not machine.has_module("gpiozero"):
        return Finding("buttons", FAULT, "gpiozero is not installed", "pip install 'icelight[pi]'")
    if machine.pi and not machine.has_module("lgpio"):
        return Finding("buttons", FAULT, "lgpio is not installed", "sudo apt install python3-lgpio")
    return Finding("buttons", OK, "gpiozero")


def check_power(machine: Machine) -> Finding:
    """Has the supply of the Pi been too weak since it started?"""
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled").strip()
    if not re.fullmatch(r"[0-9a-fA-F]+", text):
        return Finding("power", UNUSED, "only a Raspberry Pi tells")
    if int(text, 16) & 0x10001:
        cure = "use the official supply for the Pi and a separate 5 V supply for the strip"
        return Finding("power", ADVICE, "the voltage was too low since the start", cure)
    return Finding("power", OK, "the voltage was always high enough")


def check_space(machine: Machine) -> Finding:
    """Is there room for games and settings?"""
    free_mb = machine.free_bytes(machine.data_folder) >> 20
    found = f"{free_mb} MB free in {machine.data_folder}"
    if free_mb < 100:
        return Finding("space", FAULT, found, "delete old games or use a larger card; 100 MB are needed")
    return Finding("space", ADVICE if free_mb < 500 else OK, found, "delete old games soon" if free_mb < 500 else "")


def check_clock(machine: Machine) -> Finding:
    """Is the time of day right? A Pi without network starts in the past."""
    year = time.gmtime(machine.now()).tm_year
    if year < 2025:
        return Finding(
            "clock", FAULT, f"it says {year}", "connect to the network, or `sudo date -s 'YYYY-MM-DD HH:MM'`"
        )
    told = (machine.root / "run/systemd/timesync/synchronized").exists()
    return Finding("clock", OK, f"{year}, set by the network" if told else f"{year}")


CHECKS: Final[tuple[Callable[[Machine], Finding], ...]] = (
    check_model, check_system, check_groups, check_driver, check_spi, check_spi_buffer, check_core_clock, check_audio,
    check_camera, check_pins, check_power, check_space, check_clock,
)  # fmt: skip


def check_all(machine: Machine) -> list[Finding]:
    """Every check in turn."""
    return [check(machine) for check in CHECKS]
