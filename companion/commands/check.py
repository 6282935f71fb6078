"""`companion check`: is the machine ready, does the camera see, does the strip light?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
from msgspec.structs import replace

from companion.cli import UserError
from companion.devices import machine_of
from companion.settings import Settings, SettingsError, load
from companion.stage_pictures import read_enrolment, save_stages, simulated_picture
from engine.sayings import english
from hardware.addresses import is_simulated
from hardware.cameras import CAMERAS, CameraOptions, open_camera
from hardware.checkup import check_all
from hardware.errors import HardwareError
from hardware.leds import LEDS, Colour, LedFrame, StripOptions, open_leds
from hardware.machine import ADVICE, FAULT, OK, UNUSED, Finding, verbatim

HELP = "test every need of this machine one by one and name the cure"

MARKS: Final = {OK: "ok    ", ADVICE: "advice", FAULT: "FAULT ", UNUSED: "-     "}
TEST_COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))
PUT_RIGHT: Final = verbatim("put that right, then check again")
"""Only this command tests devices by using them, and it speaks English."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to check and with which devices."""
    parser.add_argument("what", nargs="?", default="system", choices=[*SUBCHECKS, "all"], help="default: system")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings of the table; names its devices")
    parser.add_argument("--camera", metavar="ADDRESS", help="check this camera instead of the one in the settings")
    parser.add_argument("--leds", metavar="ADDRESS", help="check this strip instead of the one in the settings")
    parser.add_argument("--save", type=Path, metavar="FILE", help="with camera: write the picture to this file")
    parser.add_argument(
        "--save-stages", type=Path, metavar="DIR", help="with camera: write what the eye makes of the picture to DIR"
    )
    parser.add_argument(
        "--enrolment", type=Path, metavar="FILE", help="with --save-stages: the tiles enrolled for this table"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def read_settings(args: argparse.Namespace) -> Settings:
    """The settings of the table; without a file the defaults."""
    try:
        return load(args.settings) if args.settings else Settings()
    except SettingsError as error:
        raise UserError(str(error)) from error


def check_system(args: argparse.Namespace, settings: Settings) -> list[Finding]:
    """Everything that can be seen without touching a device."""
    table = replace(settings.table, camera=args.camera or settings.table.camera, leds=args.leds or settings.table.leds)
    return check_all(machine_of(replace(settings, table=table)))


def check_camera(args: argparse.Namespace, settings: Settings) -> list[Finding]:
    """Take one picture."""
    address = args.camera or settings.table.camera
    if is_simulated(address, CAMERAS):
        if args.save_stages:
            return [save_stages(args.save_stages, *simulated_picture(settings.eye.width, settings.eye.height))]
        return [Finding("picture", UNUSED, verbatim("a simulated table draws its own pictures"))]
    options = CameraOptions(width_px=settings.eye.width, height_px=settings.eye.height)
    try:
        with open_camera(address, options) as camera:
            image = camera.read().image
    except HardwareError as error:
        return [Finding("picture", FAULT, verbatim(str(error)), PUT_RIGHT)]
    height, width = image.shape[:2]
    if args.save and not cv2.imwrite(str(args.save), image):
        raise UserError(f"the picture could not be written to {args.save}; choose a name that ends in .png or .jpg")
    stages = [save_stages(args.save_stages, image, read_enrolment(args.enrolment))] if args.save_stages else []
    size = f"{width} x {height} pixels"
    if float(image.mean()) < 8.0:
        black = Finding("picture", ADVICE, verbatim(f"{size}, almost black"), verbatim("take the lens cap off"))
        return [black, *stages]
    return [Finding("picture", OK, verbatim(size)), *stages]


def check_leds(args: argparse.Namespace, settings: Settings) -> list[Finding]:
    """Light the first four LEDs red, green, blue, white until Enter is pressed; faint, any supply can feed that."""
    address = args.leds or settings.table.leds
    count = max(len(TEST_COLOURS), settings.lights.count)
    options = StripOptions(
        count, order=settings.lights.order, brightness=0.1, gamma=1.0, budget_ma=max(500.0, 2.0 * count)
    )  # fmt: skip
    try:
        with open_leds(address, options) as leds:
            leds.show(LedFrame(TEST_COLOURS + ((0, 0, 0),) * (count - len(TEST_COLOURS))))
            if leds.lost:
                return [Finding("strip", FAULT, verbatim(leds.lost), PUT_RIGHT)]
            if not args.json and not is_simulated(address, LEDS):
                input("The first LEDs should be red, green, blue, white. Press Enter to go on. ")
    except HardwareError as error:
        return [Finding("strip", FAULT, verbatim(str(error)), PUT_RIGHT)]
    except EOFError:
        pass
    found = f"{address}; other colours than red, green, blue, white: change the colour order"
    return [Finding("strip", OK, verbatim(found))]


SUBCHECKS: Final[Mapping[str, Callable[[argparse.Namespace, Settings], list[Finding]]]] = {
    "system": check_system,
    "camera": check_camera,
    "leds": check_leds,
}


def in_english(finding: Finding) -> dict[str, Any]:
    """A finding for people and programs that read the command's output."""
    return {
        "name": finding.name,
        "status": finding.status,
        "found": english(finding.found),
        "cure": english(finding.cure) if finding.cure else "",
        "fix": finding.fix,
    }


def run(args: argparse.Namespace) -> int:
    """Check, print, and fail when something does not work."""
    settings = read_settings(args)
    wanted = SUBCHECKS if args.what == "all" else {args.what: SUBCHECKS[args.what]}
    findings = [in_english(finding) for check in wanted.values() for finding in check(args, settings)]
    if args.json:
        print(json.dumps({"checks": findings}))
    else:
        for finding in findings:
            print(f"{MARKS[finding['status']]} {finding['name']:13} {finding['found']}")
            if finding["cure"]:
                print(f"{'':20} -> {finding['cure']}")
    return 1 if any(finding["status"] == FAULT for finding in findings) else 0
