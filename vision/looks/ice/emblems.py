"""Simple drawings of our own for tile faces; each takes a sheet and an ink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vision.looks.sheets import Colour, Sheet, polar

Drawing = Callable[[Sheet, Colour], None]


def _paler(ink: Colour, share: float = 0.5) -> Colour:
    b, g, r = (c * (1 - share) + 235 * share for c in ink)
    return (b, g, r)


def _moon(s: Sheet, ink: Colour) -> None:
    points = [polar(0.5, t) for t in range(60, 301, 10)]
    inner = [(x * 0.55 + 0.12, y * 0.86) for x, y in points]
    s.polygon([*points, *inner[::-1]], ink)


def _hourglass(s: Sheet, ink: Colour) -> None:
    s.polygon([(-0.38, 0.5), (0.38, 0.5), (-0.38, -0.5), (0.38, -0.5)], ink)
    s.stroke([(-0.42, 0.5), (0.42, 0.5)], ink, 0.09)
    s.stroke([(-0.42, -0.5), (0.42, -0.5)], ink, 0.09)


def _eye(s: Sheet, ink: Colour) -> None:
    s.ellipse((0, 0), (0.56, 0.3), 0, ink)
    s.disc((0, 0), 0.2, _paler(ink, 0.8))
    s.disc((0, 0), 0.1, ink)


def _spiral(s: Sheet, ink: Colour) -> None:
    s.stroke([polar(0.05 + 0.5 * k / 60, 14 * k) for k in range(61)], ink, 0.11)


def _tree(s: Sheet, ink: Colour) -> None:
    s.stroke([(0, -0.55), (0, 0.5)], ink, 0.1)
    for y, reach in ((-0.15, 0.42), (0.1, 0.34), (0.32, 0.22)):
        s.stroke([(-reach, y + 0.22), (0, y - 0.08), (reach, y + 0.22)], ink, 0.09)


def _drops(s: Sheet, ink: Colour) -> None:
    for k in range(3):
        x, y = polar(0.34, 120 * k + 90)
        s.disc((x, y), 0.19, ink)
    s.disc((0, 0), 0.1, ink)


def _diamond(s: Sheet, ink: Colour) -> None:
    s.polygon([(0, 0.58), (0.36, 0), (0, -0.58), (-0.36, 0)], ink)
    s.polygon([(0, 0.34), (0.2, 0), (0, -0.34), (-0.2, 0)], _paler(ink, 0.6))


def _gate(s: Sheet, ink: Colour) -> None:
    s.arc((0, 0), 0.42, 0, 180, ink, 0.13)
    for x in (-0.42, 0.42, 0.0):
        s.stroke([(x, 0), (x, -0.5)], ink, 0.13)


def _gear(s: Sheet, ink: Colour) -> None:
    for k in range(8):
        s.stroke([(0, 0), polar(0.56, 45 * k)], ink, 0.12)
    s.disc((0, 0), 0.36, ink)
    s.disc((0, 0), 0.15, _paler(ink, 0.85))


def _waves(s: Sheet, ink: Colour) -> None:
    for y in (-0.32, 0.0, 0.32):
        path = [(-0.5 + k / 12, y + (0.08 if k % 4 in (0, 3) else -0.08)) for k in range(13)]
        s.stroke(path, ink, 0.1)


def _hole(s: Sheet, ink: Colour) -> None:
    turn = float(s.rng.uniform(0, 180))
    s.ellipse((0, 0), (0.42, 0.33), turn, _paler(ink, 0.45))
    s.ellipse((0.02, -0.03), (0.36, 0.27), turn, ink)


def _mouth(s: Sheet, ink: Colour) -> None:
    s.polygon([polar(0.46, t) for t in range(0, 181, 10)], _paler(ink, 0.35))
    s.polygon([(x, y + 0.0) for x, y in (polar(0.36, t) for t in range(0, 181, 10))], ink)
    for k in range(3):
        s.stroke([(-0.36 + 0.05 * k, -0.1 - 0.11 * k), (0.36 - 0.05 * k, -0.1 - 0.11 * k)], _paler(ink, 0.4), 0.05)


def _shaft(s: Sheet, ink: Colour) -> None:
    for k, radius in enumerate((0.46, 0.36, 0.25, 0.14)):
        shade = _paler(ink, 0.6 - 0.2 * k) if k < 3 else ink
        s.polygon([polar(radius, 60 * i + 15 * k) for i in range(6)], shade)


def _peaks(s: Sheet, ink: Colour) -> None:
    for x, y, size in ((-0.22, -0.2, 0.62), (0.24, -0.24, 0.48), (0.02, -0.36, 0.36)):
        lean = float(s.rng.uniform(-0.08, 0.08))
        s.polygon([(x - size * 0.5, y), (x + lean, y + size), (x + size * 0.5, y)], ink)
        top = (x + lean, y + size)
        s.polygon(
            [top, (x + lean - size * 0.17, y + size * 0.66), (x + lean + size * 0.15, y + size * 0.6)], (245, 245, 245)
        )


def _boulders(s: Sheet, ink: Colour) -> None:
    for k in range(6):
        x, y = polar(0.1 + 0.28 * (k > 0), 72 * k + float(s.rng.uniform(-15, 15)))
        size = float(s.rng.uniform(0.13, 0.22))
        rough = [polar(size * float(s.rng.uniform(0.75, 1.1)), 52 * i) for i in range(7)]
        s.polygon([(x + a, y + b) for a, b in rough], ink)
        s.polygon([(x + a * 0.5 - 0.03, y + b * 0.5 + 0.04) for a, b in rough], _paler(ink, 0.3))


def _ridge(s: Sheet, ink: Colour) -> None:
    upper = s.jagged([(-0.6, -0.1), (-0.15, 0.35), (0.15, 0.1), (0.6, 0.3)], 3, 0.05)
    lower = s.jagged([(0.55, -0.1), (0.0, -0.3), (-0.55, -0.3)], 3, 0.03)
    s.polygon([*upper, *lower], ink)


def _canvas_tent(s: Sheet, ink: Colour) -> None:
    s.polygon([(-0.48, -0.34), (0, 0.45), (0.48, -0.34)], ink)
    s.polygon([(-0.13, -0.34), (0, 0.12), (0.13, -0.34)], _paler(ink, 0.75))


def _fire(s: Sheet, ink: Colour) -> None:
    s.ring((0, 0), 0.5, _paler(ink, 0.3), 0.06)
    s.polygon([(-0.24, -0.24), (-0.16, 0.16), (-0.04, 0.0), (0.04, 0.4), (0.24, -0.04), (0.2, -0.28), (0, -0.36)], ink)


def _flag(s: Sheet, ink: Colour) -> None:
    s.stroke([(-0.22, -0.52), (-0.22, 0.52)], (60, 70, 80), 0.07)
    s.polygon([(-0.2, 0.52), (0.46, 0.32), (-0.2, 0.06)], ink)
    s.ellipse((-0.2, -0.5), (0.3, 0.09), 0, _paler(ink, 0.4))


EMBLEMS: Final[tuple[Drawing, ...]] = (
    _moon,
    _hourglass,
    _eye,
    _spiral,
    _tree,
    _drops,
    _diamond,
    _gate,
    _gear,
    _waves,
)
TUNNELS: Final[tuple[Drawing, ...]] = (_hole, _mouth, _shaft)
ROCKS: Final[tuple[Drawing, ...]] = (_peaks, _boulders, _ridge)
CAMPS: Final[tuple[Drawing, ...]] = (_canvas_tent, _fire, _flag)
