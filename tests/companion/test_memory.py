"""What the table looked like when it was understood: untouched things stand, whatever one picture reads there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from companion.ice_pieces import MOST, RULE_NAMES
from companion.memory import Glimpse, Memory
from companion.picture_sets import table_layout
from engine.sighting import Sighting
from engine.spots import Cue, Label, Spot
from tests.vision.sheet import make_view
from vision.changes import Imprint, Printer
from vision.pieces import Candidate
from vision.view import Image

LAYOUT = table_layout()
HERE, FAR = Spot("snow:4,3,3"), Spot("snow:0,5,5")
State = Mapping[Spot, Mapping[str, Label]]
VIEW = make_view()
PRINTER = Printer(VIEW, LAYOUT)
BARE: Image = np.full((VIEW.lens.height, VIEW.lens.width, 3), 150, np.uint8)


def seen_at(state: State, spot: Spot) -> Mapping[str, Label]:
    return {"archaeologists": "0", "leaders": "none", "camp": "none", **state.get(spot, {})}


def spot_mm(spot: Spot, x: float, y: float) -> tuple[float, float]:
    centre = LAYOUT.places[spot].centre_mm
    return centre[0] + x, centre[1] + y


def with_dots(*places: tuple[float, float]) -> Image:
    """A bare table with dark pieces at some places."""
    image = BARE.copy()
    for at in places:
        u, v = VIEW.project([(*at, LAYOUT.places[HERE].top_mm)])[0]
        r = max(2, round(4 * VIEW.pixels_per_mm()))
        image[int(v) - r : int(v) + r, int(u) - r : int(u) + r] = 60
    return image


def candidate(at: tuple[float, float], chance: float = 0.95, **labels: float) -> Candidate:
    return Candidate(
        0, at, chance, {name.replace("_", "."): share for name, share in labels.items()} or {"archaeologist": 1.0}
    )


@dataclass
class Table:
    memory: Memory[State]

    def glimpse(self, image: Image, *found: Candidate, spot: Spot = HERE) -> Glimpse:
        return Glimpse(PRINTER.take(image), LAYOUT, {spot: found})


@pytest.fixture
def table() -> Table:
    return Table(Memory(seen_at, MOST))


def reading(spot: Spot, count: str) -> Sighting:
    return Sighting({Cue(spot, "archaeologists"): {count: 0.99, "9": 0.01}, Cue(spot, "leaders"): {"none": 1.0}})


A, B, C = (spot_mm(HERE, x, y) for x, y in ((-9.0, 0.0), (9.0, 4.0), (0.0, -12.0)))


def test_without_an_agreement_a_picture_is_taken_as_it_is(table: Table) -> None:
    seen = reading(HERE, "2")
    assert table.memory.recall(seen, table.glimpse(BARE)) is seen
    assert table.memory.recall(seen, None) is seen


def test_an_untouched_place_holds_what_was_agreed(table: Table) -> None:
    image = with_dots(A)
    table.memory.agree(table.glimpse(image, candidate(A)), {HERE: {"archaeologists": "1"}})
    found = table.memory.recall(reading(HERE, "3"), table.glimpse(image, candidate(A), candidate(B)))
    assert found.best(Cue(HERE, "archaeologists")) == "1"


def test_a_new_piece_is_counted_beside_those_that_stayed(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1"}})
    # The eye misses the one that stayed and finds the new one.
    found = table.memory.recall(reading(HERE, "1"), table.glimpse(with_dots(A, B), candidate(B)))
    assert found.best(Cue(HERE, "archaeologists")) == "2"


def test_what_was_no_piece_is_none_when_something_else_comes(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A), candidate(C, 0.9)), {HERE: {"archaeologists": "1"}})
    now = table.glimpse(with_dots(A, B), candidate(A), candidate(B), candidate(C, 0.9))
    assert table.memory.recall(reading(HERE, "3"), now).best(Cue(HERE, "archaeologists")) == "2"


def test_a_piece_that_left_is_gone(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A, B), candidate(A), candidate(B)), {HERE: {"archaeologists": "2"}})
    found = table.memory.recall(reading(HERE, "1"), table.glimpse(with_dots(A), candidate(A)))
    assert found.best(Cue(HERE, "archaeologists")) == "1"


def test_a_colour_that_stands_elsewhere_untouched_is_not_believed_twice(table: Table) -> None:
    leader = {HERE: {"leaders": "navigators"}}
    table.memory.agree(table.glimpse(with_dots(A), candidate(A, leader_navigators=1.0)), leader)
    there = spot_mm(FAR, 0.0, 0.0)
    now = Glimpse(
        PRINTER.take(with_dots(A, there)),
        LAYOUT,
        {
            HERE: (candidate(A, leader_navigators=1.0),),
            FAR: (candidate(there, leader_navigators=0.6, camp_icewalkers=0.4),),
        },
    )
    seen = Sighting({Cue(FAR, "leaders"): {"navigators": 0.6, "none": 0.4}, Cue(FAR, "camp"): {"none": 0.6}})
    found = table.memory.recall(seen, now)
    assert found.best(Cue(FAR, "leaders")) == "none"
    assert found.best(Cue(FAR, "camp")) == "icewalkers"


def test_where_something_was_done_one_piece_may_be_misread(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    found = table.memory.recall(reading(HERE, "1"), table.glimpse(with_dots(A), candidate(A, 0.9999)))
    cue = Cue(HERE, "archaeologists")
    assert 0.0 < found.surprise(cue, "2") < 6.0
    assert found.surprise(cue, "4") > 6.0


def test_from_another_view_nothing_is_remembered(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1"}})
    moved = Glimpse(Imprint(Printer(VIEW, LAYOUT), PRINTER.take(BARE).cells), LAYOUT, {})
    assert table.memory.recall(reading(HERE, "0"), moved).best(Cue(HERE, "archaeologists")) == "0"


def test_light_that_changes_evenly_is_no_change() -> None:
    before, after = with_dots(A), (with_dots(A) * 0.8).astype(np.uint8)
    assert PRINTER.take(after).since(PRINTER.take(before)).spots == frozenset()
    assert HERE in PRINTER.take(with_dots(A, B)).since(PRINTER.take(before)).spots


def test_every_guild_has_a_paint_and_its_pieces() -> None:
    assert RULE_NAMES["white"] == "neutral"
    assert MOST["camp.neutral"] == 2
    assert MOST["leader.nurturers"] == MOST["camp.nurturers"] == 1
