"""Every action of I C E as a frozen record with `by`: a seat, or TABLE for what nobody chose.

Places and seats are integers (see `board`, `state`); artifact types are numbers 0..4 of `cards.TYPES`.
A dig is `Excavate`, then the table's `Reveal` (and `ChooseSlot`), then `Allocate`, each answered in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.game import Actor
from engine.games.ice.cards import UNKNOWN, Artifact
from engine.games.ice.state import OFF, Board

BY_ARTIFACT, BY_TOKEN, BY_GEM = "artifact", "token", "gem"
MEANS: Final = (BY_ARTIFACT, BY_TOKEN, BY_GEM)
"""How an artifact effect is triggered: anima on the slot, the Incandescents' token, an Anima Gem."""


@dataclass(frozen=True, slots=True)
class Action:
    """The base of all actions."""

    by: Actor


@dataclass(frozen=True, slots=True)
class BuildCamp(Action):
    """Put a camp and the own leader on an uncovered tile (R-CAMP)."""

    place: int
    neutral: bool = False
    followers: int = 0
    """Archaeologists that come along (R-NAV-1)."""


@dataclass(frozen=True, slots=True)
class Recruit(Action):
    """Put an archaeologist from the supply on a tile with a camp (R-REC)."""

    place: int


@dataclass(frozen=True, slots=True)
class Sail(Action):
    """Move the own leader to a tile with a camp (R-SAIL)."""

    place: int
    followers: int = 0


@dataclass(frozen=True, slots=True)
class Study(Action):
    """Take the study token of the artifact under the leader (R-STU)."""

    type: int


@dataclass(frozen=True, slots=True)
class Plan(Action):
    """Take a planning token (R-PLAN)."""


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move the own leader one step, with archaeologists (R-MOVE)."""

    place: int
    archaeologists: int = 0


@dataclass(frozen=True, slots=True)
class FluidMove(Action):
    """Move the own leader one or two steps for 1 EP (R-FLUID)."""

    place: int
    archaeologists: int = 0
    via: int = OFF
    """The place half way; named only together with `half_way`."""
    half_way: int = 0
    """Archaeologists picked up (or, negative, dropped) on `via`; only if the table allows it (R-FLUID-3)."""


@dataclass(frozen=True, slots=True)
class Overwork(Action):
    """Pay 1 RP token to spend a third EP (R-OVW)."""


@dataclass(frozen=True, slots=True)
class Excavate(Action):
    """Dig the tile under the leader: announce, pay, collapse, take the tile (R-PROC-1 to R-PROC-4)."""

    place: int
    termites: int = 0
    talisman: bool = False
    discount: bool = False
    """The Cryoarchitects' ability (R-CRYO-1)."""


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """The table tells what a gained tile is: its kind if unknown, and its front or shape (or UNKNOWN)."""

    kind: int
    """Kind code of the tile."""
    front: str = UNKNOWN
    """Snow: a front of `cards.FRONTS`. Private, so UNKNOWN is the usual answer."""
    shape: int = 0
    """Artifact: 1, 2, 3; 0 = not told or prismatic."""


@dataclass(frozen=True, slots=True)
class ChooseSlot(Action):
    """Put a gained prismatic artifact on a slot (R-ART-3)."""

    slot: int


@dataclass(frozen=True, slots=True)
class Allocate(Action):
    """Spread the explorers of the dug tile over the three places below (R-ALLOC)."""

    archaeologists: tuple[int, int, int]
    """How many go to each of `board.BELOW[dug place]`."""
    leaders: tuple[tuple[int, int], ...]
    """(seat, 0..2) for every leader that stood on the tile, by seat."""


@dataclass(frozen=True, slots=True)
class PlaceCamp(Action):
    """Put a camp that lost its tile on another tile, OFF = let it return (R-ALLOC-8, R-NAV-4)."""

    place: int


@dataclass(frozen=True, slots=True)
class CountIcons(Action):
    """The table tells how many 1-RP icons of Azulia have just become wholly visible (R-AZU-3, Q-1)."""

    found: int = 0


@dataclass(frozen=True, slots=True)
class UseHarmony(Action):
    """Harmony: an archaeologist from the supply to the leader, in step C of a dig (R-HARM)."""

    means: str = BY_ARTIFACT


@dataclass(frozen=True, slots=True)
class UseObliteration(Action):
    """Obliteration: destroy an uncovered tile next to or under the leader (R-OBLI)."""

    place: int
    means: str = BY_ARTIFACT


@dataclass(frozen=True, slots=True)
class UsePhilosophical(Action):
    """Philosophical: take a tile that collapsed or was destroyed just now (R-PHIL)."""

    place: int
    means: str = BY_ARTIFACT


@dataclass(frozen=True, slots=True)
class UseExalted(Action):
    """Exalted: one archaeologist from each given adjacent place to the leader, for 1 EP (R-EXAL)."""

    places: tuple[int, ...]
    """Sorted."""
    means: str = BY_ARTIFACT


@dataclass(frozen=True, slots=True)
class UseAchievement(Action):
    """Achievement: +1 EP (R-ACHI)."""

    means: str = BY_ARTIFACT


@dataclass(frozen=True, slots=True)
class PlaySmilodon(Action):
    """Boreal Smilodon: all archaeologists of a place to an adjacent one (R-SMIL)."""

    start: int
    place: int


@dataclass(frozen=True, slots=True)
class PlaySpiders(Action):
    """White Spiders: the own leader 1 or 2 steps (R-SPID)."""

    place: int
    followers: int = 0


@dataclass(frozen=True, slots=True)
class PlayManta(Action):
    """Ice Manta: the own leader to any tile (R-MANT)."""

    place: int
    followers: int = 0


