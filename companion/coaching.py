"""The coach: what is possible now, why a dig costs what it costs, and which mistakes are typical here.

It decides nothing: it lists, explains and warns, from the same rules that judge the move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.games.ice.digging import explorers_on, limit, spendable
from engine.games.ice.state import EXPLORATION, OFF, SUNSET, State
from engine.games.ice.terms import spot_name
from engine.games.ice.wording import question
from engine.sayings import Saying
from engine.spots import Spot

CAN, COST, WARNING, NEXT = "can", "cost", "warning", "next"
"""What is possible; what a dig costs and why; a typical mistake; what happens next."""

Tip = Mapping[str, Any]

MOST_IN_HAND: Final = 3
VALIDATING: Final = Saying(
    "In your Sunset of days 2, 3 and 4 you may validate requests by moving artifacts to the hold. "
    "Days 2 and 3 allow two each."
)
KINDS: Final[tuple[tuple[tuple[type[a.Action], ...], Saying], ...]] = (
    ((a.Excavate,), Saying("dig")),
    ((a.Move, a.FluidMove), Saying("move")),
    ((a.BuildCamp,), Saying("build a camp")),
    ((a.Sail,), Saying("sail")),
    ((a.Recruit, a.Nurture), Saying("recruit")),
    ((a.Study,), Saying("study")),
    ((a.Plan,), Saying("plan")),
    ((a.Overwork,), Saying("overwork")),
    (
        (a.UseHarmony, a.UseObliteration, a.UsePhilosophical, a.UseExalted, a.UseAchievement, a.Activate),
        Saying("use an artifact"),
    ),
    ((a.EndTurn,), Saying("end the turn")),
)
"""What can be done, in the words of the page; what a hand holds is never mentioned."""


def tips(game: Ice, state: State, legal: Sequence[a.Action], digs: Mapping[str, Mapping[str, Any]]) -> list[Tip]:
    """What the coach says to the player whose turn it is."""
    if state.asked:
        said: Iterator[tuple[str, Saying]] = _about_the_question(state.asked[0].kind)
    elif state.phase == EXPLORATION:
        said = _said(game, state, legal, digs)
    else:
        said = iter([(NEXT, VALIDATING)] if state.phase == SUNSET else [])
    return [{"kind": kind, "say": say} for kind, say in said]


def _about_the_question(kind: str) -> Iterator[tuple[str, Saying]]:
    """What to think of before an answer."""
    yield NEXT, question(kind)
    if kind == "allocate":
        yield WARNING, Saying("The explorers of a dug tile go down as evenly as possible, not all to one place.")
        yield NEXT, Saying("The trick: put each piece where the fewest stand at that moment.")


def _said(
    game: Ice, state: State, legal: Sequence[a.Action], digs: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, Saying]]:
    yield CAN, _possible(legal)
    home = state.leaders[state.active]
    if home == OFF:
        yield NEXT, Saying("Your leader is in the reserve: build a camp or sail to bring it onto the board.")
    elif (here := digs.get(str(SPOTS[home]))) is not None:
        yield from _about_digging(state, home, here)
    elif home < len(state.tiles) and state.tiles[home]:
        yield WARNING, Saying("More than one tile lies on yours, so it cannot be dug.")
    yield from _about_the_turn(state)


def _possible(legal: Sequence[a.Action]) -> Saying:
    """Kinds of actions with the number of places they may be done at."""
    places: Counter[int] = Counter()
    for number, (types, _) in enumerate(KINDS):
        found = {getattr(action, "place", OFF) for action in legal if isinstance(action, types)}
        places[number] = len(found)
    said = [
        Saying("{what} ({count} {count:place|places})", {"what": KINDS[number][1], "count": count})
        if count > 1
        else KINDS[number][1]
        for number, count in sorted(places.items())
        if count
    ]
    return Saying("You can: {what}.", {"what": said or [Saying("nothing")]})


def _about_digging(state: State, home: int, here: Mapping[str, Any]) -> Iterator[tuple[str, Saying]]:
    """Why the tile under the leader costs what it costs, or cannot be dug; what falls with it."""
    left = spendable(state, state.active)
    yield COST, Saying("Digging under your leader: {cost}.", {"cost": here["breakdown"]})
    if here["cost"] > left and here["rules"] == ["R-DIG-4"]:
        facts = {"count": here["cost"] - left}
        yield (
            NEXT,
            Saying("{count} more {count:archaeologist|archaeologists} on this tile would make it cheap enough.", facts),
        )
    elif not here["legal"]:
        yield WARNING, here["say"]
    if not here["legal"]:
        return
    if here["cost"] == 0 and state.spent == 0:
        yield (
            WARNING,
            Saying("A dig for 0 EP does not count as spending: at least 1 EP must still be spent this turn."),
        )
    if explorers_on(state, home) > 1:
        yield WARNING, Saying("The explorers of a dug tile go down as evenly as possible, not all to one place.")
    fallen = [INDEX[Spot(spot)] for spot in here["collapses"]]
    if fallen:
        facts = {"count": len(fallen), "spots": [spot_name(SPOTS[place]) for place in fallen]}
        yield (
            WARNING,
            Saying("{spots} {count:falls|fall} with this dig; what falls goes to the discard pile.", facts),
        )
    lost = sum(explorers_on(state, place) for place in fallen)
    if lost:
        facts = {"count": lost}
        yield (
            WARNING,
            Saying(
                "{count} {count:explorer|explorers} on falling tiles {count:goes|go} home; nothing of it is spread.",
                facts,
            ),
        )


def _about_the_turn(state: State) -> Iterator[tuple[str, Saying]]:
    """What forgetful players trip over at the end of a turn or of their day."""
    seat = state.seats[state.active]
    if seat.ep > 0 and state.spent == 0:
        yield WARNING, Saying("The turn cannot end before 1 EP is spent.")
    if state.spent >= limit(state):
        yield NEXT, Saying("All EP of this turn are spent: end the turn.")
    elif 0 < seat.ep <= limit(state) - state.spent:
        yield NEXT, Saying("Who ends a turn with 0 EP goes to Sunset and rests until sunrise.")
    if len(seat.hand) > MOST_IN_HAND:
        yield WARNING, Saying("Only three snow tiles may stay in the hand at the end of the turn.")
