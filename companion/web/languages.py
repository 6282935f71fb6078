"""The languages of the page: catalogues read straight from their .po files, chosen per viewer, plurals included."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Request

from engine.sayings import Saying, fill

ENGLISH: Final = "en"
LANGUAGES: Final = {"en": "English", "cs": "Čeština", "ru": "Русский"}
"""Codes and how each language calls itself."""
COOKIE: Final = "language"
FOLDER: Final = Path(__file__).parent / "locales"
_SCRIPT_WORD: Final = re.compile(r'\bt\("((?:[^"\\]|\\.)*)"')
"""How a script marks a text: `t("…")`."""


def _english_form(number: int) -> int:
    return 0 if number == 1 else 1


def _czech_form(number: int) -> int:
    return 0 if number == 1 else 1 if 2 <= number <= 4 else 2


def _russian_form(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


FORMS: Final[Mapping[str, Callable[[int], int]]] = {"en": _english_form, "cs": _czech_form, "ru": _russian_form}
DECIMAL_SIGNS: Final = {"en": ".", "cs": ",", "ru": ","}
FORM_COUNT: Final = {"en": 2, "cs": 3, "ru": 3}


class CatalogueError(ValueError):
    """A .po file that cannot be read: which line, and why."""


def read_catalogue(path: Path) -> dict[str, str]:
    """The translations of a .po file; its heading and entries without a translation are left out."""
    found: dict[str, str] = {}
    for number, source, target in _entries(path):
        if source in found:
            raise CatalogueError(f"{path.name}:{number}: {source!r} is translated twice; keep one of them")
        if source and target:
            found[source] = target
    return found


def _entries(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line number, msgid and msgstr of every entry."""
    parts: dict[str, str] = {}
    keyword = ""
    for number, raw in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        line = raw.strip()
        if not line and parts:
            yield number, parts.get("msgid", ""), parts.get("msgstr", "")
            parts, keyword = {}, ""
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(" ")
        if head in ("msgid", "msgstr"):
            keyword, line = head, rest
        elif not line.startswith('"') or not keyword:
            raise CatalogueError(f"{path.name}:{number}: expected msgid, msgstr or a quoted string, got {raw[:60]!r}")
        try:
            parts[keyword] = parts.get(keyword, "") + str(ast.literal_eval(line))
        except (SyntaxError, ValueError):
            raise CatalogueError(f"{path.name}:{number}: the quotes of {raw[:60]!r} do not match") from None


@lru_cache
def catalogue(language: str) -> Mapping[str, str]:
    """The translations into a language; English needs none."""
    return {} if language == ENGLISH else read_catalogue(FOLDER / f"{language}.po")


def speak(saying: Saying, language: str) -> str:
    """A saying in a language."""
    template = catalogue(language).get(saying.text, saying.text)
    facts = {
        name: number(value, language) if isinstance(value, float) else value for name, value in saying.facts.items()
    }
    return fill(template, facts, FORMS[language], lambda inner: speak(inner, language))


def number(value: float, language: str) -> str:
    """A number with a fraction as a language writes it."""
    return str(value).replace(".", DECIMAL_SIGNS[language])


def translate(text: str, language: str, **facts: Any) -> str:
    """A text of the page in a language."""
    return speak(Saying(text, facts), language)


def speak_all(value: Any, language: str) -> Any:
    """The same value with every saying in it spoken."""
    if isinstance(value, Saying):
        return speak(value, language)
    if isinstance(value, Mapping):
        return {str(key): speak_all(item, language) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [speak_all(item, language) for item in value]
    return value


def language_of(request: Request, usual: str = ENGLISH) -> str:
    """What the viewer chose, else what the browser prefers, else the table's usual one."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or usual


@lru_cache
def script_texts() -> tuple[str, ...]:
    """Every text that the scripts say, found by its mark."""
    sources = sorted((Path(__file__).parent / "static").glob("*.js"))
    texts = [match for path in sources for match in _SCRIPT_WORD.findall(path.read_text(encoding="utf-8"))]
    return tuple(dict.fromkeys(ast.literal_eval(f'"{text}"') for text in texts))


def script_words(language: str) -> dict[str, str]:
    """What the scripts need to speak a language."""
    known = catalogue(language)
    return {text: known[text] for text in script_texts() if text in known}
