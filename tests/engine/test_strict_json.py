"""JSON that others wrote: what is refused, and how it is said."""

import pytest

from engine.strict_json import DEEPEST, BadJson, decode


def test_plain_json_is_decoded() -> None:
    assert decode('{"a": [1, 2.5, null, true, "x"]}') == {"a": [1, 2.5, None, True, "x"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1"),
        ('{"a": 1,}', "not valid JSON"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"tiles": {"b": 1, "b": 2}}', "'b' stands twice"),
        ("[NaN]", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[1e999]", "1e999 is too large"),
        ("[" + "1" * 5000 + "]", "a number is too long"),
        ("[" * 100_000, "nested more than"),
        ("[" * 100_000 + "]" * 100_000, "nested more than"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested more than"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than"),
        ('"' + "x" * 1_000_001 + '"', "at most 1000000 are accepted"),
    ],
)
def test_what_is_refused_is_named(text: str, words: str) -> None:
    with pytest.raises(BadJson, match=words) as caught:
        decode(text)
    assert len(str(caught.value)) < 200


def test_the_deepest_allowed_nesting_is_accepted() -> None:
    assert decode("[" * DEEPEST + "]" * DEEPEST) is not None
