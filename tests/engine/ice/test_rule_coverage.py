"""Every rule id has a test that names it; an id without one fails here."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from engine.games.ice.rule_titles import REMINDED, RULES

TESTS = Path(__file__).parents[2]
SPECIFICATION = Path(__file__).parents[4] / "shared" / "rules" / "ice.md"


def words_of_tests() -> Iterator[str]:
    """Names of test functions, and the texts in them and in their parameters."""
    for path in TESTS.rglob("test_*.py"):
        if path == Path(__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield re.sub(r"\bV(\d)", r"V-\1", node.name.upper().replace("_", "-"))
                for leaf in ast.walk(node):
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                        yield leaf.value


def named_in(text: str, names: Collection[str]) -> set[str]:
    """The ids that stand in a text, none as a part of another."""
    return {name for name in names if re.search(rf"(?<![A-Z]){name}(?![A-Z0-9])", text)}


def test_every_rule_is_named_by_a_test() -> None:
    named = named_in("\n".join(words_of_tests()), RULES)
    assert set(RULES) - named - REMINDED == set()


def test_every_vector_of_the_specification_is_named_by_a_test() -> None:
    if not SPECIFICATION.exists():
        pytest.skip(f"the rules specification is not beside the project: {SPECIFICATION} is absent")
    vectors = set(re.findall(r"\*\*(V-\d+)", SPECIFICATION.read_text(encoding="utf-8")))
    assert len(vectors) == 20
    assert vectors - named_in("\n".join(words_of_tests()), vectors) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("TEST-R-DIG-1-THE-LEADER-", {"R-DIG-1"}),
        ("TEST-R-HARM-AN-ARCHAEOLOGIST-", {"R-HARM"}),
        ("TEST-V8-R-DIG-12-X-", set()),
        ("TEST-FOR-DIG-1-", set()),
    ],
)
def test_a_name_is_found_only_where_it_stands(text: str, names: set[str]) -> None:
    assert named_in(text, {"R-DIG-1", "R-HARM", "R-DIG-2"}) == names
