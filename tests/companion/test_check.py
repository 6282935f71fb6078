"""`companion check` from its arguments to its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from tests.hardware.doubles import jpeg


def test_system_lists_every_need(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--camera", "synthetic:", "--leds", "simulator:"]) == 0
    printed = capsys.readouterr().out
    for name in ("model", "system", "groups", "spi buffer", "core clock", "audio", "camera", "space", "clock"):
        assert name in printed


def test_a_fault_comes_with_its_cure_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", "--camera", "usb:77"]) == 1
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["camera"]["status"] == "fault"
    assert checks["camera"]["found"] == "/dev/video77 does not exist"
    assert checks["camera"]["cure"].startswith("plug the camera in")
    assert checks["space"].keys() == {"name", "status", "found", "cure", "fix"}
    assert all(isinstance(check[key], str) for check in checks.values() for key in ("found", "cure"))


def test_a_cure_is_printed_below_its_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--camera", "usb:77"]) == 1
    lines = capsys.readouterr().out.splitlines()
    fault = lines.index("FAULT  camera        /dev/video77 does not exist")
    assert lines[fault + 1].strip().startswith("-> plug the camera in")


def test_camera_takes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.jpg").write_bytes(jpeg())
    saved = tmp_path / "out.png"
    assert main(["check", "camera", "--camera", f"clip:{tmp_path / 'in'}", "--save", str(saved)]) == 0
    assert "160 x 120 pixels" in capsys.readouterr().out
    assert cv2.imread(str(saved)).shape == (120, 160, 3)


def test_camera_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "camera", "--camera", f"clip:{tmp_path}"]) == 1
    assert "has no picture after 0" in capsys.readouterr().out


def test_stages_of_a_simulated_table_end_with_the_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "camera", "--camera", "synthetic:", "--save-stages", str(tmp_path / "stages")]) == 0
    assert "the last one 12-pieces" in capsys.readouterr().out
    assert len(list((tmp_path / "stages").glob("*.png"))) == 12


def test_stages_of_a_picture_without_markers_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.jpg").write_bytes(jpeg())
    where = str(tmp_path / "stages")
    assert main(["check", "camera", "--camera", f"clip:{tmp_path / 'in'}", "--save-stages", where]) == 1
    assert "no marker is visible; lay the printed sheet around the board" in capsys.readouterr().out
    assert (tmp_path / "stages" / "02-markers.png").exists()


def test_a_bad_enrolment_is_a_user_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.jpg").write_bytes(jpeg())
    (tmp_path / "tiles").write_bytes(b"nothing")
    command = ["check", "camera", "--camera", f"clip:{tmp_path / 'in'}", "--save-stages", str(tmp_path)]
    assert main([*command, "--enrolment", str(tmp_path / "tiles")]) == 2
    assert "is not an enrolment file" in capsys.readouterr().err


def test_leds_light_on_the_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "leds", "--leds", "simulator:"]) == 0
    assert main(["check", "leds", "--leds", "spi:9.9"]) == 1
    assert "/dev/spidev9.9 does not exist" in capsys.readouterr().out


def test_a_bad_settings_file_is_a_user_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text("[lights]\ncount = 0\n")
    assert main(["check", "--settings", str(tmp_path / "settings.toml")]) == 2
    assert "count" in capsys.readouterr().err
