"""The seats of a position: a guild board and reserve as plain JSON values, read and written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.documents import Node
from engine.games.ice import state as st
from engine.games.ice.cards import ARTIFACT_KINDS, FRONTS, PRISMATIC, SHAPES, TYPES, UNKNOWN, Artifact, Shape
from engine.games.ice.options import Options
from engine.games.ice.state import Seat, Validated

CURSE_START: Final = {1: 0, 2: 0, 3: 0, 4: 1, 5: 2}  # R-CURSE-1
MOST_EP: Final = 6  # R-EP-3
MOST_RP: Final = 1000  # R-FAQ-4: RP tokens never run out
_HOOKS: Final = 2  # R-CMP-13
_LONGEST_NAME: Final = 60
_TRIGGERS: Final = (st.NO_TOKEN, st.BLESSING, st.LIGHT, st.DARK)


def read_seat(node: Node | None, guild: str, options: Options, tended: int, *, plays_on: bool) -> Seat:
    """A seat; what it does not say is as on a guild board that nobody has used today.

    `tended` is what the Nurturers' board holds when it is not said, `plays_on` that somebody without EP still has a
    turn to finish.
    """
    empty = _empty_seat(guild, options, tended)
    if node is None:
        return replace(empty, asleep=not plays_on)
    ep = _number(node, "ep", 0, MOST_EP, 0)
    curse = _number(node, "curse", 0, 99, empty.curse)
    ready, spent = _read_study(node.find("study"))
    slots, down = _read_slots(node)
    return Seat(
        guild=guild,
        ep=ep,
        rp=_number(node, "rp", 0, MOST_RP, 0),
        hand=tuple(sorted(item.choice((*FRONTS, UNKNOWN)) for item in _items(node, "hand", 48))),
        requests=tuple(sorted(item.text(_LONGEST_NAME) for item in _items(node, "requests", 54))),
        validated=tuple(_read_validated(item) for item in _items(node, "validated", 54)),
        slots=slots,
        down=down,
        hold=tuple(_read_artifact(item) for item in _items(node, "hold", 64)),
        ready=ready,
        spent=spent,
        planning=_flag(node, "planning", False),
        trigger=_choice(node, "trigger", _TRIGGERS, _trigger(options, curse)),
        curse=curse,
        hooks=_number(node, "hooks", 0, _HOOKS, empty.hooks),
        activation=_read_activation(node.find("activation")),
        tended=_number(node, "tended", 0, 45, empty.tended),
        fluid=_number(node, "fluid", 0, 2, empty.fluid),
        grey=_flag(node, "grey", False),
        asleep=_flag(node, "asleep", ep == 0 and not plays_on),
        reslotted=_number(node, "reslotted", 0, 64, 0),
    )


def write_seat(seat: Seat) -> dict[str, Any]:
    """A seat with every field."""
    return {
        "guild": seat.guild,
        "ep": seat.ep,
        "rp": seat.rp,
        "hand": list(seat.hand),
        "requests": list(seat.requests),
        "validated": [{"day": v.day, "card": v.card, "reward": v.reward} for v in seat.validated],
        "slots": {TYPES[i]: [_write_artifact(a) for a in slot] for i, slot in enumerate(seat.slots) if slot},
        "down": {TYPES[i]: number for i, number in enumerate(seat.down) if number},
        "hold": [_write_artifact(a) for a in seat.hold],
        "study": {
            name: "ready" if seat.ready >> i & 1 else "spent"
            for i, name in enumerate(TYPES)
            if (seat.ready | seat.spent) >> i & 1
        },
        "planning": seat.planning,
        "trigger": seat.trigger,
        "curse": seat.curse,
        "hooks": seat.hooks,
        "activation": _ACTIVATION.get(seat.activation) or TYPES[seat.activation],
        "tended": seat.tended,
        "fluid": seat.fluid,
        "grey": seat.grey,
        "asleep": seat.asleep,
        "reslotted": seat.reslotted,
    }


_ACTIVATION: Final = {st.TOKEN_READY: "ready", st.TOKEN_SPENT: "spent"}


def _empty_seat(guild: str, options: Options, tended: int) -> Seat:
    """A seat with its guild's own components refreshed and nothing gained."""
    curse = CURSE_START[options.players] if options.expert else 0
    able = options.guild_abilities
    return Seat(
        guild=guild,
        trigger=_trigger(options, curse),
        curse=curse,
        hooks=_HOOKS if guild == "icewalkers" and able else 0,
        tended=tended if guild == "nurturers" and able else 0,
        fluid=options.fluid_tokens,
    )


