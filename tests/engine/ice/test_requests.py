"""Paying requests (R-REQ, V-12)."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.ice.cards import ARTIFACT_KINDS, PRISMATIC, TYPES, UNKNOWN, Artifact, Request
from engine.games.ice.points import NO_POINTS, Points, exactly
from engine.games.ice.requests import Payment, judge, payment, payments, satisfies

K1 = Request("k1", "K1", 2, (), (5,))
K2 = Request("k2", "K2", 3, ("obliteration", "harmony", "philosophical"), (5,))
K3 = Request("k3", "K3", 2, ("obliteration", "exalted", "philosophical"), (4,))
K4 = Request("k4", "K4", 2, ("harmony", "exalted"), (4,))
K5 = Request("k5", "K5", 1, ("achievement",), (UNKNOWN, 5, 9))
K5_FROM_TWO = Request("k5b", "K5", 2, ("achievement",), (None, 5, 9))
K6 = Request("k6", "K6", 3, ("obliteration",), (6,))
EXAMPLES = (K1, K2, K3, K4, K5, K5_FROM_TWO, K6)


def tile(kind: str, anima: int = 1, shape: object = UNKNOWN) -> Artifact:
    return Artifact(kind, anima, None if kind == PRISMATIC else shape)  # type: ignore[arg-type]


def pay(*pieces: Artifact | str) -> Payment:
    return payment([p for p in pieces if isinstance(p, Artifact)], [p for p in pieces if isinstance(p, str)])


P1, P2 = tile(PRISMATIC, 1), tile(PRISMATIC, 2)
O1, O2 = tile("obliteration", 1, 1), tile("obliteration", 2, 2)
H1, H2 = tile("harmony", 1, 1), tile("harmony", 2, 3)
E1 = tile("exalted", 1, 2)
A1, A2, A3 = (tile("achievement", 1, shape) for shape in (1, 2, 3))


@pytest.mark.parametrize(
    ("request_", "paid", "points"),
    [
        (K1, pay(P2), 5),
        (K1, pay(P1, P1), 5),
        (K2, pay(O1, H1, "philosophical"), 5),
        (K2, pay(O1, H2), 5),
        (K3, pay(O1, E1), 4),
        (K3, pay("obliteration", P1), 4),
        (K4, pay(H1, "harmony"), 4),
        (K4, pay(E1, P1), 4),
        (K5, pay(A1, A2), 5),
        (K5, pay(A1, A2, A3), 9),
        (K6, pay(O1, O2), 6),
        (K6, pay(O1, O1, "obliteration"), 6),
    ],
)
def test_v12_example_cards(request_: Request, paid: Payment, points: int) -> None:
    assert satisfies(request_, paid)
    assert judge(request_, paid).points == exactly(points)


def test_v12_r_req_6_r_faq_6_overpaying_is_fine() -> None:
    assert satisfies(K6, pay(O2, O2))
    assert satisfies(K1, pay(P1, P2))


def test_r_req_4_a_study_token_pays_one_anima_of_its_type() -> None:
    assert satisfies(K6, pay(O2, "obliteration"))
    assert not satisfies(K6, pay(O1, "obliteration"))
    assert judge(K6, pay(O2, "harmony")).wrong == "harmony"


def test_r_req_5_a_prismatic_pays_as_any_type() -> None:
    for card in (K2, K4, K6):
        assert satisfies(card, pay(P1, P2))
    assert satisfies(K3, pay(P1, P2))
    assert not satisfies(K3, pay(P2))


def test_r_req_9_k1_takes_prismatics_only() -> None:
    assert judge(K1, pay(O2)).wrong == O2
    assert judge(K1, pay(P1, "harmony")).wrong == "harmony"
    verdict = judge(K1, pay(P1))
    assert (verdict.met, verdict.have, verdict.need, verdict.points) == (False, 1, 2, NO_POINTS)


def test_r_req_9_k2_takes_listed_types_only() -> None:
    assert judge(K2, pay(O2, E1)).wrong == E1


def test_r_req_9_k3_needs_different_types() -> None:
    verdict = judge(K3, pay(O1, O2, "obliteration"))
    assert (verdict.met, verdict.have, verdict.need) == (False, 1, 2)
    assert satisfies(K3, pay(O1, O2, E1))
    assert judge(K3, pay(O1, H1)).wrong == H1


def test_r_req_9_k4_takes_one_of_the_two_types_only() -> None:
    verdict = judge(K4, pay(H1, E1))
    assert not verdict.met
    assert verdict.wrong in (H1, E1)


def test_r_req_9_k5_takes_artifacts_with_a_shape_only() -> None:
    assert judge(K5, pay(A1, "achievement")).wrong == "achievement"
    assert judge(K5, pay(A1, P1)).wrong == P1
    assert judge(K5_FROM_TWO, pay(A1, A1)).have == 1
    assert not satisfies(K5_FROM_TWO, pay(A1, A1))
    assert not satisfies(K5, pay())


def test_r_req_9_k6_takes_its_type_only() -> None:
    assert judge(K6, pay(H2, O1)).wrong == H2


def test_q_4_k5_reward_for_one_shape_is_unknown_but_not_above_that_for_two() -> None:
    assert judge(K5, pay(A1)).points == Points(0, 5)
    alone = Request("x", "K5", 1, ("achievement",), (UNKNOWN, UNKNOWN, UNKNOWN))
    assert judge(alone, pay(A1)).points == Points(0, None)


def test_k5_with_an_untold_shape_warns_and_never_refuses() -> None:
    untold = tile("achievement", 2)
    verdict = judge(K5_FROM_TWO, pay(A1, untold))
    assert verdict.met
    assert not verdict.certain
    assert verdict.points == Points(0, 5)
    assert judge(K5_FROM_TWO, pay(A1, A2, untold)).points == Points(5, 9)
    assert judge(K5_FROM_TWO, pay(A1, A2)).certain
    assert satisfies(K5_FROM_TWO, pay(untold, untold))


def test_a_reward_that_nobody_told_has_no_upper_bound() -> None:
    assert judge(Request("x", "K1", 1, (), (UNKNOWN,)), pay(P1)).points == Points(0, None)


def test_a_k5_card_may_stop_at_two_shapes() -> None:
    card = Request("x", "K5", 1, ("achievement",), (3, 5, None))
    assert judge(card, pay(A1, A2, A3)).points == exactly(5)
    assert all(len(p.artifacts) <= 2 for p in payments(card, (A1, A2, A3)))


def test_r_req_3_payments_of_the_examples() -> None:
    board = (P1, P2, O1, O2, H1)
    assert set(payments(K6, board, ("obliteration",))) == {
        pay(O2, P2), pay(O2, O1), pay(O2, P1), pay(O2, "obliteration"),
        pay(P2, O1), pay(P2, P1), pay(P2, "obliteration"), pay(O1, P1, "obliteration"),
    }  # fmt: skip
    assert set(payments(K1, board)) == {pay(P2)}
    assert set(payments(K5, (A1, A2, P1), ("achievement",))) == {pay(A1), pay(A2), pay(A1, A2)}
    assert payments(K6, ()) == ()


artifacts = st.builds(
    tile, st.sampled_from(ARTIFACT_KINDS), st.sampled_from((1, 2)), st.sampled_from((1, 2, 3, UNKNOWN))
)
boards = st.lists(artifacts, max_size=7)
studies = st.sets(st.sampled_from(TYPES)).map(lambda found: tuple(sorted(found)))


@st.composite
def cards(draw: st.DrawFn) -> Request:
    kind = draw(st.sampled_from(("K1", "K2", "K3", "K4", "K5", "K6")))
    least, most = {"K1": (0, 0), "K2": (2, 5), "K3": (2, 5), "K4": (2, 2), "K5": (1, 1), "K6": (1, 1)}[kind]
    types = tuple(draw(st.lists(st.sampled_from(TYPES), min_size=least, max_size=most, unique=True)))
    n = draw(st.integers(1, len(types) if kind == "K3" else 5))
    if kind != "K5":
        return Request("x", kind, n, types, (5,))
    rewards = draw(st.sampled_from([(3, 5, 9), (None, 5, 9), (UNKNOWN, 5, 9), (None, None, 7), (3, 6, None)]))
    first = next(i for i, reward in enumerate(rewards, 1) if reward is not None)
    return Request("x", "K5", first, types, rewards)


def subsets(pieces: list[Artifact | str]) -> set[Payment]:
    chosen = chain.from_iterable(combinations(pieces, size) for size in range(len(pieces) + 1))
    return {pay(*found) for found in chosen}


def without_one(paid: Payment) -> list[Payment]:
    pieces = list(paid.pieces())
    return [pay(*pieces[:i], *pieces[i + 1 :]) for i in range(len(pieces))]


@given(cards(), boards, studies)
def test_payments_are_exactly_the_minimal_ones_by_brute_force(
    card: Request, board: list[Artifact], study: tuple[str, ...]
) -> None:
    found = payments(card, board, study)
    assert len(found) == len(set(found))
    if card.kind == "K5":
        return  # minimal for its number of shapes: the next test
    minimal = {
        paid
        for paid in subsets([*board, *study])
        if satisfies(card, paid) and not any(satisfies(card, less) for less in without_one(paid))
    }
    assert set(found) == minimal


@given(cards().filter(lambda card: card.kind == "K5"), boards)
def test_shape_payments_have_different_shapes_and_an_offered_number(card: Request, board: list[Artifact]) -> None:
    found = set(payments(card, board))

    def fits(paid: Payment) -> bool:
        told = [a.shape for a in paid.artifacts if a.shape != UNKNOWN]
        size = len(paid.artifacts)
        offered = 1 <= size <= 3 and card.rewards[size - 1] is not None
        return offered and len(told) == len(set(told)) and all(a.kind in card.types for a in paid.artifacts)

    assert found == {paid for paid in subsets(list(board)) if fits(paid)}
    assert all(satisfies(card, paid) for paid in found)


@given(cards(), boards, studies)
def test_payments_are_taken_from_what_is_there_and_suffice(
    card: Request, board: list[Artifact], study: tuple[str, ...]
) -> None:
    for paid in payments(card, board, study):
        assert judge(card, paid).met
        assert not Counter(paid.artifacts) - Counter(board)
        assert set(paid.study) <= set(study)


@given(cards(), boards, studies, artifacts)
def test_one_more_piece_never_takes_a_payment_away(
    card: Request, board: list[Artifact], study: tuple[str, ...], more: Artifact
) -> None:
    assert set(payments(card, board, study)) <= set(payments(card, [*board, more], study))


@given(cards(), boards, artifacts)
def test_a_piece_more_keeps_a_met_request_met_unless_it_cannot_pay(
    card: Request, board: list[Artifact], more: Artifact
) -> None:
    before, after = judge(card, pay(*board)), judge(card, pay(*board, more))
    if before.met:
        assert after.met or after.wrong is not None
