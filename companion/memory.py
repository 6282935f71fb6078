"""What the table looked like when picture and belief last agreed: where it still looks so, the belief stands.

A whole place that looks as it did holds what it held. On a place where something was done, each piece that was known
there and still looks the same is still there, and what was taken for a piece and was none is still none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

from engine.sighting import Sighting
from engine.spots import Cue, Label, Layout, Point, Spot
from vision.changes import Imprint, Traces
from vision.pieces import ARCHAEOLOGIST, CAMP, LEADER, Candidate, piece_odds

S = TypeVar("S")
T = TypeVar("T", contravariant=True)
SURE: Final = 0.999
"""Share of what was agreed on and has not changed since."""
UNSEEN: Final = 0.9
"""Chance that a piece which is there, though the eye never found it, stayed when something else was done there."""
FOUND: Final = 0.4
"""The same when something was found there now: it may be that piece."""
MOVED: Final = 0.2
"""The same of a piece of which there is one, when it is found elsewhere and no longer where it was."""
MISSED: Final = {"archaeologists": 0.006, "leaders": 0.005, "camp": 0.01}
"""Least chance, beside the best reading, that one piece more or less stands where something was done."""
LEAST: Final = 0.1
"""A candidate less likely than this does not tell where a known piece stands."""
BODY_MM: Final = {ARCHAEOLOGIST: 6.0, LEADER: 8.0, CAMP: 3.0}
"""Where to look for a piece besides its foot: this high above it."""
WITHIN_MM: Final = 2.5
SAME_MM: Final = 3.0
"""Two finds closer than this are the same piece."""
CONFUSED: Final = 0.05
"""Least chance that a leader was taken for a camp of its colour, or a camp for a leader."""
FORGIVING: Final = 4.0
"""How many times the odds of being something else speak for a piece whose likeliest name is taken."""
KINDS: Final = {"archaeologists": ARCHAEOLOGIST, "leaders": LEADER, "camp": CAMP}
NONE: Final = "none"


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A still board as it was read: how it looked, and everything that may be a piece, in words of the rules."""

    imprint: Imprint
    layout: Layout
    candidates: Mapping[Spot, tuple[Candidate, ...]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that is known to stand at a spot; without a place on it when the eye never found it."""

    label: str
    at_mm: Point | None = None


class SeenAt(Protocol[T]):
    """What an ideal camera would read at one spot of a state."""

    def __call__(self, state: T, spot: Spot) -> Mapping[str, Label]:
        """By kind of cue."""


class Memory(Generic[S]):
    """Remembers the last agreement; one picture that reads an untouched thing otherwise is not believed."""

    def __init__(self, seen_at: SeenAt[S], most: Mapping[str, int]) -> None:
        self._seen_at, self._most = seen_at, most
        self._layout = Layout({}, (), (0.0, 0.0))
        self._imprint: Imprint | None = None
        self._state: S | None = None
        self._labels: dict[Spot, Mapping[str, Label]] = {}
        self._known: dict[Spot, tuple[Piece, ...]] = {}
        self._found: Mapping[Spot, tuple[Candidate, ...]] = {}

    def agree(self, glimpse: Glimpse | None, state: S) -> None:
        """The table that looks so is in this state."""
        if glimpse is None:
            return
        if glimpse.imprint is self._imprint and state == self._state:
            return
        self._layout, self._state = glimpse.layout, state
        traces = self._traces(glimpse)
        labels = {spot: self._seen_at(state, spot) for spot in self._layout.places}
        self._known = {
            spot: self._place(spot, _pieces(seen), glimpse.candidates.get(spot, ()), traces)
            for spot, seen in labels.items()
        }
        self._labels, self._imprint, self._found = labels, glimpse.imprint, glimpse.candidates

    def forget(self) -> None:
        """Start anew: the players have just said how the table lies."""
        self._imprint, self._state, self._known, self._found = None, None, {}, {}

    def recall(self, sighting: Sighting, glimpse: Glimpse | None) -> Sighting:
        """The sighting with what was agreed on wherever the table looks as it did then."""
        traces = self._traces(glimpse) if glimpse is not None else None
        if glimpse is None or traces is None:
            return sighting
        odds: dict[Cue, Mapping[Label, float]] = {}
        stirred: set[Spot] = set()
        changed = traces.spots | {
            spot for spot, found in glimpse.candidates.items() if any(self._is_new(spot, c, traces) for c in found)
        }
        for cue, shares in sighting.odds.items():
            label = self._labels[cue.spot].get(cue.kind)
            if cue.spot in changed:
                stirred.add(cue.spot)
                odds[cue] = shares
            else:
                odds[cue] = shares if label is None else {label: SURE}
        odds |= self._stirred_pieces(stirred, glimpse, traces)
        return Sighting(odds, sighting.unsure & changed)

    def _traces(self, glimpse: Glimpse) -> Traces | None:
        return None if self._imprint is None else glimpse.imprint.since(self._imprint)

    def _stirred_pieces(
        self, spots: Iterable[Spot], glimpse: Glimpse, traces: Traces
    ) -> Mapping[Cue, Mapping[Label, float]]:
        """Odds of the pieces of places where something was done."""
        rows = dict(enumerate(spots))
        standing = {spot: self._still(spot, traces) for spot in rows.values()}
        seen_again = {spot: _seen_again(stays, glimpse.candidates.get(spot, ())) for spot, stays in standing.items()}
        gone = self._used_up(seen_again, traces)
        fresh = {
            spot: [
                _without(each, gone, self._most)
                for each in self._fresh(spot, stays, glimpse.candidates.get(spot, ()), traces)
            ]
            for spot, stays in standing.items()
        }
        named = {each.label for here in fresh.values() for each in here if each.chance > 0.5 and each.is_painted}
        found = [replace(each, row=row) for row, spot in rows.items() for each in fresh[spot]]
        for row, spot in rows.items():
            for piece in standing[spot]:
                is_elsewhere = piece.label in named and piece not in seen_again[spot]
                found.append(Candidate(row, (0.0, 0.0), MOVED if is_elsewhere else SURE, {piece.label: 1.0}))
            lost = [piece for piece in self._known[spot] if piece.at_mm is None and piece.label not in named]
            chance = UNSEEN if len(fresh[spot]) < len(lost) else FOUND
            found += [Candidate(row, (0.0, 0.0), chance, {piece.label: 1.0}) for piece in lost]
        left = {label for label in self._most if label not in gone}
        return {cue: _temper(cue.kind, shares, left) for cue, shares in piece_odds(rows, found).items()}

    def _used_up(self, seen_again: Mapping[Spot, Collection[Piece]], traces: Traces) -> set[str]:
        """Painted pieces that are all known to stand where they stood: nothing new can be one of them."""
        untouched = [piece for spot, pieces in self._known.items() if spot not in traces.spots for piece in pieces]
        taken = Counter(piece.label for piece in (*untouched, *(p for pieces in seen_again.values() for p in pieces)))
        return {label for label, most in self._most.items() if taken[label] >= most}

    def _still(self, spot: Spot, traces: Traces) -> list[Piece]:
        """Known pieces of a spot that look as they did."""
        return [p for p in self._known[spot] if p.at_mm and not self._is_stirred(spot, p.label, p.at_mm, traces)]

    def _fresh(
        self, spot: Spot, stays: Collection[Piece], candidates: Iterable[Candidate], traces: Traces
    ) -> list[Candidate]:
        """Candidates of a spot where something changed: what looks as it did is no new piece."""
        places = [piece.at_mm for piece in stays if piece.at_mm]
        touched = [piece.at_mm for piece in self._known[spot] if piece.at_mm and piece not in stays]
        names = {piece.label for piece in self._known[spot] if piece not in stays and piece.label != ARCHAEOLOGIST}
        return [
            each
            for each in candidates
            if not _is_near(each.at_mm, places)
            and (
                each.label in names
                or _is_near(each.at_mm, touched)
                or self._is_stirred(spot, each.label, each.at_mm, traces)
                or self._is_new(spot, each, traces)
            )
        ]

    def _is_stirred(self, spot: Spot, label: str, at_mm: Point, traces: Traces, *, faintly: bool = False) -> bool:
        foot = self._layout.places[spot].top_mm
        body = foot + BODY_MM[label.partition(".")[0]]
        return any(traces.near(at_mm, height, WITHIN_MM, faintly=faintly) for height in (foot, body))

    def _is_new(self, spot: Spot, found: Candidate, traces: Traces) -> bool:
        """Whether a piece is seen where nothing was found before, and something, however faint, has changed."""
        before = [each.at_mm for each in self._found.get(spot, ())]
        before += [piece.at_mm for piece in self._known.get(spot, ()) if piece.at_mm]
        if found.chance < 0.5 or _is_near(found.at_mm, before):
            return False
        return self._is_stirred(spot, found.label, found.at_mm, traces, faintly=True)

    def _place(
        self, spot: Spot, labels: list[str], candidates: Iterable[Candidate], traces: Traces | None
    ) -> tuple[Piece, ...]:
        """Where the pieces of a spot stand: those known before stay, the others are what was found."""
        before = self._known.get(spot, ())
        if traces is not None and spot not in traces.spots and Counter(p.label for p in before) == Counter(labels):
            return before
        known: list[Piece] = []
        for piece in self._still(spot, traces) if traces is not None and before else ():
            if piece.label in labels:
                labels.remove(piece.label)
                known.append(piece)
        taken = [piece.at_mm for piece in known if piece.at_mm]
        left = [c for c in candidates if c.chance > LEAST and not _is_near(c.at_mm, taken)]
        for label in sorted(labels, key=lambda each: each == ARCHAEOLOGIST):
            claims = [c for c in left if c.labels.get(label, 0.0) > LEAST]
            best = max(claims, key=lambda each: each.chance * each.labels[label], default=None)
            if best is not None:
                left.remove(best)
            known.append(Piece(label, best.at_mm if best is not None else None))
        return tuple(known)


def _seen_again(pieces: Iterable[Piece], candidates: Collection[Candidate]) -> set[Piece]:
    """Known pieces that were found once more where they stood."""
    return {
        piece
        for piece in pieces
        for each in candidates
        if piece.at_mm
        and _is_near(each.at_mm, [piece.at_mm])
        and each.chance * each.labels.get(piece.label, 0.0) > LEAST
    }


def _pieces(seen: Mapping[str, Label]) -> list[str]:
    """Labels of all pieces of a spot, as candidates are called."""
    labels = [ARCHAEOLOGIST] * int(seen["archaeologists"])
    for kind in ("leaders", "camp"):
        labels += [f"{KINDS[kind]}.{name}" for name in seen[kind].split("+") if name != NONE]
    return labels


def _temper(kind: str, odds: Mapping[Label, float], painted: Collection[str]) -> Mapping[Label, float]:
    """Odds that leave room for one piece that was missed, or taken for one."""
    best = max(odds, key=odds.__getitem__)
    least = MISSED[kind] * odds[best]
    if kind == "archaeologists":
        near = [str(n) for n in (int(best) - 1, int(best) + 1) if n >= 0]
    else:
        here = set(best.split("+")) - {NONE}
        others = {label.partition(".")[2] for label in painted if label.startswith(KINDS[kind])} - here
        near = [
            "+".join(sorted(group)) or NONE for group in (*(here - {x} for x in here), *(here | {x} for x in others))
        ]
    return {**odds, **{label: max(least, odds.get(label, 0.0)) for label in near}}


def _without(candidate: Candidate, gone: set[str], painted: Collection[str]) -> Candidate:
    """A candidate that cannot be a piece which is known to stand elsewhere; a leader may be taken for a camp."""
    named = dict(candidate.labels)
    if candidate.is_painted:
        kind, _, colour = candidate.label.partition(".")
        other = f"{CAMP if kind == LEADER else LEADER}.{colour}"
        if other in painted:
            named[other] = max(named.get(other, 0.0), CONFUSED)
    rest = {label: share for label, share in named.items() if label not in gone}
    total = sum(rest.values())
    if total <= 0:
        return replace(candidate, chance=0.0)
    labels = {label: share / total for label, share in rest.items()}
    return replace(candidate, chance=candidate.chance * min(1.0, total * FORGIVING), labels=labels)


def _is_near(at_mm: Point, places: Iterable[Point]) -> bool:
    """Whether a find is one of some pieces."""
    return any(math.dist(at_mm, place) < SAME_MM for place in places)
