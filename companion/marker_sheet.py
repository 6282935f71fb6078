"""The markers to print: a PDF with one page per marker, a bar to measure, and how far its neighbours lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.view import Markers

PAGE_MM: Final = (210.0, 297.0)
POINTS_PER_MM: Final = 72 / 25.4
BAR_MM: Final = 100.0
_CELLS: Final = 6
"""A marker of a 4x4 dictionary with its rim."""


def marker_sheet(markers: Markers, title: str) -> bytes:
    """The PDF; everything in it is drawn in millimetres, so it must be printed at 100 %."""
    return _pdf([_page(markers, marker, title) for marker in sorted(markers.centres_mm)])


def distances(markers: Markers, marker: int) -> dict[int, float]:
    """How far the centres of the other markers are from one, in millimetres."""
    here = markers.centres_mm[marker]
    return {other: math.dist(here, there) for other, there in markers.centres_mm.items() if other != marker}


def bits(markers: Markers, marker: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells of a marker are black, top row first."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, _CELLS) < 128)


def _page(markers: Markers, marker: int, title: str) -> str:
    middle = PAGE_MM[0] / 2, PAGE_MM[1] * 0.6
    cell = markers.size_mm / _CELLS
    parts = ["0 g"]
    for row, line in enumerate(bits(markers, marker)):
        for column, black in enumerate(line):
            if black:
                x = middle[0] - markers.size_mm / 2 + column * cell
                y = middle[1] + markers.size_mm / 2 - (row + 1) * cell
                parts.append(_box(x, y, cell, cell))
    reach = markers.size_mm / 2 + 8
    parts.append("0.2 w 0.5 G")
    parts += [_line(middle[0] + dx * reach, middle[1], middle[0] + dx * (reach + 12), middle[1]) for dx in (-1, 1)]
    parts += [_line(middle[0], middle[1] + dy * reach, middle[0], middle[1] + dy * (reach + 12)) for dy in (-1, 1)]
    parts.append(_box((PAGE_MM[0] - BAR_MM) / 2, 60, BAR_MM, 2))
    parts.append(_text(20, 280, 16, f"{title}: marker {marker}"))
    parts.append(_text(20, 52, 11, f"This bar is {BAR_MM:.0f} mm long. If it is not, print again at 100 %."))
    parts.append(_text(20, 270, 11, "The top of this page points away from the viewer's side of the board."))
    far = ", ".join(f"marker {other} {distance:.0f} mm" for other, distance in distances(markers, marker).items())
    parts.append(_text(20, 44, 11, f"From the centre of this marker to the others: {far}."))
    x, y = markers.centres_mm[marker]
    parts.append(_text(20, 36, 11, f"From the centre of the board: {x:+.0f} mm to the right, {y:+.0f} mm away."))
    return "\n".join(parts)


def _pt(mm: float) -> str:
    return f"{mm * POINTS_PER_MM:.3f}"


def _box(x: float, y: float, width: float, height: float) -> str:
    return f"{_pt(x)} {_pt(y)} {_pt(width)} {_pt(height)} re f"


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f"{_pt(x)} {_pt(y)} m {_pt(to_x)} {_pt(to_y)} l S"


def _text(x: float, y: float, size: int, text: str) -> str:
    plain = text.encode("ascii", "replace").decode().replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {_pt(x)} {_pt(y)} Td ({plain}) Tj ET"


def _pdf(pages: Sequence[str]) -> bytes:
    """A PDF of plain drawing commands: catalogue, pages, font, then each page and its contents."""
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    box = f"[0 0 {_pt(PAGE_MM[0])} {_pt(PAGE_MM[1])}]"
    for i, drawn in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {5 + 2 * i} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    out, starts = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode("ascii")
    out += b"".join(f"{start:010d} 00000 n \n".encode("ascii") for start in starts)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode("ascii")
    return bytes(out)
