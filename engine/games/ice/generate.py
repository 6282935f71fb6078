"""The legal actions of a position, found fast; the contract tests prove them equal to the checked definition."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.artifacts import anima_on, gatherable
from engine.games.ice.board import AZULIA, COVER_MASK, EDGE, LEVEL, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import FRONTS, UNKNOWN
from engine.games.ice.curse import carry_limit, threshold
from engine.games.ice.dawn import prismatics
from engine.games.ice.digging import BASE_COST, allocation_actions, dig_cost, has_discount
from engine.games.ice.dusk import LAST_DAY, REQUEST_LIMIT, REQUESTS_A_DAY, validated_today
from engine.games.ice.excavation import find_talisman
from engine.games.ice.plausible import answers, at_sunrise, before_allocation, plausible_actions, validations
from engine.games.ice.prepared import (
    Prepared,
    camp_mask,
    camps_built,
    decrees_drawn,
    nurtured,
    prepared,
    requests_taken,
    reveals,
    runes_played,
    smilodons,
    whistles,
)  # fmt: skip
from engine.games.ice.removal import kind_under
from engine.games.ice.rules import why_illegal
from engine.games.ice.snow import possible_fronts, reinforcements
from engine.games.ice.state import (
    ACHIEVEMENT,
    EXALTED,
    EXPLORATION,
    FIRST_TYPE,
    FOLLOWED,
    HARMONY,
    NUNATAK,
    NURTURED,
    OBLITERATION,
    OFF,
    PHILOSOPHICAL,
    PRISMATIC_KIND,
    SUNRISE,
    SUNSET,
    TOKEN_READY,
    UNKNOWN_KIND,
    Seat,
    State,
    camp_places,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import SNOW_MASK, open_places, places_of, uncovered, walkable
from engine.games.ice.travel import two_steps
from engine.games.ice.work import HAND_LIMIT, study_supply

PLAYED_IN_DIG: Final = frozenset({"rope", "survivors"})
PLAYED_IN_TURN: Final = frozenset(FRONTS) - PLAYED_IN_DIG
"""Which fronts are played between a dig and its allocation, which at any other time of a turn."""


def legal_actions(box: Box, state: State) -> tuple[a.Action, ...]:
    """Every listed action that no rule forbids."""
    if not box.is_usual:
        return checked_actions(box, state)
    if state.asked:
        return _answers(box, state)
    if state.phase == EXPLORATION:
        return tuple(_in_turn(box, state))
    if state.phase == SUNSET:
        return _at_sunset(box, state)
    return _at_sunrise(box, state) if state.phase == SUNRISE else ()


def checked_actions(box: Box, state: State) -> tuple[a.Action, ...]:
    """The definition: what is plausible and not forbidden."""
    return tuple(action for action in plausible_actions(box, state) if why_illegal(box, state, action) is None)


def _answers(box: Box, state: State) -> tuple[a.Action, ...]:
    question = state.asked[0]
    if question.kind == "reveal":
        return reveals(question.place < SNOW_MASK.bit_length(), question.tile)
    if question.kind == "allocate":
        seat = state.seats[state.active]
        if not (state.lost or seat.hooks) and possible_fronts(seat.hand).isdisjoint(PLAYED_IN_DIG):
            return allocation_actions(box, state)  # nothing can come before it
        extra = [x for x in before_allocation(box, state) if why_illegal(box, state, x) is None]
        return (*allocation_actions(box, state), *extra)
    if question.kind == "decrees":
        return decrees_drawn(question.by)
    return tuple(answers(box, state, question))


def _at_sunset(box: Box, state: State) -> tuple[a.Action, ...]:
    by, seat = state.active, state.seats[state.active]
    take = () if state.taken or not state.row else requests_taken(by, state.row)
    if state.day == 1:
        return (*take, prepared(by).rest)
    may_validate = state.day == LAST_DAY or validated_today(seat, state.day) < REQUESTS_A_DAY
    pay = validations(box, by, seat) if may_validate else ()
    if len(seat.requests) > REQUEST_LIMIT:
        return (*take, *pay, *(a.DiscardRequest(by, card) for card in dict.fromkeys(seat.requests)))
    return (*take, *pay, prepared(by).rest)


def _at_sunrise(box: Box, state: State) -> tuple[a.Action, ...]:
    may_move = [seat.reslotted < len(prismatics(seat)) for seat in state.seats]
    return tuple(x for x in at_sunrise(box, state) if x.by == TABLE or may_move[x.by])


def _in_turn(box: Box, state: State) -> list[a.Action]:
    """The legal actions of a player's turn, family by family; plain functions here, this is asked all the time."""
    by, found = state.active, list[a.Action]()
    seat, here, deck = state.seats[by], state.leaders[by], prepared(by)
    guild = seat.guild if box.has_abilities else ""
    crowd = state.archaeologists[here] if here >= 0 else 0
    follow = 1 if crowd and guild == "navigators" and not state.used & FOLLOWED else 0
    can = min(seat.ep, 2 + state.overwork - state.spent)
    if can > 0:
        own = state.camps[by] == OFF or (guild == "cryoarchitects" and not seat.grey)
        _camp_actions(found, box, state, by, own, guild == "navigators", here, follow)
        if here >= 0:
            _walks(found, box, state, seat, deck, here, crowd)
            _studies(found, box, state, seat, deck)
        if not seat.planning and box.options.players > 2:  # R-PLAN-2: there is one token for everybody
            found.append(deck.plan)
    spends = bool(found)
    price = _digs(found, state, deck, here, crowd, can) if 0 <= here < TILE_COUNT else None
    if price is not None:
        spends = spends or 0 < price <= can
    has_effects = seat.activation >= 0 or any(seat.slots)
    fronts = possible_fronts(seat.hand)
    has_plays = not fronts.isdisjoint(PLAYED_IN_TURN)
    if has_plays or has_effects or (guild == "cryoarchitects" and here == state.camps[by]):
        turn = Turn(box, state, seat, deck, guild, here, crowd, follow, can, found, spends, fronts)
        turn.add_rare(price, has_effects, has_plays)
        spends = turn.spends
    if guild:
        _abilities(found, state, seat, deck, guild, here, follow)
    if seat.rp and not state.overwork:
        counted = seat.ep + (state.spent if box.options.overwork_counts_spent else 0)
        if counted >= 3:  # R-OVW-2
            found.append(deck.overwork)
    if len(seat.hand) > HAND_LIMIT:  # R-EP-11
        found += [deck.discard[front] for front in dict.fromkeys(seat.hand)]
    elif state.spent or (state.free_dig and box.options.free_dig_meets_minimum):  # R-EP-1, R-EP-5
        found.append(deck.end)
    if not spends and not state.spent and seat.ep:  # R-EP-10
        found.append(deck.blocked)
    return found


