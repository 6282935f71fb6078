"""Looks at one table: finds the board, waits until the hands have left, reads, and speaks the words of the rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from companion.standing import Glimpse
from engine.sayings import Saying
from engine.sighting import Sighting
from engine.spots import Cue, Label, Layout, Spot
from vision.beliefs import Agreed
from vision.changes import Printer, Watch
from vision.locate import NotLocated, board_outline, check_inside, check_picture, locate
from vision.pieces import Candidate
from vision.steady import Steady, Still
from vision.view import Image, Markers, View

ABSENT: Final = "absent"
TILE_CUES: Final = ("tile", "turn")
YES, NO = "yes", "no"

TROUBLES: Final = {
    "no_picture": Saying("The camera's picture cannot be used; check its cable."),
    "truncated": Saying("The camera's picture cannot be used; check its cable."),
    "too_small": Saying("The camera's picture is too small; choose at least 1280 x 720 in the settings."),
    "dark": Saying("It is too dark to see the board; switch a light on."),
    "mirrored": Saying("The picture is mirrored; switch the camera's mirror setting off."),
    "one_marker": Saying("Only one marker can be seen; uncover one more."),
    "no_marker": Saying("No marker can be seen; uncover the printed sheet around the board."),
    "untaught": Saying("The tiles were not learnt yet: open Set up, step Tiles."),
    "cut_off": Saying("Part of the board is outside the picture; turn the camera or move it back."),
}
"""What players read when the board cannot be found, by the reason."""
OTHER_TROUBLE: Final = Saying("The board cannot be found; check the camera and the printed sheet around the board.")
RESTING: Final = Saying("A hand rests over the board; reading when it is gone.")
HAND_HIDES, HAND_CHANGES = 2, 8
"""A hand hides at least so many spots and changes at least so many cells; no gesture leaves so much behind."""
HANDS: Final = Saying("Hands are at work; reading when the board is still.")
STILL: Final = Saying("The board is still and was read.")
MOVED: Final = Saying("The camera or the board was moved; it was found again.")


class Seen(Protocol):
    """What a reading of one picture says."""

    @property
    def sighting(self) -> Sighting:
        """Odds per cue."""

    @property
    def unsure(self) -> frozenset[Spot]:
        """Spots that could not be read now."""

    @property
    def candidates(self) -> Sequence[Candidate]:
        """Everything that may be a piece."""


class BoardReader(Protocol):
    """Reads one picture of a board whose view is known."""

    def read(self, image: Image, view: View | None = None) -> Seen:
        """The reading of one picture."""

    def read_changes(self, image: Image, cells: Collection[Spot]) -> Seen:
        """The same after something changed in some cells of the top layer's plan; the rest is kept from before."""

    def trust(self, image: Image, agreed: Agreed) -> Seen | None:
        """Believe what lies and stands where in a picture; its reading with that if it was read otherwise."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame gave: a settled sighting or none, whether the eye is well, and a word about it."""

    sighting: Sighting | None
    ok: bool
    say: Saying
    is_fresh: bool = False
    """Whether the board was read from this frame; otherwise the sighting is the last one, which still stands."""
    glimpse: Glimpse | None = None
    """How the board looked when it was read."""


