"""Settings as fields of a form and back: type, bounds and description come from the settings tree itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion import settings
from companion.settings import Settings
from engine.sayings import Saying

LISTED: dict[str, tuple[str, ...]] = {
    "camera": ("table.camera", "eye.width", "eye.height", "eye.exposure_ms", "eye.still_s"),
    "lights": (
        "table.leds", "lights.count", "lights.order", "lights.skip", "lights.reverse", "lights.brightness",
        "lights.gamma", "lights.budget_ma", "lights.palette",
    ),
    "buttons": ("panel.buttons", "panel.buzzer", "panel.lamp", "play.end_turn", "play.complain_after_s", "play.coach"),
    "page": ("table.language", "page.name", "page.host", "page.port", "page.watch"),
}  # fmt: skip
"""The settings of each step of the set-up."""


def fields(step: str, now: Settings) -> Iterator[dict[str, Any]]:
    """The fields of a step: name, kind of input, value, bounds, choices, and what it is for."""
    for path in LISTED.get(step, ()):
        group, name = path.split(".")
        hint = get_type_hints(type(getattr(now, group)), include_extras=True)[name]
        base, *metas = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        field: dict[str, Any] = {"path": path, "value": getattr(getattr(now, group), name)}
        field["say"] = Saying(next((meta.description for meta in metas if meta.description), name))
        if get_origin(base) is Literal:
            field |= {"kind": "choice", "choices": list(get_args(base))}
        elif base is bool:
            field |= {"kind": "switch"}
        elif base in (int, float):
            least = next((meta.ge for meta in metas if meta.ge is not None), None)
            most = next((meta.le for meta in metas if meta.le is not None), None)
            field |= {"kind": "number", "step": 1 if base is int else "any", "least": least, "most": most}
        else:
            field |= {"kind": "text"}
        yield field


def changed(step: str, now: Settings, form: Mapping[str, str]) -> Settings:
    """The settings with what a form says; SettingsError names a field that does not fit."""
    tree: dict[str, Any] = msgspec.to_builtins(now)
    for field in fields(step, now):
        group, name = field["path"].split(".")
        tree[group][name] = _value(field, form)
    return settings.from_tree(tree, "the form")


def _value(field: Mapping[str, Any], form: Mapping[str, str]) -> Any:
    said = form.get(field["path"], "").strip()
    if field["kind"] == "switch":
        return said == "on"
    if field["path"] not in form:
        return field["value"]
    if field["kind"] != "number":
        return said
    try:
        return float(said) if field["step"] == "any" else int(said)
    except ValueError:
        return said  # the settings tree says what was expected


def descriptions() -> Iterable[str]:
    """Every description of a setting that a form shows."""
    return (field["say"].text for step in LISTED for field in fields(step, Settings()))
