"""A game through a network camera: real ffmpeg serves MJPEG of a simulated table, is killed and started again.

The session is the one of a real table. It knows nothing of the simulation: pictures come over HTTP, the strip is lit
through the map in its folder, and its light is in the pictures unless the session darkens it in time.
"""

from __future__ import annotations

import random
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion import gamedata, led_map, workshop
from companion.bootstrap import Simulation, open_session
from companion.led_map import LedMap, MappedLed
from companion.messages import Correct, Keep
from companion.pretend_players import PretendPlayers, shuffled_tiles
from companion.referee import TRACKING
from companion.rehearsal import ABOUT_THE_TABLE, Rehearsal
from companion.session import Session
from companion.settings import Eye, Lights, Play, Settings, Table
from companion.simulated import SimulatedTable
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.state import CREVASSE, State
from hardware.cameras import reader as reader_module
from tests.hardware.test_ffmpeg_stream import OUTPUTS, free_port
from tests.programs import need
from vision.enrolment_file import save_enrolment

BEAT_S = 1 / 15
PATIENCE = 90
"""Frames that a board is looked at before the hands go on."""
SEED = 5
GESTURES = 10
"""Gestures before and after the break."""


class Film:
    """ffmpeg serves what a camera would see of the table; a thread feeds it as fast as it takes pictures."""

    def __init__(self, table: SimulatedTable, port: int) -> None:
        self.table, self.port = table, port
        self.address = f"http://127.0.0.1:{port}/video"
        self.lock = threading.Lock()
        """Hands move and pictures are taken in turn."""
        self.session: Session | None = None
        """Whose strip shines in the pictures."""
        self._stop = threading.Event()
        self._servers: list[subprocess.Popen] = []
        self.start()
        self._feeder = threading.Thread(target=self._feed, name="film", daemon=True)
        self._feeder.start()

    def start(self) -> None:
        self._is_on = True
        command = [need("ffmpeg", "ffmpeg"), "-loglevel", "error", "-f", "image2pipe", "-c:v", "mjpeg"]
        command += ["-probesize", "32", "-framerate", "15", "-i", "pipe:0", "-c:v", "copy", *OUTPUTS["declared"]]
        command += ["-flush_packets", "1", "-listen", "1", self.address]
        self._servers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL))

    def kill(self) -> None:
        self._is_on = False
        self._servers[-1].kill()
        self._servers[-1].wait()

    def _feed(self) -> None:
        while not self._stop.is_set():
            server = self._servers[-1]
            with self.lock:
                if self.session is not None:
                    glow = self.session.lamps._leds.glow.tolist()
                    self.table.light([(red, green, blue) for red, green, blue in glow])
                picture = self.table.picture()
            data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            try:
                assert server.stdin is not None
                server.stdin.write(data)
                server.stdin.flush()
            except OSError:  # it has ended: killed by the test, or its only viewer hung up
                if self._is_on and server is self._servers[-1]:
                    self.start()
                self._stop.wait(0.02)

    def close(self) -> None:
        self._stop.set()
        self.kill()
        self._feeder.join()
        for server in self._servers:
            assert server.stdin is not None
            with suppress(BrokenPipeError):
                server.stdin.close()
            server.wait()


