"""Actions as lines of text: `navigators move surface:3,3,3 archaeologists=2`.

A line is who acts, what is done, then the fields that differ from their defaults, separated by single spaces; one field
may stand without its name. A game names its verbs and says how each field is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote, unquote

A = TypeVar("A")

LONGEST_LINE = 20_000


class NotationError(ValueError):
    """A line that is no action: which part is wrong, and what was expected."""


class Codec(NamedTuple):
    """How the value of a field is written, and read back (ValueError when it cannot be)."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def word_codec(words: Mapping[str, Any], named: str) -> Codec:
    """One of several words."""
    by_value = {value: word for word, value in words.items()}

    def read(text: str) -> Any:
        if text not in words:
            raise NotationError(f"expected {named}, got {text[:60]!r}")
        return words[text]

    return Codec(by_value.__getitem__, read)


def list_codec(item: Codec, separator: str = "+") -> Codec:
    """Several values, `none` when there are none."""

    def write(values: tuple[Any, ...]) -> str:
        return separator.join(map(item.write, values)) or "none"

    def read(text: str) -> tuple[Any, ...]:
        return () if text == "none" else tuple(map(item.read, text.split(separator)))

    return Codec(write, read)


def pair_codec(first: Codec, second: Codec, separator: str) -> Codec:
    """Two values in one."""

    def read(text: str) -> tuple[Any, Any]:
        left, found, right = text.rpartition(separator)
        if not found:
            raise NotationError(f"expected two values with {separator} between them, got {text[:60]!r}")
        return first.read(left), second.read(right)

    return Codec(lambda pair: f"{first.write(pair[0])}{separator}{second.write(pair[1])}", read)


def _read_int(text: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        raise NotationError(f"expected a whole number, got {text[:60]!r}")
    return int(text)


INT = Codec(str, _read_int)
TEXT = Codec(lambda text: quote(text, safe=".:,-_~"), unquote)


class _Verb(NamedTuple):
    """A kind of action, with its fields in the order in which they are written."""

    kind: type[Any]
    fields: tuple[tuple[str, Codec, Any], ...]
    """Name, codec, and default (MISSING when it must be given)."""


class Notation(Generic[A]):
    """The lines of one game."""

    def __init__(
        self,
        verbs: Mapping[str, type[A]],
        actor: Codec,
        codecs: Mapping[str | tuple[type[Any], str], Codec],
        unnamed: str = "place",
    ) -> None:
        """`codecs` has an entry per field name, or per kind of action and field name where they differ."""
        self._actor = actor
        self._unnamed = unnamed
        self._verbs = {verb: _Verb(kind, self._fields_of(kind, codecs)) for verb, kind in verbs.items()}
        self._words = {kind: verb for verb, kind in verbs.items()}

    def _fields_of(
        self, kind: type[Any], codecs: Mapping[str | tuple[type[Any], str], Codec]
    ) -> tuple[tuple[str, Codec, Any], ...]:
        own: list[Field[Any]] = [field for field in fields(kind) if field.name != "by"]
        own.sort(key=lambda field: field.name != self._unnamed)
        return tuple((f.name, codecs.get((kind, f.name)) or codecs[f.name], f.default) for f in own)

    @property
    def verbs(self) -> tuple[str, ...]:
        """Every verb."""
        return tuple(self._verbs)

    def format(self, action: A) -> str:
        """One line of text."""
        verb = self._words[type(action)]
        parts = [self._actor.write(action.by), verb]  # type: ignore[attr-defined]
        for name, codec, default in self._verbs[verb].fields:
            value = getattr(action, name)
            if default is not MISSING and value == default:
                continue
            if value is True:
                parts.append(name)
            else:
                written = codec.write(value)
                parts.append(written if name == self._unnamed else f"{name}={written}")
        return " ".join(parts)

    def parse(self, line: str) -> A:
        """The action of a line; NotationError names the part that is wrong."""
        if len(line) > LONGEST_LINE:
            raise NotationError(f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
        words = line.split()
        if len(words) < 2:
            raise NotationError("expected who acts and what is done, such as `navigators end`")
        who = self._actor.read(words[0])
        verb = self._verbs.get(words[1])
        if verb is None:
            raise NotationError(f"expected one of {', '.join(self._verbs)}, got {words[1][:60]!r}")
        values = self._read_values(verb, words[1], words[2:])
        missing = [name for name, _, default in verb.fields if default is MISSING and name not in values]
        if missing:
            raise NotationError(f"{words[1]} needs {', '.join(missing)}")
        action: A = verb.kind(by=who, **values)
        return action

    def _read_values(self, verb: _Verb, word: str, parts: list[str]) -> dict[str, Any]:
        """The fields that a line gives."""
        codecs = {name: (codec, default) for name, codec, default in verb.fields}
        values: dict[str, Any] = {}
        for part in parts:
            name, named, text = part.partition("=")
            if not named and name not in codecs:
                name, text = self._unnamed, part
            if name not in codecs:
                known = ", ".join(codecs) or "nothing"
                raise NotationError(f"{word} takes {known}, got {part[:60]!r}")
            if name in values:
                raise NotationError(f"{word} has {name} twice")
            codec, default = codecs[name]
            if not named and name != self._unnamed:
                if default is not False:
                    raise NotationError(f"{word} needs a value after {name}=")
                values[name] = True
                continue
            try:
                values[name] = codec.read(text)
            except ValueError as error:
                raise NotationError(f"{name}: {error}") from None
        return values
