"""Enrolments as files: one compressed archive of pictures with a JSON record, safe to share between tables."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np

from engine.spots import Spot
from vision.enrolment import PRINT_GRID, Enrolment, EnrolmentError, Ground, Print

FORMAT = 1


def save_enrolment(enrolment: Enrolment, path: Path) -> None:
    """Write an enrolment; the file appears only when it is complete."""
    record = {
        "format": FORMAT,
        "raster": [PRINT_GRID.side, PRINT_GRID.step_mm],
        "prints": [
            {
                "layer": p.layer,
                "kind": p.kind,
                "rotation_known": p.rotation_known,
                "blur_mm": p.blur_mm,
                "copies": p.copies,
            }
            for p in enrolment.prints
        ],
        "grounds": [{"spot": g.spot, "blur_mm": g.blur_mm} for g in enrolment.grounds],
        "notes": dict(enrolment.notes),
    }
    side = PRINT_GRID.side
    empty = np.zeros((0, side, side, 3), np.uint8)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez_compressed(
            file,
            record=np.frombuffer(json.dumps(record).encode(), dtype=np.uint8),
            prints=np.stack([p.picture for p in enrolment.prints]) if enrolment.prints else empty,
            grounds=np.stack([g.picture for g in enrolment.grounds]) if enrolment.grounds else empty,
        )
    part.replace(path)


def load_enrolment(path: Path) -> Enrolment:
    """Read an enrolment, or EnrolmentError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            record = json.loads(archive["record"].tobytes().decode())
            prints, grounds = archive["prints"], archive["grounds"]
    except OSError as error:
        raise EnrolmentError(f"{path} cannot be read: {error.strerror or 'not an enrolment file'}") from error
    except (ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise EnrolmentError(f"{path} is not an enrolment file: {error}") from error
    if record.get("format") != FORMAT or record.get("raster") != [PRINT_GRID.side, PRINT_GRID.step_mm]:
        raise EnrolmentError(f"{path} was written by another version; enrol again or update")
    if len(prints) != len(record["prints"]) or len(grounds) != len(record["grounds"]):
        raise EnrolmentError(f"{path} is damaged: pictures and labels do not match")
    try:
        return Enrolment(
            tuple(
                Print(
                    str(r["layer"]),
                    str(r["kind"]),
                    picture,
                    bool(r["rotation_known"]),
                    float(r["blur_mm"]),
                    int(r["copies"]),
                )
                for r, picture in zip(record["prints"], prints, strict=True)
            ),
            tuple(
                Ground(Spot(r["spot"]), picture, float(r["blur_mm"]))
                for r, picture in zip(record["grounds"], grounds, strict=True)
            ),
            {str(k): str(v) for k, v in record["notes"].items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise EnrolmentError(f"{path} is damaged: {error}") from error
