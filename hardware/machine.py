"""What the checks of a machine look at, and how they say what they found."""

from __future__ import annotations

import grp
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.sayings import Saying
from hardware.pi import generation, read_model

OK, ADVICE, FAULT, UNUSED = "ok", "advice", "fault", "unused"
"""All is well; works but better so; does not work; not needed with these devices."""

CONFIG_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""Where the firmware's settings are: the newer place first."""


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


Check = Callable[[Machine], Finding]


def not_installed(module: str) -> Saying:
    """A library is missing."""
    return Saying("{module} is not installed", {"module": module})
