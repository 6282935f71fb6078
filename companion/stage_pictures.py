"""Writes what the eye makes of a picture to a folder, for `companion check camera --save-stages`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.cli import UserError
from companion.gamedata import shipped
from companion.picture_sets import recognised, table_layout
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from hardware.machine import FAULT, OK, Finding, verbatim
from vision.enrolment import Enrolment, EnrolmentError
from vision.enrolment_file import load_enrolment
from vision.eye import Eye
from vision.looks.ice.board import Markers as Sheet
from vision.looks.ice.deals import deal_tiles, dig, scatter
from vision.stages import look_through, make_stages
from vision.view import Image

DUG = 14
"""Tiles taken away on the simulated table, so that every layer shows."""


def read_enrolment(path: Path | None) -> Enrolment | None:
    """The tiles of a table from a file; without one the stages end before the tiles."""
    try:
        return load_enrolment(path) if path else None
    except EnrolmentError as error:
        raise UserError(str(error)) from error


def simulated_picture(width: int, height: int, seed: int = 1) -> tuple[Image, Enrolment]:
    """A simulated table in the middle of a game, and its enrolled tiles."""
    table = SimulatedTable(Ice(Options(), shipped()), "medium", seed, (width, height))
    enrolment = table.enrol()
    rng = np.random.default_rng(seed)
    tiles = dig(table.layout, deal_tiles(table.layout, rng), DUG, rng)
    table.table.arrange(tiles, scatter(table.layout, tiles, rng))
    return table.table.picture(), enrolment


def save_stages(folder: Path, image: Image, enrolment: Enrolment | None) -> Finding:
    """Write every stage that the picture reaches; says how far it came and, if not to the end, what to do."""
    layout, markers = table_layout(), recognised(Sheet())
    try:
        eye = Eye(layout, markers, enrolment) if enrolment else None
        folder.mkdir(parents=True, exist_ok=True)
    except (EnrolmentError, OSError) as error:
        raise UserError(f"the stages cannot be made: {error}") from error
    looked = look_through(image, layout, markers, eye)
    names = []
    for name, picture in make_stages(looked):
        if not cv2.imwrite(str(folder / f"{name}.png"), picture):
            raise UserError(f"{folder / name}.png could not be written; choose a folder that may be written to")
        names.append(name)
    written = f"{len(names)} pictures in {folder}, the last one {names[-1]}"
    if looked.trouble:
        return Finding("stages", FAULT, verbatim(written), verbatim(str(looked.trouble)))
    if eye is None:
        written += "; to see tiles and pieces read, name the enrolment with --enrolment"
    return Finding("stages", OK, verbatim(written))
