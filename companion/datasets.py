"""Picture data sets in a folder: `dataset.json` and frames, with what was laid on the board."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games.ice.board import make_layout
from engine.spots import Layout, Spot
from vision.view import Markers


class DatasetError(ValueError):
    """A data set cannot be read; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class PictureFrame:
    """One picture of a data set; `tiles` (kind, rotation, tiles on it) is used only of `enrol` frames."""

    file: str
    split: str
    exposed_layer: str | None
    tiles: Mapping[Spot, tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder of pictures with the geometry of the table they were taken of."""

    folder: Path
    layout: Layout
    markers: Markers
    frames: tuple[PictureFrame, ...]

    def split(self, name: str) -> tuple[PictureFrame, ...]:
        """The frames of one split."""
        return tuple(f for f in self.frames if f.split == name)

    def picture(self, frame: PictureFrame) -> bytes:
        """The bytes of a frame's file."""
        try:
            return (self.folder / frame.file).read_bytes()
        except OSError as error:
            raise DatasetError(f"{self.folder / frame.file} cannot be read: {error.strerror}") from error


def _field(record: Any, name: str, where: str) -> Any:
    if not isinstance(record, dict) or name not in record:
        raise DatasetError(f"{where} has no field {name!r}")
    return record[name]


def open_dataset(folder: Path) -> Dataset:
    """The data set in a folder, or DatasetError saying what is missing."""
    path = folder / "dataset.json"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}; give the folder of a picture data set") from error
    except ValueError as error:
        raise DatasetError(f"{path} is not JSON: {error}") from error
    marks = _field(record, "markers", str(path))
    try:
        markers = Markers(
            str(_field(marks, "dictionary", "markers")),
            float(_field(marks, "size_mm", "markers")),
            float(_field(marks, "z_mm", "markers")),
            {int(k): (float(v[0]), float(v[1])) for k, v in _field(marks, "centres_mm", "markers").items()},
        )
        tops = {str(k): float(v) for k, v in _field(record, "layer_top_mm", str(path)).items()}
        layout = make_layout(float(_field(record, "tile_flat_mm", str(path))), tops)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise DatasetError(f"{path}: the geometry of markers or layers is wrong: {error}") from error
    frames = tuple(_frame(f, f"frame {i} of {path}", layout) for i, f in enumerate(_field(record, "frames", str(path))))
    return Dataset(folder, layout, markers, frames)


def _frame(record: Any, where: str, layout: Layout) -> PictureFrame:
    split = str(_field(record, "split", where))
    tiles: dict[Spot, tuple[str, int | None]] = {}
    # The truth of test frames is for the scoring program only: it never enters this process's reading.
    if split == "enrol":
        for spot, tile in _field(record, "tiles", where).items():
            if Spot(spot) not in layout.places:
                raise DatasetError(f"{where} names the spot {spot!r}, which this board does not have")
            rotation = tile.get("rotation")
            tiles[Spot(spot)] = (str(_field(tile, "kind", where)), None if rotation is None else int(rotation))
    return PictureFrame(str(_field(record, "file", where)), split, record.get("exposed_layer"), tiles)
