"""What is amiss with a table: the checks of `companion check`, what mends them safely, the eye's stages as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
from msgspec.structs import replace

from companion.bench import Bench
from companion.devices import machine_of
from companion.settings import Settings
from companion.table_eye import OTHER_TROUBLE, TROUBLES
from engine.sayings import Saying
from hardware.checkup import check_all
from hardware.machine import FAULT, Finding
from vision.eye import Eye
from vision.stages import look_through, make_stages
from vision.view import Image

NO_STRIP: Final = "simulator:"
STRIP_CHECKS: Final = ("strip driver", "spi", "spi buffer", "audio")

NAMES: Final[dict[str, Saying]] = {
    "model": Saying("Computer"),
    "system": Saying("System"),
    "groups": Saying("Permissions"),
    "spi": Saying("SPI port"),
    "spi buffer": Saying("Buffer of the SPI port"),
    "core clock": Saying("Clock of the SPI port"),
    "strip driver": Saying("Way to the strip"),
    "audio": Saying("Sound"),
    "camera": Saying("Camera"),
    "buttons": Saying("Buttons"),
    "power": Saying("Power supply"),
    "space": Saying("Free space"),
    "clock": Saying("Time of day"),
}
"""What each check is called on the page."""

STAGES: Final[dict[str, Saying]] = {
    "picture": Saying("The picture as it came"),
    "markers": Saying("The markers that were seen"),
    "view": Saying("Where the camera stands: the board's axes and all tile places at their heights"),
    "layer-1": Saying("The board straight from above, at the height of the snow"),
    "layer-2": Saying("The board straight from above, at the height of the surface"),
    "layer-3": Saying("The board straight from above, at the height of the deep layer"),
    "layer-4": Saying("The board straight from above, at the height of Azulia"),
    "light": Saying("The light on the board, as white paper would show it"),
    "tiles": Saying("What each tile was read as, and how surely"),
    "seen": Saying("Every tile at its own height, in even light"),
    "bare": Saying("The same tiles with nothing on them, as they were learnt"),
    "pieces": Saying("Everything that may be a piece: green when likely"),
}
"""What each stage of the eye shows."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Something that mends a finding by changing settings only; every setting can be set back on the page."""

    key: str
    say: Saying
    settings: Settings


def findings(settings: Settings, folder: Path | None) -> list[Finding]:
    """The list of `companion check` for the devices of the settings."""
    return check_all(machine_of(settings, folder if folder is not None and folder.exists() else None))


def fixes(finding: Finding, settings: Settings, cameras: Sequence[str]) -> Iterator[Fix]:
    """What mends a finding at a tap."""
    if finding.status != FAULT:
        return
    table = settings.table
    if finding.fix is not None:
        name, value = finding.fix
        say = Saying("Use {value}", {"value": value})
        yield Fix(f"{name} {value}", say, replace(settings, table=replace(table, **{name: value})))
    if finding.name == "camera":
        for camera in cameras:
            if camera != table.camera:
                say = Saying("Use the camera {camera}", {"camera": camera})
                yield Fix(f"camera {camera}", say, replace(settings, table=replace(table, camera=camera)))
    elif finding.name in STRIP_CHECKS:
        say = Saying("Play without the strip for now")
        yield Fix("no strip", say, replace(settings, table=replace(table, leds=NO_STRIP)))
    elif finding.name == "buttons":
        say = Saying("Play without the buttons for now")
        yield Fix("no buttons", say, replace(settings, panel=replace(settings.panel, buttons="")))


def look_at(bench: Bench, image: Image) -> tuple[list[tuple[str, Saying, bytes]], Saying | None]:
    """Every stage that a picture reaches: its name, what it shows and a JPEG; and why it came no further.

    The eye of the session keeps what it saw before, so the picture is read by another one that knows the same tiles.
    """
    known = bench.eye.reader
    eye = Eye(bench.eye.layout, bench.eye.markers, known.reader.enrolment) if isinstance(known, Eye) else None
    looked = look_through(image, bench.eye.layout, bench.eye.markers, eye)
    found = [(name, _caption(name), _jpeg(picture)) for name, picture in make_stages(looked)]
    if looked.trouble is not None:
        return found, TROUBLES.get(looked.trouble.reason, OTHER_TROUBLE)
    return found, None if eye is not None else TROUBLES["untaught"]


def _caption(name: str) -> Saying:
    stage = name.partition("-")[2]
    return STAGES.get(stage, Saying("{stage}", {"stage": stage}))


def _jpeg(picture: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1])


def table_findings(status: Mapping[str, Any], bench: Bench) -> Iterator[dict[str, Any]]:
    """What the running session says of its devices, each with the step of the set-up that mends it."""
    steps = {"camera": "camera", "board": "markers", "leds": "lights"}
    titles = {"camera": Saying("Camera"), "board": Saying("Board"), "leds": Saying("Lights")}
    for name, part in status.items():
        yield {"name": titles.get(name, name), "ok": part["ok"], "say": part["say"], "step": steps.get(name, "")}
    learnt = isinstance(bench.eye.reader, Eye)
    say = Saying("The eye knows your tiles.") if learnt else TROUBLES["untaught"]
    yield {"name": Saying("Tiles"), "ok": learnt, "say": say, "step": "tiles"}
