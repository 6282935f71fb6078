"""The strip and a live camera: what is read was taken in the dark, and the strip does not flicker while people play."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.darkness import LAG_FRAMES, MOST_FRAMES, SELDOM_FRAMES, Darkness, rim_of
from companion.picture_sets import table_layout
from companion.simulated import SimulatedTable
from companion.table_eye import Look, TableEye
from engine.games.ice.board import SPOTS
from hardware.cameras import CAMERAS, CameraOptions, Frame
from hardware.closing import Closing
from tests.table.test_streamed_game import StreamedGame
from vision.view import Image

LATE = 2
"""Pictures that are under way between the camera and whoever reads it."""


class LateFilm:
    """What a live camera in the same process sees of the table: every picture comes late, with the strip's light."""

    address = "late:"
    newest: LateFilm

    def __init__(self, table: SimulatedTable) -> None:
        self.table, self.session, self.lock = table, None, threading.Lock()
        self.under_way: deque[tuple[bool, Image]] = deque()
        self.shows_light = False
        """Whether the strip shines in the picture that was given last."""
        LateFilm.newest = self

    def give(self) -> Image:
        while len(self.under_way) <= LATE:
            glow = self.session.lamps._leds.glow if self.session is not None else None
            if glow is not None:
                self.table.light([(red, green, blue) for red, green, blue in glow.tolist()])
            self.under_way.append((glow is not None and bool(glow.any()), self.table.picture()))
        self.shows_light, image = self.under_way.popleft()
        return image

    def close(self) -> None:
        """Nothing is open."""


class LateCamera(Closing):
    """Reads that film."""

    lost = ""
    takes_when_read = False

    def __init__(self, address: str, options: CameraOptions, pictures: Any) -> None:
        self.time_s = 0.0

    def read(self) -> Frame:
        self.time_s += 1 / 15
        return Frame(LateFilm.newest.give(), self.time_s)


class LateGame(StreamedGame):
    film_of = LateFilm


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LateGame]:
    monkeypatch.setitem(CAMERAS, "late", "tests.table.test_darkness:LateCamera")
    game = LateGame(tmp_path)
    yield game
    game.close()


def glows(game: LateGame) -> bool:
    return bool(game.session.lamps._leds.glow.any())


def test_what_is_read_was_taken_in_the_dark_and_a_game_is_followed(
    late: LateGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[bool] = []
    plain = TableEye.look

    def look(eye: TableEye, image: Image) -> Look:
        if eye.view is not None:  # the board may be found in any light
            lit.append(late.film.shows_light)
        return plain(eye, image)

    monkeypatch.setattr(TableEye, "look", look)
    late.lay_out()
    rehearsal = late.sit_down()
    rehearsal.set_up()
    late.play(rehearsal, 8, mischief=True)
    counts = rehearsal.counts
    assert len(lit) > 8
    assert not any(lit)
    assert (rehearsal.troubles, counts["wrong"], counts["false_flags"]) == ([], 0, 0)
    assert counts["illegal_right_rule"] == counts["illegal_made"] == 1
    assert counts["tracked"] == counts["visible_actions"] >= 4

    shown = []
    for _ in range(60):  # nobody touches anything: the light stays
        late.step()
        shown.append(glows(late))
    assert all(shown)


def test_a_camera_that_is_lost_in_the_dark_does_not_keep_the_strip_dark(late: LateGame) -> None:
    assert late.step_until(lambda: glows(late) and late.session.look.sighting is not None)
    late.table.table.reach(SPOTS[0])
    late.table.table.withdraw()
    assert late.step_until(lambda: not glows(late))
    late.session._see = lambda: None  # type: ignore[method-assign]
    assert late.step_until(lambda: glows(late))


class Strip:
    """Counts how often it is darkened."""

    dark = 0

    def darken(self) -> None:
        self.dark += 1


def test_a_board_that_never_rests_is_lit_again_and_one_at_rest_is_read_seldom() -> None:
    table = SimulatedTable(LateGame.game(), "mild", 3, (960, 720), 1, 1)
    eye = table.make_eye(None)  # type: ignore[arg-type]
    image = table.picture()
    eye._find(image)
    strip = Strip()
    darkness = Darkness(strip, table.layout, table.markers, 6)
    read = [darkness.lets_read(image, eye.view) for _ in range(2 + LAG_FRAMES)]
    assert read == [False] * (len(read) - 1) + [True], "at rest, then dark for as long as the camera lags"
    for _ in range(2 * MOST_FRAMES):
        darkness.lets_read(image, eye.view)
        darkness.has_read(True, False)
    assert strip.dark < MOST_FRAMES + 12
    darkness.has_read(True, True)
    strip.dark = 0
    for _ in range(SELDOM_FRAMES - 2):
        assert not darkness.lets_read(image, eye.view)
    assert strip.dark == 0


def test_the_rim_lies_outside_the_board() -> None:
    layout = table_layout()
    rim = rim_of(layout)
    assert all(place.layer == "rim" for place in rim.places.values())
    furthest = max(abs(x) for place in layout.places.values() if place.takes_tile for x, _ in place.outline_mm)
    assert max(x for x, _ in (place.centre_mm for place in rim.places.values())) > furthest + 15
