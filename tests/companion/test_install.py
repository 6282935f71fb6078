"""install.sh and the units: readable before it acts, safe to run again, undone again, locked down."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.programs import need

PROJECT = Path(__file__).parents[2]
UNITS = ("companion.service", "companion-kiosk.service", "companion-kiosk.target")


def install(*options: str, root: Path | None = None, fails: bool = False) -> str:
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | ({"INSTALL_ROOT": str(root)} if root else {})
    done = subprocess.run(
        ["sh", PROJECT / "install.sh", *options], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


def pi(folder: Path, model: str, config: str) -> Path:
    """A pretend root of a Raspberry Pi; returns its config.txt."""
    (folder / "proc/device-tree").mkdir(parents=True)
    (folder / "proc/device-tree/model").write_text(model + "\0")
    path = folder / config
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("dtoverlay=vc4-kms-v3d\n")
    return path


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_names_every_step_and_changes_nothing(tmp_path: Path) -> None:
    pi(tmp_path, "Raspberry Pi 4 Model B", "boot/firmware/config.txt")
    before = files(tmp_path)
    printed = install("--dry-run", root=tmp_path)
    assert files(tmp_path) == before
    for step in (
        "apt-get",
        "python3-picamera2",
        "useradd",
        "--system-site-packages",
        "dtparam=spi=on",
        "systemctl enable",
    ):
        assert step in printed


@pytest.mark.parametrize(
    ("model", "config", "clock"),
    [
        ("Raspberry Pi 4 Model B Rev 1.4", "boot/firmware/config.txt", "core_freq_min=500\n"),
        ("Raspberry Pi 3 Model B Plus", "boot/config.txt", "core_freq=250\n"),
        ("Raspberry Pi Zero 2 W", "boot/firmware/config.txt", "core_freq=250\n"),
        ("Raspberry Pi 5 Model B", "boot/firmware/config.txt", ""),
    ],
)
def test_it_can_be_run_again(model: str, config: str, clock: str, tmp_path: Path) -> None:
    path = pi(tmp_path, model, config)
    install(root=tmp_path)
    once = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    assert path.read_text() == "dtoverlay=vc4-kms-v3d\ndtparam=spi=on\n" + clock
    assert {f"etc/systemd/system/{unit}" for unit in UNITS} <= set(once)
    install(root=tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == once


def test_lines_for_all_models_do_not_end_in_a_section_for_one(tmp_path: Path) -> None:
    path = pi(tmp_path, "Raspberry Pi 4 Model B", "boot/firmware/config.txt")
    path.write_text("[cm5]\ndtoverlay=dwc2\n")
    install(root=tmp_path)
    assert path.read_text() == "[cm5]\ndtoverlay=dwc2\n[all]\ndtparam=spi=on\ncore_freq_min=500\n"


def test_uninstalling_leaves_the_games_unless_told(tmp_path: Path) -> None:
    config = pi(tmp_path, "Raspberry Pi 4 Model B", "boot/firmware/config.txt")
    install(root=tmp_path)
    game = tmp_path / "var/lib/companion/games.db"
    game.write_text("a game")
    assert "settings and games stay" in install("--uninstall", root=tmp_path)
    assert game.exists()
    assert not (tmp_path / "opt/companion").exists()
    assert not any(name.startswith("etc/") for name in files(tmp_path))
    assert config.with_name("config.txt.before-companion").read_text() == "dtoverlay=vc4-kms-v3d\n"
    install("--uninstall", "--purge", root=tmp_path)
    assert not game.exists()


def test_elsewhere_spi_is_left_alone_and_mistakes_are_named(tmp_path: Path) -> None:
    assert "not a Raspberry Pi, SPI is left alone" in install(root=tmp_path)
    assert "unknown option '--fast'" in install("--fast", fails=True)


def test_the_service_is_locked_down() -> None:
    analyser = need("systemd-analyze", "systemd")
    command = [analyser, "security", "--offline=true", "--threshold=25", PROJECT / "systemd/companion.service"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    level = re.search(r"exposure level for companion.service: ([\d.]+)", done.stdout)
    assert level, done.stderr
    assert float(level[1]) <= 2.5


def test_the_service_restarts_and_is_watched() -> None:
    unit = (PROJECT / "systemd/companion.service").read_text()
    for line in ("Type=notify", "WatchdogSec=30", "Restart=on-failure", "User=companion"):
        assert line in unit.splitlines()
