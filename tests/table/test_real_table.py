"""A session with the devices of the settings: a film of a board, a strip, buttons, and what was learnt."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import gamedata, led_map, workshop
from companion.bootstrap import Simulation, open_session
from companion.ice_pieces import RULE_NAMES
from companion.led_map import LedMap, MappedLed
from companion.real_table import PRINTED, Untaught, lit_spots, make_eye
from companion.settings import Lights, Settings, Table
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from vision.enrolment_file import save_enrolment
from vision.locate import NotLocated, locate


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(Ice(Options(players=3), gamedata.shipped()), "mild", 1, (1280, 720), 1)


@pytest.fixture(scope="module")
def film(table: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a camera saw of a board that was laid out."""
    path = tmp_path_factory.mktemp("film") / "board.avi"
    table.lay_layers("snow")
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720))
    for _ in range(12):
        writer.write(table.table.picture())
    writer.release()
    return path


def test_the_sheet_is_the_one_that_the_simulated_table_shows(table: SimulatedTable) -> None:
    assert table.markers == PRINTED


def test_an_untaught_table_says_what_to_do_and_learns_its_tiles(
    film: Path, table: SimulatedTable, tmp_path: Path
) -> None:
    settings = Settings(table=Table(camera=f"clip:{film}"), lights=Lights(count=20))
    session = open_session(tmp_path, settings, Simulation())
    for _ in range(9):
        session.step()
    public = session.board.newest().public
    assert not public["simulated"]
    assert public["status"]["camera"]["ok"]
    assert public["status"]["board"]["say"].text == "The tiles were not learnt yet: open Set up, step Tiles."
    assert session.eye.view is not None
    assert session.eye.names == RULE_NAMES, "pieces are called as the rules call them"
    session.camera.close()
    session.lamps.close()
    save_enrolment(table.enrol(), tmp_path / workshop.ENROLMENT_FILE)
    taught = make_eye(tmp_path, table.layout, 2)
    assert not isinstance(taught.reader, Untaught)


def test_corners_by_hand_are_used_where_no_marker_is_seen(table: SimulatedTable, tmp_path: Path) -> None:
    table.lay_layers("snow")
    picture = table.table.picture()
    workshop.write_view(locate(picture, PRINTED), tmp_path / workshop.VIEW_FILE)
    hidden = picture.copy()
    for centre in PRINTED.centres_mm.values():
        x, y = np.round(locate(picture, PRINTED).project([(*centre, 0.0)])[0]).astype(int)
        hidden[max(0, y - 45) : y + 45, max(0, x - 45) : x + 45] = 128
    eye = make_eye(tmp_path, table.layout, 2)
    with pytest.raises(NotLocated):
        locate(hidden, PRINTED)
    eye.look(hidden)
    assert eye.view is not None
    (tmp_path / workshop.VIEW_FILE).write_text("{}")
    blind = make_eye(tmp_path, table.layout, 2)
    assert not blind.look(hidden).ok


def test_mapped_leds_light_their_spots(table: SimulatedTable, tmp_path: Path) -> None:
    assert lit_spots(tmp_path, table.layout) == {}
    led_map.save(LedMap((MappedLed(0, (0.0, 0.0)),)), tmp_path / workshop.LED_MAP_FILE)
    assert set(lit_spots(tmp_path, table.layout).values()) == {(0,)}
    (tmp_path / workshop.LED_MAP_FILE).write_text("{")
    assert lit_spots(tmp_path, table.layout) == {}, "a damaged map does not keep the table from starting"


def test_the_rim_of_a_tile_can_be_lit_alone(table: SimulatedTable, tmp_path: Path) -> None:
    places = [(0.0, 0.0), (15.0, 0.0)]
    spot = led_map.spot_above(table.layout, "snow", places[0])
    centre = table.layout.places[spot].centre_mm
    leds = tuple(MappedLed(i, (centre[0] + x, centre[1] + y)) for i, (x, y) in enumerate(places))
    led_map.save(LedMap(leds), tmp_path / workshop.LED_MAP_FILE)
    assert lit_spots(tmp_path, table.layout, "under")[spot] == (0, 1)
    assert lit_spots(tmp_path, table.layout, "rim")[spot] == (1,)
