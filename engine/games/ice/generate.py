"""The legal actions of a position, found fast; the contract tests prove them equal to the checked definition."""

from __future__ import annotations

from itertools import combinations

from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.artifacts import anima_on, gatherable
from engine.games.ice.board import AZULIA, COVER_MASK, EDGE, LEVEL, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.curse import carry_limit, threshold
from engine.games.ice.dawn import prismatics
from engine.games.ice.digging import BASE_COST, allocation_actions, has_discount
from engine.games.ice.dusk import LAST_DAY, REQUEST_LIMIT, REQUESTS_A_DAY, validated_today
from engine.games.ice.excavation import find_talisman
from engine.games.ice.plausible import answers, at_sunrise, before_allocation, plausible_actions, validations
from engine.games.ice.prepared import (
    Prepared,
    camp_mask,
    camps_built,
    decrees_drawn,
    prepared,
    recruits,
    requests_taken,
    reveals,
    runes_played,
    sails,
    smilodon,
    whistle,
)  # fmt: skip
from engine.games.ice.removal import kind_under
from engine.games.ice.rules import why_illegal
from engine.games.ice.snow import reinforcements
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
    State,
    camp_places,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import SNOW_MASK, open_places, places_of, uncovered, walkable
from engine.games.ice.travel import two_steps
from engine.games.ice.work import HAND_LIMIT, has_met_minimum, study_supply


def legal_actions(box: Box, state: State) -> tuple[a.Action, ...]:
    """Every listed action that no rule forbids."""
    if not box.is_usual:
        return checked_actions(box, state)
    if state.asked:
        return _answers(box, state)
    if state.phase == EXPLORATION:
        return tuple(Turn(box, state).actions())
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