def _camp_actions(
    found: list[a.Action], box: Box, state: State, by: int, own: bool, own_on_snow: bool, here: int, follow: int
) -> None:
    """R-CAMP, R-REC, R-SAIL."""
    neutral = box.neutral_camps > len(state.neutral_camps) + state.missing[1]
    if own or neutral:
        sites = uncovered(state.present) & ~camp_mask(state.camps, state.neutral_camps)
        own_sites = sites & SNOW_MASK if own_on_snow else sites
        for count in range(follow + 1):
            if own:
                found += camps_built(by, False, count, own_sites)
            if neutral:
                found += camps_built(by, True, count, sites)
    deck = prepared(by)
    places = [place for place in (*state.camps, *state.neutral_camps) if place >= 0]
    for row in deck.sail[: follow + 1]:
        found += [row[place] for place in places if place != here]
    if places and supply(state) > 0:
        found += [deck.recruit[place] for place in places]


def _walks(found: list[a.Action], box: Box, state: State, seat: Seat, deck: Prepared, here: int, crowd: int) -> None:
    """R-MOVE, R-FLUID."""
    count = min(crowd, carry_limit(box, seat) if box.options.expert else 3) + 1
    rows = deck.move
    for place in walkable(box.terrain, state, here):
        found += rows[place][:count]
    if seat.fluid and box.options.fluid_tokens:
        if not box.options.curse_limits_fluid_move:
            count = min(crowd, 3) + 1
        for place in two_steps(box, state, here):
            found += deck.fluid[place][:count]


