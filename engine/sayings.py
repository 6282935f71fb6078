"""Sentences for players before they are put into a language: an English template and the facts that fill it.

The template is the key of its translations. `{name}` is a fact; `{count:tile|tiles}` picks the form that fits a number
(two forms in English; a translation has as many as its language needs).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_FIELD: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Saying:
    """Something to say: facts may be numbers, words, other sayings, or lists of them."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.text, tuple(self.facts)))


Rendering = Callable[[Saying], str]
Plural = Callable[[int], int]
"""Which form of a word fits a number, counted from 0."""


def fill(template: str, facts: Mapping[str, Any], plural: Plural, render: Rendering) -> str:
    """Put facts into a template; a fact that is missing shows as an ellipsis rather than failing at the table."""

    def put(match: re.Match[str]) -> str:
        name, forms = match.group(1), match.group(2)
        value = facts.get(name)
        if forms is None:
            return _word(value, render)
        words = forms.split("|")
        number = plural(int(value)) if isinstance(value, int) else len(words) - 1
        return words[min(number, len(words) - 1)]

    said = _FIELD.sub(put, template)
    is_sentence = template.endswith((".", "!", "?"))
    return said[:1].upper() + said[1:] if is_sentence else said


def _word(value: Any, render: Rendering) -> str:
    if value is None:
        return "…"
    if isinstance(value, Saying):
        return render(value)
    if isinstance(value, list | tuple):
        return ", ".join(_word(item, render) for item in value)
    return str(value)


def fields_of(template: str) -> dict[str, list[int]]:
    """Names of a template's facts, each with the numbers of plural forms it is used with."""
    found: dict[str, list[int]] = {}
    for name, forms in _FIELD.findall(template):
        counts = found.setdefault(name, [])
        if forms:
            counts.append(len(forms.split("|")))
    return found


def english(saying: Saying) -> str:
    """The sentence in English."""
    return fill(saying.text, saying.facts, lambda number: 0 if number == 1 else 1, english)
