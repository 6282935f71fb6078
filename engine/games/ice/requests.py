"""Which artifacts and study tokens pay a request (R-REQ-3 to R-REQ-6, R-REQ-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from engine.games.ice.cards import PRISMATIC, SHAPES, TYPES, UNKNOWN, Artifact, Request
from engine.games.ice.points import NO_POINTS, Points, either, of_reward

Piece = Artifact | str
"""An artifact, or the type of a ready study token."""

Combination = tuple[Piece, ...]

_ORDER: Final = {kind: i for i, kind in enumerate((*TYPES, PRISMATIC))}


@dataclass(frozen=True, slots=True)
class Payment:
    """What goes to the hold and which study tokens are turned; make it with `payment`, which sorts."""

    artifacts: tuple[Artifact, ...]
    study: tuple[str, ...] = ()

    def pieces(self) -> Combination:
        """Artifacts and study tokens alike."""
        return (*self.artifacts, *self.study)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a payment meets a request; when not, why."""

    met: bool
    points: Points = NO_POINTS
    certain: bool = True
    """False when a shape that nobody has told decides: then it is a warning, never a refusal."""
    wrong: Piece | None = None
    """A piece that cannot pay this card."""
    have: int = 0
    need: int = 0


def payment(artifacts: Iterable[Artifact], study: Iterable[str] = ()) -> Payment:
    """The payment with its pieces in one order, so that equal payments are equal."""
    return Payment(tuple(sorted(artifacts, key=_artifact_key)), tuple(sorted(study, key=_ORDER.__getitem__)))


def _artifact_key(piece: Artifact) -> tuple[int, int, int]:
    return (_ORDER[piece.kind], piece.anima, piece.shape if isinstance(piece.shape, int) else 0)


def anima(piece: Piece) -> int:
    """R-REQ-4: a study token pays as an anima-1 artifact of its type."""
    return 1 if isinstance(piece, str) else piece.anima


def type_of(piece: Piece) -> str:
    """The type a piece pays for; `prismatic` is any (R-REQ-5)."""
    return piece if isinstance(piece, str) else piece.kind


def satisfies(request: Request, paid: Payment) -> bool:
    """Whether the payment may be accepted (R-REQ-9)."""
    return judge(request, paid).met


def judge(request: Request, paid: Payment) -> Verdict:
    """The verdict on a payment: every piece must be able to pay, together they must reach the demand."""
    pieces = paid.pieces()
    if request.kind == "K4":  # C-6: all of one of the two types
        verdicts = [_judge_anima(request, pieces, (kind,)) for kind in request.types]
        return max(verdicts, key=lambda verdict: (verdict.met, verdict.wrong is None, verdict.have))
    if request.kind == "K5":
        return _judge_shapes(request, pieces)
    if request.kind == "K3":
        return _judge_different(request, pieces)
    return _judge_anima(request, pieces, request.types)


def _judge_anima(request: Request, pieces: Combination, types: tuple[str, ...]) -> Verdict:
    """K1, K2, K4, K6: the sum of anima; more than asked is fine (R-REQ-6)."""
    wrong = next((piece for piece in pieces if not _can_pay(piece, types)), None)
    have = sum(anima(piece) for piece in pieces)
    return _verdict(request, have, wrong)


def _judge_different(request: Request, pieces: Combination) -> Verdict:
    """K3: each prismatic stands for one listed type that no other piece has."""
    wrong = next((piece for piece in pieces if not _can_pay(piece, request.types)), None)
    kinds = [type_of(piece) for piece in pieces]
    have = min(len(request.types), len({*kinds} - {PRISMATIC}) + kinds.count(PRISMATIC))
    return _verdict(request, have, wrong)


def _can_pay(piece: Piece, types: tuple[str, ...]) -> bool:
    kind = type_of(piece)
    return kind == PRISMATIC or kind in types


def _verdict(request: Request, have: int, wrong: Piece | None) -> Verdict:
    met = wrong is None and have >= request.n
    points = of_reward(request.rewards[0]) if met else NO_POINTS
    return Verdict(met, points, True, wrong, have, request.n)


def _judge_shapes(request: Request, pieces: Combination) -> Verdict:
    """K5: artifacts of the type only, points by the number of different shapes."""
    wrong = next((p for p in pieces if isinstance(p, str) or p.kind not in request.types), None)
    shapes = [piece.shape for piece in pieces if isinstance(piece, Artifact) and wrong is None]
    fewest, most = shape_range(shapes)
    # A card that pays for k shapes is not asked to refuse k + 1 of them when it has no better reward.
    possible = [_best_offer(request, count) for count in range(fewest, most + 1)]
    offers = [points for points in possible if points is not None]
    met = wrong is None and bool(offers)
    points = either(offer or NO_POINTS for offer in possible) if met else NO_POINTS
    return Verdict(met, points, fewest == most, wrong, most, request.n)