def _studies(found: list[a.Action], box: Box, state: State, seat: Seat, deck: Prepared) -> None:
    """R-STU."""
    kind = kind_under(state, state.active)
    if kind and kind != PRISMATIC_KIND:
        owned = seat.ready | (seat.spent if box.options.spent_study_counts_as_owned else 0)
        types = range(5) if kind == UNKNOWN_KIND else (kind - FIRST_TYPE,)
        found += [deck.study[n] for n in types if not owned >> n & 1 and study_supply(state, n) > 0]


def _digs(found: list[a.Action], state: State, deck: Prepared, here: int, crowd: int, can: int) -> int | None:
    """R-DIG, R-COST: a plain dig, and its price before it is cut at 0; None when the tile cannot be dug at all."""
    present = state.present
    covers = COVER_MASK[here] & present
    if not present >> here & 1 or covers & (covers - 1) or can < 0:  # R-DIG-2
        return None
    if covers and COVER_MASK[covers.bit_length() - 1] & present:  # R-DIG-3
        return None
    price = BASE_COST[LEVEL[here]] - crowd - state.leaders.count(here)
    if covers or state.tiles[here] == NUNATAK or here in state.camps or here in state.neutral_camps:
        price += 1
    if price <= can:
        found.append(deck.dig[here])
    return price


def _abilities(
    found: list[a.Action], state: State, seat: Seat, deck: Prepared, guild: str, here: int, follow: int
) -> None:
    """R-NAV-2, R-INC-1, R-NUR-1."""
    if guild == "navigators":
        camp = state.camps[state.active]
        if camp != OFF and not seat.grey and camp != here:
            found += deck.recall[: follow + 1]
    elif guild == "incandescents":
        if seat.activation == TOKEN_READY and (kind := kind_under(state, state.active)):
            found += deck.activate if kind in (PRISMATIC_KIND, UNKNOWN_KIND) else (deck.activate[kind - FIRST_TYPE],)
    elif guild == "nurturers" and seat.tended and not state.used & NURTURED:
        found += nurtured(state.active, state.present & SNOW_MASK)