class StreamedGame:
    """A real table's session, the hands at that table, and pretend players who know what is true."""

    film_of: Callable[[SimulatedTable], Any] = staticmethod(lambda table: Film(table, free_port()))
    """Shows the table to the session's camera."""

    def __init__(self, folder: Path) -> None:
        self.table = SimulatedTable(self.game(), "mild", SEED, (1280, 720), 1, 1)
        save_enrolment(self.table.enrol(), folder / workshop.ENROLMENT_FILE)
        places = self.table.table.strip.points_mm
        led_map.save(LedMap(tuple(MappedLed(i, at) for i, at in enumerate(places))), folder / workshop.LED_MAP_FILE)
        self.film = self.film_of(self.table)
        settings = Settings(
            table=Table(camera=self.film.address),
            eye=Eye(width=1280, height=720, still_s=3 * BEAT_S),
            play=Play(complain_after_s=0.5),
            lights=Lights(count=len(places)),
        )
        self.session = open_session(folder, settings, Simulation())
        self.now = 0.0
        self.session.clock = lambda: self.now
        self.film.session = self.session
        desk = self.session.desk
        self.start = desk.playing.game.start(*shuffled_tiles(random.Random(SEED)), desk.referee.state.first)
        self.table.game, self.table.plan = desk.playing.game, self.start

    @staticmethod
    def game() -> Ice:
        return Ice(Options(players=3), gamedata.shipped())

    def status(self, name: str) -> bool:
        return bool(self.session.board.newest().public["status"][name]["ok"])

    def step(self) -> None:
        self.now += BEAT_S
        self.session.step()

    def step_until(self, is_so: Callable[[], bool]) -> bool:
        for _ in range(PATIENCE):
            self.step()
            if is_so():
                return True
        return False

    def lay_out(self) -> None:
        """Lay the board layer by layer, then the pieces, as a new game on a real table begins."""
        desk = self.session.desk
        for layer in ("surface", "snow", ""):
            self._lay_next()
            is_seen = partial(lambda wanted: desk.laying is None or desk.laying.layer == wanted, layer)
            assert self.step_until(is_seen), (layer, self.word())
        self._lay_next()
        assert self.step_until(lambda: desk.referee.mode == TRACKING), self.word()

    def sit_down(self) -> Rehearsal:
        """Pretend players who go on from what was laid; how a tile without a direction is turned is all one."""
        desk, believed = self.session.desk, self.session.desk.referee.state
        assert believed.tiles == self.start.tiles, "every tile was read right"
        cracked = [place for place, kind in enumerate(believed.tiles) if kind == CREVASSE]
        assert [believed.turns[place] for place in cracked] == [self.start.turns[place] for place in cracked]
        truth = replace(self.start, turns=believed.turns)
        people = PretendPlayers(desk.playing.game, random.Random(SEED), truth)
        return Rehearsal(
            people, desk.referee, self.show, lambda told: desk.obey(Correct(told)), lambda: desk.obey(Keep())
        )

    def _lay_next(self) -> None:
        with self.film.lock:
            self.table.lay_next()  # at once, so somebody's arm is shown on its way out
            self.table.table.reach(self.table.layout.in_layer("snow")[0].spot)
            self.table.table.withdraw()
        while self.table.table.busy:
            self.step()

    def word(self) -> str:
        public = self.session.board.newest().public
        return f"{public['status']} {public.get('restore')}"

    def show(self, state: State) -> None:
        """Hands bring the table to a state; it is looked at until that is understood, asked about or refused."""
        with self.film.lock:
            self.table.act_out(state)
        referee = self.session.desk.referee
        self.is_read = False

        def is_clear() -> bool:
            self.is_read = self.is_read or (self.session.look.is_fresh and not self.table.table.busy)
            asked = referee.question is not None and referee.question.key in ABOUT_THE_TABLE
            return self.is_read and (not referee.differing or asked or referee.refusal is not None)

        self.step_until(is_clear)

    def play(self, rehearsal: Rehearsal, gestures: int, mischief: bool = False) -> None:
        for _ in range(gestures):
            if rehearsal.people.over:
                return
            if mischief and not rehearsal.counts["illegal_made"]:
                rehearsal.misbehave()
            rehearsal.play_judged()

    def close(self) -> None:
        self.session.let_go()
        self.film.close()


@pytest.fixture
def streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StreamedGame]:
    monkeypatch.setattr(reader_module, "RETRY_MOST_S", 0.5)
    game = StreamedGame(tmp_path)
    yield game
    game.close()


def break_stream(streamed: StreamedGame) -> None:
    """Kill ffmpeg and start it again; both are shown on the page."""
    streamed.film.kill()
    assert streamed.step_until(lambda: not streamed.status("camera")), "the loss is shown"
    streamed.film.start()
    assert streamed.step_until(lambda: streamed.status("camera")), "and so is the return"


def test_a_game_is_followed_through_a_stream_that_breaks(streamed: StreamedGame) -> None:
    streamed.lay_out()
    rehearsal = streamed.sit_down()
    rehearsal.set_up()
    streamed.play(rehearsal, GESTURES, mischief=True)
    break_stream(streamed)
    streamed.play(rehearsal, GESTURES)
    counts = rehearsal.counts
    assert rehearsal.troubles == []
    assert rehearsal.agrees
    # Pictures are compressed and come late: one action may need an answer, none may be misunderstood.
    assert counts["tracked"] >= counts["visible_actions"] - 1 >= 8
    assert counts["illegal_flagged"] == counts["illegal_right_rule"] == counts["illegal_made"] == 1
    assert (counts["wrong"], counts["false_flags"]) == (0, 0)


@pytest.mark.slow
def test_a_whole_game_comes_to_its_score(streamed: StreamedGame) -> None:
    """How well single moves are read is measured elsewhere; here players put right what was misread and go on."""
    streamed.lay_out()
    rehearsal = streamed.sit_down()
    rehearsal.set_up()
    for _ in range(3):
        streamed.play(rehearsal, GESTURES)
        break_stream(streamed)
    streamed.play(rehearsal, 1000)
    assert rehearsal.people.over
    assert rehearsal.scores_agree
    assert rehearsal.counts["tracked"] >= 0.8 * rehearsal.counts["visible_actions"]
