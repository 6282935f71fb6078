"""Sort enrolled tiles into groups that look alike in any rotation, so that an owner names groups instead of tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.compare import resample, steepness
from vision.enrolment import PRINT_GRID, Print
from vision.rectify import Grid

GRID = Grid(24, 2.0)
NOISE = 0.03
SLIP_MM = 0.5


@dataclass(frozen=True, slots=True)
class Likeness:
    """How unlike prints are: costs per sample, and the turn of the second at which it fits the first best."""

    gaps: npt.NDArray[np.float64]
    """(n, n), symmetric, zero on the diagonal."""
    turns: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that look alike: their numbers, and how each is turned against the first one."""

    members: tuple[int, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Collision:
    """Two kinds that are hard to tell apart: the smallest margin, in costs per sample; below 0 they were confused."""

    kinds: tuple[str, str]
    margin: float


def compare_prints(prints: Sequence[Print]) -> Likeness:
    """Every print against every other in six rotations, in any light."""
    stack = np.stack([p.picture for p in prints])
    turned = np.stack([resample(stack, GRID, 60.0 * r, [0.6] * len(prints)) for r in range(6)])
    points = GRID.points()
    inside = np.hypot(points[..., 0], points[..., 1]) < 0.86 * PRINT_GRID.step_mm * PRINT_GRID.side / 2
    weight = (1 / (NOISE**2 + (SLIP_MM / GRID.step_mm * steepness(turned[0])) ** 2))[:, inside]
    flat = turned[:, :, inside]
    first = flat[0]
    costs = np.empty((6, len(prints), len(prints)))
    for r in range(6):
        total = np.zeros((len(prints), len(prints)))
        for c in range(3):
            p, q = first[..., c], flat[r, ..., c]
            pp, qq = (weight * p * p).sum(axis=1)[:, None], weight @ (q * q).T
            pq = (weight * p) @ q.T
            gain = np.clip(pq / np.maximum(qq, 1e-9), 0.8, 1.25)
            total += pp - 2 * gain * pq + gain * gain * qq
        costs[r] = total / (3 * inside.sum())
    turns = costs.argmin(axis=0)
    gaps = costs.min(axis=0)
    gaps = (gaps + gaps.T) / 2
    np.fill_diagonal(gaps, 0.0)
    return Likeness(gaps, turns)


def propose_groups(prints: Sequence[Print], count: int) -> tuple[Group, ...]:
    """The given number of groups by average likeness; the largest first, its most typical member first."""
    likeness = compare_prints(prints)
    # The root evens out few strong and many weak differences.
    gaps = np.sqrt(likeness.gaps)
    groups = [[i] for i in range(len(prints))]
    between = gaps.copy()
    np.fill_diagonal(between, np.inf)
    while len(groups) > max(count, 1):
        a, b = divmod(int(between.argmin()), len(groups))
        a, b = min(a, b), max(a, b)
        na, nb = len(groups[a]), len(groups[b])
        merged = (na * between[a] + nb * between[b]) / (na + nb)
        between[a], between[:, a] = merged, merged
        between[a, a] = np.inf
        groups[a] += groups.pop(b)
        between = np.delete(np.delete(between, b, axis=0), b, axis=1)
    found = []
    for members in sorted(groups, key=len, reverse=True):
        typical = members[int(gaps[np.ix_(members, members)].sum(axis=1).argmin())]
        ordered = [typical, *(m for m in members if m != typical)]
        # `turns[i, j]` turns j until it looks like i: against i, j lies turned back by that much.
        turns = [0, *(int(-likeness.turns[typical, m]) % 6 for m in ordered[1:])]
        found.append(Group(tuple(ordered), tuple(turns)))
    return tuple(found)


def name_group(
    prints: Sequence[Print], group: Group, kind: str, rotation: int = 0, corrections: Mapping[int, str] | None = None
) -> tuple[Print, ...]:
    """The prints of a group with their kind, all turned to rotation 0; `rotation` is that of the first member.

    `corrections` gives other kinds to single members, by number.
    """
    named = []
    for member, turn in zip(group.members, group.turns, strict=True):
        own = (corrections or {}).get(member, kind)
        named.append(replace(prints[member], kind=own, picture=turn_print(prints[member].picture, -(rotation + turn))))
    return tuple(named)


def turn_print(picture: npt.NDArray[np.uint8], turns: int) -> npt.NDArray[np.uint8]:
    """A print turned counter-clockwise by a number of sixths."""
    if turns % 6 == 0:
        return picture
    middle = (PRINT_GRID.side - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), 60.0 * (turns % 6), 1.0)
    side = (PRINT_GRID.side, PRINT_GRID.side)
    turned = cv2.warpAffine(picture, matrix, side, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, dtype=np.uint8)


def find_collisions(prints: Sequence[Print], least: float = 1.0) -> tuple[Collision, ...]:
    """Pairs of kinds whose prints come closer to each other than `least` beyond their own kind, worst first.

    Leave one out: each print is judged by the others. A kind with a single print is judged by its distance alone.
    """
    gaps = compare_prints(prints).gaps.copy()
    np.fill_diagonal(gaps, np.inf)
    kinds = [p.kind for p in prints]
    worst: dict[tuple[str, str], float] = {}
    for i, kind in enumerate(kinds):
        own = min((gaps[i, j] for j in range(len(kinds)) if j != i and kinds[j] == kind), default=0.0)
        for other in set(kinds) - {kind}:
            margin = min(gaps[i, j] for j in range(len(kinds)) if kinds[j] == other) - own
            pair = (min(kind, other), max(kind, other))
            worst[pair] = min(worst.get(pair, np.inf), float(margin))
    close = [Collision(pair, margin) for pair, margin in worst.items() if margin < least]
    return tuple(sorted(close, key=lambda c: c.margin))