def shape_range(shapes: Collection[object]) -> tuple[int, int]:
    """The fewest and the most different shapes among pieces, some of which nobody has told."""
    known = {shape for shape in shapes if shape in SHAPES}
    untold = sum(1 for shape in shapes if shape == UNKNOWN)
    fewest = len(known) or min(untold, 1)
    return fewest, min(len(SHAPES), len(known) + untold)


def _best_offer(request: Request, shapes: int) -> Points | None:
    """What the card pays for so many different shapes; None when nothing is offered for that many or fewer."""
    for count in range(shapes, 0, -1):
        reward = request.rewards[count - 1]
        if reward == UNKNOWN:
            # No card pays more for fewer shapes, so a known reward above bounds the unknown one.
            above = [known for known in request.rewards[count:] if isinstance(known, int)]
            return Points(0, above[0] if above else None)
        if reward is not None:
            return of_reward(reward)
    return None


def reward_range(request: Request) -> Points:
    """Everything the card may pay, when nobody told what was handed in."""
    offers = (_best_offer(request, count) for count in range(1, len(request.rewards) + 1))
    return either(offer for offer in offers if offer is not None)


def payments(request: Request, artifacts: Iterable[Artifact], study: Iterable[str] = ()) -> tuple[Payment, ...]:
    """Every payment without a superfluous piece, from artifacts on the guild board and ready study tokens."""
    stock = Counter(artifacts)
    if request.kind == "K5":
        found = _shape_payments(request, stock)
    elif request.kind == "K3":
        found = _different_payments(request, stock, tuple(study))
    else:
        found = _anima_payments(request, stock, tuple(study))
    listed = [_payment_of(combination) for combination in found]
    # Only prismatics alone can pay either side of a K4.
    return tuple(dict.fromkeys(listed)) if request.kind == "K4" else tuple(listed)


def _payment_of(pieces: Combination) -> Payment:
    return payment([p for p in pieces if isinstance(p, Artifact)], [p for p in pieces if isinstance(p, str)])


def _anima_payments(request: Request, stock: Counter[Artifact], study: tuple[str, ...]) -> Iterator[Combination]:
    groups = [(kind,) for kind in request.types] if request.kind == "K4" else [request.types]
    for types in groups:
        usable: list[tuple[Piece, int]] = [(piece, n) for piece, n in stock.items() if _can_pay(piece, types)]
        usable += [(kind, 1) for kind in study if kind in types]
        usable.sort(key=lambda entry: -anima(entry[0]))
        yield from _reach(usable, 0, request.n)


def _reach(usable: list[tuple[Piece, int]], start: int, need: int) -> Iterator[Combination]:
    """Multisets of pieces, taken in falling order of anima until the need is met: so the last is never superfluous."""
    for i in range(start, len(usable)):
        piece, count = usable[i]
        worth = anima(piece)
        enough = -(-need // worth)
        if enough <= count:
            yield (piece,) * enough
        for taken in range(1, min(count, enough - 1) + 1):
            for rest in _reach(usable, i + 1, need - taken * worth):
                yield (*(piece,) * taken, *rest)


def _different_payments(request: Request, stock: Counter[Artifact], study: tuple[str, ...]) -> Iterator[Combination]:
    """K3: one piece for each of some listed types, prismatics for the others."""
    by_type: dict[str, list[Piece]] = {kind: [p for p in stock if p.kind == kind] for kind in request.types}
    for kind in study:
        if kind in by_type:
            by_type[kind].append(kind)
    prismatics = sorted((p for p in stock.elements() if p.kind == PRISMATIC), key=lambda p: p.anima)
    for jokers in range(min(request.n, len(prismatics)) + 1):
        joker_sets = set(combinations(prismatics, jokers))
        for kinds in combinations(request.types, request.n - jokers):
            for chosen in product(*(by_type[kind] for kind in kinds)):
                for joker_set in joker_sets:
                    yield (*chosen, *joker_set)


def _shape_payments(request: Request, stock: Counter[Artifact]) -> Iterator[Combination]:
    """K5: artifacts with different shapes; one whose shape nobody has told may be any of them."""
    pieces = [p for p in stock.elements() if p.kind in request.types]
    for count, reward in enumerate(request.rewards, 1):
        if reward is None:
            continue
        for chosen in set(combinations(pieces, count)):
            told = [p.shape for p in chosen if p.shape != UNKNOWN]
            if len(told) == len(set(told)):
                yield chosen
