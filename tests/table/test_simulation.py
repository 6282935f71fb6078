"""Whole simulated games through the session with an ideal eye: what is counted, and that nothing is missed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.bootstrap import Simulation
from companion.cli import main
from companion.simulation import Outcome, SimulatedGame, guilds_of
from tests.table.tables import SMALL, ideal_senses


def test_a_whole_game_is_followed_by_the_session(tmp_path: Path) -> None:
    plan = Simulation(3, seed=5, guilds=guilds_of(3, 5), size=SMALL, beats=1)
    game = SimulatedGame(tmp_path, plan, illegal=0.1, senses=ideal_senses)
    found = game.play()
    counts = found.counts
    assert found.troubles == []
    assert counts["visible_actions"] > 20
    assert counts["tracked"] >= 0.95 * counts["visible_actions"]
    assert counts["asked"] <= counts["turns"]
    assert counts["illegal_made"] > 0
    assert counts["illegal_made"] == counts["illegal_flagged"] == counts["illegal_right_rule"]
    assert (counts["wrong"], counts["false_flags"], counts["not_forgiven"]) == (0, 0, 0)
    assert counts["scores_equal"] == 1


def test_the_answer_has_every_count(capsys: pytest.CaptureFixture[str]) -> None:
    names = set(Outcome().document())
    asked = {
        "turns", "actions", "visible_actions", "tracked", "asked", "wrong", "illegal_made", "illegal_flagged",
        "illegal_right_rule", "false_flags", "latency_ms",
    }  # fmt: skip
    assert asked <= names
    assert json.loads(json.dumps(Outcome().document()))["latency_ms"] == {"p50": 0.0, "p95": 0.0, "max": 0.0}
    assert main(["simulate", "ice", "--players", "6"]) == 2
    assert "--players" in capsys.readouterr().err
