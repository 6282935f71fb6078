"""Decoded JSON of the data files -> records of `cards`; errors name file, field and value."""

from __future__ import annotations

from dataclasses import dataclass
from re import fullmatch
from typing import Any, Final

from engine.documents import Node, show, unique
from engine.games.ice import board
from engine.games.ice.cards import (
    ANIMA,
    ARTIFACT_KINDS,
    FRONTS,
    GUILDS,
    LOGBOOK_CARDS,
    PRISMATIC,
    REQUEST_COPIES,
    REQUEST_DIFFERENT,
    REQUEST_KINDS,
    SHAPES,
    SNOW_BACKS,
    TYPES,
    UNKNOWN,
    Area,
    Artifact,
    ArtifactSet,
    AzuliaMap,
    FrontSet,
    Guild,
    Icon,
    LogbookCard,
    Op,
    Request,
    RequestDeck,
    Reward,
)
from engine.spots import Spot

FORMAT: Final = 1
LARGEST_REWARD: Final = 50
_HEAD: Final = ("stand_in", "note")

_TYPE_COUNT: Final = {"K1": (0, 0), "K2": (2, 5), "K3": (2, 5), "K4": (2, 2), "K5": (1, 1), "K6": (1, 1)}
"""How many types a request of each kind lists: fewest, most (§15)."""

PLACES: Final = (*SNOW_BACKS, *ARTIFACT_KINDS, "camp")
OPS: Final[dict[str, tuple[str, ...]]] = {
    "place_archaeologists": ("where", "count"),
    "discard_tile": ("where", "by"),
    "return_snow": ("count", "by"),
    "gain_rp": ("count",),
}
"""The vocabulary of logbook programs: verb -> arguments it takes."""


def _head(doc: Any, file: str, *required: str, optional: tuple[str, ...] = ()) -> tuple[dict[str, Node], bool]:
    """The fields of a file and its `stand_in` mark, which every record of the file inherits."""
    fields = Node(doc, file).fields(("format", *required), (*_HEAD, *optional))
    if fields["format"].value != FORMAT or isinstance(fields["format"].value, bool):
        fields["format"].fail(f"{FORMAT}")
    if "note" in fields:
        fields["note"].text()
    return fields, _flag(fields, "stand_in", False)


def _flag(fields: dict[str, Node], name: str, default: bool) -> bool:
    return fields[name].flag() if name in fields else default


def _id(node: Node) -> str:
    name = node.text(60)
    if name == UNKNOWN:
        node.refuse("'unknown' is reserved for cards that nobody has told")
    return name


def parse_requests(doc: Any, file: str = "requests.json") -> RequestDeck:
    """The request cards (R-REQ-9, Q-4)."""
    fields, stand_in = _head(doc, file, "cards", optional=("complete",))
    cards = unique(fields["cards"].items(), lambda node: _request(node, stand_in), lambda card: card.id)
    deck = RequestDeck(cards, _flag(fields, "complete", False))
    problem = why_incomplete(deck)
    if deck.complete and problem:
        fields["complete"].refuse(problem)
    return deck


def why_incomplete(deck: RequestDeck) -> str | None:
    """What is missing to the 54 cards of 41 sorts in the box (R-CMP-23), or None."""
    open_copies = sum(1 for card in deck.cards if card.copies == UNKNOWN)
    known = sum(card.copies for card in deck.cards if card.copies != UNKNOWN)
    if open_copies:
        return f"copies of {open_copies} request cards are unknown"
    if len(deck.cards) != REQUEST_DIFFERENT:
        return f"{len(deck.cards)} different request cards, the box has {REQUEST_DIFFERENT}"
    if known != REQUEST_COPIES:
        return f"copies add up to {known}, the box has {REQUEST_COPIES}"
    return None


def _request(node: Node, stand_in: bool) -> Request:
    fields = node.fields(("id", "kind"), ("n", "types", "reward", "rewards", "copies", "stand_in", "note"))
    kind = fields["kind"].choice(REQUEST_KINDS, "one of K1..K6")
    needed = {"id", "kind", *(("n", "reward") if kind != "K5" else ("rewards",)), *(("types",) if kind != "K1" else ())}
    for name in ("n", "types", "reward", "rewards"):
        if name in needed and name not in fields:
            node.refuse(f"missing field {name}, which kind {kind} needs")
        if name not in needed and name in fields:
            fields[name].refuse(f"kind {kind} has no such field")
    types = _types(fields["types"], kind) if "types" in fields else ()
    rewards = _shape_rewards(fields["rewards"]) if kind == "K5" else (_reward(fields["reward"]),)
    if kind == "K5":
        n = next(i for i, reward in enumerate(rewards, 1) if reward is not None)
    else:
        n = fields["n"].integer(1, len(types) if kind == "K3" else 20)
    return Request(
        id=_id(fields["id"]),
        kind=kind,
        n=n,
        types=types,
        rewards=rewards,
        copies=_copies(fields["copies"]) if "copies" in fields else 1,
        stand_in=_flag(fields, "stand_in", stand_in),
    )