class Turn:
    """The rarer families of a turn: reduced digs, artifact effects, snow tiles."""

    __slots__ = (
        *("box", "by", "can", "crowd", "deck", "follow", "found"),
        *("fronts", "guild", "hand", "here", "seat", "spends", "state"),
    )

    def __init__(
        self,
        box: Box,
        state: State,
        seat: Seat,
        deck: Prepared,
        guild: str,
        here: int,
        crowd: int,
        follow: int,
        can: int,
        found: list[a.Action],
        spends: bool,
        fronts: frozenset[str],
    ) -> None:
        self.box, self.state, self.by, self.seat, self.hand = box, state, state.active, seat, seat.hand
        self.deck, self.guild, self.here, self.crowd = deck, guild, here, crowd
        self.follow, self.can, self.found, self.spends, self.fronts = follow, can, found, spends, fronts

    def add_rare(self, price: int | None, has_effects: bool, has_plays: bool) -> None:
        """All of them; `price` is that of a plain dig."""
        if price is not None and (has_plays or self.guild == "cryoarchitects"):
            self.reduced_digs(price)
        if has_effects or ("gem" in self.fronts and kind_under(self.state, self.by)):
            self.effects()
        if has_plays:
            self.snow_plays()

    def reduced_digs(self, price: int) -> None:
        """R-TERM, R-CRYO-1, R-TALI."""
        box, state, by, here, hand = self.box, self.state, self.by, self.here, self.hand
        termites = hand.count("termites") + hand.count(UNKNOWN)
        offers = [(price, False, range(1, termites + 1))] if termites else []
        if self.guild == "cryoarchitects" and has_discount(box, state, by, here):
            cost = dig_cost(box, state, by, here, discount=True)
            offers.append((cost.base + cost.surcharge - cost.explorers - 1, True, range(termites + 1)))
        for full, discount, counts in offers:
            for count in counts:
                if full - count <= self.can:
                    self.found.append(a.Excavate(by, here, count, False, discount))
                    self.spends = self.spends or full - count > 0
        kind = state.tiles[here]
        if here >= SNOW.stop and kind != PRISMATIC_KIND and hand and find_talisman(state, by, kind) is not None:
            self.found.append(a.Excavate(by, here, 0, True))

    def means_for(self, type_number: int) -> list[str]:
        """How an effect may be triggered now (R-ART, R-INC-2, R-GEM)."""
        seat, found = self.seat, []
        if (
            seat.slots[type_number]
            and not seat.down[type_number]
            and anima_on(self.state, self.by, type_number) >= threshold(seat)
        ):
            found.append(a.BY_ARTIFACT)
        if self.guild == "incandescents" and seat.activation == type_number:
            found.append(a.BY_TOKEN)
        if "gem" in self.fronts:
            kind = kind_under(self.state, self.by)
            prismatic = kind == PRISMATIC_KIND and self.box.options.gem_on_prismatic
            if kind in (FIRST_TYPE + type_number, UNKNOWN_KIND) or prismatic:
                found.append(a.BY_GEM)
        return found

    def effects(self) -> None:
        """R-HARM, R-OBLI, R-PHIL, R-EXAL, R-ACHI."""
        state, by, found = self.state, self.by, self.found
        dig = state.dig
        found += [a.UseAchievement(by, means) for means in self.means_for(ACHIEVEMENT)]
        if dig is not None and dig.allocated and supply(state) > 0:
            found += [a.UseHarmony(by, means) for means in self.means_for(HARMONY)]
        if state.lost:
            for means in self.means_for(PHILOSOPHICAL):
                found += [a.UsePhilosophical(by, place, means) for place, _ in state.lost]
        if self.here == OFF:
            return
        for means in self.means_for(OBLITERATION):
            row = self.deck.obliterate[means]
            found += [row[place] for place in places_of(self.box.terrain.near[self.here] & uncovered(state.present))]
        ways = self.means_for(EXALTED) if self.can > 0 else ()
        if ways:
            near = gatherable(self.box, state, by)
            self.spends = self.spends or bool(near)
            for size in range(1, len(near) + 1):
                for places in combinations(near, size):
                    found += [a.UseExalted(by, places, means) for means in ways]

    def snow_plays(self) -> None:
        """The fronts of R-SNOW."""
        box, state, by, found = self.box, self.state, self.by, self.found
        crowded = "smilodon" in self.fronts or "whistle" in self.fronts
        crowds = [place for place, count in enumerate(state.archaeologists) if count] if crowded else []
        if "smilodon" in self.fronts:
            for start in crowds:
                found += smilodons(by, start, walkable(box.terrain, state, start))
        if "whistle" in self.fronts:
            camps = camp_places(state)
            for start in crowds:
                found += whistles(by, start, camps, min(2, state.archaeologists[start]))
        if "wreck" in self.fronts:
            found.append(self.deck.wreck)
        if "rune" in self.fronts:
            targets = uncovered(state.present)
            for place in state.leaders:
                if place >= 0:
                    targets &= ~(1 << place)
            found += runes_played(by, targets)
        if self.here != OFF:
            self.leader_plays()

    def leader_plays(self) -> None:
        """Fronts that need the leader on the board."""
        box, state, by, found = self.box, self.state, self.by, self.found
        if "spiders" in self.fronts:
            more = self.guild == "navigators" and not state.used & FOLLOWED
            count = min(self.crowd, 2 if more else 1) + 1
            for place in two_steps(box, state, self.here):
                found += self.deck.spiders[place][:count]
        if "manta" in self.fronts:
            azulia, edges = box.options.manta_to_azulia, box.options.manta_to_edges
            ends = [
                place
                for place in open_places(box.terrain, state.present)
                if place != self.here and (azulia or place not in AZULIA) and (edges or place not in EDGE)
            ]
            for count in range(self.follow + 1):
                row = self.deck.manta[count]
                found += [row[place] for place in ends]
        if "sailship" in self.fronts:
            others = [seat for seat, at in enumerate(state.leaders) if at != OFF and seat != by]
            if reinforcements(box, state, 2 if others else 1):
                found += [a.PlaySailship(by, seat) for seat in others or (OFF,)]