@dataclass(frozen=True, slots=True)
class PlayRope(Action):
    """Climbing Rope: leader and one archaeologist are allocated last, together (R-ROPE)."""


@dataclass(frozen=True, slots=True)
class PlaySailship(Action):
    """Ice Sailship: an archaeologist to the own leader and one to another leader (R-SHIP)."""

    leader: int = OFF
    """Seat of the other leader; OFF = there is none on the board."""


@dataclass(frozen=True, slots=True)
class PlayWreck(Action):
    """Wreck: +1 EP and 1 RP token (R-WREC)."""


@dataclass(frozen=True, slots=True)
class PlaySurvivors(Action):
    """Expedition Survivors: two archaeologists from the supply join those allocated (R-SURV)."""


@dataclass(frozen=True, slots=True)
class PlayWhistle(Action):
    """Storm Whistle: 1 or 2 archaeologists from one place to a tile with a camp (R-WHIS)."""

    start: int
    place: int
    archaeologists: int


@dataclass(frozen=True, slots=True)
class PlayRune(Action):
    """Explosive Rune: destroy an uncovered tile without a leader (R-RUNE)."""

    place: int


@dataclass(frozen=True, slots=True)
class Recall(Action):
    """Navigators: move the leader to the own camp, once a day (R-NAV-2)."""

    followers: int = 0


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Incandescents: put the activation token on the slot of the artifact under the leader (R-INC-1)."""

    slot: int


@dataclass(frozen=True, slots=True)
class UseHook(Action):
    """Icewalkers: allocate the own leader last, anywhere of the three places (R-ICEW-1)."""


@dataclass(frozen=True, slots=True)
class Nurture(Action):
    """Nurturers: an archaeologist from the guild board to a snow tile (R-NUR-1)."""

    place: int


@dataclass(frozen=True, slots=True)
class DiscardSnow(Action):
    """Discard a snow tile because the hand has more than three at the end of the turn (R-EP-11)."""

    front: str


@dataclass(frozen=True, slots=True)
class LoseBlockedPoint(Action):
    """Lose 1 EP because no action that spends EP is possible (R-EP-10)."""


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """End the turn (R-EP-8); with 0 EP left the player goes to Sunset (R-EXP-2)."""


@dataclass(frozen=True, slots=True)
class LayRequests(Action):
    """The table lays out the day's requests (R-DUSK-1)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeRequest(Action):
    """Take a request from the row (R-DUSK-1)."""

    card: str


@dataclass(frozen=True, slots=True)
class ValidateRequest(Action):
    """Pay a request (R-REQ)."""

    card: str
    artifacts: tuple[Artifact, ...] = ()
    """Artifacts paid, in the order of `requests.payment`."""
    study: int = 0
    """Study tokens paid, bit per type."""


@dataclass(frozen=True, slots=True)
class DiscardRequest(Action):
    """Discard a request because more than four are left (R-DUSK-3)."""

    card: str


@dataclass(frozen=True, slots=True)
class EndSunset(Action):
    """Finish the own Sunset."""


@dataclass(frozen=True, slots=True)
class MovePrismatic(Action):
    """Move a prismatic artifact to another slot at sunrise (R-SUN-2)."""

    anima: int
    start: int
    slot: int


@dataclass(frozen=True, slots=True)
class TakeStudy(Action):
    """Take a study token as the last on the curse track (R-VAR-FC)."""

    type: int


@dataclass(frozen=True, slots=True)
class StartDay(Action):
    """The table begins the day's turns after sunrise when no logbook card is used."""


@dataclass(frozen=True, slots=True)
class DrawLogbook(Action):
    """The table turns up a logbook card (R-SUN-4), or the card of the logbook setup (R-VAR-LOG)."""

    card: str
    icon: str = UNKNOWN
    """The snow-tile icon, told when the card is not in the data."""


@dataclass(frozen=True, slots=True)
class ConfirmBoard(Action):
    """The table confirms that a logbook card is carried out, and what the board looks like now (R-LOG-6)."""

    board: Board | None = None
    """None = the board has not changed."""


@dataclass(frozen=True, slots=True)
class ChooseForCard(Action):
    """Choose a place for what a logbook card orders (R-LOG-2)."""

    place: int


@dataclass(frozen=True, slots=True)
class DealRequests(Action):
    """The table deals requests to a player (R-SET-15); secret cards are UNKNOWN."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeepRequests(Action):
    """Keep some of the dealt requests (R-SET-15)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawDecrees(Action):
    """The table turns up three decrees (R-SET-9)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShowTile(Action):
    """The table sees the kind of a tile that was unknown (R-ART-1), and its rotation if it can be told."""

    place: int
    kind: int
    turn: int = 255


ACTIONS: Final[tuple[type[Action], ...]] = (
    BuildCamp, Recruit, Sail, Study, Plan, Move, FluidMove, Overwork, Excavate,
    Reveal, ChooseSlot, Allocate, PlaceCamp, CountIcons,
    UseHarmony, UseObliteration, UsePhilosophical, UseExalted, UseAchievement,
    PlaySmilodon, PlaySpiders, PlayManta, PlayRope, PlaySailship, PlayWreck, PlaySurvivors, PlayWhistle, PlayRune,
    Recall, Activate, UseHook, Nurture,
    DiscardSnow, LoseBlockedPoint, EndTurn,
    LayRequests, TakeRequest, ValidateRequest, DiscardRequest, EndSunset,
    MovePrismatic, TakeStudy, StartDay, DrawLogbook, ConfirmBoard, ChooseForCard,
    DealRequests, KeepRequests, DrawDecrees, ShowTile,
)  # fmt: skip
"""Every kind of action."""
