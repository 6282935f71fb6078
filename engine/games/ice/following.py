"""What a camera can follow of I C E: what is seen at a spot, how likely an unseen action is, what is asked (§21)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.explain import Pending
from engine.games.ice import actions as a
from engine.games.ice.board import BELOW, COVER_MASK, INDEX, SPOTS, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.sights import NONE
from engine.games.ice.state import (
    CREVASSE,
    EXALTED,
    EXPLORATION,
    HARMONY,
    KIND_NAMES,
    OBLITERATION,
    OFF,
    SUNRISE,
    SUNSET,
    UNKNOWN_KIND,
    State,
)
from engine.spots import Label, Spot

HERE, TILE, TURN, ARCHAEOLOGISTS, LEADERS, CAMP = "here", "tile", "turn", "archaeologists", "leaders", "camp"
YES, NO = "yes", "no"


def seen_at(state: State, spot: Spot) -> dict[str, Label]:
    """What an ideal camera reads at one spot, by kind of cue; a tile that is hidden is left out.

    A hidden place holds nobody (R-GEO-9), so pieces seen there speak for tiles that are gone.
    """
    place = INDEX[spot]
    seen: dict[str, Label] = {}
    if place < TILE_COUNT and (COVER_MASK[place] & state.present).bit_count() < 3:
        here = bool(state.present >> place & 1)
        seen[HERE] = YES if here else NO
        if here and state.tiles[place] != UNKNOWN_KIND:
            seen[TILE] = KIND_NAMES[state.tiles[place]]
        if here and state.tiles[place] == CREVASSE and state.turns[place] < 6:
            seen[TURN] = str(state.turns[place])
    seen[ARCHAEOLOGISTS] = str(state.archaeologists[place])
    here_too = [seat.guild for seat, at in zip(state.seats, state.leaders, strict=True) if at == place]
    seen[LEADERS] = "+".join(sorted(here_too)) or NONE
    camps = [seat.guild for seat, at in zip(state.seats, state.camps, strict=True) if at == place]
    camps += ["neutral"] * state.neutral_camps.count(place)
    seen[CAMP] = "+".join(sorted(camps)) or NONE
    return seen


def aims(state: State, action: a.Action) -> frozenset[Spot]:
    """Spots of which at least one must look different if an action was made; empty when nobody can see it."""
    kind = type(action)
    if kind in UNSEEN:
        return frozenset()
    if isinstance(action, a.Allocate) and state.dig is not None:
        return frozenset(SPOTS[p] for p in (state.dig.place, *BELOW[state.dig.place]))
    if isinstance(action, a.PlaySmilodon | a.PlayWhistle):
        return frozenset({SPOTS[action.start]})
    places = {getattr(action, "place", OFF)}
    if (kind in FROM_LEADER or not hasattr(action, "place")) and action.by >= 0:
        places.add(state.leaders[action.by])
    places.discard(OFF)
    return frozenset(SPOTS[place] for place in places)


FROM_LEADER: Final = frozenset({a.Move, a.FluidMove, a.Sail})
"""Moves of a leader that may go on: the place it left tells as much as the place it came to."""
UNSEEN: Final = frozenset(
    {a.Reveal, a.ChooseSlot, a.EndTurn, a.EndSunset, a.Overwork, a.UseHook, a.PlayRope, a.PlaySurvivors, a.PlayWreck}
)

FORCED: Final = 0.0
"""What an action brings with it."""
PLAIN: Final = 3.0
"""Dear enough that a detour is never taken for the straight way."""
USUAL: Final = 1.0
"""What happens all the time, as the end of a turn; looked for only where no button is pressed for it."""
ODD: Final = 4.2
"""Something that happens, but is usually said: an artifact effect, a fluid move, a guild ability."""
STRANGE: Final = 2.2
"""What nobody in their right mind does: digging where another leader stands is rather that player's dig."""
DECLARED: Final = None
"""Never assumed: a player says it."""
GUESSED: Final = 6.5
"""A snow tile out of a hand that nobody has seen; always asked."""

_FRONT_OF: Final = {
    a.PlaySmilodon: "smilodon",
    a.PlaySpiders: "spiders",
    a.PlayManta: "manta",
    a.PlayRope: "rope",
    a.PlaySailship: "sailship",
    a.PlayWreck: "wreck",
    a.PlaySurvivors: "survivors",
    a.PlayWhistle: "whistle",
    a.PlayRune: "rune",
}

