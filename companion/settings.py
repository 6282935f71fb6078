"""Typed settings of a table: one tree, one commented TOML file.

Each field has its type, bounds, default and description once; the file's comments, the form on the page and the error
messages all come from here. Unknown keys are errors. Calibration and the owner's card data are separate files, so that
settings can be reset without losing them.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta


class SettingsError(ValueError):
    """A settings file is wrong: which file, which field, what was expected."""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of settings; becomes a TOML table."""


class Table(_Group, frozen=True):
    """What stands on the table and which devices look at it."""

    game: Annotated[str, Meta(description="the game on the table")] = "ice"
    camera: Annotated[
        str,
        Meta(
            description="camera address: synthetic:, picamera:0, usb:0, http://phone/video, rtsp://..., clip:game.mp4"
        ),
    ] = "synthetic:"
    leds: Annotated[str, Meta(description="strip address: simulator:, spi:0.0, ws281x:18, wled://host")] = "simulator:"
    language: Annotated[Literal["en", "cs", "ru"], Meta(description="language of the page until a viewer chooses")] = (
        "en"
    )


class Game(_Group, frozen=True):
    """Who plays the next game, and how."""

    players: Annotated[int, Meta(ge=1, le=5, description="number of players")] = 3
    guilds: Annotated[
        str,
        Meta(
            max_length=80, description="guilds in the order of seats, empty = as in the box: navigators icewalkers ..."
        ),
    ] = ""
    first: Annotated[str, Meta(max_length=20, description="the guild that begins, empty = the first seat")] = ""
    first_game: Annotated[bool, Meta(description="first game: no logbook, no guild abilities")] = False
    expert: Annotated[bool, Meta(description="expert: the Curse of the Nuuk")] = False
    blessing: Annotated[bool, Meta(description="blessing tokens are in play")] = False
    fluid_move: Annotated[bool, Meta(description="fluid move with three players")] = False
    logbook_setup: Annotated[bool, Meta(description="a logbook card tells where archaeologists start")] = False
    friendly_curse: Annotated[bool, Meta(description="friendly curse")] = False


class Eye(_Group, frozen=True):
    """How the camera's pictures are read."""

    width: Annotated[int, Meta(ge=320, le=4096, description="width of the camera picture in pixels")] = 1280
    height: Annotated[int, Meta(ge=240, le=3072, description="height of the camera picture in pixels")] = 960
    exposure_ms: Annotated[
        float,
        Meta(ge=0, le=100, description="exposure in ms, 0 = automatic; 10 or 20 suits 50 Hz light, 25 suits 60 Hz"),
    ] = 0.0
    still_s: Annotated[
        float, Meta(ge=0.1, le=10, description="how long the board must be still before it is read, in seconds")
    ] = 0.5


class Play(_Group, frozen=True):
    """How the companion follows a game."""

    complain_after_s: Annotated[
        float, Meta(ge=0, le=60, description="how long a wrong board must be still before it is flagged, in seconds")
    ] = 2.0
    end_turn: Annotated[
        Literal["pressed", "inferred"],
        Meta(description="pressed: a button or the page ends a turn; inferred: the next player's action ends it"),
    ] = "pressed"
    coach: Annotated[bool, Meta(description="explain what is possible and warn of typical mistakes")] = False


class Lights(_Group, frozen=True):
    """The strip under the board."""

    count: Annotated[int, Meta(ge=1, le=2000, description="number of LEDs on the strip")] = 300
    order: Annotated[
        Literal["RGB", "RBG", "GRB", "GBR", "BRG", "BGR", "RGBW", "GRBW"],
        Meta(description="order of the colours on the wire; with W the strip has white LEDs too"),
    ] = "GRB"
    skip: Annotated[int, Meta(ge=0, le=100, description="LEDs at the start of the strip that stay dark")] = 0
    reverse: Annotated[bool, Meta(description="the strip begins at its other end")] = False
    segments: Annotated[
        str,
        Meta(max_length=400, description="runs of the strip in the order of use, such as 0-149 299-150; empty = all"),
    ] = ""
    shine: Annotated[
        Literal["under", "rim"],
        Meta(description="which LEDs light a tile: all of those under it, or only those along its rim"),
    ] = "under"
    brightness: Annotated[float, Meta(ge=0, le=1, description="overall brightness, 0 to 1")] = 0.35
    gamma: Annotated[float, Meta(ge=1, le=3, description="gamma of the colours")] = 2.2
    budget_ma: Annotated[int, Meta(ge=100, le=60000, description="current the strip may draw, in mA")] = 2000
    palette: Annotated[
        Literal["safe", "vivid"], Meta(description="safe: told apart by colour-blind players; vivid: stronger colours")
    ] = "safe"


