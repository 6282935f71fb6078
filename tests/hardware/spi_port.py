"""An SPI port that keeps what it is given, for strips without a Raspberry Pi."""

from __future__ import annotations


class RecordingPort:
    """Remembers every write since the start of the test."""

    written: list[bytes]

    def __init__(self, device: str, speed_hz: int) -> None:
        self.device = device
        self.speed_hz = speed_hz
        self.written = []
        self.open = True

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.open = False
