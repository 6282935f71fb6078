"""Where known pieces stand: on which side of a border, and what the eye takes them for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from companion.piece_evidence import LEAST, SURELY, Piece, is_at_border, is_near
from engine.spots import Layout, Spot
from vision.changes import Imprint
from vision.pieces import ARCHAEOLOGIST, Candidate


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A still board as it was read: how it looked, and everything that may be a piece, in words of the rules."""

    imprint: Imprint
    layout: Layout
    candidates: Mapping[Spot, tuple[Candidate, ...]]
    hidden: frozenset[Spot] = frozenset()
    """Places that a hand is over."""


def beside(layout: Layout, spot: Spot, found: Candidate) -> list[Spot]:
    """Other places on whose border something was found on a place; they must be as high."""
    places = layout.places
    level = [s for s, place in places.items() if s != spot and place.top_mm == places[spot].top_mm]
    return [other for other in level if is_at_border(found.at_mm, places[other].outline_mm)]


def at_home(glimpse: Glimpse, known: Mapping[Spot, Collection[Piece]]) -> Glimpse:
    """The glimpse with known pieces found on the places where they stand: on a border either side may be read."""
    homes = [(spot, p.seen_as, p.at_mm) for spot, pieces in known.items() for p in pieces if p.at_mm]
    top = {spot: place.top_mm for spot, place in glimpse.layout.places.items()}
    found: dict[Spot, list[Candidate]] = {}
    for spot, candidates in glimpse.candidates.items():
        for each in candidates:
            level = [(home, at) for home, label, at in homes if label in each.labels and top[home] == top[spot]]
            near = {home for home, at in level if is_near(each.at_mm, [at])}
            found.setdefault(spot if spot in near or len(near) != 1 else near.pop(), []).append(each)
    return replace(glimpse, candidates={spot: tuple(here) for spot, here in found.items()})


def fetched_home(known: Mapping[Spot, tuple[Piece, ...]], glimpse: Glimpse) -> dict[Spot, tuple[Piece, ...]]:
    """The same with pieces that were not seen on their places found on the other side of a border."""
    whole = dict(known)
    placed = [piece.at_mm for pieces in known.values() for piece in pieces if piece.at_mm]
    for spot, found in glimpse.candidates.items():
        for each in (c for c in found if c.chance > SURELY and not is_near(c.at_mm, placed)):
            lost = Piece(each.label)
            home = next((s for s in beside(glimpse.layout, spot, each) if lost in whole[s]), None)
            if home is not None:
                pieces = list(whole[home])
                pieces[pieces.index(lost)] = Piece(each.label, each.at_mm, each.chance, each.label)
                whole[home] = tuple(pieces)
    return whole


def find(labels: Iterable[str], known: Iterable[Piece], candidates: Iterable[Candidate]) -> tuple[Piece, ...]:
    """Where pieces that must be on a place stand, beside some that are known: they are what was found there."""
    taken = [piece.at_mm for piece in known if piece.at_mm]
    left = [c for c in candidates if c.chance > LEAST and not is_near(c.at_mm, taken)]
    found: list[Piece] = []
    lost: list[str] = []
    for label in sorted(labels, key=lambda each: each == ARCHAEOLOGIST):
        claims = [c for c in left if c.labels.get(label, 0.0) > LEAST]
        best = max(claims, key=lambda each: each.chance * each.labels[label], default=None)
        if best is None:
            lost.append(label)
            continue
        left.remove(best)
        found.append(Piece(label, best.at_mm, best.chance, label))
    # What nothing claims and somebody is sure of is what the eye takes for something else.
    others = sorted((c for c in left if c.chance > SURELY), key=lambda each: -each.chance)
    found += [Piece(label, c.at_mm, c.chance, c.label) for label, c in zip(lost, others, strict=False)]
    return (*found, *(Piece(label) for label in lost[len(others) :]))
