"""Which actions lead from the tracked state to what the camera sees.

Best-first search: the cost of a reading is the surprise of the picture plus an effort per action. Only actions
that touch a spot where picture and belief disagree are tried, and actions that nobody can see, at a higher price.
Legal readings come first; if none fits, readings with one illegal action are tried and give the first rule they break.
Close calls are asked, not guessed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, Protocol, TypeAlias, TypeVar

from engine.game import Game, RuleViolation
from engine.sighting import Sighting, against
from engine.spots import Label, Spot

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Pending(Generic[A]):
    """Something the game waits for that no camera sees."""

    key: str
    """What is asked, for the sentence."""
    default: A | None = None
    """Taken silently when there is one."""
    options: tuple[A, ...] = ()


class Watched(Game[S, A], Protocol[S, A]):
    """A game that can be followed by a camera."""

    def pending(self, state: S) -> Pending[A] | None:
        """What the game waits for besides moves on the board."""

    def end_turn(self, state: S) -> A | None:
        """What the button `end turn` means; None when there is no turn to end."""

    def ends_turn(self, action: A) -> bool:
        """Whether an action is what that button means."""

    def is_midway(self, state: S) -> bool:
        """Whether hands are in the middle of something, as pieces of a dug tile that have yet to be put down."""

    def seen_at(self, state: S, spot: Spot) -> Mapping[str, Label]:
        """What an ideal camera would read at one spot, by kind of cue."""

    def aims(self, state: S, action: A) -> frozenset[Spot]:
        """Spots of which at least one must look different if the action was made; empty = nobody can see it."""

    def changed(self, before: S, after: S) -> frozenset[Spot]:
        """Spots that look different in two states."""

    def least_effort(self, state: S, kind: type[A]) -> float | None:
        """The least effort that an action of a kind may take here; None = it is only ever declared."""

    def effort(self, state: S, action: A) -> float | None:
        """How unlikely an action is before anything is seen, in nats; None = never assumed, only declared."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How readings are weighed, in nats."""

    disagree: float = 1.0
    """Surprise above which a spot counts as different from the belief."""
    fit: float = 6.5
    """A reading that leaves a spot more surprising than this, as no misread piece is, does not explain the picture."""
    calm: float = 3.0
    """A spot that is not more surprising than this looks as believed."""
    idle: float = 3.0
    """Price of the reading that nobody did anything: hands seldom reach over the board for nothing."""
    faint: float = 1.25
    """What explains a board with no cue more surprising than this is asked about, never just believed."""
    strange: float = 6.5
    """A board that nothing explains is complained about when it is more surprising than this."""
    again: float = 1.5
    """Hands do one thing at a time: each further action that shows takes so much more effort."""
    margin: float = 3.2
    """Readings closer than this are asked about."""
    sure: float = 6.0
    """A reading with an action of more effort than this is asked about even when nothing else fits."""
    rivals: float = 5.0
    """Readings closer than this to such a bold one are offered beside it: one guess is as good as another."""
    usual: float = 7.5
    """What hands usually do between two looks; anything dearer is looked for only when this does not explain."""
    most: float = 24.0
    """No reading with more effort than this is looked for."""
    illegal: float = 3.0
    """Price of one illegal action."""
    blunder: float = 8.5
    """A reading with an illegal action up to this effort is looked for before far-fetched legal ones."""
    excuse: float = 3.0
    """A legal reading so much dearer than a plain illegal action is no excuse for it."""
    unfinished: float = 5.0
    """Hands seldom leave the board in the middle of something."""
    guide: float = 0.25
    """How much the surprise that is left counts in the order of the search: a half-done dig is not hopeless."""
    least: float = 3.0
    """No action that shows and is not forced takes less effort than this."""
    steps: int = 900
    """How many steps are tried before a search gives up."""
    depth: int = 12

    def reach(self, reading: Reading[S, A]) -> float:
        """How much dearer another reading may be to be asked about beside this one."""
        return self.margin if reading.boldest <= self.sure else self.rivals


