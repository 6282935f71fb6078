"""Sentences before they are put into a language."""

from engine.sayings import Saying, english, fields_of


def test_facts_numbers_and_nested_sayings() -> None:
    tile = Saying("snow {cell}", {"cell": "4·3·3"})
    text = "{place} holds {count} {count:tile|tiles}."
    assert english(Saying(text, {"place": tile, "count": 1})) == "Snow 4·3·3 holds 1 tile."
    assert english(Saying(text, {"place": [tile, tile], "count": 0})) == "Snow 4·3·3, snow 4·3·3 holds 0 tiles."


def test_a_missing_fact_does_not_fail_at_the_table() -> None:
    assert english(Saying("{what} fell and {n} {n:tile|tiles} too")) == "… fell and … tiles too"


def test_fields_of_a_template() -> None:
    assert fields_of("{a} and {b} {b:one|two|three}") == {"a": [], "b": [3]}
