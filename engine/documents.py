"""Reads decoded JSON step by step; every error names file, field and value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

LONGEST_LIST = 1000
LONGEST_TEXT = 2000
_SHOWN = 60


class DataError(ValueError):
    """A data file says something that cannot be: `requests.json: cards[3].kind: expected ..., got 'K9'`."""

    def __init__(self, file: str, field: str, problem: str) -> None:
        super().__init__(f"{file}: {field}: {problem}" if field else f"{file}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem


def show(value: object) -> str:
    """A value in a few words; safe for huge and deeply nested ones."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}... ({len(value)} characters)"
    if isinstance(value, int):
        # Python refuses to print integers of thousands of digits.
        return str(value) if value.bit_length() < 64 else "a huge number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    return type(value).__name__


@dataclass(frozen=True, slots=True)
class Node:
    """A decoded value together with where it stands."""

    value: Any
    file: str
    field: str = ""

    def fail(self, expected: str) -> NoReturn:
        """Say what was expected here, and what came."""
        self.refuse(f"expected {expected}, got {show(self.value)}")

    def refuse(self, problem: str) -> NoReturn:
        """Say in own words what is wrong here."""
        raise DataError(self.file, self.field, problem)

    def _child(self, name: str, value: Any) -> Node:
        return Node(value, self.file, f"{self.field}.{name}" if self.field else name)

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """The fields of an object: all required ones, no unknown ones."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        known = (*required, *optional)
        for name in self.value:
            if name not in known:
                near = get_close_matches(str(name)[:_SHOWN], known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known fields are {', '.join(known)}"
                self._child(str(name)[:_SHOWN], None).refuse(f"unknown field; {hint}")
        for name in required:
            if name not in self.value:
                self._child(name, None).refuse("missing field")
        return {name: self._child(name, value) for name, value in self.value.items()}

    def find(self, name: str) -> Node | None:
        """A field of an object that may have others beside it; None when it is absent."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        return self._child(name, self.value[name]) if name in self.value else None

    def need(self, name: str) -> Node:
        """A field that must be there, in an object that may have others beside it."""
        return self.find(name) or self._child(name, None).refuse("missing field")

    def entries(self) -> list[tuple[str, Node]]:
        """The fields of an object whose names are data, such as spots."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        return [(name, self._child(name[:_SHOWN], value)) for name, value in self.value.items()]

    def items(self, least: int = 0, most: int = LONGEST_LIST) -> list[Node]:
        """The members of a list."""
        if not isinstance(self.value, list | tuple) or not least <= len(self.value) <= most:
            self.fail(f"a list of {least} to {most}" if least != most else f"a list of {least}")
        return [Node(value, self.file, f"{self.field}[{i}]") for i, value in enumerate(self.value)]

    def integer(self, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fail(f"a whole number from {least} to {most}")
        return value

    def text(self, most: int = LONGEST_TEXT) -> str:
        """A text that is not empty."""
        if not isinstance(self.value, str) or not 0 < len(self.value.strip()) <= most:
            self.fail(f"a text of 1 to {most} characters")
        return self.value.strip()

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def choice(self, options: Collection[str], named: str = "") -> str:
        """One of several words; `named` shortens a long list of them."""
        if not isinstance(self.value, str) or self.value not in options:
            self.fail(named or f"one of {', '.join(options)}")
        return self.value


def unique(nodes: Iterable[Node], parse: Callable[[Node], T], key: Callable[[T], object]) -> tuple[T, ...]:
    """The parsed members; two with the same key are an error at the second."""
    found: dict[object, T] = {}
    for node in nodes:
        record = parse(node)
        name = key(record)
        if name in found:
            node.refuse(f"{show(name)} is there twice")
        found[name] = record
    return tuple(found.values())
