"""Decodes JSON text that others wrote: bounded size and depth, no doubled keys, no NaN, one sentence when wrong."""

from __future__ import annotations

import json
from typing import Any, Final

LARGEST_CHARS: Final = 1_000_000
DEEPEST: Final = 24


class BadJson(ValueError):
    """The text is not JSON that the companion accepts."""


def decode(text: str, *, largest_chars: int = LARGEST_CHARS, deepest: int = DEEPEST) -> Any:
    """The value of a JSON text; BadJson says what is wrong and where."""
    if len(text) > largest_chars:
        raise BadJson(f"the text has {len(text)} characters, at most {largest_chars} are accepted")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadJson(f"not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise BadJson(f"nested more than {deepest} levels deep") from None
    except BadJson:
        raise
    except ValueError:  # an integer with thousands of digits
        raise BadJson("not valid JSON: a number is too long") from None
    if _is_deeper(value, deepest):
        raise BadJson(f"nested more than {deepest} levels deep")
    return value


def _no_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson(f"the key {key[:60]!r} stands twice in one object")
            seen.add(key)
    return result


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise BadJson(f"the number {text[:40]} is too large")
    return number


def _no_constant(text: str) -> Any:
    raise BadJson(f"{text} is not a number that JSON knows")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_no_doubled_keys, parse_float=_finite, parse_constant=_no_constant)


def _is_deeper(value: Any, deepest: int) -> bool:
    """Whether containers are nested deeper than allowed; level by level, so that no depth can exhaust the stack."""
    level = [value]
    for _ in range(deepest + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        if not containers:
            return False
        level = [child for item in containers for child in (item.values() if isinstance(item, dict) else item)]
    return True
