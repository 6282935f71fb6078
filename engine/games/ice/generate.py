"""The legal actions of a position, found fast; the contract tests prove them equal to the checked definition."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.artifacts import anima_on, gatherable
from engine.games.ice.board import AZULIA, COVER_MASK, EDGE, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import UNKNOWN
from engine.games.ice.curse import carry_limit, threshold
from engine.games.ice.dawn import prismatics
from engine.games.ice.digging import allocation_actions, dig_cost, has_discount, spendable
from engine.games.ice.dusk import LAST_DAY, REQUEST_LIMIT, REQUESTS_A_DAY, validated_today
from engine.games.ice.excavation import find_talisman
from engine.games.ice.plausible import answers, at_sunrise, at_sunset, before_allocation, plausible_actions
from engine.games.ice.prepared import (
    Prepared,
    camps_built,
    places_of,
    prepared,
    reveals,
    runes_played,
    smilodons_played,
    whistles_played,
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
    NURTURED,
    OBLITERATION,
    OFF,
    PHILOSOPHICAL,
    PRISMATIC_KIND,
    SUNRISE,
    SUNSET,
    TOKEN_READY,
    TOTAL_PLANNING,
    UNKNOWN_KIND,
    State,
    neutral_supply,
    supply,
)  # fmt: skip
from engine.games.ice.terrain import SNOW_MASK, open_places, uncovered, walkable
from engine.games.ice.travel import two_steps
from engine.games.ice.work import HAND_LIMIT, has_met_minimum, study_supply

NO_FRONTS: Final[frozenset[str]] = frozenset()


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
        extra = (x for x in before_allocation(box, state) if why_illegal(box, state, x) is None)
        return (*allocation_actions(box, state), *extra)
    return tuple(answers(box, state, question))


def _at_sunset(box: Box, state: State) -> tuple[a.Action, ...]:
    seat = state.seats[state.active]
    over = state.day > 1 and len(seat.requests) > REQUEST_LIMIT
    may_validate = state.day == LAST_DAY or validated_today(seat, state.day) < REQUESTS_A_DAY
    allowed = {
        a.TakeRequest: not state.taken,
        a.ValidateRequest: may_validate,
        a.DiscardRequest: over,
        a.EndSunset: not over,
    }
    return tuple(action for action in at_sunset(box, state) if allowed[type(action)])


def _at_sunrise(box: Box, state: State) -> tuple[a.Action, ...]:
    may_move = [seat.reslotted < len(prismatics(seat)) for seat in state.seats]
    return tuple(x for x in at_sunrise(box, state) if x.by == TABLE or may_move[x.by])


class Turn:
    """The legal actions of a player's turn, collected family by family."""

    def __init__(self, box: Box, state: State) -> None:
        self.box, self.state = box, state
        self.by = by = state.active
        self.seat = seat = state.seats[by]
        self.deck: Prepared = prepared(by)
        self.here = here = state.leaders[by]
        self.guild = seat.guild if box.options.guild_abilities else ""
        self.can = spendable(state, by)
        self.crowd = state.archaeologists[here] if here >= 0 else 0
        self.camps = sorted([place for place in (*state.camps, *state.neutral_camps) if place >= 0])
        self.clear = uncovered(state.present)
        follows = self.crowd and self.guild == "navigators" and not state.used & FOLLOWED
        self.follow = (0, 1) if follows else (0,)
        self.hand = frozenset(seat.hand) if seat.hand else NO_FRONTS
        self.has_gem = bool(seat.hand) and self.holds("gem")
        self.found: list[a.Action] = []
        self.spends = False

    def holds(self, front: str) -> bool:
        """Whether the hand has, or may have, a front."""
        return front in self.hand or UNKNOWN in self.hand

    def actions(self) -> list[a.Action]:
        """All families."""
        if self.can > 0:
            before = len(self.found)
            self.camp_actions()
            self.walks()
            self.tokens()
            self.spends = len(self.found) > before
        self.digs()
        if self.has_gem or self.guild == "incandescents" or any(self.seat.slots):
            self.effects()
        if self.hand:
            self.snow_plays()
        if self.guild:
            self.abilities()
        self.turn_end()
        return self.found

    def camp_actions(self) -> None:
        """R-CAMP, R-REC, R-SAIL."""
        state, by, found = self.state, self.by, self.found
        sites = self.clear
        for place in self.camps:
            sites &= ~(1 << place)
        own = state.camps[by] == OFF or (self.guild == "cryoarchitects" and not self.seat.grey)
        neutral = neutral_supply(state, self.box.options.neutral_camps) > 0
        for count in self.follow:
            if own:
                found += camps_built(by, False, count, sites & SNOW_MASK if self.guild == "navigators" else sites)
            if neutral:
                found += camps_built(by, True, count, sites)
            found += [self.deck.sail[count][place] for place in self.camps if place != self.here]
        if supply(state) > 0:
            found += [self.deck.recruit[place] for place in self.camps]

    def walks(self) -> None:
        """R-MOVE, R-FLUID."""
        if self.here == OFF:
            return
        box, state, found = self.box, self.state, self.found
        limit = carry_limit(box, self.seat)
        count = min(self.crowd, limit) + 1
        move = self.deck.move
        for place in walkable(box.terrain, state, self.here):
            found += move[place][:count]
        if self.seat.fluid and box.options.fluid_tokens:
            if not box.options.curse_limits_fluid_move:
                count = min(self.crowd, 3) + 1
            for place in two_steps(box, state, self.here):
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
        if options.may_plan and not seat.planning and sum(s.planning for s in state.seats) < TOTAL_PLANNING:
            self.found.append(self.deck.plan)

    def digs(self) -> None:
        """R-DIG, R-COST."""
        box, state, by, here = self.box, self.state, self.by, self.here
        if not 0 <= here < TILE_COUNT or not state.present >> here & 1:
            return
        covers = COVER_MASK[here] & state.present
        if covers & (covers - 1) or (covers and COVER_MASK[covers.bit_length() - 1] & state.present):
            return
        most = self.seat.hand.count("termites") + self.seat.hand.count(UNKNOWN) if self.hand else 0
        for discount in (False, True) if has_discount(box, state, by, here) else (False,):
            cost = dig_cost(box, state, by, here, 0, False, discount)
            bare = cost.base + cost.surcharge - cost.explorers - cost.discount
            for termites in range(most + 1):
                price = max(0, bare - termites)
                if price <= self.can:
                    self.found.append(a.Excavate(by, here, termites, False, discount))
                    self.spends = self.spends or price > 0
        if here >= SNOW_MASK.bit_length() and self.hand:
            kind = state.tiles[here]
            if kind != PRISMATIC_KIND and find_talisman(state, by, kind) is not None:
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
        if self.has_gem:
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
            found += [row[place] for place in places_of(self.box.terrain.near[self.here] & self.clear)]
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
                found += smilodons_played(by, start, walkable(box.terrain, state, start))
        if self.holds("whistle"):
            camps = tuple(self.camps)
            for start in crowds:
                ends = tuple(p for p in camps if p != start) if start in camps else camps
                found += whistles_played(by, start, min(2, state.archaeologists[start]), ends)
        if self.holds("wreck"):
            found.append(self.deck.wreck)
        if self.holds("rune"):
            targets = self.clear
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
            for count in self.follow:
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
                found += [self.deck.recall[count] for count in self.follow]
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
            found += [self.deck.discard[front] for front in sorted(self.hand)]
        elif has_met_minimum(self.box, state):
            found.append(self.deck.end)
        if not state.spent and not self.spends and seat.ep:
            found.append(self.deck.blocked)
