"""What is missing, what is too much, and what a hand holds."""

from __future__ import annotations

import pytest

from companion.restoring import Difference, lifted, restoring_lights
from engine import lights as roles
from engine.spots import Cue, Spot

HERE = Spot("snow:3,3,4")
ELSEWHERE = Spot("snow:4,3,3")


@pytest.mark.parametrize(
    ("kind", "wanted", "seen", "is_missing", "is_too_much"),
    [
        ("archaeologists", "2", "1", True, False),
        ("archaeologists", "0", "1", False, True),
        ("camp", "navigators", "none", True, False),
        ("camp", "navigators", "navigators+neutral", False, True),
        ("camp", "neutral+neutral", "neutral", True, False),
        ("leaders", "navigators", "nurturers", True, True),
        ("here", "yes", "no", True, False),
        ("here", "no", "yes", False, True),
    ],
)
def test_a_difference_is_something_missing_or_too_much(
    kind: str, wanted: str, seen: str, is_missing: bool, is_too_much: bool
) -> None:
    found = Difference(HERE, kind, wanted, seen)
    assert (found.is_missing, found.is_too_much) == (is_missing, is_too_much)


def test_a_second_camp_is_not_held_in_a_hand() -> None:
    second = Difference(HERE, "camp", "navigators", "navigators+neutral")
    assert lifted([second]) is None
    assert restoring_lights([second])[HERE].role == roles.TAKE_AWAY


def test_one_missing_piece_is_held_in_a_hand_unless_something_else_changed() -> None:
    gone = Difference(HERE, "leaders", "navigators", "none")
    assert lifted([gone]) == Cue(HERE, "leaders")
    assert lifted([gone, Difference(ELSEWHERE, "leaders", "none", "navigators")]) is None