_EFFORT: Final[dict[type[a.Action], float | None]] = {
    a.BuildCamp: PLAIN,
    a.Recruit: PLAIN,
    a.Sail: PLAIN,
    a.Move: PLAIN,
    a.Excavate: PLAIN,
    a.Allocate: FORCED,
    a.PlaceCamp: FORCED,
    a.EndTurn: USUAL,
    a.EndSunset: USUAL,
    a.LayRequests: FORCED,
    a.ChooseSlot: FORCED,
    a.FluidMove: ODD,
    a.Recall: ODD,
    a.UseHook: ODD,
    a.Nurture: ODD,
    a.UseHarmony: ODD,
    a.UseExalted: ODD,
    a.UseObliteration: ODD,
    a.Overwork: GUESSED,
}
"""Everything else is declared."""


_SLOT_OF: Final[dict[type[a.Action], int]] = {
    a.UseHarmony: HARMONY,
    a.UseExalted: EXALTED,
    a.UseObliteration: OBLITERATION,
}


def is_midway(state: State) -> bool:
    """Whether a dig is under way: its explorers and its camp have yet to be put down."""
    return bool(state.asked) and state.asked[0].kind in ("reveal", "slot", "allocate", "camp")


def least_effort(state: State, kind: type[a.Action]) -> float | None:
    """The least effort that an action of a kind may take; None = it is only ever declared."""
    front = _FRONT_OF.get(kind)
    if front is not None:
        return ODD if front in state.seats[state.active].hand else GUESSED
    return FORCED if kind is a.Reveal else _EFFORT.get(kind, DECLARED)


def effort(box: Box, state: State, action: a.Action) -> float | None:
    """How unlikely an action is before anything is seen; None = it is only ever declared."""
    kind = type(action)
    if isinstance(action, a.Reveal):
        return _effort_of_reveal(state, action)
    price = least_effort(state, kind)
    if price is None or action.by < 0:
        return price
    hand = state.seats[action.by].hand
    if isinstance(action, a.Excavate) and (action.termites or action.talisman):
        fronts = ["termites"] * action.termites + ["talisman"] * action.talisman
        price += sum(ODD if any(card.startswith(name) for card in hand) else GUESSED for name in fronts)
    if isinstance(action, a.Excavate) and action.place != state.leaders[action.by]:
        price += STRANGE
    if isinstance(action, a.FluidMove) and action.place in box.terrain.adjacent[state.leaders[action.by]]:
        price += PLAIN  # a token for a step that a plain move makes as well
    means = getattr(action, "means", "")
    if means == a.BY_GEM:
        price = ODD if "gem" in hand else GUESSED
    elif means == a.BY_ARTIFACT and not state.seats[action.by].slots[_SLOT_OF[kind]]:
        price += 2 * STRANGE  # nobody uses an artifact that they do not have
    return price


def _effort_of_reveal(state: State, action: a.Reveal) -> float | None:
    """A front stays private; a shape is asked for only when it can score."""
    if action.front != UNKNOWN:
        return None
    wanted = shape_matters(state) and KIND_NAMES[action.kind] != "prismatic"
    is_artifact = state.asked[0].tile != action.kind or KIND_NAMES[action.kind] in ARTIFACT_NAMES
    if not is_artifact:
        return FORCED
    return FORCED if bool(action.shape) == wanted else None


ARTIFACT_NAMES: Final = frozenset(KIND_NAMES[6:11])


def shape_matters(state: State) -> bool:
    """Whether the shape decree is in play, or may be (R-DEC-E)."""
    return "E" in state.decrees


def pending(state: State, legal_actions: Callable[[State], tuple[a.Action, ...]]) -> Pending[a.Action] | None:
    """What the game waits for that no camera sees; the usual answer is taken silently."""
    kind = state.asked[0].kind if state.asked else "sunrise" if state.phase == SUNRISE else ""
    if kind in ("", "allocate", "camp"):
        return None  # nothing, or seen on the board
    legal = legal_actions(state)
    quiet = [action for action in legal if _goes_without_saying(state, kind, action)]
    if kind == "sunrise" and len(legal) > 1:
        quiet = []  # prismatics may change their slot before the day starts (R-SUN-2)
    return Pending(kind, quiet[0]) if len(quiet) == 1 else Pending(kind, None, legal)


def _goes_without_saying(state: State, kind: str, action: a.Action) -> bool:
    """Cards stay unknown until somebody shows one; a shape is asked for only when it scores."""
    if isinstance(action, a.Reveal):
        wanted = shape_matters(state) and KIND_NAMES[action.kind] in ARTIFACT_NAMES
        return action.front == UNKNOWN and not action.shape and not wanted
    return kind in ("deal", "row") or isinstance(action, a.StartDay)


def end_turn(state: State) -> a.Action | None:
    """What the button `end turn` means: end the turn, or in Sunset be done with it."""
    if state.asked:
        return None
    if state.phase == EXPLORATION:
        return a.EndTurn(state.active)
    if state.phase == SUNSET:
        return a.EndSunset(state.active)
    return None


def ends_turn(action: a.Action) -> bool:
    """Whether an action is what that button means."""
    return isinstance(action, a.EndTurn | a.EndSunset)
