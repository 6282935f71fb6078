"""`companion simulate` refuses what it cannot play, before anything is drawn."""

import pytest

from companion.cli import main


@pytest.mark.parametrize(
    ("option", "value"),
    [("--size", "big"), ("--size", "10x10"), ("--size", "9000x9000"), ("--players", "6"), ("--illegal", "2")],
)
def test_a_wrong_option_is_named(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "ice", option, value]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert option in said.err
    assert value in said.err
