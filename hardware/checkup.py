"""Is this machine ready? Every need is looked at by itself, and what is amiss comes with its cure.

What a device needs is said by its own class: `groups` that may use it, and `checks` by their names.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from engine.sayings import Saying
from hardware.addresses import class_of
from hardware.cameras import CAMERAS
from hardware.leds import LEDS
from hardware.machine import ADVICE, FAULT, OK, UNUSED, Check, Finding, Machine, not_installed, verbatim


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
    wanted = [*_groups(machine.leds, LEDS), *(["gpio"] if machine.buttons else []), *_groups(machine.camera, CAMERAS)]
    known = {line.split(":")[0] for line in machine.text("etc/group").splitlines()}
    missing = [name for name in wanted if name in known and name not in machine.groups]
    if not wanted:
        return Finding("groups", UNUSED, Saying("no device here needs a group"))
    if missing and not machine.is_root:
        command = f"sudo usermod -aG {','.join(missing)} $USER"
        cure = Saying("{command}, then log in again", {"command": command})
        return Finding("groups", FAULT, Saying("not in {groups}", {"groups": missing}), cure)
    return Finding("groups", OK, verbatim("root" if machine.is_root else ", ".join(wanted)))


def _groups(address: str, schemes: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(getattr(class_of(address, schemes), "groups", ()))


def check_pins(machine: Machine) -> Finding:
    """Can buttons be read?"""
    if not machine.buttons:
        return Finding("buttons", UNUSED, Saying("no button is set up"))
    if not machine.has_module("gpiozero"):
        return Finding("buttons", FAULT, not_installed("gpiozero"), verbatim("pip install 'icelight[pi]'"))
    if machine.pi and not machine.has_module("lgpio"):
        return Finding("buttons", FAULT, not_installed("lgpio"), verbatim("sudo apt install python3-lgpio"))
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


BEFORE: Final[tuple[Check, ...]] = (check_model, check_system, check_groups)
AFTER: Final[tuple[Check, ...]] = (check_pins, check_power, check_space, check_clock)


def check_all(machine: Machine) -> list[Finding]:
    """Every check in turn; those of devices that are not used say so."""
    strip = _check_devices(machine, machine.leds, LEDS, Saying("the strip is {address}", {"address": machine.leds}))
    said = Saying("the camera is {address}", {"address": machine.camera})
    camera = _check_devices(machine, machine.camera, CAMERAS, said)
    general = [[check(machine) for check in checks] for checks in (BEFORE, AFTER)]
    return [*general[0], *strip, *camera, *general[1]]


def _check_devices(machine: Machine, address: str, schemes: Mapping[str, str], other: Saying) -> Iterator[Finding]:
    """The checks of the device that is used, and for those of all others that they are not needed."""
    own = _checks(class_of(address, schemes))
    names = chain.from_iterable(_checks(class_of(f"{scheme}:", schemes)) for scheme in schemes)
    for name in dict.fromkeys(names):
        yield own[name](machine) if name in own else Finding(name, UNUSED, other)


def _checks(device: Any) -> Mapping[str, Check]:
    found: Mapping[str, Check] = getattr(device, "checks", {})
    return found