def _trigger(options: Options, curse: int) -> str:
    """What lies on the trigger cell of somebody who has come so far on the curse track (R-CURSE-2, R-VAR-BL)."""
    if not options.expert:
        return st.BLESSING if options.blessing else st.NO_TOKEN
    if curse < 4:
        return st.BLESSING
    return st.LIGHT if curse < 10 else st.DARK


def _read_study(node: Node | None) -> tuple[int, int]:
    """Ready and spent study tokens as bits."""
    ready = spent = 0
    for name, token in [] if node is None else node.entries():
        if name not in TYPES:
            token.refuse(f"expected one of {', '.join(TYPES)}")
        bit = 1 << TYPES.index(name)
        if token.choice(("ready", "spent")) == "ready":
            ready |= bit
        else:
            spent |= bit
    return ready, spent


def _read_slots(node: Node) -> tuple[tuple[tuple[Artifact, ...], ...], tuple[int, ...]]:
    """Artifacts by slot, and how many on top of each lie face down."""
    slots: list[tuple[Artifact, ...]] = [()] * len(TYPES)
    down = [0] * len(TYPES)
    told = node.find("slots")
    for name, slot in [] if told is None else told.entries():
        if name not in TYPES:
            slot.refuse(f"expected one of {', '.join(TYPES)}")
        items = slot.items(0, 64)
        artifacts = tuple(_read_artifact(item) for item in items)
        for item, artifact in zip(items, artifacts, strict=True):
            if artifact.kind not in (name, PRISMATIC):
                item.refuse(f"{artifact.kind} does not belong on the slot of {name} (R-ART-3)")
        slots[TYPES.index(name)] = artifacts
    told = node.find("down")
    for name, number in [] if told is None else told.entries():
        if name not in TYPES:
            number.refuse(f"expected one of {', '.join(TYPES)}")
        down[TYPES.index(name)] = number.integer(0, len(slots[TYPES.index(name)]))
    return tuple(slots), tuple(down)


def _read_artifact(node: Node) -> Artifact:
    kind = node.need("kind").choice(ARTIFACT_KINDS)
    anima = node.need("anima").integer(1, 2)
    shape: Shape = None if kind == PRISMATIC else UNKNOWN
    told = node.find("shape")
    if told is not None and told.value not in (UNKNOWN, None) and kind != PRISMATIC:
        shape = told.integer(SHAPES[0], SHAPES[-1])
    return Artifact(kind, anima, shape)


def _write_artifact(artifact: Artifact) -> dict[str, Any]:
    return {"kind": artifact.kind, "anima": artifact.anima, "shape": artifact.shape}


def _read_validated(node: Node) -> Validated:
    reward = node.need("reward")
    points = UNKNOWN if reward.value == UNKNOWN else reward.integer(0, 100)
    return Validated(node.need("day").integer(1, 4), node.need("card").text(_LONGEST_NAME), points)


def _read_activation(node: Node | None) -> int:
    if node is None:
        return st.TOKEN_READY
    word = node.choice((*_ACTIVATION.values(), *TYPES))
    return {name: code for code, name in _ACTIVATION.items()}.get(word) or TYPES.index(word)


def _items(node: Node, name: str, most: int) -> list[Node]:
    child = node.find(name)
    return [] if child is None else child.items(0, most)


def _number(node: Node, name: str, least: int, most: int, default: int) -> int:
    child = node.find(name)
    return default if child is None else child.integer(least, most)


def _flag(node: Node, name: str, default: bool) -> bool:
    child = node.find(name)
    return default if child is None else child.flag()


def _choice(node: Node, name: str, options: tuple[str, ...], default: str) -> str:
    child = node.find(name)
    return default if child is None else child.choice(options)
