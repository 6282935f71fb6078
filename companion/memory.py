"""What the table looked like when picture and belief last agreed: where it still looks so, the belief stands.

A whole place that looks as it did holds what it held. On a place where something was done, each piece that was known
there and still looks the same is still there, and what was taken for a piece and was none is still none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic, Protocol, TypeVar

from companion.piece_evidence import (
    SURELY,
    Piece,
    as_known,
    is_near,
    likelier,
    may_be_one_of,
    not_one_of,
    pieces_of,
    seen_again,
    temper,
)
from companion.standing import Glimpse, at_home, beside, fetched_home, find
from engine.sighting import Sighting
from engine.spots import Cue, Label, Layout, Point, Spot
from vision.changes import Imprint, Traces
from vision.eye import Agreed
from vision.pieces import ARCHAEOLOGIST, CAMP, LEADER, Candidate, piece_odds

S = TypeVar("S")
T = TypeVar("T", contravariant=True)
SURE: Final = 0.999
"""Share of what was agreed on and has not changed since."""
UNSEEN: Final = 0.8
"""Chance that a piece which is there, though the eye never found it, stayed when something else was done there."""
FOUND: Final = 0.4
"""The same when something was found there now: it may be that piece."""
MOVED: Final = 0.2
"""The same of a piece of which there is one, when it is found elsewhere and no longer where it was."""
BODY_MM: Final = {ARCHAEOLOGIST: 6.0, LEADER: 8.0, CAMP: 3.0}
"""Where to look for a piece besides its foot: this high above it."""
WITHIN_MM: Final = 2.5
ALONE: Final = 20.0
"""How many times likelier a find is a new piece when it alone can have changed the picture, or that piece has left."""
MANY: Final = 30
"""So many samples differ at least when hands have left something behind: it is no shadow's rim."""


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
        self.agreed = Agreed()
        """What lies and stands where, as far as it can be seen."""

    def agree(self, glimpse: Glimpse | None, state: S) -> None:
        """The table that looks so is in this state."""
        if glimpse is None:
            return
        if glimpse.imprint is self._imprint and state == self._state:
            return
        traces = self._traces(glimpse)
        if traces is not None and glimpse.hidden & traces.spots:
            return  # a hand is no part of the table
        self._layout, self._state = glimpse.layout, state
        glimpse = at_home(glimpse, self._known)
        labels = {spot: self._seen_at(state, spot) for spot in self._layout.places}
        known = {
            spot: self._place(spot, pieces_of(seen), glimpse.candidates.get(spot, ()), traces)
            for spot, seen in labels.items()
        }
        self._known = fetched_home(known, glimpse)
        self._labels, self._imprint, self._found = labels, glimpse.imprint, glimpse.candidates
        tiles = {s: seen.get("tile") for s, seen in labels.items() if seen.get("here") == "no" or "tile" in seen}
        feet = tuple((p.label, p.at_mm) for pieces in self._known.values() for p in pieces if p.at_mm)
        self.agreed = Agreed(tiles, feet)

    def has_agreed_on(self, glimpse: Glimpse | None) -> bool:
        """Whether this very look of the table is the one that is remembered."""
        return glimpse is not None and glimpse.imprint is self._imprint

    def forget(self) -> None:
        """Start anew: the players have just said how the table lies."""
        self._imprint, self._state, self._known, self._found = None, None, {}, {}

    def otherwise(self, sighting: Sighting, glimpse: Glimpse | None) -> Iterator[Sighting]:
        """The same with one of the new pieces on the other side of a border near its foot, one by one."""
        traces = self._traces(glimpse) if glimpse is not None else None
        if glimpse is None or traces is None:
            return
        glimpse = at_home(glimpse, self._known)
        for spot, found in glimpse.candidates.items():
            for each in found:
                if each.chance < SURELY or not self._is_stirred(spot, each.label, each.at_mm, traces):
                    continue
                stays = tuple(other for other in found if other is not each)
                for other in self._open(beside(self._layout, spot, each, is_level=False)):
                    here = {spot: stays, other: (*glimpse.candidates.get(other, ()), each)}
                    yield self._recall(sighting, replace(glimpse, candidates={**glimpse.candidates, **here}), traces)

    def _open(self, spots: Iterable[Spot]) -> list[Spot]:
        """Those of some places where something can be seen to stand."""
        places = self._layout.places
        bare = [s for s in spots if "tile" in self._labels[s] or not places[s].takes_tile]
        return [s for s in bare if not places[s].covers or any(self._is_gone(cover) for cover in places[s].covers)]

    def _is_gone(self, spot: Spot) -> bool:
        return self._labels[spot].get("here") == "no"

    def recall(self, sighting: Sighting, glimpse: Glimpse | None) -> Sighting:
        """The sighting with what was agreed on wherever the table looks as it did then."""
        traces = self._traces(glimpse) if glimpse is not None else None
        if glimpse is None or traces is None:
            return sighting
        return self._recall(sighting, at_home(glimpse, self._known), traces)

    def _recall(self, sighting: Sighting, glimpse: Glimpse, traces: Traces) -> Sighting:
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
        odds |= self._stirred_pieces(stirred, glimpse, traces, self._moved_tiles(odds, stirred))
        return Sighting(odds, sighting.unsure & changed)

    def _traces(self, glimpse: Glimpse) -> Traces | None:
        return None if self._imprint is None else glimpse.imprint.since(self._imprint)

    def _moved_tiles(self, odds: Mapping[Cue, Mapping[Label, float]], stirred: Collection[Spot]) -> list[Spot]:
        """Where a tile was laid or taken away."""
        tiles = ((cue.spot, shares) for cue, shares in odds.items() if cue.kind == "here" and cue.spot in stirred)
        return [s for s, shares in tiles if max(shares, key=shares.__getitem__) != self._labels[s].get("here")]

    def _stirred_pieces(
        self, spots: Iterable[Spot], glimpse: Glimpse, traces: Traces, tiles: Collection[Spot]
    ) -> Mapping[Cue, Mapping[Label, float]]:
        """Odds of the pieces of places where something was done, `tiles` laid or taken away included."""
        rows = dict(enumerate(spots))
        standing = {spot: self._still(spot, traces) for spot in rows.values()}
        again = {spot: seen_again(stays, glimpse.candidates.get(spot, ())) for spot, stays in standing.items()}
        gone = self._used_up(again, traces)
        arrived = {
            spot: [not_one_of(gone, each, self._most) for each in self._fresh(spot, stays, glimpse, traces)]
            for spot, stays in standing.items()
        }
        went = self._left(arrived, standing)
        is_told = bool(tiles or went) or len(traces.points_mm) < MANY
        reason = None if is_told else self._likeliest_newcomer(arrived)
        missing = went & self._most.keys() - _named(arrived)
        arrived = {
            spot: [likelier(c, ALONE) if c is reason else self._expected(spot, c, missing) for c in here]
            for spot, here in arrived.items()
        }
        named = _named(arrived)
        found = [replace(each, row=row) for row, spot in rows.items() for each in arrived[spot]]
        for row, spot in rows.items():
            for piece in standing[spot]:
                is_elsewhere = piece.label in named and piece not in again[spot]
                found.append(Candidate(row, (0.0, 0.0), MOVED if is_elsewhere else SURE, {piece.label: 1.0}))
            never_found = [] if spot in tiles else [piece for piece in self._known[spot] if piece.at_mm is None]
            lost = [piece for piece in never_found if piece.label not in named]
            chance = UNSEEN if len(arrived[spot]) < len(lost) else FOUND
            found += [Candidate(row, (0.0, 0.0), chance, {piece.label: 1.0}) for piece in lost]
        left = {label: most for label, most in self._most.items() if label not in gone}
        return {cue: temper(cue.kind, shares, left) for cue, shares in piece_odds(rows, found, self._most).items()}

    def _left(
        self, arrived: Mapping[Spot, Sequence[Candidate]], standing: Mapping[Spot, Collection[Piece]]
    ) -> set[str]:
        """Labels of known pieces that are no longer found where they stood."""
        touched = [(s, p) for s, stays in standing.items() for p in self._known[s] if p.at_mm and p not in stays]
        return {p.label for s, p in touched if p.at_mm and not is_near(p.at_mm, [each.at_mm for each in arrived[s]])}

    def _likeliest_newcomer(self, arrived: Mapping[Spot, Sequence[Candidate]]) -> Candidate | None:
        """What most likely stands where nothing stood: hands were there for something."""
        new = [each for spot, here in arrived.items() for each in here if self._is_newcomer(spot, each)]
        return max(new, key=lambda each: each.chance, default=None)

    def _is_newcomer(self, spot: Spot, found: Candidate) -> bool:
        return not is_near(found.at_mm, [piece.at_mm for piece in self._known[spot] if piece.at_mm])

    def _expected(self, spot: Spot, found: Candidate, missing: Collection[str]) -> Candidate:
        """A find in the light of what is missing: what left went somewhere."""
        if not self._is_newcomer(spot, found):
            return found
        return likelier(found, ALONE) if found.label in missing else may_be_one_of(missing, found)

    def _used_up(self, again: Mapping[Spot, Collection[Piece]], traces: Traces) -> set[str]:
        """Painted pieces that are all known to stand where they stood: nothing new can be one of them."""
        untouched = [piece for spot, pieces in self._known.items() if spot not in traces.spots for piece in pieces]
        taken = Counter(piece.label for piece in (*untouched, *(p for pieces in again.values() for p in pieces)))
        return {label for label, most in self._most.items() if taken[label] >= most}

    def _still(self, spot: Spot, traces: Traces) -> list[Piece]:
        """Known pieces of a spot that look as they did."""
        return [p for p in self._known[spot] if p.at_mm and not self._is_stirred(spot, p.label, p.at_mm, traces)]

    def _fresh(self, spot: Spot, stays: Collection[Piece], glimpse: Glimpse, traces: Traces) -> Iterator[Candidate]:
        """What was found on a spot where something changed, but for what looks as it did: that is no new piece."""
        places = [piece.at_mm for piece in stays if piece.at_mm]
        touched = [piece for piece in self._known[spot] if piece.at_mm and piece not in stays]
        for each in glimpse.candidates.get(spot, ()):
            before = next((piece for piece in touched if piece.at_mm and is_near(each.at_mm, [piece.at_mm])), None)
            if is_near(each.at_mm, places):
                continue
            if before is not None:
                yield as_known(each, before)
            elif self._is_stirred(spot, each.label, each.at_mm, traces, faintly=True):
                yield each

    def _is_stirred(self, spot: Spot, label: str, at_mm: Point, traces: Traces, *, faintly: bool = False) -> bool:
        foot = self._layout.places[spot].top_mm
        body = foot + BODY_MM[label.partition(".")[0]]
        return any(traces.near(at_mm, height, WITHIN_MM, faintly=faintly) for height in (foot, body))

    def _is_new(self, spot: Spot, found: Candidate, traces: Traces) -> bool:
        """Whether a piece is seen where nothing was found before, and something, however faint, has changed."""
        before = [each.at_mm for each in self._found.get(spot, ())]
        before += [piece.at_mm for piece in self._known.get(spot, ()) if piece.at_mm]
        if found.chance < 0.5 or is_near(found.at_mm, before):
            return False
        return self._is_stirred(spot, found.label, found.at_mm, traces, faintly=True)

    def _place(
        self, spot: Spot, labels: list[str], candidates: Iterable[Candidate], traces: Traces | None
    ) -> tuple[Piece, ...]:
        """Where the pieces of a spot stand: those known before stay, the others are what was found."""
        before = self._known.get(spot, ())
        is_same = Counter(p.label for p in before) == Counter(labels)
        if traces is not None and spot not in traces.spots and is_same and all(p.at_mm for p in before):
            return before
        known: list[Piece] = []
        for piece in self._still(spot, traces) if traces is not None and before else ():
            if piece.label in labels:
                labels.remove(piece.label)
                known.append(piece)
        return (*known, *find(labels, known, candidates))


def _named(arrived: Mapping[Spot, Sequence[Candidate]]) -> set[str]:
    """Painted pieces that were found."""
    return {each.label for here in arrived.values() for each in here if each.chance > 0.5 and each.is_painted}