def _types(node: Node, kind: str) -> tuple[str, ...]:
    members = node.items(*_TYPE_COUNT[kind])
    return unique(members, lambda member: member.choice(TYPES), lambda name: name)


def _reward(node: Node) -> Reward:
    return UNKNOWN if node.value == UNKNOWN else node.integer(0, LARGEST_REWARD)


def _shape_rewards(node: Node) -> tuple[Reward, ...]:
    """K5: RP for 1, 2, 3 different shapes; null where the card does not offer it."""
    rewards = tuple(None if member.value is None else _reward(member) for member in node.items(3, 3))
    if all(reward is None for reward in rewards):
        node.refuse("some number of shapes must have a reward")
    return rewards


def _copies(node: Node) -> Any:
    return UNKNOWN if node.value == UNKNOWN else node.integer(1, REQUEST_COPIES)


@dataclass(frozen=True, slots=True)
class Logbook:
    """The logbook cards of one file."""

    cards: tuple[LogbookCard, ...]
    complete: bool = False


def parse_logbook(doc: Any, file: str = "logbook.json") -> Logbook:
    """The logbook cards (R-LOG, Q-3)."""
    fields, stand_in = _head(doc, file, "cards", optional=("complete",))
    cards = unique(fields["cards"].items(), lambda node: _logbook_card(node, stand_in), lambda card: card.id)
    complete = _flag(fields, "complete", False)
    if complete and len(cards) != LOGBOOK_CARDS:
        fields["complete"].refuse(f"{len(cards)} logbook cards, the box has {LOGBOOK_CARDS}")
    return Logbook(cards, complete)


def _logbook_card(node: Node, stand_in: bool) -> LogbookCard:
    fields = node.fields(("id", "title", "icon", "text", "effect"), ("stand_in", "note"))
    return LogbookCard(
        id=_id(fields["id"]),
        title=fields["title"].text(100),
        icon=fields["icon"].choice((*SNOW_BACKS, UNKNOWN)),
        text=fields["text"].text(),
        effect=_program(fields["effect"]),
        stand_in=_flag(fields, "stand_in", stand_in),
    )


def _program(node: Node) -> tuple[Op, ...] | None:
    if node.value == "manual":
        return None
    if not isinstance(node.value, list):
        node.fail("'manual' or a list of steps")
    return tuple(_op(step) for step in node.items(1, 10))


def _op(node: Node) -> Op:
    if not isinstance(node.value, dict) or "op" not in node.value:
        node.fail("an object with the field op")
    name = Node(node.value["op"], node.file, f"{node.field}.op").choice(OPS)
    fields = node.fields(("op",), OPS[name])
    if "where" in OPS[name] and "where" not in fields:
        node.refuse(f"missing field where, which {name} needs")
    return Op(
        name=name,
        where=fields["where"].choice(PLACES) if "where" in fields else "",
        count=fields["count"].integer(1, 48) if "count" in fields else 1,
        by=fields["by"].choice(("first", "each")) if "by" in fields else "first",
    )


def parse_guilds(doc: Any, file: str = "guilds.json") -> tuple[Guild, ...]:
    """The guilds that the file names (Q-2)."""
    fields, stand_in = _head(doc, file, "guilds")
    return unique(fields["guilds"].items(0, len(GUILDS)), lambda node: _guild(node, stand_in), lambda guild: guild.id)


def _guild(node: Node, stand_in: bool) -> Guild:
    fields = node.fields(("id", "start_rp"), ("colour", "stand_in", "note"))
    return Guild(
        id=fields["id"].choice(GUILDS),
        start_rp=fields["start_rp"].integer(0, 35),
        colour=_colour(fields["colour"]) if "colour" in fields else UNKNOWN,
        stand_in=_flag(fields, "stand_in", stand_in),
    )


def _colour(node: Node) -> str:
    value = node.value
    if value == UNKNOWN:
        return UNKNOWN
    if not isinstance(value, str) or not fullmatch("#[0-9a-fA-F]{6}", value):
        node.fail("a colour as #rrggbb, or 'unknown'")
    return value.lower()


def parse_snow_fronts(doc: Any, file: str = "snow_fronts.json") -> FrontSet:
    """How many snow tiles have each front (Q-11)."""
    fields, stand_in = _head(doc, file, "counts")
    counts = {name: node.integer(0, 48) for name, node in fields["counts"].fields(FRONTS).items()}
    total = sum(counts.values())
    if total != len(board.SNOW):  # R-CMP-2
        fields["counts"].refuse(f"fronts add up to {total}, the box has {len(board.SNOW)} snow tiles")
    return FrontSet(tuple((front, counts[front]) for front in FRONTS), stand_in)


