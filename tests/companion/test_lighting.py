"""Roles to colours and rhythms."""

from itertools import combinations

import pytest

from companion.lighting import DARK, PALETTES, RHYTHMS, colour_of, compose, hex_colour
from engine.lights import ILLEGAL, LEGAL_DIG, LEGAL_MOVE, ROLES, WAITING, Light
from engine.spots import Spot

A, B = Spot("snow:4,3,3"), Spot("snow:3,4,3")


def simulate_blindness(colour: tuple[int, int, int], kind: str) -> tuple[float, ...]:
    """Linear simulation of dichromacy in linear light (Machado and others, 2009, severity 1)."""
    rows = {
        "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
        "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
        "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    }[kind]
    linear = [(part / 255) ** 2.2 for part in colour]
    seen = [max(0.0, sum(weight * part for weight, part in zip(row, linear, strict=True))) for row in rows]
    return tuple(255 * part ** (1 / 2.2) for part in seen)


@pytest.mark.parametrize("palette", PALETTES)
def test_every_role_has_colour_and_rhythm(palette: str) -> None:
    assert set(PALETTES[palette]) == set(RHYTHMS) == set(ROLES)


@pytest.mark.parametrize("kind", ["none", "protan", "deutan", "tritan"])
def test_safe_palette_keeps_play_roles_apart(kind: str) -> None:
    seen = {role: simulate_blindness(PALETTES["safe"][role], kind) for role in (LEGAL_DIG, LEGAL_MOVE, ILLEGAL)}
    for one, other in combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert distance > 60, f"{one} and {other} look alike for {kind}"


def test_rhythms_differ_between_roles() -> None:
    times = [k / 40 for k in range(400)]
    traces = {role: tuple(round(RHYTHMS[role](t), 2) for t in times) for role in ROLES}
    assert len(set(traces.values())) == len(ROLES)
    assert all(0 <= level <= 1 for trace in traces.values() for level in trace)


def test_cheaper_digs_are_brighter() -> None:
    assert sum(colour_of(Light(LEGAL_DIG, 1.0))) > sum(colour_of(Light(LEGAL_DIG, 0.3))) > 0


def test_compose_maps_spots_to_leds_and_the_urgent_role_wins() -> None:
    frame = compose({A: Light(LEGAL_DIG), B: Light(ILLEGAL)}, {A: [0, 1], B: [1, 9]}, 3, 0.0, gamma=1.0)
    assert frame == (PALETTES["safe"][LEGAL_DIG], PALETTES["safe"][ILLEGAL], DARK)


def test_brightness_scales_and_zero_is_dark() -> None:
    lights = {A: Light(LEGAL_MOVE)}
    full = compose(lights, {A: [0]}, 1, 0.0, gamma=1.0)[0]
    half = compose(lights, {A: [0]}, 1, 0.0, brightness=0.5, gamma=1.0)[0]
    assert all(abs(2 * low - high) <= 1 for low, high in zip(half, full, strict=True))
    assert compose(lights, {A: [0]}, 1, 0.0, brightness=0.0) == (DARK,)
    assert compose({A: Light(WAITING)}, {A: [0]}, 1, 3.0) == (DARK,)


def test_hex_colour() -> None:
    assert hex_colour((0, 158, 255)) == "#009eff"
