"""Every refusal has a sentence, every id a title, and the specification has no other ids."""

import re
import string
from pathlib import Path

import pytest

from engine.game import RuleViolation
from engine.games.ice.options import DECISIONS
from engine.games.ice.reasons import SENTENCES, WARNINGS, say
from engine.games.ice.rule_titles import REMINDED, RULES

ENGINE = Path(__file__).parents[3] / "engine" / "games" / "ice"
SPECIFICATION = Path(__file__).parents[4] / "shared" / "rules" / "ice.md"


def test_every_literal_refusal_has_a_sentence_and_every_rule_a_title() -> None:
    source = "".join(path.read_text() for path in ENGINE.glob("*.py"))
    pairs = set(re.findall(r'\bno\(\s*"(R-[A-Z0-9-]+)", "([^"]+)"', source))
    assert len(pairs) > 100
    assert pairs <= set(SENTENCES)
    assert {rule for rule, _ in (*SENTENCES, *WARNINGS)} <= set(RULES)
    assert set(RULES) >= REMINDED


@pytest.mark.parametrize(("rule", "reason"), sorted(SENTENCES))
def test_sentences_say_what_to_do_in_full_sentences(rule: str, reason: str) -> None:
    template = SENTENCES[rule, reason]
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name and not name.isdigit()}
    said = say(RuleViolation(rule, reason, (), dict.fromkeys(names, 2)))
    assert said[0].isupper() or said[0].isdigit() or said.startswith("that place")
    assert said.endswith(".")
    assert "{" not in said


def test_an_unknown_refusal_still_names_its_rule() -> None:
    assert "R-DIG-1" in say(RuleViolation("R-DIG-1", "never heard of"))


def test_every_id_of_the_specification_has_a_title() -> None:
    if not SPECIFICATION.exists():
        pytest.skip(f"the rules specification is not beside the project: {SPECIFICATION} is absent")
    ids = set(re.findall(r"\bR-[A-Z]+-[A-Z0-9]+\b", SPECIFICATION.read_text()))
    ids |= {"R-HARM", "R-OBLI", "R-PHIL", "R-EXAL", "R-ACHI"}
    assert ids - set(RULES) == set()


def test_every_decision_is_described() -> None:
    page = (ENGINE.parents[2] / "docs" / "rules.md").read_text()
    assert [name for names in DECISIONS.values() for name in names if f"`{name}`" not in page] == []
