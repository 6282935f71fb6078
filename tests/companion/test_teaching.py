"""Every lesson can be passed by a way that the rules allow, and a wrong try is told by its rule."""

import pytest

from companion.lessons import LEARNER, LESSONS
from companion.teaching import BadAttempt, choices, is_done, play, rules_of, view
from engine.games.ice.rule_titles import RULES

WAYS = {
    "layers": ["move surface:4,2,3", "move deep:3,2,3"],
    "moving": ["move snow:5,2,3 archaeologists=3"],
    "crevasses": ["move snow:5,3,2", "move snow:5,2,3"],
    "camps": ["camp snow:5,2,3"],
    "sailing": ["sail snow:5,2,3", "recruit snow:5,2,3"],
    "cost": ["dig snow:4,3,3", "allocate archaeologists=1/0/0 leaders=navigators:1"],
    "collapse": [
        "move surface:4,2,3 archaeologists=2",
        "dig surface:4,2,3",
        "allocate archaeologists=1/1/0 leaders=navigators:2",
    ],
    "chain": ["dig snow:3,3,4", "allocate archaeologists=0/0/0 leaders=navigators:0"],
    "allocation": ["dig snow:4,3,3"],
    "effects": ["achieve"],
    "study": ["study type=achievement", "achieve"],
    "requests": ["validate card=anima-3-obliteration artifacts=obliteration.1.2+obliteration.2.1"],
    "day": ["move snow:6,1,3", "move snow:5,2,3", "end"] * 3,
}
WRONG = {
    "layers": ("move deep:3,2,3", "R-ADJ-1"),
    "moving": ("move snow:5,2,3 archaeologists=4", "R-MOVE-2"),
    "crevasses": ("move snow:5,2,3", "R-CREV-1"),
    "camps": ("camp snow:3,3,4", "R-CAMP-3"),
    "sailing": ("sail snow:4,3,3", "R-SAIL-3"),
    "cost": ("dig snow:4,2,4", "R-DIG-1"),
    "collapse": ("dig surface:3,3,3", "R-DIG-2"),
    "chain": ("dig snow:4,3,3", "R-DIG-1"),
    "allocation": ("end", "R-EP-1"),
    "effects": ("obliterate snow:4,2,4", "R-ART-5"),
    "study": ("achieve", "R-ART-5"),
    "requests": ("validate card=anima-3-obliteration artifacts=obliteration.1.2", "R-REQ-9"),
    "day": ("end", "R-EP-1"),
}


def lines(key: str) -> list[str]:
    return [f"{LEARNER} {line}" for line in WAYS[key]]


def test_there_are_at_least_ten_lessons_with_known_rules() -> None:
    assert len(LESSONS) >= 10
    assert {lesson.key for lesson in LESSONS} == set(WAYS) == set(WRONG)
    for lesson in LESSONS:
        assert lesson.rules
        assert set(lesson.rules) <= set(RULES)
        assert len(rules_of(lesson)) == len(lesson.rules)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lesson_is_passed_by_doing_its_task(lesson) -> None:
    way = lines(lesson.key)
    assert not is_done(lesson, play(lesson, [], None))
    played = play(lesson, way[:-1], way[-1])
    assert played.violation is None, played.violation
    if lesson.key == "allocation":  # the learner still spreads: only even ways are allowed
        legal = played.game.legal_actions(played.state)
        played = play(lesson, way, played.game.format(legal[0]))
    assert is_done(lesson, played)
    shown = view(lesson, played, None)
    assert shown["finished"]
    assert shown["choices"] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_mistake_is_told_by_its_rule_and_changes_nothing(lesson) -> None:
    line, rule = WRONG[lesson.key]
    played = play(lesson, [], f"{LEARNER} {line}")
    shown = view(lesson, played, None)
    assert shown["refusal"]["rule"] == rule
    assert shown["done"] == []
    assert not shown["finished"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_the_right_way_is_always_among_the_choices(lesson) -> None:
    way = lines(lesson.key)
    for number, line in enumerate(way):
        played = play(lesson, way[:number], None)
        words = line.split()
        spot = words[2] if len(words) > 2 and ":" in words[2] and not played.state.asked else None
        if words[1] in ("obliterate",):
            spot = None
        offered = {played.game.format(action) for action in choices(lesson, played.game, played.state, spot)}
        assert line in offered, (line, sorted(offered))


def test_spreading_offers_wrong_ways_too() -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.key == "allocation")
    played = play(lesson, lines("allocation"), None)
    offered = list(choices(lesson, played.game, played.state, None))
    verdicts = [played.game.why_illegal(played.state, action) for action in offered]
    assert None in verdicts
    assert any(verdict is not None and verdict.rule == "R-ALLOC-5" for verdict in verdicts)


@pytest.mark.parametrize(
    ("done", "attempt", "words"),
    [
        (["navigators dance"], None, "dance"),
        (["navigators end"], None, "never allowed"),
        (["navigators end"] * 61, None, "at most"),
    ],
)
def test_lines_that_do_not_belong_here_are_refused(done: list[str], attempt: str | None, words: str) -> None:
    with pytest.raises(BadAttempt, match=words):
        play(LESSONS[0], done, attempt)
