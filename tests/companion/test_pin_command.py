"""`companion pin`."""

import time
from pathlib import Path

import pytest

from companion.access import Access
from companion.cli import main


def test_a_forgotten_pin_is_replaced_or_removed_on_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: "8642")
    assert main(["pin", "--data", str(tmp_path)]) == 0
    assert Access(tmp_path / "access.json", time.monotonic).let_in("8642", "phone")
    assert main(["pin", "--data", str(tmp_path), "--clear"]) == 0
    assert not Access(tmp_path / "access.json", time.monotonic).has_pin
    monkeypatch.setattr("getpass.getpass", lambda prompt: "no")
    assert main(["pin", "--data", str(tmp_path)]) == 2
    assert "4 to 32 digits" in capsys.readouterr().err
