"""What the page keeps and looks up beside the running session: the table's folder, its names, its locks."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from flask import current_app

from companion import settings
from companion.access import FILE as ACCESS_FILE
from companion.access import Access
from companion.settings import Settings

SETTINGS_FILE: Final = "settings.toml"
JOURNAL_FILE: Final = "journal.sqlite"


@dataclass(slots=True)
class Home:
    """One table's folder as the page sees it."""

    folder: Path | None = None
    """None: nothing outlives the program."""
    settings: Settings = field(default_factory=Settings)
    access: Access = field(default_factory=lambda: Access(None, time.monotonic))
    addresses: tuple[str, ...] = ()
    """Where the page can be opened, best first."""

    @classmethod
    def of(cls, folder: Path, addresses: tuple[str, ...] = ()) -> Home:
        """The home in a folder; missing files mean defaults."""
        found = settings.load(folder / SETTINGS_FILE)
        return cls(folder, found, Access(folder / ACCESS_FILE, time.monotonic), addresses)

    @property
    def names(self) -> frozenset[str]:
        """The names under which the page answers, beside plain addresses."""
        here = socket.gethostname().lower()
        own = self.settings.page.name.lower()
        return frozenset({"localhost", here, f"{here}.local", own, f"{own}.local"})

    @property
    def open_to_watch(self) -> bool:
        """Whether everybody in the network may look."""
        return self.settings.page.watch == "anyone"

    @property
    def journal(self) -> Path | None:
        """The file with all games."""
        return None if self.folder is None else self.folder / JOURNAL_FILE

    def change_settings(self, changed: Settings) -> None:
        """Keep new settings, on disk first."""
        if self.folder is not None:
            settings.save(changed, self.folder / SETTINGS_FILE)
        self.settings = changed


def the_home() -> Home:
    """The home of the running application."""
    return cast(Home, current_app.extensions["home"])
