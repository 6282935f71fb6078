"""The reader of live cameras: newest picture wins, loss is noticed and logged once, bad pictures are passed over."""

from __future__ import annotations

import logging
import threading
from queue import Queue

import numpy as np
import pytest

from hardware.cameras import CameraOptions
from hardware.cameras import reader as reader_module
from hardware.cameras.pictures import decode
from hardware.cameras.reader import Reader
from hardware.errors import BadPicture, CameraLost, DeviceClosed
from tests.hardware.doubles import jpeg, picture

OPTIONS = CameraOptions(loss_s=5.0)


class Desk:
    """A source whose pictures and faults a test puts on a queue, one at a time."""

    def __init__(self) -> None:
        self.queue: Queue = Queue()
        self.opened = 0
        self.closed = 0
        self.taken = threading.Semaphore(0)

    def open(self) -> Desk:
        self.opened += 1
        return self

    def grab(self) -> np.ndarray:
        self.taken.release()  # the picture before this one has been kept
        item = self.queue.get(timeout=10)
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        self.closed += 1

    def put(self, *items: object) -> None:
        """Wait until everything put is taken and kept."""
        for item in items:
            assert self.taken.acquire(timeout=10)
            self.queue.put(item)
        assert self.taken.acquire(timeout=10)
        self.taken.release()


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reader_module, "RETRY_FIRST_S", 0.001)
    monkeypatch.setattr(reader_module, "BAD_PAUSE_S", 0.001)
    made = Desk()
    made.reader = Reader("desk:", made.open, OPTIONS)
    yield made
    made.queue.put(OSError("end"))
    made.reader.close()


def shade(value: int) -> np.ndarray:
    return np.full((80, 100, 3), value, dtype=np.uint8)


def test_only_the_newest_picture_is_kept(desk: Desk) -> None:
    desk.put(shade(1), shade(2), shade(3))
    assert desk.reader.read().image[0, 0, 0] == 3
    desk.put(shade(4))
    assert desk.reader.read().image[0, 0, 0] == 4


def test_loss_is_logged_once_and_so_is_the_return(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    desk.put(shade(1))
    desk.put(*[CameraLost("cable pulled")] * 4)
    assert desk.reader.lost == "cable pulled"
    desk.put(shade(9))
    assert desk.reader.read().image[0, 0, 0] == 9
    assert desk.reader.lost == ""
    assert desk.opened == 5, "opened again after every loss"
    assert desk.closed == 4
    assert [record.getMessage() for record in caplog.records] == [
        "the camera desk: is lost, trying again: cable pulled",
        "the camera desk: is back",
    ]


def test_bad_pictures_are_passed_over(desk: Desk) -> None:
    desk.put(shade(1), BadPicture("half a JPEG"), np.zeros((1, 1, 3), np.uint8), np.zeros((90, 90), np.uint8), shade(5))
    assert desk.reader.read().image[0, 0, 0] == 5
    assert desk.reader.lost == ""
    assert desk.opened == 1


def test_a_silent_camera_is_lost_in_the_promised_time(desk: Desk) -> None:
    """The clock says that the promised time is over: the read must not wait any longer."""
    assert CameraOptions().loss_s <= 2.0
    now = desk.reader._clock()
    desk.put(shade(1))
    desk.reader.read()
    desk.reader._clock = lambda: now + 1000.0
    with pytest.raises(CameraLost, match="no picture for 5 s"):
        desk.reader.read()
    with pytest.raises(CameraLost):
        desk.reader.read()
    desk.put(shade(2))
    assert desk.reader.read().image[0, 0, 0] == 2


def test_an_old_picture_is_no_picture(desk: Desk) -> None:
    now = desk.reader._clock()
    desk.put(shade(1))
    desk.reader._clock = lambda: now + 1000.0
    with pytest.raises(CameraLost):
        desk.reader.read()


def test_a_camera_that_gives_only_bad_pictures_is_lost(desk: Desk) -> None:
    now = desk.reader._clock()
    desk.put(shade(1))
    desk.reader._clock = lambda: now + 1000.0
    desk.put(np.zeros((1, 1, 3), np.uint8))
    assert desk.reader.lost == "expected a picture of at least 64 pixels a side, got 1 x 1"


def test_a_camera_that_is_absent_at_the_start_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "RETRY_FIRST_S", 0.001)
    desk = Desk()
    attempts = iter([CameraLost("not plugged in"), CameraLost("not plugged in")])

    def open_source() -> Desk:
        for error in attempts:
            raise error
        return desk.open()

    with Reader("desk:", open_source, OPTIONS) as reader:
        assert reader.lost == "not plugged in"
        desk.put(shade(7))
        assert reader.read().image[0, 0, 0] == 7
        desk.queue.put(OSError("end"))


def test_a_camera_that_opens_slowly_gets_its_time_for_the_first_picture() -> None:
    """Focus and exposure take longer than the time after which a silent camera is lost."""
    desk, now = Desk(), [0.0]

    def open_slowly() -> Desk:
        now[0] += 30.0
        return desk.open()

    with Reader("desk:", open_slowly, OPTIONS, clock=lambda: now[0]) as reader:
        late = threading.Timer(0.05, desk.put, [shade(7)])
        late.start()
        assert reader.read().image[0, 0, 0] == 7
        late.join()
        desk.queue.put(OSError("end"))


def test_closing_wakes_a_waiting_read(desk: Desk) -> None:
    failure: list[Exception] = []

    def wait() -> None:
        try:
            desk.reader.read()
        except DeviceClosed as error:
            failure.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    desk.queue.put(OSError("end"))
    desk.reader.close()
    thread.join(5)
    assert len(failure) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "got 0 bytes that are none"),
        (b"GIF89a nonsense", "that are none"),
        (jpeg()[:-40], "without an end"),
        (jpeg(picture(1, 1)), "at least 64 pixels a side, got 1 x 1"),
    ],
    ids=["empty", "nonsense", "cut off", "one pixel"],
)
def test_unusable_bytes(data: bytes, message: str) -> None:
    with pytest.raises(BadPicture, match=message):
        decode(data)


def test_usable_bytes() -> None:
    assert decode(jpeg() + bytes(500)).shape == (120, 160, 3)
