"""The first-game course: short lessons, each a position, a task and a check of what was really done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, LAYER, SPOTS, TILE_COUNT
from engine.games.ice.cards import TYPES
from engine.games.ice.state import EXPLORATION, State
from engine.spots import Spot

Done = Callable[[State, State, Sequence[a.Action]], bool]
"""Start, now and the actions between: whether the task is done."""

LEARNER: Final = "navigators"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson; its texts are keys of their translations."""

    key: str
    title: str
    text: tuple[str, ...]
    task: str
    praise: str
    position: Mapping[str, Any]
    done: Done
    hints: tuple[str, ...] = ()
    """Spots to light as a hint."""
    offers: tuple[str, ...] = ()
    """Lines to try that are about no place on the board; `end` is always there."""
    rules: tuple[str, ...] = ()
    """Rules that the lesson is about."""
    kinds: tuple[str, ...] = ()
    """Spots on which exactly the kind of tile has to lie that the position names."""
    plain: tuple[str, ...] = ()
    """Further spots on which only tiles may lie that nobody stumbles over, as on those with pieces and hints."""

    @property
    def spots(self) -> frozenset[str]:
        """The spots that matter; the rest of the board may lie as it likes."""
        return frozenset({*self.position["pieces"], *self.hints, *self.kinds, *self.plain})


def usual(place: int) -> str:
    """What lies on a place when a lesson does not care: plain snow, or the artifacts in turn."""
    return "empty" if LAYER[place] == "snow" else TYPES[place % len(TYPES)]


def board(
    *,
    removed: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
    turns: Mapping[str, int] | None = None,
    pieces: Mapping[str, Mapping[str, Any]] | None = None,
    seat: Mapping[str, Any] | None = None,
    players: int = 3,
    **more: Any,
) -> dict[str, Any]:
    """A position of a first game: plain snow over artifacts in turn, one seat named, the rest as at the start."""
    tiles: dict[str, dict[str, Any]] = {}
    for place in range(TILE_COUNT):
        spot = str(SPOTS[place])
        if spot not in removed:
            tiles[spot] = {"kind": (kinds or {}).get(spot, usual(place)), "rotation": (turns or {}).get(spot, 0)}
    position = {
        "format": 1,
        "game": "ice",
        "options": {
            "players": players,
            "expert": False,
            "blessing": False,
            "fluid_move": False,
            "first_game": True,
        },
        "day": 1,
        "phase": EXPLORATION,
        "first_player": LEARNER,
        "to_act": LEARNER,
        "turn": {"spent": 0, "overwork": False},
        "tiles": tiles,
        "pieces": dict(pieces or {}),
        "seats": [{"guild": LEARNER, "ep": 5, "rp": 2, **(seat or {})}],
    }
    return position | more


def explorers(count: int = 0, camp: str = "") -> dict[str, Any]:
    """The learner's leader with archaeologists, perhaps at a camp."""
    here: dict[str, Any] = {"leaders": [LEARNER], "archaeologists": count}
    return here | ({"camp": camp} if camp else {})


def leader_on(*spots: str) -> Done:
    """The learner's leader stands on one of the spots."""
    places = {INDEX[Spot(spot)] for spot in spots}
    return lambda start, now, actions: now.leaders[0] in places and not now.asked


def gone(spot: str) -> Done:
    """A tile is no longer there, and everything that follows is settled."""
    place = INDEX[Spot(spot)]
    return lambda start, now, actions: not now.tiles[place] and not now.asked


def made(*kinds: type[a.Action]) -> Done:
    """Actions of all these kinds were made."""
    return lambda start, now, actions: set(kinds) <= {type(action) for action in actions} and not now.asked


def both(first: Done, second: Done) -> Done:
    """Two conditions together."""
    return lambda start, now, actions: first(start, now, actions) and second(start, now, actions)


def company(spot: str, count: int) -> Done:
    """The leader stands on a spot with at least so many archaeologists."""
    place = INDEX[Spot(spot)]
    return lambda start, now, actions: now.leaders[0] == place and now.archaeologists[place] >= count


HOLE: Final = ("snow:4,3,3", "snow:3,4,3", "snow:3,3,4", "surface:3,3,3")
PAYING: Final = {
    "obliteration": [{"kind": "obliteration", "anima": 2, "shape": 1}, {"kind": "obliteration", "anima": 1, "shape": 2}]
}

LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson(
        "layers",
        "The board and its layers",
        (
            "The board is a funnel: snow on top, surface artifacts under it, deep artifacts under those, and the city of Azulia at the bottom.",
            "Every tile lies on three places of the layer below. You can step down where a place is at least partly visible.",
        ),
        "Walk your leader from the snow down to a deep artifact: two moves of 1 EP each.",
        "You have crossed three layers. A place needs only one visible third to stand on.",
        board(removed=HOLE, pieces={"snow:5,2,3": explorers()}),
        leader_on("deep:3,2,3", "deep:2,3,3", "deep:3,3,2"),
        hints=("surface:4,2,3", "deep:3,2,3"),
        rules=("R-GEO-8", "R-ADJ-1"),
    ),
    Lesson(
        "moving",
        "Moving with archaeologists",
        (
            "A move takes your leader to an adjacent place and costs 1 EP.",
            "Up to three archaeologists that stand with the leader go along for free. They never walk alone.",
        ),
        "Bring three archaeologists with your leader to the lit tile. Try four as well and read what the table says.",
        "Three go along, the fourth stays behind.",
        board(pieces={"snow:4,3,3": explorers(4)}),
        company("snow:5,2,3", 3),
        hints=("snow:5,2,3",),
        rules=("R-MOVE-1", "R-MOVE-2", "R-MOVE-3"),
    ),
    Lesson(
        "crevasses",
        "Crevasses",
        (
            "A crevasse tile is cracked along two of its sides. Nobody walks across a crack, in either direction.",
            "Your leader stands on a crevasse. The lit tile is next to it, but a crack lies between.",
        ),
        "Reach the lit tile by going round the crack.",
        "Going round costs one more EP, but the way is free.",
        board(kinds={"snow:4,3,3": "crevasse"}, turns={"snow:4,3,3": 0}, pieces={"snow:4,3,3": explorers()}),
        leader_on("snow:5,2,3"),
        hints=("snow:5,2,3",),
        kinds=("snow:4,3,3",),
        rules=("R-CREV-1", "R-MOVE-4"),
        plain=("snow:5,3,2", "snow:4,2,4"),
    ),
    Lesson(
        "camps",
        "Building a camp",
        (
            "Leaders start in the reserve. Building a camp puts your camp and your leader together on any fully uncovered tile, for 1 EP.",
            "A tile never holds two camps, and a tile that another one partly covers is not allowed.",
        ),
        "Build your camp. Tap a snow tile and choose the action.",
        "Camp and leader are on the board. Everybody may sail to your camp, and recruit there.",
        board(removed=("snow:4,3,3",), pieces={"snow:3,3,4": {"archaeologists": 1, "camp": "neutral"}}),
        made(a.BuildCamp),
        hints=("snow:5,2,3", "snow:2,4,4"),
        rules=("R-CAMP-1", "R-CAMP-3"),
    ),
    Lesson(
        "sailing",
        "Sailing and recruiting",
        (
            "Sailing takes your leader to any tile with a camp, wherever it is, for 1 EP. Archaeologists do not sail along.",
            "Recruiting puts an archaeologist from the supply on a tile with a camp, also for 1 EP.",
        ),
        "Sail to the white camp and recruit an archaeologist there.",
        "Two EP well spent: the leader has crossed the board and has company.",
        board(pieces={"snow:1,5,4": explorers(2), "snow:5,2,3": {"camp": "neutral"}}),
        both(company("snow:5,2,3", 1), made(a.Sail, a.Recruit)),
        hints=("snow:5,2,3",),
        rules=("R-SAIL-1", "R-SAIL-2", "R-REC-1"),
    ),
    Lesson(
        "cost",
        "Digging and its cost",
        (
            "You dig the tile under your leader. Snow costs 2 EP, a surface artifact 3, a deep one 4.",
            "One EP more if the tile is harder: a camp, a nunatak, or a tile that covers it. One EP less for every explorer on the tile, your leader included.",
        ),
        "Dig the nunatak under your leader: 2 and 1 more, less 2 explorers, makes 1 EP. Then spread the two explorers.",
        "The tile goes to your hand, the explorers go down to the places below.",
        board(kinds={"snow:4,3,3": "nunatak"}, pieces={"snow:4,3,3": explorers(1)}),
        gone("snow:4,3,3"),
        hints=("snow:4,3,3",),
        kinds=("snow:4,3,3",),
        rules=("R-DIG-1", "R-COST-1", "R-COST-2", "R-COST-3"),
    ),
    Lesson(
        "collapse",
        "What may be dug, and collapse",
        (
            "At most one tile may lie on the tile you dig. That covering tile collapses: it goes to the discard pile and the pieces on it go home.",
            "Your leader stands on a tile with two tiles on it. Next to it is one with a single tile on it.",
        ),
        "Try to dig where you stand and read why not. Then take both archaeologists to the lit tile and dig it.",
        "The covering snow tile has collapsed, and the artifact is yours.",
        board(removed=("snow:4,3,3", "snow:4,2,4"), pieces={"surface:3,3,3": explorers(2)}),
        gone("surface:4,2,3"),
        hints=("surface:4,2,3",),
        rules=("R-DIG-2", "R-PROC-2", "R-COL-1"),
    ),
    Lesson(
        "chain",
        "Chain collapse",
        (
            "A tile that is not on the rim needs at least two neighbours in its layer. With one or none left it collapses too, and may drag others along.",
            "The tile in the middle has only two neighbours left. One of them is under your leader.",
        ),
        "Dig the tile under your leader and watch the tile in the middle fall with the archaeologist on it.",
        "Whatever stood on the fallen tile went back to the supply: nothing is spread after a collapse.",
        board(
            removed=("snow:5,2,3", "snow:5,3,2", "snow:4,4,2", "snow:3,4,3"),
            pieces={"snow:3,3,4": explorers(), "snow:4,3,3": {"archaeologists": 1}},
        ),
        both(gone("snow:3,3,4"), gone("snow:4,3,3")),
        hints=("snow:3,3,4", "snow:4,3,3"),
        rules=("R-COL-3", "R-COL-4", "R-COL-1"),
    ),
    Lesson(
        "allocation",
        "Spreading explorers",
        (
            "After a dig the explorers of the tile go down to the three places below, as evenly as possible. Those who stand there already count.",
            "The trick: put each piece where the fewest stand at that moment.",
        ),
        "Dig the tile under your leader (0 EP) and spread the four explorers. Two archaeologists already stand on one of the places.",
        "Two, two and two: nobody could be placed more evenly.",
        board(
            removed=("snow:3,4,3",),
            pieces={"snow:4,3,3": explorers(3), "surface:3,3,3": {"archaeologists": 2}},
        ),
        gone("snow:4,3,3"),
        hints=("snow:4,3,3",),
        rules=("R-ALLOC-1", "R-ALLOC-2", "R-ALLOC-5"),
    ),
    Lesson(
        "effects",
        "Artifacts and their effects",
        (
            "Dug artifacts lie on the slot of their type. With 2 anima on a slot its effect may be used once a day; a ready study token counts as 1 anima.",
            "A surface artifact has 1 anima, a deep one 2. A study token alone is never enough.",
        ),
        "One of your three slots is strong enough. Find it and use its effect.",
        "Achievement gave you 1 EP. The top artifact lies face down until sunrise.",
        board(
            pieces={"snow:4,3,3": explorers()},
            seat={
                "ep": 2,
                "slots": {
                    "achievement": [{"kind": "achievement", "anima": 2, "shape": 1}],
                    "obliteration": [{"kind": "obliteration", "anima": 1, "shape": 1}],
                },
                "study": {"exalted": "ready"},
            },
        ),
        made(a.UseAchievement),
        offers=("achieve", "obliterate snow:4,2,4", "gather places=snow:4,2,4"),
        rules=("R-ART-5", "R-ART-6", "R-ART-7"),
    ),
    Lesson(
        "study",
        "Studying",
        (
            "With your leader on an artifact you may study it for 1 EP: you take the study token of its type. The tile may be partly covered.",
            "The token adds 1 anima to its slot. You own each token once, and prismatic artifacts cannot be studied.",
        ),
        "Study the artifact under your leader, then use its effect.",
        "One artifact and one study token made 2 anima.",
        board(
            removed=("snow:4,3,3",),
            kinds={"surface:3,3,3": "achievement"},
            pieces={"surface:3,3,3": explorers()},
            seat={"ep": 3, "slots": {"achievement": [{"kind": "achievement", "anima": 1, "shape": 2}]}},
        ),
        made(a.Study, a.UseAchievement),
        offers=("achieve", "study type=achievement", "study type=harmony"),
        hints=("surface:3,3,3",),
        kinds=("surface:3,3,3",),
        rules=("R-STU-1", "R-STU-2", "R-ART-5"),
    ),
    Lesson(
        "requests",
        "Requests and decrees",
        (
            "In your Sunset of days 2, 3 and 4 you may validate requests by moving artifacts to the hold. Days 2 and 3 allow two each.",
            "Decrees cost nothing: they count everything you own at the end, also what lies in the hold.",
        ),
        "Your request asks for 3 anima of Obliteration. Pay it; paying too little is refused.",
        "The card scores at the end, and the first request of the day brings an RP token at once.",
        board(
            day=2,
            phase="sunset",
            sunset={"taken": True, "fresh_request": ""},
            requests={"row": [], "left": 40, "discarded": 0},
            seat={"ep": 0, "asleep": True, "slots": PAYING, "requests": ["anima-3-obliteration"]},
        ),
        made(a.ValidateRequest),
        offers=(
            "validate card=anima-3-obliteration artifacts=obliteration.1.2",
            "validate card=anima-3-obliteration artifacts=obliteration.1.2+obliteration.2.1",
        ),
        rules=("R-REQ-1", "R-REQ-2", "R-REQ-9", "R-DEC-1"),
    ),
    Lesson(
        "day",
        "A whole day",
        (
            "In every turn you spend 1 or 2 EP, then the turn ends. Who ends a turn with 0 EP goes to Sunset and rests until sunrise.",
            "Here you play alone: 6 EP, one turn after the other.",
        ),
        "Play turns until your EP are used up and your day is over.",
        "That was a day. Four of them make a game.",
        board(
            players=1, pieces={"snow:5,2,3": explorers(1, LEARNER), "snow:4,3,3": {"camp": "neutral"}}, seat={"ep": 6}
        ),
        lambda start, now, actions: now.seats[0].asleep or now.day > 1,
        rules=("R-EP-1", "R-EP-8", "R-EXP-2"),
    ),
)
"""The course, in order."""
