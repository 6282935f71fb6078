"""Shipped card data and an owner's corrections -> the frozen records of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

from engine import strict_json
from engine.documents import DataError
from engine.games.ice.card_files import (
    Logbook,
    parse_artifacts,
    parse_azulia,
    parse_guilds,
    parse_logbook,
    parse_requests,
    parse_snow_fronts,
    why_incomplete,
)
from engine.games.ice.cards import (
    LOGBOOK_CARDS,
    UNKNOWN,
    GameData,
    Guild,
    LogbookCard,
    Request,
    RequestDeck,
)

PARTS: Final = ("azulia", "guilds", "logbook", "requests", "snow_fronts", "artifacts")

T = TypeVar("T")
R = TypeVar("R", Request, LogbookCard, Guild)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Card data and what the page says about it."""

    data: GameData
    warnings: tuple[str, ...]
    """What the owner should look at, one sentence each."""
    from_owner: tuple[str, ...]
    """Parts for which the owner has a file."""

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Parts that are guesses or incomplete; verdicts that rest on them are warnings."""
        return self.data.stand_ins()


def decode(data: bytes, file: str) -> Any:
    """The value of a JSON file; DataError names the file when it is not sound JSON."""
    if len(data) > strict_json.LARGEST_CHARS:
        raise DataError(file, "", f"more than the {strict_json.LARGEST_CHARS} bytes that are read")
    try:
        return strict_json.decode(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DataError(file, "", f"not UTF-8 text: {error.reason} at byte {error.start}") from None
    except strict_json.BadJson as error:
        raise DataError(file, "", str(error)) from None


@cache
def shipped() -> GameData:
    """The data that come with the companion, stand-ins marked."""
    folder = files("engine.games.ice") / "data"

    def read(part: str, parse: Callable[[Any, str], T]) -> T:
        name = f"{part}.json"
        return parse(decode((folder / name).read_bytes(), name), name)

    return GameData(
        artifacts=read("artifacts", parse_artifacts),
        fronts=read("snow_fronts", parse_snow_fronts),
        requests=read("requests", parse_requests),
        logbook=read("logbook", parse_logbook).cards,
        guilds=read("guilds", parse_guilds),
        azulia=read("azulia", parse_azulia),
    )


def load(owner: Path | None = None) -> Loaded:
    """The shipped data, corrected by the files of the owner's folder; DataError says what is wrong in which file."""
    base = shipped()
    if owner is None:
        return Loaded(base, tuple(_warnings(base)), ())
    present = _owner_files(owner)

    def read(part: str, parse: Callable[[Any, str], T], otherwise: T) -> T:
        path = present.get(part)
        return otherwise if path is None else parse(decode(_read(path), str(path)), str(path))

    logbook = read("logbook", parse_logbook, Logbook(()))
    requests = read("requests", parse_requests, RequestDeck(()))
    data = GameData(
        artifacts=read("artifacts", parse_artifacts, base.artifacts),
        fronts=read("snow_fronts", parse_snow_fronts, base.fronts),
        requests=RequestDeck(
            requests.cards if requests.complete else _merge(base.requests.cards, requests.cards), requests.complete
        ),
        logbook=logbook.cards if logbook.complete else _merge(base.logbook, logbook.cards),
        guilds=_merge(base.guilds, read("guilds", parse_guilds, ())),
        azulia=read("azulia", parse_azulia, base.azulia),
    )
    return Loaded(data, tuple(_warnings(data)), tuple(part for part in PARTS if part in present))


def _owner_files(folder: Path) -> dict[str, Path]:
    """The owner's JSON files by part; any other JSON file is most likely a misspelled name."""
    if not folder.is_dir():
        raise DataError(str(folder), "", "this folder does not exist; make it, or leave the owner's data out")
    for path in sorted(folder.glob("*.json")):
        if path.stem not in PARTS:
            known = ", ".join(f"{part}.json" for part in PARTS)
            raise DataError(str(path), "", f"not a data file of this game; known are {known}")
    return {part: path for part in PARTS if (path := folder / f"{part}.json").exists()}


def _read(path: Path) -> bytes:
    """The bytes of a file, never more than can be valid."""
    try:
        with path.open("rb") as stream:
            return stream.read(strict_json.LARGEST_CHARS + 1)
    except OSError as error:
        raise DataError(str(path), "", f"cannot be read: {error.strerror}") from None


def _merge(base: tuple[R, ...], corrections: tuple[R, ...]) -> tuple[R, ...]:
    """Records of the same id are replaced, new ones added at the end."""
    merged: dict[str, R] = {record.id: record for record in base}
    merged.update((record.id, record) for record in corrections)
    return tuple(merged.values())


def _warnings(data: GameData) -> Iterable[str]:
    problem = why_incomplete(data.requests)
    if problem:
        yield f"requests.json: {problem}"
    if len(data.logbook) != LOGBOOK_CARDS:
        yield (
            f"logbook.json: {len(data.logbook)} logbook cards, the box has {LOGBOOK_CARDS}; "
            "use the id of the shipped card that yours replaces, or set complete"
        )
    without_icon = sum(1 for card in data.logbook if card.icon == UNKNOWN)
    if without_icon:
        yield f"logbook.json: the icon of {without_icon} cards is unknown; the logbook setup asks for it"
    if data.azulia.icons is None:
        yield "azulia.json: the 1-RP icons are unknown; after each removed deep tile the players are asked"
