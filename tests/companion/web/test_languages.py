"""Every text that a player may see is translated, with the facts and plural forms of its language."""

import ast
import re
from functools import lru_cache
from pathlib import Path

import pytest

from companion.chronicle import EP_KINDS
from companion.lessons import LESSONS
from companion.web.forms import descriptions
from companion.web.languages import (
    FORM_COUNT,
    FORMS,
    LANGUAGES,
    CatalogueError,
    catalogue,
    read_catalogue,
    script_texts,
    script_words,
    speak,
    speak_all,
)
from engine.game import RuleViolation
from engine.games.ice import reasons, wording
from engine.games.ice.card_words import DEMANDS
from engine.games.ice.rule_titles import RULES
from engine.games.ice.terms import FORBIDDEN, LAYERS, TERMS
from engine.lights import ROLES
from engine.sayings import Saying, fields_of
from engine.spots import Spot

ROOT = Path(__file__).parents[3]
WEB = ROOT / "companion" / "web"
OTHERS = [language for language in LANGUAGES if language != "en"]
SAME_IN_CZECH = {"Talisman ({type})", "nunatak", "Azulia {cell}", "Log", "PIN"}
"""Words that are rightly the same as in English."""
SAME_IN_RUSSIAN = re.compile(
    r"\{\w+[:}]|/[a-z0-9/.]+|Content-Type: application/json"
    r"|R-[A-Z0-9-]+|Icelight|JavaScript|JSON|CSV|PIN|QR|PDF|companion (pin --clear|check)"
    r"|Raspberry Pi|Pi [0-9, ]+ или Zero 2|Bookworm|Python|OpenCV|SPI|GPIO|PWM|WLED|WS2812B|SK6812"
    r"|[a-z][a-z0-9_]*[:=][a-z0-9/.:=]*|\b(safe|vivid|pressed|inferred|anyone|link|under|rim)\b"
)


SPEAKERS = ("Saying", "HandsCannot")
"""Calls whose first argument players read."""


@lru_cache
def said_in_code() -> frozenset[str]:
    """The first argument of every call that speaks, and every constant that such a call names."""
    texts: set[str] = set()
    for path in [path for package in ("engine", "hardware", "companion") for path in ROOT.glob(f"{package}/**/*.py")]:
        tree = ast.parse(path.read_text())
        constants = {
            node.target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKERS and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    texts.add(first.value)
                elif isinstance(first, ast.Name) and first.id in constants:
                    texts.add(constants[first.id])
    return frozenset(texts)


def said_by_templates() -> set[str]:
    texts: set[str] = set()
    for path in WEB.glob("templates/*.html"):
        found = re.findall(r"""\b_\(("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", path.read_text())
        texts |= {ast.literal_eval(text) for text in found}
    return texts


def all_texts() -> set[str]:
    tables = (
        reasons.SENTENCES, reasons.WARNINGS, RULES, TERMS, LAYERS, wording.ACTIONS, wording.QUESTIONS, DEMANDS,
    )  # fmt: skip
    texts = {text for table in tables for text in table.values()}
    texts |= {wording.NEUTRAL_CAMP, wording.NOBODY_CHOSEN, wording.MOVE_ALONE, wording.FLUID_ALONE}
    texts |= {wording.KEEP_SECRET, wording.SHAPE, FORBIDDEN}
    for lesson in LESSONS:
        texts |= {lesson.title, *lesson.text, lesson.task, lesson.praise}
    return (
        texts
        | set(wording.SCORE_LINES)
        | set(ROLES)
        | set(EP_KINDS)
        | set(descriptions())
        | said_in_code()
        | said_by_templates()
        | set(script_texts())
    )


def test_the_search_finds_texts_everywhere() -> None:
    assert len(said_in_code()) > 20
    assert len(said_by_templates()) > 20
    assert len(script_texts()) > 40


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_untranslated_and_nothing_is_left_over(language: str) -> None:
    texts = {text for text in all_texts() if re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", text))}
    known = set(catalogue(language))
    assert sorted(texts - known) == []
    assert sorted(known - all_texts()) == []


@pytest.mark.parametrize("language", OTHERS)
def test_facts_and_plural_forms_fit(language: str) -> None:
    for source, target in catalogue(language).items():
        ours, theirs = fields_of(source), fields_of(target)
        assert set(theirs) <= set(ours), (source, target)
        missing = set(ours) - set(theirs)
        assert not missing, (source, target)
        assert {count for counts in theirs.values() for count in counts} <= {FORM_COUNT[language]}, target
        assert source.endswith((".", "?")) == target.endswith((".", "?")), (source, target)


def test_translations_are_in_their_own_script() -> None:
    for source, target in catalogue("ru").items():
        plain = SAME_IN_RUSSIAN.sub("", target)
        assert re.search("[а-яё]", plain.lower()), (source, target)
        assert not re.search("[A-Za-z]{3,}", plain), (source, target)
    same = {source for source, target in catalogue("cs").items() if source == target}
    assert same <= SAME_IN_CZECH


def test_english_templates_have_two_forms() -> None:
    for text in all_texts():
        assert {count for counts in fields_of(text).values() for count in counts} <= {2}, text


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", {0: [1], 1: [0], 5: [0]}),
        ("cs", {0: [1], 1: [2, 3, 4], 2: [0, 5, 12, 22, 104]}),
        ("ru", {0: [1, 21, 101], 1: [2, 3, 4, 22, 104], 2: [0, 5, 11, 12, 14, 111, 112]}),
    ],
)
def test_plural_rules(language: str, numbers: dict[int, list[int]]) -> None:
    if language == "en":
        numbers = {0: [1], 1: [0, 2, 5, 21]}
    for form, examples in numbers.items():
        assert [FORMS[language](n) for n in examples] == [form] * len(examples)


def test_the_one_sentence_of_the_product() -> None:
    forbidden = RuleViolation("R-DIG-2", "covered", (Spot("deep:3,3,2"),), {"count": 2})
    saying = reasons.saying(forbidden)
    assert speak(saying, "en").startswith("2 tiles lie on this one")
    assert speak(saying, "cs").startswith("Na tomto dílku leží 2 dílky")
    assert speak(saying, "ru").startswith("На этом жетоне лежат 2 жетона")


def test_sayings_are_spoken_wherever_they_hide() -> None:
    snapshot = {"a": [Saying("Day"), {"b": (Saying("Sunrise"), 3)}], "c": None}
    assert speak_all(snapshot, "cs") == {"a": ["Den", {"b": ["rozbřesk", 3]}], "c": None}


def test_scripts_get_only_what_they_need() -> None:
    words = script_words("cs")
    assert words["Pause"] == "Pozastavit"
    assert len(words) < len(catalogue("cs"))
    assert script_words("en") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', "translated twice"),
        ('msgid "a\nmsgstr "b"\n', "quotes"),
        ("hello\n", "expected msgid"),
    ],
)
def test_broken_catalogues_are_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "xx.po"
    path.write_text(text)
    with pytest.raises(CatalogueError, match=words):
        read_catalogue(path)


def test_long_entries_may_span_lines(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text('# heading\nmsgid ""\nmsgstr ""\n"Language: xx\\n"\n\nmsgid "a "\n"b"\nmsgstr "c \\"d\\""\n')
    assert read_catalogue(path) == {"a b": 'c "d"'}


def test_numbers_are_written_as_in_the_language() -> None:
    saying = Saying("Sharp to {blur} mm.", {"blur": 0.5})
    assert speak(saying, "en") == "Sharp to 0.5 mm."
    assert "0,5" in speak(saying, "cs")
    assert "0,5" in speak(saying, "ru")
