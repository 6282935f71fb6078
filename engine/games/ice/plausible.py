"""What hands and table could do now, legal or not; contains every legal action that can be listed.

Not listed, though legal when they happen: `ShowTile` (an observation), payments with a superfluous piece or with a
shape told only now, dealt cards other than unknown ones, and a changed board after a manual logbook card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.artifacts import gatherable
from engine.games.ice.board import COVER_MASK, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import DECREE, FRONTS, SNOW_BACKS, TYPES, UNKNOWN, Artifact
from engine.games.ice.dawn import card_choices, prismatics
from engine.games.ice.digging import allocation_actions, has_discount
from engine.games.ice.dusk import payable, row_size, study_names
from engine.games.ice.requests import payments
from engine.games.ice.setup import DECREES_IN_PLAY
from engine.games.ice.snow import holds
from engine.games.ice.state import (
    EXPLORATION,
    FIRST_TYPE,
    OFF,
    PRISMATIC_KIND,
    SUNRISE,
    SUNSET,
    UNKNOWN_KIND,
    Question,
    Seat,
    State,
    camp_places,
)  # fmt: skip
from engine.games.ice.terrain import is_open
from engine.games.ice.travel import two_steps

MOST_CARRIED = 4
"""One more archaeologist than anybody may take along: hands that take too many are recognised."""


def plausible_actions(box: Box, state: State) -> Iterator[a.Action]:
    """Everything listed, each action once."""
    if state.asked:
        yield from answers(box, state, state.asked[0])
        if state.asked[0].kind == "allocate":
            yield from before_allocation(box, state)
    elif state.phase == SUNRISE:
        yield from at_sunrise(box, state)
    elif state.phase == SUNSET:
        yield from at_sunset(box, state)
    elif state.phase == EXPLORATION:
        yield from in_turn(box, state)


def answers(box: Box, state: State, question: Question) -> Iterator[a.Action]:
    """The answers to a question."""
    by, kind = question.by, question.kind
    if kind == "reveal":
        yield from _reveals(question)
    elif kind == "slot":
        yield from (a.ChooseSlot(by, slot) for slot in range(5))
    elif kind == "allocate":
        yield from _spreads(box, state)
    elif kind == "camp":
        yield from (a.PlaceCamp(by, place) for place in question.choices)
    elif kind == "icons":
        yield from (a.CountIcons(by, found) for found in range(4))
    elif kind == "study":
        yield from (a.TakeStudy(by, number) for number in question.choices)
    elif kind == "logbook":
        yield a.ConfirmBoard(by)
    elif kind.startswith("card"):
        yield from (a.ChooseForCard(by, place) for place in card_choices(state) or (OFF,))
    elif kind == "deal":
        yield a.DealRequests(by, question.seat, (UNKNOWN,) * box.options.dealt_requests)
    elif kind == "keep":
        hand = state.seats[by].requests
        yield from (a.KeepRequests(by, cards) for cards in sorted(set(combinations(hand, box.options.kept_requests))))
    elif kind == "decrees":
        yield a.DrawDecrees(by, (UNKNOWN,) * DECREES_IN_PLAY)
        yield from (a.DrawDecrees(by, cards) for cards in combinations(DECREE, DECREES_IN_PLAY))
    elif kind == "row":
        yield a.LayRequests(by, (UNKNOWN,) * row_size(state))
    elif kind == "setup":
        yield from _logbook_cards(box, state, SNOW_BACKS)


def _reveals(question: Question) -> Iterator[a.Reveal]:
    """What a gained tile may turn out to be."""
    if question.place in SNOW:
        yield from (a.Reveal(TABLE, question.tile, front) for front in (*FRONTS, UNKNOWN))
        return
    kinds = range(FIRST_TYPE, PRISMATIC_KIND + 1) if question.tile == UNKNOWN_KIND else (question.tile,)
    for kind in kinds:
        yield from (a.Reveal(TABLE, kind, UNKNOWN, shape) for shape in range(1 if kind == PRISMATIC_KIND else 4))


def _spreads(box: Box, state: State) -> Iterator[a.Action]:
    """Every way to put the explorers on the three places, even or not."""
    if state.dig is None:
        return
    legal = allocation_actions(box, state)
    yield from legal
    known = set(legal)
    by, place = state.asked[0].by, state.dig.place
    pool = state.archaeologists[place]
    standing = [seat for seat, at in enumerate(state.leaders) if at == place]
    for i in range(3):
        for first in range(pool + 1):
            for second in range(pool + 1 - first):
                spread = (first, second, pool - first - second)
                action = a.Allocate(by, spread, tuple((seat, i) for seat in standing))
                if action not in known:
                    yield action


def before_allocation(box: Box, state: State) -> Iterator[a.Action]:
    """What may come between taking a tile and step C."""
    by = state.active
    yield from _by_means(box, state, lambda means: (a.UsePhilosophical(by, place, means) for place, _ in state.lost))
    yield a.UseHook(by)
    hand = state.seats[by].hand
    if holds(hand, "rope"):
        yield a.PlayRope(by)
    if holds(hand, "survivors"):
        yield a.PlaySurvivors(by)


def at_sunrise(box: Box, state: State) -> Iterator[a.Action]:
    """Prismatics may change slots until the card is turned up."""
    for number, seat in enumerate(state.seats):
        for start, anima in sorted({(slot, tile.anima) for slot, tile in prismatics(seat)}):
            yield from (a.MovePrismatic(number, anima, start, slot) for slot in range(5) if slot != start)
    if box.options.logbook:
        yield from _logbook_cards(box, state, (UNKNOWN,))
    else:
        yield a.StartDay(TABLE)


def _logbook_cards(box: Box, state: State, icons: Iterable[str]) -> Iterator[a.DrawLogbook]:
    """Cards not yet seen; the icon is told only when the data do not know it."""
    for card in (*box.data.logbook, None):
        name = UNKNOWN if card is None else card.id
        if name == UNKNOWN or name not in state.logbook:
            asked = icons if card is None or card.icon == UNKNOWN else (UNKNOWN,)
            yield from (a.DrawLogbook(TABLE, name, icon) for icon in asked)


def at_sunset(box: Box, state: State) -> Iterator[a.Action]:
    """Take, validate, discard, finish."""
    by, seat = state.active, state.seats[state.active]
    yield from (a.TakeRequest(by, card) for card in dict.fromkeys(state.row or ()))
    if state.day > 1:
        yield from validations(box, by, seat)
        yield from (a.DiscardRequest(by, card) for card in dict.fromkeys(seat.requests))
    yield a.EndSunset(by)


def validations(box: Box, by: int, seat: Seat) -> tuple[a.ValidateRequest, ...]:
    """Every way to pay a request that is, or may be, in the hand."""
    stock = tuple(payable(box, seat))
    if not stock and not seat.ready:
        return ()
    known = None if UNKNOWN in seat.requests else seat.requests
    return _validations(box, by, known, stock, seat.ready)


@lru_cache(maxsize=2048)
def _validations(
    box: Box, by: int, known: tuple[str, ...] | None, stock: tuple[Artifact, ...], ready: int
) -> tuple[a.ValidateRequest, ...]:
    """The same from the values that matter; the order of the hand does not."""
    return tuple(
        a.ValidateRequest(by, card.id, paid.artifacts, sum(1 << TYPES.index(name) for name in paid.study))
        for card in box.data.requests.cards
        if known is None or card.id in known
        for paid in payments(card, stock, study_names(ready))
    )


def _by_means(box: Box, state: State, make: object) -> Iterator[a.Action]:
    """An effect by each means that the player may have."""
    by = state.active
    means = [a.BY_ARTIFACT]
    if box.has_ability(by, "incandescents"):
        means.append(a.BY_TOKEN)
    if holds(state.seats[by].hand, "gem"):
        means.append(a.BY_GEM)
    for name in means:
        yield from make(name)  # type: ignore[operator]


def in_turn(box: Box, state: State) -> Iterator[a.Action]:
    """Everything a player could try in a turn."""
    yield from camp_actions(box, state)
    yield from walks(box, state)
    yield from digs(box, state)
    yield from effects(box, state)
    yield from snow_plays(box, state)
    yield from abilities(box, state)
    by = state.active
    yield from (a.Study(by, number) for number in range(5))
    yield from (a.Plan(by), a.Overwork(by))
    yield from (a.DiscardSnow(by, front) for front in dict.fromkeys(state.seats[by].hand))
    yield from (a.LoseBlockedPoint(by), a.EndTurn(by))


def _tiles(state: State) -> list[int]:
    return [i for i in range(TILE_COUNT) if state.present >> i & 1]


def _visible_tiles(box: Box, state: State) -> list[int]:
    return [i for i in _tiles(state) if is_open(box.terrain, state.present, i)]


def _open_places(box: Box, state: State) -> list[int]:
    places = range(len(box.terrain.rep))
    return [i for i in places if box.terrain.rep[i] == i and is_open(box.terrain, state.present, i)]


def _followers(box: Box, state: State, free: int = 0) -> range:
    """How many may come along where archaeologists usually do not."""
    by = state.active
    here = state.archaeologists[state.leaders[by]] if state.leaders[by] >= 0 else 0
    return range(min(here, free + box.has_ability(by, "navigators")) + 1)


def camp_actions(box: Box, state: State) -> Iterator[a.Action]:
    """Building, recruiting and sailing."""
    by = state.active
    followers = _followers(box, state)
    for place in _visible_tiles(box, state):
        for neutral in (False, True):
            yield from (a.BuildCamp(by, place, neutral, count) for count in followers)
        yield a.Recruit(by, place)
    for place in sorted(camp_places(state)):
        yield from (a.Sail(by, place, count) for count in followers)


def walks(box: Box, state: State) -> Iterator[a.Action]:
    """Steps of the leader to any visible place, with up to one archaeologist too many."""
    by = state.active
    start = state.leaders[by]
    if start == OFF:
        return
    carried = range(min(state.archaeologists[start], MOST_CARRIED) + 1)
    for place in _open_places(box, state):
        if place != start:
            yield from (a.Move(by, place, count) for count in carried)
            if box.options.fluid_tokens:
                yield from (a.FluidMove(by, place, count) for count in carried)
    if box.options.fluid_tokens and box.options.fluid_exchange_half_way:
        yield from _exchanges(box, state, by, start, carried)


def _exchanges(box: Box, state: State, by: int, start: int, carried: range) -> Iterator[a.Action]:
    """Fluid moves that pick up or drop somebody half way (R-FLUID-3)."""
    for via in sorted(box.terrain.adjacent[start]):
        for place in sorted(box.terrain.adjacent[via]):
            for count in carried:
                for change in range(-count, min(3, state.archaeologists[via]) + 1):
                    if change:
                        yield a.FluidMove(by, place, count, via, change)


def digs(box: Box, state: State) -> Iterator[a.Action]:
    """Digging any tile; reductions only where the leader stands."""
    by = state.active
    hand = state.seats[by].hand
    for place in _visible_tiles(box, state):
        yield a.Excavate(by, place)
        if place != state.leaders[by]:
            continue
        most = hand.count("termites") + hand.count(UNKNOWN)
        for discount in (False, True) if has_discount(box, state, by, place) else (False,):
            for termites in range(most + 1):
                if termites or discount:
                    yield a.Excavate(by, place, termites, False, discount)
        if UNKNOWN in hand or any(front.startswith("talisman") for front in hand):
            yield a.Excavate(by, place, 0, True)


def effects(box: Box, state: State) -> Iterator[a.Action]:
    """Artifact effects by every means."""
    by = state.active
    near = gatherable(box, state, by)
    subsets = [places for size in range(len(near) + 1) for places in combinations(near, size)]
    tiles = [i for i in _tiles(state) if not COVER_MASK[i] & state.present]
    yield from _by_means(box, state, lambda means: [a.UseHarmony(by, means)])
    yield from _by_means(box, state, lambda means: (a.UseObliteration(by, place, means) for place in tiles))
    yield from _by_means(box, state, lambda means: (a.UsePhilosophical(by, place, means) for place, _ in state.lost))
    yield from _by_means(box, state, lambda means: (a.UseExalted(by, places, means) for places in subsets))
    yield from _by_means(box, state, lambda means: [a.UseAchievement(by, means)])


def snow_plays(box: Box, state: State) -> Iterator[a.Action]:
    """Snow tiles that are, or may be, in the hand."""
    by, hand = state.active, state.seats[state.active].hand
    crowds = [place for place, count in enumerate(state.archaeologists) if count]
    if holds(hand, "smilodon"):
        for start in crowds:
            yield from (a.PlaySmilodon(by, start, place) for place in sorted(box.terrain.adjacent[start]))
    if holds(hand, "spiders") and state.leaders[by] != OFF:
        for place in two_steps(box, state, state.leaders[by]):
            yield from (a.PlaySpiders(by, place, count) for count in _followers(box, state, free=1))
    if holds(hand, "manta"):
        for place in _open_places(box, state):
            yield from (a.PlayManta(by, place, count) for count in _followers(box, state))
    if holds(hand, "sailship"):
        yield from (a.PlaySailship(by, seat) for seat in range(OFF, len(state.seats)) if seat != by)
    if holds(hand, "wreck"):
        yield a.PlayWreck(by)
    if holds(hand, "whistle"):
        for start in crowds:
            for place in sorted(camp_places(state)):
                for count in range(1, min(2, state.archaeologists[start]) + 1):
                    yield a.PlayWhistle(by, start, place, count)
    if holds(hand, "rune"):
        yield from (a.PlayRune(by, place) for place in _visible_tiles(box, state))


def abilities(box: Box, state: State) -> Iterator[a.Action]:
    """What the player's guild can do."""
    by = state.active
    if box.has_ability(by, "navigators"):
        yield from (a.Recall(by, count) for count in _followers(box, state))
    if box.has_ability(by, "incandescents"):
        yield from (a.Activate(by, slot) for slot in range(5))
    if box.has_ability(by, "nurturers"):
        yield from (a.Nurture(by, place) for place in SNOW if state.present >> place & 1)
