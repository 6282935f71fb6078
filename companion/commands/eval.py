"""`companion eval`: read a data set as camera pictures and write what was read."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from companion.cli import UserError
from companion.datasets import Dataset, DatasetError, PictureFrame, open_dataset
from vision.enrolment import Enrolment, EnrolmentError, enrol_ground, enrol_layer
from vision.eye import Eye, Sight
from vision.locate import NotLocated, decode, locate

HELP = "read a picture data set (enrols from its enrol frames, reads its test frames) and write predictions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, the output, and how many frames."""
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder with dataset.json and frames")
    parser.add_argument("--predictions", type=Path, required=True, metavar="OUT", help="file to write")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="read only the first N test frames")


def enrol(dataset: Dataset) -> Enrolment:
    """Everything that the enrolment frames show."""
    learnt = Enrolment()
    ground = [spot for spot, place in dataset.layout.places.items() if not place.takes_tile]
    for frame in dataset.split("enrol"):
        image = decode(dataset.picture(frame))
        view = locate(image, dataset.markers)
        labels = {s: t for s, t in frame.tiles.items() if dataset.layout.places[s].layer == frame.exposed_layer}
        learnt = learnt.extend(enrol_layer(image, view, dataset.markers, dataset.layout, labels))
        if not frame.tiles:
            learnt = learnt.extend(enrol_ground(image, view, dataset.markers, dataset.layout, ground))
    return learnt


def predict(sight: Sight) -> dict[str, Any]:
    """A sight as a prediction: every tile with at most one tile on it, and all pieces."""
    reading = sight.reading
    tiles = {
        spot: {"kind": tile.kind, "rotation": tile.turn}
        for spot, tile in reading.tiles.items()
        if reading.covered[spot] <= 1 and spot not in sight.unsure
    }
    pieces = {spot: labels for spot, labels in sight.pieces.items() if spot not in sight.unsure}
    return {"tiles": tiles, "pieces": pieces, "unsure": sorted(sight.unsure)}


def read_frame(eye: Eye, dataset: Dataset, frame: PictureFrame) -> dict[str, Any]:
    """The prediction for one frame; a picture that cannot be read makes every spot unsure."""
    start = time.perf_counter()
    try:
        image = decode(dataset.picture(frame))
        prediction = predict(eye.read(image))
    except NotLocated as problem:
        print(f"{frame.file}: {problem}", file=sys.stderr)
        prediction = {
            "tiles": {},
            "pieces": {},
            "unsure": [s for s, p in dataset.layout.places.items() if p.takes_tile],
        }
    return {"file": frame.file, "seconds": round(time.perf_counter() - start, 4), **prediction}


def run(args: argparse.Namespace) -> int:
    """Enrol, read, write."""
    try:
        dataset = open_dataset(args.dataset)
        eye = Eye(dataset.layout, dataset.markers, enrol(dataset))
    except (DatasetError, NotLocated, EnrolmentError) as error:
        raise UserError(str(error)) from error
    frames = dataset.split("test")[: args.limit or None]
    predictions = []
    for number, frame in enumerate(frames, 1):
        predictions.append(read_frame(eye, dataset, frame))
        print(f"\r{number} of {len(frames)} pictures read", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    part = args.predictions.with_suffix(args.predictions.suffix + ".part")
    try:
        part.write_text(json.dumps({"frames": predictions}), encoding="utf-8")
        part.replace(args.predictions)
    except OSError as error:
        raise UserError(f"{args.predictions} cannot be written: {error.strerror}") from error
    return 0
