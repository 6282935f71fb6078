"""How devices are closed: as context managers, twice without harm, never used afterwards."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from hardware.errors import DeviceClosed


class Closing:
    """The context manager half of a device; `close()` calls `_release()` once."""

    _closed = False

    def close(self) -> None:
        """Let go of the device; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._release()

    def _release(self) -> None:
        """What the device does to let go."""

    def _require_open(self) -> None:
        if self._closed:
            raise DeviceClosed(f"expected an open {type(self).__name__}, it was closed before")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
