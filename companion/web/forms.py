"""Settings as fields of a form and back: type, bounds and description come from the settings tree itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion import settings
from companion.settings import Settings, SettingsError
from engine.games.ice.cards import GUILDS
from engine.games.ice.terms import term
from engine.sayings import Saying

LISTED: dict[str, tuple[str, ...]] = {
    "camera": ("table.camera", "eye.width", "eye.height", "eye.exposure_ms", "eye.still_s"),
    "lights": (
        "table.leds", "lights.count", "lights.order", "lights.skip", "lights.reverse", "lights.segments",
        "lights.shine", "lights.brightness", "lights.gamma", "lights.budget_ma", "lights.palette",
    ),
    "buttons": ("panel.buttons", "panel.buzzer", "panel.lamp", "play.end_turn", "play.complain_after_s", "play.coach"),
    "page": ("table.language", "page.name", "page.host", "page.port", "page.watch"),
}  # fmt: skip
"""The settings of each step of the set-up."""


TITLES: dict[str, Saying] = {
    "lights.palette": Saying("colours of the lights"),
    "play.end_turn": Saying("how a turn ends"),
    "page.watch": Saying("who may look once a PIN is set"),
}
"""What settings are called whose choices have names; their descriptions in the file explain the bare words."""
CHOICES: dict[str, Saying] = {
    "table.language=en": Saying("{name}", {"name": "English"}),
    "table.language=cs": Saying("{name}", {"name": "Čeština"}),
    "table.language=ru": Saying("{name}", {"name": "Русский"}),
    "play.end_turn=pressed": Saying("a button or the page ends a turn"),
    "play.end_turn=inferred": Saying("the next player's action ends it"),
    "lights.palette=safe": Saying("colours that colour-blind players tell apart"),
    "lights.palette=vivid": Saying("stronger colours"),
    "page.watch=anyone": Saying("anyone in the network"),
    "page.watch=link": Saying("people with a link"),
}
"""What the choices of a setting are called; others speak for themselves."""
BUTTONS: dict[str, Saying] = {
    "end_turn": Saying("End turn"),
    "undo": Saying("Undo"),
    "hint": Saying("Hint"),
    "yes": Saying("Yes"),
    "no": Saying("No"),
}
"""What a button on a pin can mean, beside the seats."""


def fields(step: str, now: Settings) -> Iterator[dict[str, Any]]:
    """The fields of a step: name, kind of input, value, bounds, choices, and what it is for."""
    for path in LISTED.get(step, ()):
        group, name = path.split(".")
        hint = get_type_hints(type(getattr(now, group)), include_extras=True)[name]
        base, *metas = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        field: dict[str, Any] = {"path": path, "value": getattr(getattr(now, group), name)}
        field["say"] = TITLES.get(path) or Saying(next((meta.description for meta in metas if meta.description), name))
        if get_origin(base) is Literal:
            field |= {"kind": "choice", "choices": [(one, CHOICES.get(f"{path}={one}", one)) for one in get_args(base)]}
        elif path == "panel.buttons":
            field |= {"kind": "buttons", "buttons": list(_buttons(str(field["value"])))}
        elif base is bool:
            field |= {"kind": "switch"}
        elif base in (int, float):
            least = next((meta.ge for meta in metas if meta.ge is not None), None)
            most = next((meta.le for meta in metas if meta.le is not None), None)
            field |= {"kind": "number", "step": 1 if base is int else "any", "least": least, "most": most}
        else:
            field |= {"kind": "text"}
        yield field


def _buttons(value: str) -> Iterator[tuple[str, Saying, str]]:
    """Every button with its name and its pin, empty while it has none."""
    pins = dict(word.split("=", 1) for word in value.replace(",", " ").split() if "=" in word)
    for name, say in BUTTONS.items():
        yield name, say, pins.get(name, "")
    for guild in GUILDS:
        yield f"seat:{guild}", Saying("Seat of the {guild}", {"guild": term(guild)}), pins.get(f"seat:{guild}", "")


def changed(step: str, now: Settings, form: Mapping[str, str]) -> Settings:
    """The settings with what a form says; SettingsError names a field that does not fit."""
    tree: dict[str, Any] = msgspec.to_builtins(now)
    for field in fields(step, now):
        group, name = field["path"].split(".")
        tree[group][name] = _value(field, form)
    try:
        return settings.from_tree(tree, "the form")
    except SettingsError as error:
        raise _unfit(step, now, tree, error) from error


class BadField(SettingsError):
    """A field of a form that cannot be kept, as a sentence for its reader."""

    def __init__(self, say: Saying) -> None:
        super().__init__(say.text)
        self.say = say


def _unfit(step: str, now: Settings, tree: Mapping[str, Any], error: SettingsError) -> SettingsError:
    """Which field of a form does not fit, and what it takes."""
    for field in fields(step, now):
        group, name = field["path"].split(".")
        if f"$.{field['path']}`" not in str(error):
            continue
        facts = {"field": field["say"], "value": str(tree[group][name])[:40], "limits": describe(now, field["path"])}
        if facts["limits"]:
            return BadField(Saying("{field}: {value} does not fit; allowed: {limits}.", facts))
        return BadField(Saying("{field}: {value} does not fit; take another value.", facts))
    return error


def describe(now: Settings, path: str) -> str:
    """The values that a setting takes, in signs."""
    group, name = path.split(".")
    return settings.describe(type(getattr(now, group)), name)[1]


def _value(field: Mapping[str, Any], form: Mapping[str, str]) -> Any:
    said = form.get(field["path"], "").strip()
    if field["kind"] == "switch":
        return said == "on"
    if field["kind"] == "buttons" and any(name.startswith("panel.buttons.") for name in form):
        pins = {name: form.get(f"panel.buttons.{name}", "").strip() for name, _, _ in field["buttons"]}
        return " ".join(f"{name}={pin}" for name, pin in pins.items() if pin)
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