@dataclass(frozen=True, slots=True)
class Reading(Generic[S, A]):
    """One way to understand a picture."""

    actions: tuple[A, ...]
    state: S
    surprise: float
    effort: float
    boldest: float
    """The greatest effort of a single action."""
    violation: RuleViolation | None = None
    illegal_at: int | None = None
    """Index of the illegal action."""

    @property
    def cost(self) -> float:
        """Surprise and effort together."""
        return self.surprise + self.effort


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The picture shows what is believed."""


@dataclass(frozen=True, slots=True)
class Explained(Generic[S, A]):
    """One reading fits, and nothing else comes close."""

    reading: Reading[S, A]


@dataclass(frozen=True, slots=True)
class Ambiguous(Generic[S, A]):
    """Several readings fit, or the only one rests on something nobody could see."""

    readings: tuple[Reading[S, A], ...]


@dataclass(frozen=True, slots=True)
class Forbidden(Generic[S, A]):
    """Only an illegal action explains the picture."""

    reading: Reading[S, A]

    @property
    def violation(self) -> RuleViolation:
        """The first rule that was broken."""
        assert self.reading.violation is not None
        return self.reading.violation


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Nothing known leads to this picture."""

    spots: frozenset[Spot]


Explanation: TypeAlias = Unchanged | Explained[S, A] | Ambiguous[S, A] | Forbidden[S, A] | Unexplained


@dataclass(slots=True)
class _Node(Generic[S, A]):
    """A state on the way, with its disagreement kept per spot so that only touched spots are looked at again."""

    state: S
    actions: tuple[A, ...]
    effort: float
    boldest: float
    surprises: dict[Spot, float]
    total: float
    """All surprise beyond that of the spots which were never worth an action."""
    misfits: int
    """How many spots are too surprising for the picture to be explained."""
    shows: bool = False
    """Whether the last action can be seen; one that nobody sees is assumed only for what comes after it."""
    violation: RuleViolation | None = None
    illegal_at: int | None = None
    legal: list[_Node[S, A]] = field(default_factory=list)
    """Legal steps from here, as far as they were looked for."""
    legal_upto: float = -1.0
    wrong: list[_Node[S, A]] = field(default_factory=list)
    wrong_upto: float = -1.0