class Turn:
    """The legal actions of a player's turn, collected family by family."""

    __slots__ = (
        "box",
        "by",
        "can",
        "crowd",
        "deck",
        "follow",
        "found",
        "guild",
        "hand",
        "here",
        "seat",
        "spends",
        "state",
    )

    def __init__(self, box: Box, state: State) -> None:
        self.box, self.state = box, state
        self.by = by = state.active
        self.seat = seat = state.seats[by]
        self.deck: Prepared = prepared(by)
        self.here = here = state.leaders[by]
        self.guild = seat.guild if box.has_abilities else ""
        self.can = min(seat.ep, 2 + state.overwork - state.spent)
        self.crowd = state.archaeologists[here] if here >= 0 else 0
        follows = self.crowd and self.guild == "navigators" and not state.used & FOLLOWED
        self.follow = 1 if follows else 0
        self.hand = seat.hand
        self.found: list[a.Action] = []
        self.spends = False

    def holds(self, front: str) -> bool:
        """Whether the hand has, or may have, a front."""
        return front in self.hand or UNKNOWN in self.hand

    def actions(self) -> list[a.Action]:
        """All families."""
        if self.can > 0:
            self.camp_actions()
            if self.here >= 0:
                self.walks()
            self.tokens()
            self.spends = bool(self.found)
        if 0 <= self.here < TILE_COUNT:
            self.digs()
        if any(self.seat.slots) or self.seat.activation >= 0 or (self.hand and self.holds("gem")):
            self.effects()
        if self.hand:
            self.snow_plays()
        if self.guild:
            self.abilities()
        self.turn_end()
        return self.found

    def camp_actions(self) -> None:
        """R-CAMP, R-REC, R-SAIL."""
        state, by, guild = self.state, self.by, self.guild
        camps = camp_mask(state.camps, state.neutral_camps)
        own = state.camps[by] == OFF or (guild == "cryoarchitects" and not self.seat.grey)
        neutral = self.box.neutral_camps > len(state.neutral_camps) + state.missing[1]
        if own or neutral:
            sites = uncovered(state.present) & ~camps
            own_sites = sites & SNOW_MASK if guild == "navigators" else sites
            for count in range(self.follow + 1):
                if own:
                    self.found += camps_built(by, False, count, own_sites)
                if neutral:
                    self.found += camps_built(by, True, count, sites)
        if camps:
            elsewhere = camps & ~(1 << self.here) if self.here >= 0 else camps
            self.found += sails(by, self.follow, elsewhere)
            if supply(state) > 0:
                self.found += recruits(by, camps)

    def walks(self) -> None:
        """R-MOVE, R-FLUID."""
        box, state, here = self.box, self.state, self.here
        found, rows = self.found, self.deck.move
        count = min(self.crowd, carry_limit(box, self.seat) if box.options.expert else 3) + 1
        for place in walkable(box.terrain, state, here):
            found += rows[place][:count]
        if self.seat.fluid and box.options.fluid_tokens:
            if not box.options.curse_limits_fluid_move:
                count = min(self.crowd, 3) + 1
            for place in two_steps(box, state, here):
                found += self.deck.fluid[place][:count]

    def tokens(self) -> None:
        """R-STU, R-PLAN."""
        state, seat, options = self.state, self.seat, self.box.options
        kind = kind_under(state, self.by)
        if kind and kind != PRISMATIC_KIND:
            owned = seat.ready | (seat.spent if options.spent_study_counts_as_owned else 0)
            for number in range(5) if kind == UNKNOWN_KIND else (kind - FIRST_TYPE,):
                if not owned >> number & 1 and study_supply(state, number) > 0:
                    self.found.append(self.deck.study[number])
        if options.players > 2 and not seat.planning:  # R-PLAN-2: there is one token for everybody
            self.found.append(self.deck.plan)

    def digs(self) -> None:
        """R-DIG, R-COST, written out because it is asked in every position."""
        state, here, present = self.state, self.here, self.state.present
        covers = COVER_MASK[here] & present
        if not present >> here & 1 or covers & (covers - 1) or self.can < 0:  # R-DIG-2
            return
        if covers and COVER_MASK[covers.bit_length() - 1] & present:  # R-DIG-3
            return
        bare = BASE_COST[LEVEL[here]] - self.crowd - state.leaders.count(here)
        has_camp = here in state.camps or here in state.neutral_camps
        price = bare + 1 if covers or has_camp or state.tiles[here] == NUNATAK else bare
        if price <= self.can:
            self.found.append(self.deck.dig[here])
            self.spends = self.spends or price > 0
        if self.hand or (has_camp and self.guild == "cryoarchitects"):
            self.reduced_digs(bare, price, covers)

    def reduced_digs(self, bare: int, price: int, covers: int) -> None:
        """R-TERM, R-CRYO-1, R-TALI."""
        box, state, by, here, hand = self.box, self.state, self.by, self.here, self.hand
        termites = hand.count("termites") + hand.count(UNKNOWN)
        offers = [(price, False, range(1, termites + 1))]
        if has_discount(box, state, by, here):
            harder = 1 if covers and box.options.cryo_cover_is_harder else 0
            offers.append((bare + harder - 1, True, range(termites + 1)))
        for cost, discount, counts in offers:
            for count in counts:
                if cost - count <= self.can:
                    self.found.append(a.Excavate(by, here, count, False, discount))
                    self.spends = self.spends or cost - count > 0
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
        if self.hand and self.holds("gem"):
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
        crowded = self.holds("smilodon") or self.holds("whistle")
        crowds = [place for place, count in enumerate(state.archaeologists) if count] if crowded else []
        if self.holds("smilodon"):
            for start in crowds:
                found += [smilodon(by, start, place) for place in walkable(box.terrain, state, start)]
        if self.holds("whistle"):
            camps = camp_places(state)
            for start in crowds:
                counts = (1, 2) if state.archaeologists[start] > 1 else (1,)
                found += [whistle(by, start, place, n) for place in camps if place != start for n in counts]
        if self.holds("wreck"):
            found.append(self.deck.wreck)
        if self.holds("rune"):
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
        if self.holds("spiders"):
            more = self.guild == "navigators" and not state.used & FOLLOWED
            count = min(self.crowd, 2 if more else 1) + 1
            for place in two_steps(box, state, self.here):
                found += self.deck.spiders[place][:count]
        if self.holds("manta"):
            azulia, edges = box.options.manta_to_azulia, box.options.manta_to_edges
            ends = [
                place
                for place in open_places(box.terrain, state.present)
                if place != self.here and (azulia or place not in AZULIA) and (edges or place not in EDGE)
            ]
            for count in range(self.follow + 1):
                row = self.deck.manta[count]
                found += [row[place] for place in ends]
        if self.holds("sailship"):
            others = [seat for seat, at in enumerate(state.leaders) if at != OFF and seat != by]
            if reinforcements(box, state, 2 if others else 1):
                found += [a.PlaySailship(by, seat) for seat in others or (OFF,)]

    def abilities(self) -> None:
        """R-NAV-2, R-INC-1, R-NUR-1."""
        state, seat, found = self.state, self.seat, self.found
        if self.guild == "navigators":
            camp = state.camps[self.by]
            if camp != OFF and not seat.grey and camp != self.here:
                found += [self.deck.recall[count] for count in range(self.follow + 1)]
        elif self.guild == "incandescents" and seat.activation == TOKEN_READY:
            kind = kind_under(state, self.by)
            if kind in (PRISMATIC_KIND, UNKNOWN_KIND):
                found += self.deck.activate
            elif kind:
                found.append(self.deck.activate[kind - FIRST_TYPE])
        elif self.guild == "nurturers" and seat.tended and not state.used & NURTURED:
            found += [self.deck.nurture[place] for place in places_of(state.present & SNOW_MASK)]

    def turn_end(self) -> None:
        """R-OVW, R-EP-10, R-EP-11, R-EP-8."""
        state, seat, found = self.state, self.seat, self.found
        counted = seat.ep + (state.spent if self.box.options.overwork_counts_spent else 0)
        if seat.rp and not state.overwork and counted >= 3:
            found.append(self.deck.overwork)
        if len(seat.hand) > HAND_LIMIT:
            found += [self.deck.discard[front] for front in dict.fromkeys(self.hand)]
        elif has_met_minimum(self.box, state):
            found.append(self.deck.end)
        if not state.spent and not self.spends and seat.ep:
            found.append(self.deck.blocked)