def parse_artifacts(doc: Any, file: str = "artifacts.json") -> ArtifactSet:
    """How many artifact tiles there are of each type and shape (Q-12)."""
    fields, stand_in = _head(doc, file, "surface", "deep")
    surface = _layer(fields["surface"], "surface", 30, 7)  # R-CMP-3
    deep = _layer(fields["deep"], "deep", 25, 2)  # R-CMP-4
    return ArtifactSet(surface, deep, stand_in)


def _layer(node: Node, layer: str, typed: int, prismatic: int) -> tuple[tuple[Artifact, int], ...]:
    fields = node.fields(ARTIFACT_KINDS)
    groups: list[tuple[Artifact, int]] = []
    for kind in TYPES:
        counts = [member.integer(0, typed) for member in fields[kind].items(3, 3)]
        groups += ((Artifact(kind, ANIMA[layer], shape), n) for shape, n in zip(SHAPES, counts, strict=True))
    total = sum(n for _, n in groups)
    if total != typed:
        node.refuse(f"tiles of the five types add up to {total}, the box has {typed}")
    jokers = fields[PRISMATIC].integer(0, typed)
    if jokers != prismatic:
        fields[PRISMATIC].refuse(f"expected {prismatic}, as many as the box has, got {show(jokers)}")
    return (*groups, (Artifact(PRISMATIC, ANIMA[layer], None), jokers))


_POSITIONS: Final = tuple(board.SPOTS[i] for i in board.AZULIA)
_DEEP: Final = tuple(board.SPOTS[i] for i in board.DEEP)


def parse_azulia(doc: Any, file: str = "azulia.json") -> AzuliaMap:
    """The printed city (R-ADJ-7, R-AZU-3, Q-1)."""
    fields, stand_in = _head(doc, file, "areas", optional=("adjacent", "icons"))
    areas = unique(fields["areas"].items(1, 60), _area, lambda area: area.id)
    owner: dict[Spot, str] = {}
    for area, node in zip(areas, fields["areas"].items(), strict=True):
        for position in area.positions:
            if position in owner:
                node.refuse(f"position {position} belongs to area {show(owner[position])} already")
            owner[position] = area.id
    missing = [position for position in _POSITIONS if position not in owner]
    if missing:
        fields["areas"].refuse(f"no area has position {missing[0]}; every one of the 18 needs exactly one")
    return AzuliaMap(
        areas=areas,
        adjacent=_borders(fields["adjacent"], areas) if "adjacent" in fields else _natural_borders(owner),
        icons=_icons(fields["icons"]) if "icons" in fields else None,
        stand_in=stand_in,
    )


def _spots(node: Node, options: tuple[Spot, ...], named: str) -> tuple[Spot, ...]:
    return unique(node.items(1), lambda member: Spot(member.choice(options, named)), lambda spot: spot)


def _area(node: Node) -> Area:
    fields = node.fields(("id", "positions"), ("under", "note"))
    positions = _spots(fields["positions"], _POSITIONS, "an Azulia position such as azulia:2,2,3")
    if "under" in fields:
        under = _spots(fields["under"], _DEEP, "a deep spot such as deep:3,3,2")
    else:
        above = {cover for position in positions for cover in board.COVERS[board.INDEX[position]]}
        under = tuple(board.SPOTS[cover] for cover in sorted(above))
    return Area(_id(fields["id"]), positions, under)


def _natural_borders(owner: dict[Spot, str]) -> tuple[tuple[str, str], ...]:
    """Areas are adjacent where their positions touch."""
    pairs = {
        (min(owner[p], q_owner), max(owner[p], q_owner))
        for p in _POSITIONS
        for q in board.NEIGHBOURS[board.INDEX[p]]
        if (q_owner := owner[board.SPOTS[q]]) != owner[p]
    }
    return tuple(sorted(pairs))


def _borders(node: Node, areas: tuple[Area, ...]) -> tuple[tuple[str, str], ...]:
    names = tuple(area.id for area in areas)

    def pair(member: Node) -> tuple[str, str]:
        one, two = (end.choice(names, "the id of an area") for end in member.items(2, 2))
        if one == two:
            member.refuse(f"area {show(one)} cannot be adjacent to itself")
        return (min(one, two), max(one, two))

    return unique(node.items(), pair, lambda found: found)


def _icons(node: Node) -> tuple[Icon, ...] | None:
    if node.value == UNKNOWN:
        return None

    def icon(member: Node) -> Icon:
        fields = member.fields(("id", "under"), ("note",))
        return Icon(_id(fields["id"]), _spots(fields["under"], _DEEP, "a deep spot such as deep:3,3,2"))

    return unique(node.items(0, 60), icon, lambda found: found.id)
