"""What the table looked like when it was understood: untouched things stand, whatever one picture reads there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from companion.ice_pieces import MOST, RULE_NAMES
from companion.memory import Memory
from companion.picture_sets import table_layout
from companion.standing import Glimpse
from engine.explain import Weights
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


def test_a_faint_find_is_believed_where_the_picture_changed(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    cue = Cue(HERE, "archaeologists")
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A, B), candidate(A), candidate(B, 0.4)))
    assert found.best(cue) == "2"


def test_a_faint_find_beside_one_that_surely_came_is_no_likelier_for_that(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    beside = spot_mm(HERE, -4.0, 1.0)
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A), candidate(A), candidate(beside, 0.4)))
    odds = found.odds[Cue(HERE, "archaeologists")]
    assert odds["2"] < odds["1"]


def test_what_was_agreed_to_be_none_is_hardly_one_when_a_shadow_falls_on_it(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A), candidate(C, 0.6)), {HERE: {"archaeologists": "1"}})
    now = table.glimpse(with_dots(A, B, C), candidate(A), candidate(B), candidate(C, 0.6))
    assert table.memory.recall(reading(HERE, "3"), now).best(Cue(HERE, "archaeologists")) == "2"


def test_a_piece_at_a_border_may_stand_on_the_other_side(table: Table) -> None:
    beside = Spot("snow:4,2,4")
    table.memory.agree(table.glimpse(BARE), {spot: {"tile": "blank"} for spot in (HERE, beside)})
    middle = np.mean([LAYOUT.places[HERE].centre_mm, LAYOUT.places[beside].centre_mm], axis=0)
    foot = (float(middle[0]), float(middle[1]))
    seen = Sighting({Cue(spot, "leaders"): {"none": 1.0} for spot in (HERE, beside)})
    now = table.glimpse(with_dots(foot), candidate(foot, leader_navigators=1.0))
    assert table.memory.recall(seen, now).best(Cue(HERE, "leaders")) == "navigators"
    others = list(table.memory.otherwise(seen, now))
    assert [other.best(Cue(beside, "leaders")) for other in others] == ["navigators"]
    assert others[0].best(Cue(HERE, "leaders")) == "none"
    # Once that is agreed on, the next picture finds it where it stands.
    table.memory.agree(now, {beside: {"leaders": "navigators"}})
    more = table.glimpse(with_dots(foot, A), candidate(foot, leader_navigators=1.0), candidate(A))
    found = table.memory.recall(seen, more)
    assert found.best(Cue(beside, "leaders")) == "navigators"
    assert found.best(Cue(HERE, "leaders")) == "none"


def test_what_alone_can_have_changed_the_picture_is_believed_most(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    cue = Cue(HERE, "archaeologists")
    beside = table.memory.recall(reading(HERE, "1"), table.glimpse(with_dots(A, B), candidate(A), candidate(B, 0.1)))
    assert beside.best(cue) == "1"
    alone = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(B), candidate(B, 0.1)))
    assert alone.best(cue) == "1"
    assert alone.surprise(cue, "0") > Weights().least
    untouched = table.memory.recall(reading(HERE, "0"), table.glimpse(BARE, candidate(B, 0.1)))
    assert untouched.best(cue) == "0"


def test_where_much_changed_and_nothing_was_found_one_may_have_been_overlooked(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1"}})
    now = table.glimpse(with_dots(A, B), candidate(A))
    found = table.memory.recall(reading(HERE, "1"), now)
    cue = Cue(HERE, "archaeologists")
    assert Weights().disagree < found.surprise(cue, "1") < Weights().calm
    assert found.best(cue) == "2"


def test_a_piece_that_was_turned_hides_nobody(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1"}})
    turned = spot_mm(HERE, -8.0, 1.0)
    found = table.memory.recall(reading(HERE, "1"), table.glimpse(with_dots(turned), candidate(A)))
    assert found.best(Cue(HERE, "archaeologists")) == "1"


def test_nobody_is_suspected_to_have_come_while_something_is_put_right(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1"}})
    now, cue = table.glimpse(with_dots(A, B), candidate(A)), Cue(HERE, "archaeologists")
    assert table.memory.recall(reading(HERE, "1"), now).best(cue) == "2"
    assert table.memory.recall(reading(HERE, "1"), now, is_play=False).best(cue) == "1"


def test_a_leader_that_stood_nowhere_may_have_come_unseen(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A, B)))
    assert found.surprise(Cue(HERE, "leaders"), "navigators") == 0.0


def test_a_piece_that_was_always_seen_badly_stays_when_another_comes_beside_it(table: Table) -> None:
    close = (A[0] + 9.0, A[1])
    table.memory.agree(table.glimpse(with_dots(A), candidate(A, 0.2)), {HERE: {"archaeologists": "1"}})
    shaded = with_dots(A, close)
    u, v = VIEW.project([(*A, LAYOUT.places[HERE].top_mm)])[0].astype(int)
    shaded[v - 8 : v + 8, u - 8 : u + 8] //= 2
    now = table.glimpse(shaded, candidate(A, 0.25), candidate(close, 0.97))
    assert table.memory.recall(reading(HERE, "1"), now).best(Cue(HERE, "archaeologists")) == "2"


def test_a_leader_that_left_may_be_what_looks_like_wood(table: Table) -> None:
    leader = {HERE: {"leaders": "navigators"}}
    table.memory.agree(table.glimpse(with_dots(A), candidate(A, leader_navigators=1.0)), leader)
    there = spot_mm(FAR, 0.0, 0.0)
    now = Glimpse(PRINTER.take(with_dots(there)), LAYOUT, {FAR: (candidate(there),)})
    seen = Sighting({Cue(spot, "leaders"): {"none": 1.0} for spot in (HERE, FAR)})
    moved = table.memory.recall(seen, now)
    assert moved.surprise(Cue(FAR, "leaders"), "navigators") < Weights().strange / 2
    # Once that is agreed on, it stays what it is, whatever it looks like.
    table.memory.agree(now, {FAR: {"leaders": "navigators"}})
    beside = spot_mm(FAR, 14.0, 0.0)
    more = Glimpse(PRINTER.take(with_dots(there, beside)), LAYOUT, {FAR: (candidate(there), candidate(beside))})
    found = table.memory.recall(seen, more)
    assert found.best(Cue(FAR, "leaders")) == "navigators"
    assert found.best(Cue(FAR, "archaeologists")) == "1"


def test_only_the_look_that_was_agreed_on_may_be_trusted(table: Table) -> None:
    before, now = table.glimpse(with_dots(A), candidate(A)), table.glimpse(BARE)
    table.memory.agree(before, {HERE: {"archaeologists": "1"}})
    assert table.memory.has_agreed_on(before)
    assert not table.memory.has_agreed_on(now)
    assert not table.memory.has_agreed_on(None)


def test_a_hand_is_no_part_of_what_is_remembered(table: Table) -> None:
    believed = {HERE: {"archaeologists": "1"}}
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), believed)
    under = Glimpse(PRINTER.take(with_dots(A, B, C)), LAYOUT, {}, frozenset({HERE}))
    table.memory.agree(under, believed)
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A)))
    assert found.best(Cue(HERE, "archaeologists")) == "1"


def test_a_leader_is_not_taken_for_nothing(table: Table) -> None:
    """It may be a camp of its colour that was misread, but that is no reason to believe that nothing came."""
    table.memory.agree(table.glimpse(BARE), {})
    found = table.memory.recall(
        reading(HERE, "0"), table.glimpse(with_dots(A), candidate(A, 0.999, leader_navigators=1.0))
    )
    assert found.surprise(Cue(HERE, "leaders"), "none") > 4.0
    assert found.surprise(Cue(HERE, "camp"), "navigators") < 6.0


def test_what_is_agreed_tells_the_eye_where_pieces_stand(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A)), {HERE: {"archaeologists": "1", "tile": "blank"}})
    assert table.memory.agreed.feet == (("archaeologist", A),)
    assert table.memory.agreed.tiles == {HERE: "blank"}


BESIDE = Spot("snow:3,4,3")
"""A place that shares a border with `HERE`."""


def test_a_piece_on_a_border_stays_on_the_side_where_it_is_known_to_stand(table: Table) -> None:
    middle = [(a + b) / 2 for a, b in zip(LAYOUT.places[HERE].centre_mm, LAYOUT.places[BESIDE].centre_mm, strict=True)]
    border, new = (middle[0], middle[1]), (middle[0] + 12.0, middle[1] - 12.0)
    table.memory.agree(table.glimpse(with_dots(border), candidate(border)), {HERE: {"archaeologists": "1"}})
    jumped = (border[0] + 1.0, border[1] + 1.0)
    image = with_dots(border, new)
    u, v = VIEW.project([(*border, LAYOUT.places[HERE].top_mm)])[0].astype(int)
    image[v - 8 : v + 8, u - 8 : u + 8] //= 2  # the new one's shadow
    now = Glimpse(PRINTER.take(image), LAYOUT, {BESIDE: (candidate(jumped),), HERE: (candidate(new),)})
    odds = {Cue(spot, "archaeologists"): {"1": 0.99, "0": 0.01} for spot in (HERE, BESIDE)}
    found = table.memory.recall(Sighting(odds), now)
    assert found.best(Cue(BESIDE, "archaeologists")) == "0"
    assert found.best(Cue(HERE, "archaeologists")) == "2"


def test_one_of_several_that_came_is_missed_rather_than_one_that_left(table: Table) -> None:
    there = spot_mm(FAR, 0.0, 0.0)
    table.memory.agree(table.glimpse(with_dots(A, B), candidate(A), candidate(B)), {HERE: {"archaeologists": "2"}})
    now = Glimpse(PRINTER.take(with_dots(there)), LAYOUT, {FAR: (candidate(there),)})
    odds = {Cue(HERE, "archaeologists"): {"0": 1.0}, Cue(FAR, "archaeologists"): {"1": 1.0}}
    found = table.memory.recall(Sighting(odds), now)
    both_went = found.surprise(Cue(FAR, "archaeologists"), "2")
    one_stayed = found.surprise(Cue(HERE, "archaeologists"), "1")
    assert one_stayed > both_went + Weights().margin
    assert one_stayed < Weights().fit


def test_a_shadow_beside_a_leader_that_came_may_be_no_piece(table: Table) -> None:
    """Nobody is told that a rule was broken because a leader throws a shadow into the hole beside it."""
    table.memory.agree(table.glimpse(BARE), {})
    shadow = spot_mm(BESIDE, 0.0, 0.0)
    close = (shadow[0] + 12.0, shadow[1])
    odds = {Cue(HERE, "leaders"): {"navigators": 1.0}, Cue(BESIDE, "archaeologists"): {"1": 1.0}}
    found = {HERE: (candidate(close, 0.999, leader_navigators=1.0),), BESIDE: (candidate(shadow, 0.98),)}
    now = Glimpse(PRINTER.take(with_dots(shadow, close)), LAYOUT, found)
    seen = table.memory.recall(Sighting(odds), now)
    assert seen.surprise(Cue(BESIDE, "archaeologists"), "0") <= Weights().calm
    alone = Glimpse(PRINTER.take(with_dots(shadow)), LAYOUT, {BESIDE: found[BESIDE]})
    assert table.memory.recall(Sighting(odds), alone).surprise(Cue(BESIDE, "archaeologists"), "0") > Weights().calm


def test_one_piece_is_not_taken_for_a_leader_and_a_camp_at_once(table: Table) -> None:
    table.memory.agree(table.glimpse(BARE), {})
    unclear = candidate(A, 0.999, leader_navigators=0.9, camp_navigators=0.1)
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A), unclear))
    assert found.best(Cue(HERE, "leaders")) == "navigators"
    assert found.surprise(Cue(HERE, "camp"), "navigators") > Weights().margin
    misnamed = found.surprise(Cue(HERE, "camp"), "navigators") + found.surprise(Cue(HERE, "leaders"), "none")
    assert misnamed < Weights().fit


def test_what_a_dig_bares_may_be_no_piece(table: Table) -> None:
    """A ghost in a hole that nobody has seen before is no second action of the same hands."""
    lying = {HERE: {"here": "yes"}}
    table.memory.agree(table.glimpse(BARE), lying)
    cue = Cue(BESIDE, "archaeologists")
    at = spot_mm(BESIDE, 0.0, 0.0)
    now = Glimpse(PRINTER.take(with_dots(at, A)), LAYOUT, {BESIDE: (candidate(at, 0.98),)})
    hole = {Cue(HERE, "here"): {"no": 1.0}, cue: {"1": 1.0}}
    assert table.memory.recall(Sighting(hole), now).surprise(cue, "0") < Weights().least + Weights().again
    closed = {Cue(HERE, "here"): {"yes": 1.0}, cue: {"1": 1.0}}
    assert table.memory.recall(Sighting(closed), now).surprise(cue, "0") > Weights().least + Weights().again


def test_two_camps_of_nobody_on_one_place_are_two(table: Table) -> None:
    table.memory.agree(table.glimpse(with_dots(A), candidate(A, camp_neutral=1.0)), {HERE: {"camp": "neutral"}})
    camps = (candidate(A, camp_neutral=1.0), candidate(B, camp_neutral=1.0))
    found = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A, B), *camps))
    assert found.best(Cue(HERE, "camp")) == "neutral+neutral"
    leaders = (candidate(A, leader_navigators=1.0), candidate(B, 0.9, leader_navigators=1.0))
    now = table.memory.recall(reading(HERE, "0"), table.glimpse(with_dots(A, B), *leaders))
    assert now.best(Cue(HERE, "leaders")) == "navigators"


def test_what_is_done_on_the_far_side_of_the_rim_is_noticed(table: Table) -> None:
    rim = Spot("edge.surface:-1,4,6")
    place = LAYOUT.places[rim]
    out = (place.centre_mm[0], place.centre_mm[1] - 10.0)
    before, after = PRINTER.take(BARE), PRINTER.take(with_dots(out))
    assert rim in after.since(before).spots
    assert after.since(before).near(out, place.top_mm, 2.5)


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