@dataclass(slots=True)
class _Search(Generic[S, A]):
    """Grows one tree of nodes; every run looks further into it."""

    game: Watched[S, A]
    sighting: Sighting
    weights: Weights
    skip: Callable[[A], bool]
    denied: Collection[S]
    cues: dict[Spot, list[tuple[str, Mapping[Label, float], float]]] = field(default_factory=dict)
    """By spot: kind of cue, its odds and the best of them."""
    reached: dict[S, float] = field(default_factory=dict)
    """States that legal steps lead to, and the least effort that it took."""
    tried: int = 0

    def __post_init__(self) -> None:
        for cue, odds in self.sighting.odds.items():
            if odds:
                self.cues.setdefault(cue.spot, []).append((cue.kind, odds, max(odds.values())))

    def surprise_at(self, state: S, spot: Spot) -> float:
        """How much the picture disagrees with a state at one spot; cues the state does not show are not compared."""
        seen = self.game.seen_at(state, spot)
        total = 0.0
        for kind, odds, best in self.cues[spot]:
            if kind in seen:
                share = odds.get(seen[kind], 0.0)
                if share < best:
                    total += against(share, best)
        return total

    def root(self, state: S) -> _Node[S, A]:
        surprises = {spot: self.surprise_at(state, spot) for spot in self.cues}
        misfits = sum(value > self.weights.fit for value in surprises.values())
        worth = [value for value in surprises.values() if value > self.weights.disagree]
        return _Node(state, (), 0.0, 0.0, surprises, sum(worth), misfits)

    def differing(self, node: _Node[S, A]) -> frozenset[Spot]:
        return frozenset(spot for spot, value in node.surprises.items() if value > self.weights.disagree)

    def step(self, node: _Node[S, A], action: A, effort: float, is_seen: bool) -> _Node[S, A] | None:
        """The node after an action; None when it could be seen but changes nothing for the better.

        What has to follow anyway, as a camp that falls, may be read wrongly: it only must not make things much worse.
        """
        self.tried += 1
        state = self.game.apply(node.state, action)
        touched = self.game.changed(node.state, state)
        fresh = {spot: self.surprise_at(state, spot) for spot in touched if spot in node.surprises}
        shows = is_seen or (bool(fresh) and not self.game.is_midway(state))
        total = node.total + sum(value - node.surprises[spot] for spot, value in fresh.items())
        if self.game.is_midway(node.state):
            if total > node.total + self.weights.fit:
                return None
        elif shows:
            enough = self.weights.disagree
            if not any(value < node.surprises[spot] - enough for spot, value in fresh.items()):
                return None
        fit = self.weights.fit
        misfits = node.misfits + sum((value > fit) - (node.surprises[spot] > fit) for spot, value in fresh.items())
        boldest = max(node.boldest, effort)
        if effort >= self.weights.least and any(self.game.aims(state, each) for each in node.actions):
            effort += self.weights.again
        made, price = (*node.actions, action), node.effort + effort
        surprises = node.surprises | fresh
        return _Node(state, made, price, boldest, surprises, total, misfits, shows, node.violation, node.illegal_at)

    def children(
        self, node: _Node[S, A], actions: Iterable[A], done: float, most: float
    ) -> Iterator[tuple[A, _Node[S, A]]]:
        """Steps worth trying: those nobody could see, or only where the picture is unsure, and those that aim at a
        difference and lessen it.

        Only steps of more effort than was looked at before are made.
        """
        differing = self.differing(node)
        least: dict[type[A], float | None] = {}
        for action in actions:
            kind = type(action)
            if kind not in least:
                least[kind] = self.game.least_effort(node.state, kind)
            bound = least[kind]
            if bound is None or node.effort + bound > most:
                continue
            effort = self.game.effort(node.state, action)
            if effort is None or not done < node.effort + effort <= most or self.skip(action):
                continue
            aims = self.game.aims(node.state, action)
            is_apart = aims.isdisjoint(differing) and aims.isdisjoint(self.sighting.unsure)
            if aims and is_apart and not self.game.is_midway(node.state):
                continue
            child = self.step(node, action, effort, not aims.isdisjoint(differing))
            if child is not None:
                yield action, child

    def legal_steps(self, node: _Node[S, A], most: float) -> list[_Node[S, A]]:
        """Nodes that one legal action leads to; a state that was reached with less effort is not looked at again."""
        if node.legal_upto < most:
            for _, child in self.children(node, self.game.legal_actions(node.state), node.legal_upto, most):
                if child.violation is None:
                    if self.reached.get(child.state, child.effort + 1.0) <= child.effort:
                        continue
                    self.reached[child.state] = child.effort
                node.legal.append(child)
            node.legal_upto = most
        return node.legal

    def wrong_steps(self, node: _Node[S, A], most: float) -> list[_Node[S, A]]:
        """Nodes that one illegal action leads to."""
        price = self.weights.illegal
        if node.wrong_upto < most:
            plausible = self.game.plausible_actions(node.state)
            for action, child in self.children(node, plausible, node.wrong_upto - price, most - price):
                violation = self.game.why_illegal(node.state, action)
                if violation is not None:
                    child.violation, child.illegal_at = violation, len(node.actions)
                    child.effort += price
                    node.wrong.append(child)
            node.wrong_upto = most
        return node.wrong

    def run(self, root: _Node[S, A], most: float, *, legal_only: bool = True) -> list[Reading[S, A]]:
        """Readings up to an effort that fit, cheapest first, until nothing comes close to the best any more."""
        tie = count()
        queue: list[tuple[float, int, _Node[S, A]]] = [(0.0, next(tie), root)]
        found: dict[tuple[A, ...], Reading[S, A]] = {}
        limit, tried = most, self.tried
        while queue and self.tried - tried < self.weights.steps:
            _, _, node = heapq.heappop(queue)
            effort = node.effort + self.weights.unfinished * self.game.is_midway(node.state)
            is_worth_it = effort <= self.weights.idle + root.total - node.total
            if self._fits(node) and is_worth_it and (legal_only or node.violation) and node.state not in self.denied:
                reading = Reading(
                    node.actions, node.state, node.total, effort, node.boldest, node.violation, node.illegal_at
                )
                found[node.actions] = reading
                limit = min(limit, reading.effort + max(0.0, reading.surprise) + self.weights.reach(reading))
            if len(node.actions) >= self.weights.depth or not self._may_grow(node, limit):
                continue
            for child in self._expand(node, legal_only, limit):
                if self._fits(child) or self._may_grow(child, limit):
                    heapq.heappush(queue, (self._promise(child), next(tie), child))
        return sorted(found.values(), key=lambda reading: reading.cost)

    def _promise(self, node: _Node[S, A]) -> float:
        """What comes first in the queue; what is only half done is finished before it is judged."""
        if self.game.is_midway(node.state):
            return node.effort
        return node.effort + self.weights.guide * node.total

    def legal_readings(self, root: _Node[S, A], most: float) -> list[Reading[S, A]]:
        """Legal readings up to an effort, with all that come close to the best."""
        readings = self.run(root, most)
        if readings:
            wide = readings[0].cost + self.weights.reach(readings[0])
            if most < wide <= self.weights.most:
                readings = self.run(root, wide)
        return readings

    def _fits(self, node: _Node[S, A]) -> bool:
        return node.shows and not node.misfits

    def _may_grow(self, node: _Node[S, A], limit: float) -> bool:
        """Whether something more that shows is affordable, or what was begun has to be finished."""
        return node.effort + self.weights.least <= limit or (node.effort <= limit and self.game.is_midway(node.state))

    def _expand(self, node: _Node[S, A], legal_only: bool, most: float) -> Iterator[_Node[S, A]]:
        yield from self.legal_steps(node, most)
        if (
            not legal_only
            and node.violation is None
            and node.effort + self.weights.illegal + self.weights.least <= most
        ):
            yield from self.wrong_steps(node, most)


