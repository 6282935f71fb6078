"""What the table looked like when picture and belief last agreed: where it still looks so, the belief stands.

A whole place that looks as it did holds what it held. On a place where something was done, each piece that was known
there and still looks the same is still there, and what was taken for a piece and was none is still none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from companion.piece_evidence import (
    KINDS,
    LEAST,
    MISSED,
    NONE,
    SURELY,
    Piece,
    is_again,
    is_at_border,
    is_near,
    likelier,
    may_be_one_of,
    not_one_of,
    pieces_of,
    seen_again,
    temper,
    temper_count,
)
from companion.standing import Glimpse, at_home, beside, fetched_home, find
from engine.sighting import Sighting
from engine.spots import Cue, Label, Layout, Point, Spot
from vision.beliefs import Agreed
from vision.changes import Imprint, Traces
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
MORE: Final = 0.05
"""The same of one archaeologist more where some have come: together they hide each other."""
LEFT: Final = 0.0018
"""The same of one more where one was seen before and is gone."""
SHADED: Final = 0.05
"""The same of one less when it is seen beside a leader that has come: its shadow falls there."""
SHADOW_MM: Final = 20.0
BARED: Final = 0.04
"""The same of one less when a tile was moved: what it bares was never seen empty."""
QUIET: Final = 0.1
"""How many times less likely a place looks as believed when only something there can have changed the picture."""
OVERLOOKED: Final = 0.3
"""Chance that one has come where the picture changed, nothing was found and nothing else tells why."""
AROUND_MM: Final = {ARCHAEOLOGIST: 6.0, LEADER: 8.0, CAMP: 11.0}
"""What changed so near a piece may be that piece, turned or shifted."""
BUSY: Final = 0.5
"""Least share of all that changed that is seen on or at the border of such a place."""
BODY_MM: Final = {ARCHAEOLOGIST: 6.0, LEADER: 8.0, CAMP: 3.0}
"""Where to look for a piece besides its foot: this high above it."""
WITHIN_MM: Final = 2.5
CHANGED: Final = 5.0
"""How many times likelier something is a piece when it was not there before and the picture changed at its foot."""
EXPLAINED_MM: Final = 10.0
"""But not so near a piece that surely came or left, whose body and shadow change the picture anyway."""
ALONE: Final = 40.0
"""The same when nothing else that was found can have changed the picture."""
PHANTOM: Final = 0.2
"""The same when something was found there before and was agreed to be none."""
STAYED: Final = 10.0
"""How many times likelier a known piece is still there when it is seen once more no worse than half as well."""
MANY: Final = 30
"""So many samples differ at least when hands have left something behind: it is no shadow's rim."""
Fresh: TypeAlias = Mapping[Spot, Sequence[tuple[Candidate, float]]]
"""What was found where something changed, and how many times likelier that makes it."""


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
                for other in beside(self._layout, spot, each):
                    here = {spot: stays, other: (*glimpse.candidates.get(other, ()), each)}
                    yield self._recall(sighting, replace(glimpse, candidates={**glimpse.candidates, **here}), traces)

    def recall(self, sighting: Sighting, glimpse: Glimpse | None, *, is_play: bool = True) -> Sighting:
        """The sighting with what was agreed on wherever the table looks as it did then.

        Where hands only put something right, and do not play, nothing is suspected to have come unseen.
        """
        traces = self._traces(glimpse) if glimpse is not None else None
        if glimpse is None or traces is None:
            return sighting
        return self._recall(sighting, at_home(glimpse, self._known), traces, is_play=is_play)

    def _recall(self, sighting: Sighting, glimpse: Glimpse, traces: Traces, *, is_play: bool = True) -> Sighting:
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
        tiles = self._moved_tiles(odds, stirred)
        odds |= self._stirred_pieces(stirred, glimpse, traces, tiles)
        if is_play and not tiles and self._is_as_believed(odds):
            for spot in self._busy(stirred, self._unaccounted(stirred, glimpse, traces)):
                self._overlook(odds, spot)
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

        fresh: Fresh = {
            spot: self._fresh(spot, stays, glimpse.candidates.get(spot, ()), traces) for spot, stays in standing.items()
        }
        fresh = self._unexplained(fresh, glimpse, traces, tiles)
        is_alone = not (tiles or self._tells(fresh, glimpse, traces))
        if is_alone:
            fresh = {spot: [(each, ALONE if x == CHANGED else x) for each, x in here] for spot, here in fresh.items()}
        arrived = {
            spot: [not_one_of(gone, likelier(each, times), self._most) for each, times in here]
            for spot, here in fresh.items()
        }
        named = {each.label for here in arrived.values() for each in here if each.chance > 0.5 and each.is_painted}
        missing = self._missing(rows.values(), glimpse, traces, tiles) - named
        arrived = {spot: [may_be_one_of(missing, each) for each in here] for spot, here in arrived.items()}
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
        odds: dict[Cue, Mapping[Label, float]] = {}
        for cue, shares in piece_odds(rows, found, self._most).items():
            if cue.kind != "archaeologists":
                odds[cue] = temper(cue.kind, shares, left)
            else:
                odds[cue] = self._doubt_count(cue.spot, shares, fresh, arrived, glimpse, traces, is_bared=bool(tiles))
        finds = [(c.chance, s) for s, here in fresh.items() for c, x in here if x == ALONE and not c.is_painted]
        if finds:
            self._disquiet(odds, Cue(max(finds)[1], "archaeologists"))
        return odds

    def _doubt_count(
        self,
        spot: Spot,
        odds: Mapping[Label, float],
        fresh: Fresh,
        arrived: Mapping[Spot, Sequence[Candidate]],
        glimpse: Glimpse,
        traces: Traces,
        *,
        is_bared: bool,
    ) -> Mapping[Label, float]:
        """Odds of how many stand on a place, with room for one that was missed or is none."""
        new = [
            each for each, x in fresh[spot] if x not in (STAYED, PHANTOM) and not each.is_painted and each.chance > 0.5
        ]
        leaders = [
            each.at_mm
            for other, here in arrived.items()
            for each in here
            if other != spot and each.label.startswith(LEADER) and each.chance > SURELY
        ]
        if not new and self._has_left(spot, glimpse, traces):
            return temper_count(odds, LEFT, MISSED["archaeologists"])
        is_shaded = any(math.dist(each.at_mm, at) < SHADOW_MM for each in new for at in leaders)
        if not new:
            return temper_count(odds, MISSED["archaeologists"], MISSED["archaeologists"])
        less = SHADED if is_shaded else BARED if is_bared else MISSED["archaeologists"]
        return temper_count(odds, MORE, less)

    def _disquiet(self, odds: dict[Cue, Mapping[Label, float]], cue: Cue, *others: Label) -> None:
        """Hands were there for something: what is believed is less likely, and others may have been overlooked."""
        believed = self._labels[cue.spot][cue.kind]
        shares = {label: share * (QUIET if label == believed else 1.0) for label, share in odds[cue].items()}
        odds[cue] = {**shares, **{label: max(shares.get(label, 0.0), OVERLOOKED) for label in others}}

    def _overlook(self, odds: dict[Cue, Mapping[Label, float]], spot: Spot) -> None:
        """One that is small, or a leader that stood nowhere, may have come unseen."""
        labels = self._labels[spot]
        self._disquiet(odds, Cue(spot, "archaeologists"), str(int(labels["archaeologists"]) + 1))
        known = {piece.label for pieces in self._known.values() for piece in pieces}
        away = [label.partition(".")[2] for label in self._most if label.startswith(LEADER) and label not in known]
        here = [name for name in labels["leaders"].split("+") if name != NONE]
        if away:
            self._disquiet(odds, Cue(spot, "leaders"), *("+".join(sorted([*here, name])) for name in away))

    def _is_as_believed(self, odds: Mapping[Cue, Mapping[Label, float]]) -> bool:
        """Whether no piece that was read differs from what is believed."""
        pieces = ((self._labels[cue.spot].get(cue.kind), o) for cue, o in odds.items() if cue.kind in KINDS)
        return all(max(o, key=o.__getitem__) == believed for believed, o in pieces)

    def _unaccounted(self, spots: Iterable[Spot], glimpse: Glimpse, traces: Traces) -> list[Point]:
        """Where the picture changed beside all pieces known or found on some places; nowhere, if only a little."""
        points = traces.points_mm
        for spot in spots:
            top = self._layout.places[spot].top_mm
            here = [(piece.label, piece.at_mm) for piece in self._known[spot] if piece.at_mm]
            here += [(c.label, c.at_mm) for c in glimpse.candidates.get(spot, ()) if c.chance > 0.5]
            for kind, at in ((label.partition(".")[0], at) for label, at in here):
                points = traces.away_from(points, at, (top, top + BODY_MM[kind]), AROUND_MM[kind])
        return [(x, y) for x, y in points.tolist()] if len(points) >= MANY else []

    def _busy(self, spots: Iterable[Spot], points: Sequence[Point]) -> list[Spot]:
        """The places, of some, that show where a good part of some points is."""
        places = [self._layout.places[spot] for spot in spots if self._labels[spot].get("here") != "no"]
        counts = {place.spot: sum(is_at_border(at, place.outline_mm) for at in points) for place in places}
        return [spot for spot, count in counts.items() if points and count >= BUSY * len(points)]

    def _used_up(self, again: Mapping[Spot, Collection[Piece]], traces: Traces) -> set[str]:
        """Painted pieces that are all known to stand where they stood: nothing new can be one of them."""
        untouched = [piece for spot, pieces in self._known.items() if spot not in traces.spots for piece in pieces]
        taken = Counter(piece.label for piece in (*untouched, *(p for pieces in again.values() for p in pieces)))
        return {label for label, most in self._most.items() if taken[label] >= most}

    def _still(self, spot: Spot, traces: Traces) -> list[Piece]:
        """Known pieces of a spot that look as they did."""
        return [p for p in self._known[spot] if p.at_mm and not self._is_stirred(spot, p.label, p.at_mm, traces)]

    def _tells(self, fresh: Fresh, glimpse: Glimpse, traces: Traces) -> bool:
        """Whether something that surely came or left, or next to nothing, has changed the picture."""
        if len(traces.points_mm) < MANY:
            return True
        came = [likelier(each, times) for here in fresh.values() for each, times in here if times != STAYED]
        return any(each.chance > SURELY for each in came) or any(self._has_left(s, glimpse, traces) for s in fresh)

    def _has_left(self, spot: Spot, glimpse: Glimpse, traces: Traces) -> bool:
        """Whether a known piece is no longer seen where it stood."""
        return bool(self._left(spot, glimpse, traces))

    def _left(self, spot: Spot, glimpse: Glimpse, traces: Traces) -> set[Piece]:
        """Known pieces that are no longer seen where they stood."""
        stays = self._still(spot, traces)
        touched = {piece for piece in self._known[spot] if piece.at_mm and piece not in stays}
        return touched - seen_again(touched, glimpse.candidates.get(spot, ()))

    def _missing(self, spots: Iterable[Spot], glimpse: Glimpse, traces: Traces, tiles: Collection[Spot]) -> set[str]:
        """Painted pieces that are no longer where they stood, or whose tile was taken away."""
        left = {piece.label for spot in spots for piece in self._left(spot, glimpse, traces)}
        left |= {piece.label for spot in tiles for piece in self._known[spot] if piece.at_mm is None}
        return left & self._most.keys()

    def _unexplained(self, fresh: Fresh, glimpse: Glimpse, traces: Traces, tiles: Collection[Spot]) -> Fresh:
        """The same, but a change of the picture that something else explains makes no find likelier."""
        sure = [each.at_mm for here in fresh.values() for each, x in here if x == CHANGED and each.chance > SURELY]
        sure += [piece.at_mm for spot in fresh for piece in self._left(spot, glimpse, traces) if piece.at_mm]
        outlines = [self._layout.places[spot] for spot in tiles]
        moved = [(place.centre_mm, math.dist(place.centre_mm, place.outline_mm[0])) for place in outlines]

        def explained(each: Candidate) -> bool:
            near = [at for at in sure if at != each.at_mm and math.dist(at, each.at_mm) < EXPLAINED_MM]
            return bool(near) or any(math.dist(centre, each.at_mm) < reach for centre, reach in moved)

        return {
            spot: [(each, 1.0 if x == CHANGED and explained(each) else x) for each, x in here]
            for spot, here in fresh.items()
        }

    def _fresh(
        self, spot: Spot, stays: Collection[Piece], candidates: Iterable[Candidate], traces: Traces
    ) -> list[tuple[Candidate, float]]:
        """Candidates of a spot where something changed, and how many times likelier that makes them.

        What looks as it did is no new piece.
        """
        places = [piece.at_mm for piece in stays if piece.at_mm]
        touched = [piece for piece in self._known[spot] if piece.at_mm and piece not in stays]
        names = {piece.label for piece in self._known[spot] if piece not in stays and piece.label != ARCHAEOLOGIST}
        fresh: list[tuple[Candidate, float]] = []
        for each in candidates:
            if is_near(each.at_mm, places):
                continue
            if any(is_again(piece, each) for piece in touched):
                fresh.append((each, STAYED))
            elif each.label in names or is_near(each.at_mm, [piece.at_mm for piece in touched if piece.at_mm]):
                fresh.append((each, 1.0))
            elif self._is_stirred(spot, each.label, each.at_mm, traces):
                fresh.append((each, PHANTOM if is_near(each.at_mm, self._phantoms(spot)) else CHANGED))
            elif self._is_new(spot, each, traces):
                fresh.append((each, 1.0))
        return fresh

    def _phantoms(self, spot: Spot) -> list[Point]:
        """Where something was found that was agreed to be no piece."""
        pieces = [piece.at_mm for piece in self._known[spot] if piece.at_mm]
        return [c.at_mm for c in self._found.get(spot, ()) if c.chance > LEAST and not is_near(c.at_mm, pieces)]

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
