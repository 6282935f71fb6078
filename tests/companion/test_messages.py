"""The board of snapshots: newest wins, nobody misses the last one."""

import threading

from companion.messages import Board, Snapshot


def test_a_listener_gets_the_newest_snapshot() -> None:
    board = Board(Snapshot(1, {"day": 1}))
    assert board.wait(after=0, timeout_s=0) == Snapshot(1, {"day": 1})
    assert board.wait(after=1, timeout_s=0) is None
    board.put_up(Snapshot(2, {}))
    board.put_up(Snapshot(3, {}))
    found = board.wait(after=1, timeout_s=0)
    assert found is not None
    assert found.version == 3 == board.newest().version


def test_waiting_listeners_are_woken() -> None:
    board = Board(Snapshot(1, {}))
    seen: list[int] = []

    def listen() -> None:
        snapshot = board.wait(after=1, timeout_s=30)
        seen.append(snapshot.version if snapshot else -1)

    listeners = [threading.Thread(target=listen) for _ in range(20)]
    for listener in listeners:
        listener.start()
    board.put_up(Snapshot(2, {}))
    for listener in listeners:
        listener.join(30)
    assert seen == [2] * 20