def explain(
    game: Watched[S, A],
    state: S,
    sighting: Sighting,
    weights: Weights | None = None,
    skip: Callable[[A], bool] = lambda _: False,
    denied: Collection[S] = (),
    only_upto: float | None = None,
) -> Explanation[S, A]:
    """The most probable account of a settled sighting, or what must be asked or refused.

    `skip` rules actions out; `denied` are states to which, as the players have said, they did not go; with `only_upto`
    nothing but legal readings up to that effort are looked for.
    """
    chosen = weights or Weights()
    search = _Search(game, sighting, chosen, skip, denied)
    root = search.root(state)
    differing = search.differing(root)
    if not differing:
        return Unchanged()
    legal = search.legal_readings(root, only_upto or chosen.usual)
    if legal and (legal[0].surprise <= chosen.disagree or only_upto is not None):
        return _choose(chosen, legal)
    if only_upto is not None:
        return Unexplained(differing)
    broken = search.run(root, chosen.blunder, legal_only=False)
    if not legal:
        legal = search.legal_readings(root, broken[0].cost + chosen.excuse if broken else chosen.most)
    if legal and broken and _rivals(chosen, legal[0], broken[0]):
        # A misread piece may excuse what looks illegal; whether it does is for the players to say.
        excused = [r for r in legal if r.cost <= broken[0].cost + chosen.excuse]
        return Ambiguous(tuple(_tell_apart(excused))) if excused else Forbidden(broken[0])
    if legal:
        return _choose(chosen, legal)
    broken = broken or search.run(root, chosen.most, legal_only=False)
    return Forbidden(broken[0]) if broken else Unexplained(differing)


def _rivals(weights: Weights, legal: Reading[S, A], broken: Reading[S, A]) -> bool:
    """Whether an illegal action explains the picture better than a legal one, and is not much less likely."""
    return legal.surprise - broken.surprise > weights.disagree and broken.cost < legal.cost + weights.margin


def _choose(weights: Weights, legal: list[Reading[S, A]]) -> Explanation[S, A]:
    """Take the best reading, or ask when others come close or it is a guess."""
    best = legal[0]
    close = (r for r in legal if r.cost <= best.cost + weights.reach(best))
    distinct = _tell_apart(r for r in close if r.surprise <= best.surprise + weights.margin)
    if len(distinct) == 1 and best.boldest <= weights.sure:
        return Explained(best)
    return Ambiguous(tuple(distinct))


def _tell_apart(readings: Iterable[Reading[S, A]]) -> list[Reading[S, A]]:
    """One reading for each state reached: a different order of the same actions is not a question."""
    kept: dict[S, Reading[S, A]] = {}
    for reading in readings:
        kept.setdefault(reading.state, reading)
    return list(kept.values())