class TableEye:
    """Takes frames one by one; keeps the view while nothing moves and reads only after something stirred."""

    def __init__(
        self,
        reader: BoardReader,
        layout: Layout,
        markers: Markers,
        still_frames: int = 3,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.reader, self.layout, self.markers, self.names = reader, layout, markers, names or {}
        """With the labels of pictures that the rules call otherwise."""
        self.still_frames = still_frames
        self.view: View | None = None
        self._steady: Steady | None = None
        self._printer: Printer | None = None
        self._last: Look | None = None
        self._agreed: Image | None = None
        """The last still picture without a hand."""
        self._stirred: set[Spot] = set()
        """Cells that may look different from it."""
        self._trusted: Agreed | None = None

    def look(self, image: Image) -> Look:
        """What a frame says; without a sighting while hands are at work or the board cannot be found."""
        try:
            image = check_picture(image)
            steady = self._steady if self._steady and self._has_known_size(image) else self._find(image)
            still = steady.update(image)
            if still is None:
                return self._wait(steady)
            if still.moved:
                self._find(still.image)
                return self._read(still, MOVED)
            if still.stirred or self._last is None:
                return self._read(still, STILL)
            return self._last
        except NotLocated as error:
            self._last = None
            return Look(None, False, TROUBLES.get(error.reason, OTHER_TROUBLE))

    def trust(self, agreed: Agreed) -> None:
        """Take over what picture and players have agreed on."""
        if agreed is self._trusted or self._agreed is None or self._last is None:
            return
        self._trusted = agreed
        seen = self.reader.trust(self._agreed, agreed)
        if seen is not None:
            self._last = self._told(self._agreed, seen, self._last.say)

    def _has_known_size(self, image: Image) -> bool:
        """Whether pictures are still as large as when the board was found."""
        return self.view is not None and image.shape[:2] == (self.view.lens.height, self.view.lens.width)

    def _find(self, image: Image) -> Steady:
        """Find the board, and forget what was seen before: until it is found, every picture is searched for it."""
        self._steady, self._last, self._agreed, self._stirred = None, None, None, set()
        self._trusted = None
        lens = self.view.lens if self.view and self._has_known_size(image) else None
        self.view = check_inside(locate(image, self.markers, lens), board_outline(self.layout))
        return self._look_through(self.view)

    def _look_through(self, view: View) -> Steady:
        """Watch the board as it is seen from a view."""
        self.view, self._printer = view, Printer(view, self.layout)
        self._steady = Steady(Watch(view, self.layout, self.markers), self.still_frames)
        return self._steady

    def _wait(self, steady: Steady) -> Look:
        if steady.is_waiting or self._last is None:
            return Look(None, True, HANDS)
        return self._last

    def _read(self, still: Still, say: Saying) -> Look:
        """Read what may have changed; the rest was read before, and nobody has touched it."""
        self._stirred |= still.stirred
        if self._agreed is None or not self._stirred:
            seen = self.reader.read(still.image, self.view)
        else:
            seen = self.reader.read_changes(still.image, self._stirred)
        if self._is_under_a_hand(still, seen):
            self._last = Look(None, True, RESTING)
            return self._last
        self._agreed, self._stirred = still.image, set()
        self._last = self._told(still.image, seen, say)
        return replace(self._last, is_fresh=True)

    def _told(self, image: Image, seen: Seen, say: Saying) -> Look:
        """What was seen on a still picture in words of the rules."""
        sighting = in_words_of_the_rules(seen.sighting, self.names)
        return Look(sighting, True, say, glimpse=self._glimpse(image, seen))

    def _glimpse(self, image: Image, seen: Seen) -> Glimpse | None:
        if self._printer is None:
            return None
        spots = self._printer.spots
        found: dict[Spot, list[Candidate]] = {}
        for each in seen.candidates:
            labels = {_piece_name(label, self.names): share for label, share in each.labels.items()}
            found.setdefault(spots[each.row], []).append(replace(each, labels=labels))
        candidates = {spot: tuple(here) for spot, here in found.items()}
        return Glimpse(self._printer.take(image), self.layout, candidates, _hidden(seen))

    def _is_under_a_hand(self, still: Still, seen: Seen) -> bool:
        """Whether a hand rests over the board: much looks different, and some of it cannot be read at all."""
        if self._agreed is None or self._steady is None:
            return False
        watch = self._steady.watch
        changed = watch.compare(watch.remember(self._agreed), watch.remember(still.image)).cells
        return len(_hidden(seen)) >= HAND_HIDES and len(changed) >= HAND_CHANGES


def _hidden(seen: Seen) -> frozenset[Spot]:
    """Places of which nothing was read, not even pieces: a hand is over them."""
    return seen.unsure - {cue.spot for cue in seen.sighting.odds}


def in_words_of_the_rules(sighting: Sighting, names: Mapping[str, str]) -> Sighting:
    """A sighting as games understand it: `tile` split into `here` and the kind.

    Unsure tiles are left out; pieces keep their odds, which say themselves how much they are worth.
    """
    odds: dict[Cue, Mapping[Label, float]] = {}
    for cue, shares in sighting.odds.items():
        if cue.spot in sighting.unsure and cue.kind in TILE_CUES:
            continue
        if cue.kind == "tile":
            gone = shares.get(ABSENT, 0.0)
            odds[Cue(cue.spot, "here")] = {YES: 1.0 - gone, NO: gone}
            kinds = {_rule_name(label, names): share for label, share in shares.items() if label != ABSENT}
            if gone < 0.5 and kinds:
                odds[cue] = kinds
        else:
            odds[cue] = {_rule_name(label, names): share for label, share in shares.items()}
    return Sighting(odds, sighting.unsure)


def _rule_name(label: Label, names: Mapping[str, str]) -> Label:
    return "+".join(sorted(names.get(part, part) for part in label.split("+")))


def _piece_name(label: Label, names: Mapping[str, str]) -> Label:
    kind, dot, colour = label.partition(".")
    return f"{kind}{dot}{names.get(colour, colour)}"
