"""`companion check`: is the machine ready, does the camera see, does the strip light?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

import cv2

from companion.cli import UserError
from companion.settings import Settings, SettingsError, load
from companion.stage_pictures import read_enrolment, save_stages, simulated_picture
from hardware.cameras import CameraOptions, open_camera
from hardware.checkup import ADVICE, FAULT, OK, UNUSED, Finding, Machine, check_all
from hardware.errors import HardwareError
from hardware.leds import Colour, LedFrame, StripOptions, open_leds

HELP = "test every need of this machine one by one and name the cure"

MARKS: Final = {OK: "ok    ", ADVICE: "advice", FAULT: "FAULT ", UNUSED: "-     "}
TEST_COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))


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
    return check_all(
        Machine(
            camera=args.camera or settings.table.camera,
            leds=args.leds or settings.table.leds,
            led_count=settings.lights.count,
            buttons=bool(settings.panel.buttons),
        )
    )


def check_camera(args: argparse.Namespace, settings: Settings) -> list[Finding]:
    """Take one picture."""
    address = args.camera or settings.table.camera
    if address.startswith("synthetic:"):
        if args.save_stages:
            return [save_stages(args.save_stages, *simulated_picture(settings.eye.width, settings.eye.height))]
        return [Finding("picture", UNUSED, "a simulated table draws its own pictures")]
    options = CameraOptions(width_px=settings.eye.width, height_px=settings.eye.height)
    try:
        with open_camera(address, options) as camera:
            image = camera.read().image
    except HardwareError as error:
        return [Finding("picture", FAULT, str(error), "put that right, then check again")]
    height, width = image.shape[:2]
    if args.save and not cv2.imwrite(str(args.save), image):
        raise UserError(f"the picture could not be written to {args.save}; choose a name that ends in .png or .jpg")
    stages = [save_stages(args.save_stages, image, read_enrolment(args.enrolment))] if args.save_stages else []
    if float(image.mean()) < 8.0:
        return [
            Finding("picture", ADVICE, f"{width} x {height} pixels, almost black", "take the lens cap off"),
            *stages,
        ]
    return [Finding("picture", OK, f"{width} x {height} pixels"), *stages]


def check_leds(args: argparse.Namespace, settings: Settings) -> list[Finding]:
    """Light the first four LEDs red, green, blue, white until Enter is pressed; faint, any supply can feed that."""
    address = args.leds or settings.table.leds
    count = max(len(TEST_COLOURS), settings.lights.count)
    options = StripOptions(
        count, order=None if address.startswith("wled") else settings.lights.order, brightness=0.1, gamma=1.0,
        budget_ma=max(500.0, 2.0 * count),
    )  # fmt: skip
    try:
        with open_leds(address, options) as leds:
            leds.show(LedFrame(TEST_COLOURS + ((0, 0, 0),) * (count - len(TEST_COLOURS))))
            if leds.lost:
                return [Finding("strip", FAULT, leds.lost, "put that right, then check again")]
            if not args.json and not address.startswith("simulator:"):
                input("The first LEDs should be red, green, blue, white. Press Enter to go on. ")
    except HardwareError as error:
        return [Finding("strip", FAULT, str(error), "put that right, then check again")]
    except EOFError:
        pass
    return [Finding("strip", OK, f"{address}; other colours than red, green, blue, white: change the colour order")]


SUBCHECKS: Final[Mapping[str, Callable[[argparse.Namespace, Settings], list[Finding]]]] = {
    "system": check_system,
    "camera": check_camera,
    "leds": check_leds,
}


def run(args: argparse.Namespace) -> int:
    """Check, print, and fail when something does not work."""
    settings = read_settings(args)
    wanted = SUBCHECKS if args.what == "all" else {args.what: SUBCHECKS[args.what]}
    findings = [finding for check in wanted.values() for finding in check(args, settings)]
    if args.json:
        print(json.dumps({"checks": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            print(f"{MARKS[finding.status]} {finding.name:13} {finding.found}")
            if finding.cure:
                print(f"{'':20} -> {finding.cure}")
    return 1 if any(finding.status == FAULT for finding in findings) else 0
