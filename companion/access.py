"""Who may do what at a table: the owner's PIN, links for seats and spectators; one small file, no accounts.

Only a scrypt hash of the PIN is kept, and of the owner's devices only hashes of their tokens. Deleting the file, or
`companion pin --clear` on the machine, opens the table again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = "access.json"
LEAST_DIGITS, MOST_DIGITS = 4, 32
FREE_TRIES: Final = 5
"""Wrong PINs in a row that cost nothing but patience."""
FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0
MOST_WRONG_AN_HOUR: Final = 60
"""From all devices together."""
MOST_DEVICES: Final = 50
_COST: Final = {"n": 2**14, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}


class AccessError(ValueError):
    """Something about the PIN is wrong: what, and what to do."""


class TryLater(AccessError):
    """Too many wrong PINs."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many wrong PINs; wait {round(wait_s)} s and try again")
        self.wait_s = wait_s


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    """The file."""

    salt: str = ""
    pin: str = ""
    """Hex of the scrypt hash; empty = no PIN is set."""
    owners: list[str] = msgspec.field(default_factory=list)
    """SHA-256 of the tokens of the owner's devices, oldest first."""
    seats: dict[str, str] = msgspec.field(default_factory=dict)
    watch: str = ""


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0


@dataclass(slots=True)
class Access:
    """The locks of one table; safe to use from every thread of the page."""

    path: Path | None
    """None keeps everything in memory."""
    clock: Callable[[], float]
    _record: _Record = field(default_factory=_Record)
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _wrong_at: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.path is not None and self.path.exists():
            try:
                self._record = msgspec.json.decode(self.path.read_bytes(), type=_Record)
            except (OSError, msgspec.DecodeError) as error:
                raise AccessError(f"{self.path}: cannot be read ({error}); delete the file to set a new PIN") from error

    # ------------------------------------------------------------------ the owner

    @property
    def has_pin(self) -> bool:
        """Whether the settings are locked."""
        return bool(self._record.pin)

    def set_pin(self, pin: str) -> None:
        """Lock the settings with a new PIN; every device has to give it again."""
        if not (pin.isdecimal() and pin.isascii() and LEAST_DIGITS <= len(pin) <= MOST_DIGITS):
            raise AccessError(f"a PIN has {LEAST_DIGITS} to {MOST_DIGITS} digits and nothing else")
        with self._lock:
            salt = secrets.token_bytes(16)
            self._record.salt, self._record.pin, self._record.owners = salt.hex(), _hash(pin, salt), []
            self._save()

    def clear_pin(self) -> None:
        """Open the settings for everybody in the network."""
        with self._lock:
            self._record.salt, self._record.pin, self._record.owners = "", "", []
            self._save()

    def let_in(self, pin: str, device: str) -> str:
        """The token of a device that gave the right PIN; AccessError for a wrong one, TryLater for too many."""
        with self._lock:
            now, tries = self.clock(), self._tries.setdefault(device, _Tries())
            self._wrong_at = [at for at in self._wrong_at if now - at < LONGEST_WAIT_S]
            if now < tries.until:
                raise TryLater(tries.until - now)
            if len(self._wrong_at) >= MOST_WRONG_AN_HOUR:
                raise TryLater(LONGEST_WAIT_S - (now - self._wrong_at[0]))
            if not self._fits(pin):
                self._count_wrong(tries, now)
                raise AccessError("this is not the PIN of the table")
            del self._tries[device]
            return self._new_owner()

    def welcome(self) -> str:
        """A token for the device that has just set the PIN."""
        with self._lock:
            return self._new_owner()

    def is_owner(self, token: str) -> bool:
        """Whether a token was given to a device of the owner."""
        mark = hashlib.sha256(token.encode()).hexdigest()
        return bool(token) and any(hmac.compare_digest(mark, known) for known in self._record.owners)

    def let_out(self, token: str) -> None:
        """Forget a device."""
        mark = hashlib.sha256(token.encode()).hexdigest()
        with self._lock:
            self._record.owners = [known for known in self._record.owners if known != mark]
            self._save()

    def _new_owner(self) -> str:
        token = secrets.token_urlsafe(24)
        marks = [*self._record.owners, hashlib.sha256(token.encode()).hexdigest()]
        self._record.owners = marks[-MOST_DEVICES:]
        self._save()
        return token

    def _fits(self, pin: str) -> bool:
        if not self.has_pin or not 0 < len(pin) <= MOST_DIGITS:
            return False
        return hmac.compare_digest(_hash(pin, bytes.fromhex(self._record.salt)), self._record.pin)

    def _count_wrong(self, tries: _Tries, now: float) -> None:
        self._wrong_at.append(now)
        tries.wrong += 1
        beyond = tries.wrong - FREE_TRIES
        if beyond >= 0:
            tries.until = now + min(FIRST_WAIT_S * 2**beyond, LONGEST_WAIT_S)

    # ------------------------------------------------------------------ seats and spectators

    def seat_links(self, seats: Iterable[str]) -> dict[str, str]:
        """The token of each seat, made on first need."""
        wanted = list(seats)
        with self._lock:
            missing = [seat for seat in wanted if seat not in self._record.seats]
            for seat in missing:
                self._record.seats[seat] = secrets.token_urlsafe(18)
            if missing:
                self._save()
            return {seat: self._record.seats[seat] for seat in wanted}

    def watch_link(self) -> str:
        """The token of spectators."""
        with self._lock:
            if not self._record.watch:
                self._record.watch = secrets.token_urlsafe(18)
                self._save()
            return self._record.watch

    def renew_links(self) -> None:
        """Make every link that was given out useless."""
        with self._lock:
            self._record.seats, self._record.watch = {}, ""
            self._save()

    def seat_of(self, token: str) -> str | None:
        """The seat that a token belongs to."""
        found = [
            seat for seat, known in self._record.seats.items() if hmac.compare_digest(known.encode(), token.encode())
        ]
        return found[0] if found else None

    def is_spectator(self, token: str) -> bool:
        """Whether a token is the spectators' one."""
        return bool(self._record.watch) and hmac.compare_digest(token.encode(), self._record.watch.encode())

    def _save(self) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=self.path.parent, delete=False) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self._record), indent=1))
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, self.path)  # a temporary file may be read by its owner only, and so may this one


def _hash(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, dklen=32, **_COST).hex()
