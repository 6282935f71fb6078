"""Records of tiles, cards, guilds and Azulia; what nobody has told is an explicit `UNKNOWN`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.spots import Spot

UNKNOWN: Final = "unknown"
"""Nobody has said or shown it; never a guess."""

Unknown = Literal["unknown"]

TYPES: Final = ("exalted", "achievement", "philosophical", "obliteration", "harmony")  # R-ART-1
PRISMATIC: Final = "prismatic"
ARTIFACT_KINDS: Final = (*TYPES, PRISMATIC)
SHAPES: Final = (1, 2, 3)  # R-ART-2
ARTIFACT_LAYERS: Final = ("surface", "deep")
ANIMA: Final = {"surface": 1, "deep": 2}  # R-ART-2

SNOW_BACKS: Final = ("empty", "tunnel", "crevasse", "nunatak", "campsite")
SNOW_BACK_COUNTS: Final = {"empty": 12, "tunnel": 12, "crevasse": 12, "nunatak": 11, "campsite": 1}  # R-CMP-2

TALISMANS: Final = tuple(f"talisman.{kind}" for kind in TYPES)
FRONTS: Final = (
    *("termites", "smilodon", "spiders", "manta"),
    *("rope", "sailship", "wreck", "survivors"),
    *("whistle", *TALISMANS, "rune", "gem"),
)
"""What a snow tile can be once dug, by family: animals, expedition, Nuuk (R-SNOW-6)."""

GUILDS: Final = ("navigators", "incandescents", "icewalkers", "nurturers", "cryoarchitects")

REQUEST_KINDS: Final = ("K1", "K2", "K3", "K4", "K5", "K6")
REQUEST_COPIES: Final = 54  # R-CMP-23
REQUEST_DIFFERENT: Final = 41
LOGBOOK_CARDS: Final = 10  # R-CMP-21

Shape = int | Unknown | None
"""1, 2 or 3; None for a prismatic; UNKNOWN until somebody tells."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One artifact tile as its face shows it."""

    kind: str
    anima: int
    shape: Shape = UNKNOWN


def artifact(kind: str, layer: str, shape: Shape = UNKNOWN) -> Artifact:
    """The artifact dug from a layer; a prismatic has no shape whatever was said (R-ART-2)."""
    return Artifact(kind, ANIMA[layer], None if kind == PRISMATIC else shape)


@dataclass(frozen=True, slots=True)
class ArtifactSet:
    """All artifact tiles in the box: how many of each, by layer."""

    surface: tuple[tuple[Artifact, int], ...]
    deep: tuple[tuple[Artifact, int], ...]
    stand_in: bool = False

    def tiles(self, layer: str) -> tuple[Artifact, ...]:
        """Every tile of a layer, copies repeated."""
        groups = self.surface if layer == "surface" else self.deep
        return tuple(piece for piece, count in groups for _ in range(count))


@dataclass(frozen=True, slots=True)
class FrontSet:
    """How many snow tiles have each front."""

    counts: tuple[tuple[str, int], ...]
    stand_in: bool = False

    def tiles(self) -> tuple[str, ...]:
        """Every front, copies repeated."""
        return tuple(front for front, count in self.counts for _ in range(count))


Reward = int | Unknown | None
"""RP; UNKNOWN when the card was not told; None when the card does not offer it."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request card (R-REQ)."""

    id: str
    kind: str
    """K1..K6."""
    n: int
    """Anima (K1, K2, K4, K6), different types (K3) or the fewest shapes that may pay (K5)."""
    types: tuple[str, ...]
    """K1 none; K2, K3 the list; K4 two; K5, K6 one."""
    rewards: tuple[Reward, ...]
    """One RP value; for K5 three, by number of different shapes."""
    copies: int | Unknown = 1
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class RequestDeck:
    """The different request cards known to us."""

    cards: tuple[Request, ...]
    complete: bool = False
    """The owner says that all 54 are here."""

    def find(self, card: str) -> Request | None:
        """The card of an id; None when it is UNKNOWN or not in the data."""
        return next((known for known in self.cards if known.id == card), None)


@dataclass(frozen=True, slots=True)
class Decree:
    """A decree card (R-DEC); `type` only for C1..C5."""

    id: str
    type: str | None = None


DECREES: Final = (
    Decree("A"),
    Decree("B"),
    *(Decree(f"C{i}", kind) for i, kind in enumerate(TYPES, 1)),
    Decree("D"),
    Decree("E"),
)
DECREE: Final = {decree.id: decree for decree in DECREES}


@dataclass(frozen=True, slots=True)
class Op:
    """One step of a logbook card's program: a verb and its arguments."""

    name: str
    where: str = ""
    """Which places: a snow back, an artifact kind or `camp`."""
    count: int = 1
    by: str = "first"
    """Who chooses: `first` = the first player, `each` = every player from the first one clockwise."""


@dataclass(frozen=True, slots=True)
class LogbookCard:
    """A logbook card (R-LOG); `effect` None = manual: the players act and confirm the board (R-LOG-6)."""

    id: str
    title: str
    """UNKNOWN when not told."""
    icon: str
    """A snow back (R-LOG-5) or UNKNOWN."""
    text: str
    effect: tuple[Op, ...] | None = None
    stand_in: bool = False

    @property
    def is_manual(self) -> bool:
        """Whether the players carry the card out and confirm the board."""
        return self.effect is None


@dataclass(frozen=True, slots=True)
class Guild:
    """A guild's start RP (R-SET-13) and colour."""

    id: str
    start_rp: int
    colour: str = UNKNOWN
    """`#rrggbb`, or UNKNOWN: then the camera is taught it."""
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A white-outlined part of Azulia, approximated by printed positions (R-ADJ-7)."""

    id: str
    positions: tuple[Spot, ...]
    """The positions it consists of; every position belongs to exactly one area."""
    under: tuple[Spot, ...]
    """Deep tiles that lie partly on it."""


@dataclass(frozen=True, slots=True)
class Icon:
    """A printed 1-RP icon, wholly visible once all of `under` are gone (R-AZU-3)."""

    id: str
    under: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class AzuliaMap:
    """The printed city: areas, which of them share a border line, 1-RP icons."""

    areas: tuple[Area, ...]
    adjacent: tuple[tuple[str, str], ...]
    """Pairs of area ids, each pair once."""
    icons: tuple[Icon, ...] | None
    """None = nobody has told: ask after each removed deep tile (Q-1)."""
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class GameData:
    """Everything that is printed on components and not in the rules."""

    artifacts: ArtifactSet
    fronts: FrontSet
    requests: RequestDeck
    logbook: tuple[LogbookCard, ...]
    guilds: tuple[Guild, ...]
    azulia: AzuliaMap

    def guild(self, name: str) -> Guild:
        """The data of a guild."""
        return next(guild for guild in self.guilds if guild.id == name)

    def find_logbook_card(self, card: str) -> LogbookCard | None:
        """The logbook card of an id; None when it is UNKNOWN or not in the data."""
        return next((known for known in self.logbook if known.id == card), None)

    def stand_ins(self) -> tuple[str, ...]:
        """The parts that rest on a stand-in or are incomplete; verdicts from them are warnings (§20)."""
        marks = {
            "azulia": self.azulia.stand_in,
            "guilds": any(guild.stand_in for guild in self.guilds),
            "logbook": any(card.stand_in for card in self.logbook),
            "requests": not self.requests.complete or any(card.stand_in for card in self.requests.cards),
            "snow_fronts": self.fronts.stand_in,
            "artifacts": self.artifacts.stand_in,
        }
        return tuple(part for part, marked in marks.items() if marked)
