"""`ws281x:18`, the PWM, PCM or SPI output of a Raspberry Pi up to 4 through rpi_ws281x, in a process of its own.

The library keeps C structures that bring the interpreter down when its start failed; in a child that costs nothing.
"""

from __future__ import annotations

import re
import select
import subprocess
import sys
from typing import IO, ClassVar, Final

from engine.sayings import Saying
from hardware.errors import BadAddress, DeviceRefused, LedsLost, LibraryMissing
from hardware.leds import StripOptions
from hardware.leds.power import Values
from hardware.machine import FAULT, OK, UNUSED, Finding, Machine, not_installed, verbatim
from hardware.pi import generation, read_model

CHANNEL: Final = {10: 0, 12: 0, 18: 0, 21: 0, 13: 1, 19: 1}
"""Pins the library can drive and the channel that does it: PWM 12, 13, 18, 19; PCM 21; SPI 10."""

ANSWER_S: Final = 5.0
"""A child that says nothing for so long is taken for dead."""

CURES: Final = {
    -3: "this model is not known to rpi_ws281x; use spi:0.0, it works on every Pi",
    -4: "use spi:0.0, it needs no special rights",
    -5: "the library needs root for /dev/mem; use spi:0.0, it does not",
    -6: "the library needs root for /dev/mem; use spi:0.0, it does not",
    -9: "the library needs root for the mailbox; use spi:0.0, it does not",
    -11: "this pin cannot drive a strip; use 18, 12, 13, 19, 21 or 10",
    -13: "switch SPI on (`sudo raspi-config nonint do_spi 0`) and restart",
}
"""What to do about the library's codes."""


def explain(message: str) -> str:
    """The library's message with its cure."""
    code = re.search(r"code (-\d+)", message)
    cure = CURES.get(int(code[1]), "") if code else ""
    return f"rpi_ws281x: {message}: {cure}" if cure else f"rpi_ws281x: {message}"


def require_model(address: str, model: str) -> None:
    """Refuse machines where the library is known to fail, before it is touched."""
    if not model:
        raise DeviceRefused(
            f"'{address}' is an output of a Raspberry Pi and this machine is none; use wled://HOST or simulator:"
        )
    if generation(model) >= 5:
        raise DeviceRefused(f"'{address}' does not work on a {model}: use spi:0.0, it does")


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
    if not 1 <= machine.pi <= 4:
        found = Saying("{address} does not work on this machine", {"address": machine.leds})
        return Finding("strip driver", FAULT, found, Saying("use spi:0.0 or wled://"))
    if not machine.has_module("rpi_ws281x"):
        return Finding("strip driver", FAULT, not_installed("rpi_ws281x"), verbatim("pip install 'icelight[ws281x]'"))
    return Finding("strip driver", OK, verbatim(machine.leds))


class Ws281xWire:
    """Hands frames to a child process that drives the pin."""

    checks: ClassVar = {"strip driver": check_driver, "audio": check_audio}
    order = "GRB"
    sorts = False

    def __init__(self, address: str, options: StripOptions, model: str | None = None) -> None:
        found = re.fullmatch(r"ws281x:(\d+)", address)
        if not found or int(found[1]) not in CHANNEL:
            raise BadAddress(f"expected ws281x:PIN with PIN one of {sorted(CHANNEL)}, got '{address}'")
        require_model(address, read_model() if model is None else model)
        self._pin = int(found[1])
        self._child: subprocess.Popen[bytes] | None = None

    def send(self, values: Values) -> None:
        """Give a frame to the child and wait until it has taken it."""
        if self._child is None:
            self._start(*values.shape)
        child = self._child
        assert child is not None
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(values.tobytes())
            child.stdin.flush()
        except BrokenPipeError as error:
            raise LedsLost("the process that drives the strip has died") from error
        self._expect(child.stdout, LedsLost)

    def _start(self, leds: int, colours: int) -> None:
        command = [sys.executable, "-m", "hardware.leds.ws281x_child"]
        arguments = [str(number) for number in (self._pin, CHANNEL[self._pin], leds, colours)]
        self._child = subprocess.Popen([*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._child.stdout is not None
        try:
            self._expect(self._child.stdout, DeviceRefused)
        except BaseException:
            self.close()
            raise

    def _expect(self, answers: IO[bytes], failure: type[LedsLost] | type[DeviceRefused]) -> None:
        """Read one line from the child: `ok`, `missing` or what went wrong."""
        ready, _, _ = select.select([answers], [], [], ANSWER_S)
        answer = answers.readline().decode().strip() if ready else ""
        if answer == "ok":
            return
        if answer == "missing":
            raise LibraryMissing("rpi_ws281x is not installed: `pip install 'icelight[ws281x]'`, or use spi:0.0")
        raise failure(explain(answer) if answer else "the process that drives the strip does not answer")

    def close(self) -> None:
        """End the child; it darkens nothing by itself."""
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.close()
            child.wait(ANSWER_S)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            child.kill()
            child.wait()
        child.stdout.close()
