"""Settings of devices take effect at once: the session gets new devices between two rounds, and nothing is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.session import Fittings, Session
from companion.settings import Settings, SettingsError
from companion.troubles import say_trouble
from hardware.errors import HardwareError

log = logging.getLogger(__name__)


class Refitter:
    """Changes the devices of a running session when its settings change."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        make: Callable[[Settings], Fittings],
        after: Callable[[], None] = lambda: None,
    ) -> None:
        self.session, self.settings, self._make, self._after = session, settings, make, after

    def __call__(self, wanted: Settings) -> None:
        """Use other settings as soon as the present round is over; may be called from any thread."""
        self.session.between_rounds(lambda: self._change(wanted))

    def _change(self, wanted: Settings) -> None:
        before, self.settings = self.settings, wanted
        self._change_habits(wanted)
        if _devices(before) == _devices(wanted):
            return
        self.session.let_go()
        try:
            found = self._make(wanted)
        except (HardwareError, SettingsError) as error:
            log.warning("new devices cannot be used: %s", error)
            self.settings = before
            found = self._make(before)
            self.session.desk.note = say_trouble(error)
        self.session.fit(found)
        self._after()

    def _change_habits(self, wanted: Settings) -> None:
        games, pressed = self.session.desk.games, wanted.play.end_turn == "pressed"
        games.complain_after_s, games.end_turn_pressed = wanted.play.complain_after_s, pressed
        referee = self.session.desk.referee
        referee.complain_after_s, referee.end_turn_pressed = wanted.play.complain_after_s, pressed


def _devices(settings: Settings) -> tuple[object, ...]:
    """What the devices of a table depend on."""
    return (settings.table.camera, settings.table.leds, settings.eye, settings.lights, settings.panel)