class Panel(_Group, frozen=True):
    """Buttons, buzzer and lamp on the pins of a Raspberry Pi; numbers are GPIO numbers, -1 = none."""

    buttons: Annotated[
        str, Meta(max_length=400, description="such as end_turn=5 undo=6 hint=16 yes=13 no=19 seat:navigators=26")
    ] = ""
    buzzer: Annotated[int, Meta(ge=-1, le=27, description="pin of the buzzer, -1 = none")] = -1
    lamp: Annotated[int, Meta(ge=-1, le=27, description="pin of the status lamp, -1 = none")] = -1


class Page(_Group, frozen=True):
    """The page that people open on their phones."""

    host: Annotated[str, Meta(description="address to listen on; 127.0.0.1 keeps the page on this machine")] = "0.0.0.0"
    port: Annotated[int, Meta(ge=1, le=65535, description="port of the page")] = 8000
    name: Annotated[
        str,
        Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9-]+$", description="name of this table in the network"),
    ] = "icelight"
    watch: Annotated[
        Literal["anyone", "link"], Meta(description="who may look once a PIN is set: anyone, or people with a link")
    ] = "anyone"


class Settings(_Group, frozen=True):
    """Everything that can be set."""

    table: Table = msgspec.field(default_factory=Table)
    game: Game = msgspec.field(default_factory=Game)
    eye: Eye = msgspec.field(default_factory=Eye)
    play: Play = msgspec.field(default_factory=Play)
    lights: Lights = msgspec.field(default_factory=Lights)
    panel: Panel = msgspec.field(default_factory=Panel)
    page: Page = msgspec.field(default_factory=Page)


def describe(group: type[_Group], name: str) -> tuple[str, str]:
    """What a field is for and which values it takes, in words."""
    hint = get_type_hints(group, include_extras=True)[name]
    base, *metas = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    text, limits = "", []
    for meta in metas:
        text = meta.description or text
        limits += [f"{sign} {value}" for sign, value in ((">=", meta.ge), ("<=", meta.le)) if value is not None]
    if get_origin(base) is Literal:
        limits = [" | ".join(map(str, get_args(base)))]
    return text, ", ".join(limits)


def to_toml(settings: Settings) -> str:
    """The commented file: every field with its meaning and limits."""
    lines = ["# Settings of this table. The page writes this file; it may also be edited by hand.", ""]
    for group_name in settings.__struct_fields__:
        group = getattr(settings, group_name)
        lines += [f"# {type(group).__doc__}", f"[{group_name}]"]
        for name in group.__struct_fields__:
            text, limits = describe(type(group), name)
            lines.append(f"# {text}" + (f" ({limits})" if limits else ""))
            lines.append(f"{name} = {_toml_value(getattr(group, name))}")
        lines.append("")
    return "\n".join(lines)


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # a TOML basic string accepts JSON's escapes
        return msgspec.json.encode(value).decode()
    return str(value)


def from_tree(tree: Mapping[str, Any], source: str) -> Settings:
    """Settings from decoded values; an error names the field."""
    try:
        return msgspec.convert(tree, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{source}: {error}; correct the value or delete the line to use the default") from error


def load(path: Path) -> Settings:
    """Settings from a file; a missing file gives the defaults."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read ({error}); check that it is a text file you may read") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}; correct the line or delete the file") from error
    return from_tree(tree, str(path))


def save(settings: Settings, path: Path) -> None:
    """Write the file as a whole or not at all; the previous one is kept beside it as `.previous`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(to_toml(settings))
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        path.with_suffix(path.suffix + ".previous").write_bytes(path.read_bytes())
    os.replace(file.name, path)
