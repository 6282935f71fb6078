"""New settings of devices take effect while the session runs, and the game goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from msgspec.structs import replace

from companion.bench import Bench
from companion.bootstrap import Simulation, bench_of, open_session
from companion.session import Session
from companion.settings import Settings, Table
from companion.simulated import SimulatedTable
from companion.web import create_app
from companion.web.home import Home
from tests.table.tables import DrawnTable


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A camera that sees a board which is laid out."""
    path = tmp_path_factory.mktemp("film") / "board.avi"
    table = DrawnTable(tmp_path_factory.mktemp("drawn")).table
    table.lay_layers("snow")
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    for _ in range(30):
        writer.write(table.table.picture())
    writer.release()
    return path


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Bench]]:
    """One session for all of these tests: each of them leaves it on the simulated table."""
    folder, settings = tmp_path_factory.mktemp("table"), Settings()
    session = open_session(folder, settings, Simulation())
    session.step()
    yield session, bench_of(session, folder, settings, Simulation())
    session.let_go()


def submit(session: Session, bench: Bench, step: str, **fields: str) -> int:
    """What the form of a step answers; the session has gone on by a few rounds then."""
    client = create_app(session, Home.of(bench.folder), bench).test_client()
    client.get("/access")
    mark = client.get_cookie("form")
    assert mark is not None
    answer = client.post(f"/setup/{step}", data={"mark": mark.value, **fields})
    for _ in range(3):
        session.step()
    return answer.status_code


def test_a_camera_that_gives_no_picture_is_not_taken(running: tuple[Session, Bench]) -> None:
    session, bench = running
    camera = session.camera
    assert submit(session, bench, "camera", **{"table.camera": "usb:77"}) == 400
    assert submit(session, bench, "camera", **{"table.camera": "smell:0"}) == 400
    assert session.camera is camera
    assert Home.of(bench.folder).settings.table.camera == "synthetic:"


def test_lights_and_habits_count_at_once_and_the_simulated_board_stays(running: tuple[Session, Bench]) -> None:
    session, bench = running
    table, lamps = session.hands, session.lamps
    assert submit(session, bench, "buttons", **{"play.complain_after_s": "7", "play.end_turn": "inferred"})
    assert session.lamps is lamps
    assert (session.desk.referee.complain_after_s, session.desk.referee.end_turn_pressed) == (7.0, False)
    assert submit(session, bench, "lights", **{"lights.brightness": "0.9"}) == 303
    assert session.lamps is not lamps
    assert bench.lamps is session.lamps
    assert session.hands is table


def test_devices_that_cannot_be_opened_leave_the_old_ones_in_place(running: tuple[Session, Bench]) -> None:
    session, bench = running
    assert bench.refit is not None
    bench.refit(replace(Settings(), table=Table(camera="nonsense")))
    for _ in range(2):
        session.step()
    public = session.board.newest().public
    assert public["simulated"]
    assert public["status"]["camera"]["ok"]
    assert public["note"].facts["what"].text.startswith("The address of this device is not understood")


def test_a_camera_is_changed_and_changed_back_without_losing_the_game(
    running: tuple[Session, Bench], film: Path
) -> None:
    session, bench = running
    game, state = session.desk.playing.number, session.desk.referee.state
    old = session.camera
    assert submit(session, bench, "camera", **{"table.camera": f"clip:{film}"}) == 303
    assert (bench.camera, bench.eye, bench.simulated) == (session.camera, session.eye, False)
    assert session.hands is None
    assert session.board.newest().public["status"]["camera"]["ok"]
    assert not session.board.newest().public["simulated"]
    assert (session.desk.playing.number, session.desk.referee.state) == (game, state)
    with pytest.raises(ValueError, match="closed"):
        old.read()
    assert submit(session, bench, "camera", **{"table.camera": "synthetic:"}) == 303
    assert isinstance(session.hands, SimulatedTable)
    assert (session.desk.playing.number, session.desk.referee.state) == (game, state)
    assert len(session.hands.table.tiles) == 112, "the game lies on the new table as it is believed"
