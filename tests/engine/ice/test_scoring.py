"""Decrees and the score pad (R-DEC, R-END, V-10, V-11, V-26)."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.ice.cards import ARTIFACT_KINDS, DECREES, PRISMATIC, SHAPES, TYPES, UNKNOWN, Artifact
from engine.games.ice.points import ANY_POINTS, NO_POINTS, Points, either, exactly, of_reward, total
from engine.games.ice.scoring import decree_points, pair_bonus, score, set_points, shape_points, type_counts, winners


def tile(kind: str, anima: int = 1, shape: object = UNKNOWN) -> Artifact:
    return Artifact(kind, anima, None if kind == PRISMATIC else shape)  # type: ignore[arg-type]


def points(decree: str, artifacts: tuple[Artifact, ...] = (), study: tuple[str, ...] = (), rp: int = 0) -> Points:
    return decree_points(decree, artifacts, study, rp)


def test_r_dec_1_prismatics_never_count() -> None:
    jokers = (tile(PRISMATIC, 2), tile(PRISMATIC, 1)) * 5
    for decree in DECREES:
        assert points(decree.id, jokers) == NO_POINTS


def test_r_dec_1_a_study_token_is_a_shapeless_artifact_of_anima_1() -> None:
    assert points("C5", (tile("harmony", 2),), ("harmony", "exalted")) == exactly(3)
    assert points("D", (), TYPES) == exactly(4)
    assert points("E", (tile("harmony", 1, 1),), ("harmony",)) == NO_POINTS


def test_r_dec_2_a_decree_may_be_satisfied_several_times() -> None:
    three_sets = tuple(tile(kind, 1, 1) for kind in TYPES) * 3
    assert points("D", three_sets) == exactly(12)


def test_r_dec_a_one_per_rp_token() -> None:
    assert points("A", rp=7) == exactly(7)


def test_r_dec_b_one_per_study_token() -> None:
    assert points("B", (tile("exalted"),), ("harmony", "exalted")) == exactly(2)


@pytest.mark.parametrize(("decree", "kind"), [(f"C{i}", kind) for i, kind in enumerate(TYPES, 1)])
def test_r_dec_c1_r_dec_c2_r_dec_c3_r_dec_c4_r_dec_c5_one_per_anima_of_the_type(decree: str, kind: str) -> None:
    owned = (tile(kind, 2), tile(kind, 1), *(tile(other, 2) for other in TYPES if other != kind))
    assert points(decree, owned, TYPES) == exactly(4)


def test_v26_r_dec_d_sets_of_types() -> None:
    vectors = {(1, 1, 1, 1, 1): 4, (2, 2, 2, 2, 1): 6, (2, 2, 2, 2, 0): 4, (3, 1, 1, 1, 0): 2}
    assert {counts: set_points(counts) for counts in vectors} == vectors


@cache
def best_sets(counts: tuple[int, ...]) -> int:
    """The best way to make sets, tried out one set after the other."""
    best = 0
    for size, worth in ((5, 4), (4, 2)):
        for chosen in combinations(range(5), size):
            if all(counts[i] for i in chosen):
                rest = tuple(sorted(count - (i in chosen) for i, count in enumerate(counts)))
                best = max(best, worth + best_sets(rest))
    return best


def test_r_dec_3_closed_form_equals_brute_force() -> None:
    for counts in product(range(6), repeat=5):
        assert set_points(counts) == best_sets(tuple(sorted(counts)))


def test_v10_r_dec_e_shapes() -> None:
    owned = (
        *(tile("exalted", 1, shape) for shape in (1, 2, 2)),
        *(tile("harmony", 2, shape) for shape in (1, 2, 3)),
        *(tile("obliteration", 1, shape) for shape in (3, 3)),
    )
    assert points("E", owned, TYPES) == exactly(6)


def test_r_dec_e_is_a_range_while_shapes_are_untold() -> None:
    untold = tile("harmony")
    assert shape_points("harmony", (untold,)) == NO_POINTS
    assert shape_points("harmony", (untold, untold)) == Points(0, 2)
    assert shape_points("harmony", (tile("harmony", 1, 1), tile("harmony", 2, 2), untold)) == Points(2, 4)
    assert shape_points("harmony", (*(tile("harmony", 1, s) for s in SHAPES), untold)) == exactly(4)


def test_a_decree_that_nobody_told_has_no_bound() -> None:
    assert points(UNKNOWN) == ANY_POINTS


def test_r_dec_4_decree_a_ignores_the_planning_token() -> None:
    pad = score(("A",), (), (), rp_tokens=3, has_planning=True)
    assert pad.decrees == (("A", exactly(3)),)
    assert pad.total == exactly(3 + 3 + 1)
    assert score(("A",), (), (), rp_tokens=3, has_planning=True, planning_is_rp_token=True).total == exactly(8)


def test_v11_final_score_is_40() -> None:
    # Decrees 2 + 3 + 6: two study tokens, three Philosophical anima, two and three shapes.
    owned = (
        *(tile("exalted", 1, shape) for shape in (1, 2)),
        *(tile("harmony", 2, shape) for shape in (1, 2, 3)),
        tile("philosophical", 2, 1),
        tile(PRISMATIC, 2),
    )
    study = ("philosophical", "achievement")
    validated = [(2, exactly(4)), (3, exactly(5)), (3, exactly(6)), (4, exactly(5)), (4, exactly(4))]
    pad = score(("B", "C3", "E"), owned, study, validated, rp_tokens=3)
    assert [p for _, p in pad.decrees] == [exactly(2), exactly(3), exactly(6)]
    assert pad.requests == ((2, exactly(4)), (3, exactly(11)), (4, exactly(9)))
    assert pad.bonuses == ((2, 0), (3, 2))
    assert (pad.rp_tokens, pad.planning, pad.exact) == (3, 0, True)
    assert pad.total == exactly(40)


def test_r_end_2_three_decrees_are_scored() -> None:
    pad = score(("A", "B", "D"), (), TYPES, rp_tokens=1)
    assert [p.least for _, p in pad.decrees] == [1, 5, 4]


def test_r_end_3_validated_requests_count_by_day() -> None:
    pad = score((), (), (), [(2, exactly(4)), (4, exactly(5)), (4, exactly(9))])
    assert pad.requests == ((2, exactly(4)), (3, NO_POINTS), (4, exactly(14)))


def test_r_end_4_two_requests_on_day_2_or_3_give_two_points_each() -> None:
    both = [(day, exactly(0)) for day in (2, 2, 3, 3, 4, 4, 4)]
    assert score((), (), (), both).total == exactly(4)
    assert [pair_bonus(n) for n in range(3)] == [0, 0, 2]


def test_r_end_5_rp_tokens_and_planning_token() -> None:
    assert score((), (), (), rp_tokens=5, has_planning=True).total == exactly(6)


def test_r_end_6_a_tie_is_shared() -> None:
    shared = winners([exactly(40), exactly(38), exactly(40)])
    assert (shared.seats, shared.certain) == ((0, 2), True)
    assert winners([]).seats == ()


def test_r_end_6_untold_things_leave_the_winner_open() -> None:
    open_end = winners([Points(38, 42), exactly(40), exactly(37)])
    assert (open_end.seats, open_end.certain) == ((0, 1), False)
    assert winners([Points(38, 39), exactly(40)]).certain
    assert winners([ANY_POINTS, exactly(40)]).seats == (0, 1)


def test_an_untold_request_card_leaves_the_total_open() -> None:
    pad = score(("A",), (), (), [(4, of_reward(UNKNOWN))], rp_tokens=2)
    assert not pad.exact
    assert pad.total == Points(4, None)


def test_points_add_and_read_well() -> None:
    assert total([exactly(2), Points(1, 3)]) == Points(3, 5)
    assert [str(p) for p in (exactly(4), Points(1, 3), Points(2, None))] == ["4", "1-3", "2+"]
    assert either([exactly(2), Points(0, 5)]) == Points(0, 5)
    assert either([exactly(2), ANY_POINTS]) == ANY_POINTS
    assert of_reward(None) == NO_POINTS


shapes = st.sampled_from((*SHAPES, UNKNOWN))
artifacts = st.builds(tile, st.sampled_from(ARTIFACT_KINDS), st.sampled_from((1, 2)), shapes)
owned_things = st.lists(artifacts, max_size=12)
studies = st.sets(st.sampled_from(TYPES)).map(lambda found: tuple(sorted(found)))
decrees = st.sampled_from([decree.id for decree in DECREES])


@given(decrees, owned_things, studies, artifacts)
def test_one_artifact_more_never_costs_points(
    decree: str, owned: list[Artifact], study: tuple[str, ...], more: Artifact
) -> None:
    before, after = decree_points(decree, owned, study, 2), decree_points(decree, [*owned, more], study, 2)
    assert after.least >= before.least
    assert (after.most or 0) >= (before.most or 0)


@given(decrees, owned_things, studies, st.sampled_from(TYPES))
def test_one_study_token_more_never_costs_points(
    decree: str, owned: list[Artifact], study: tuple[str, ...], more: str
) -> None:
    fewer = tuple(kind for kind in study if kind != more)
    assert decree_points(decree, owned, (*fewer, more), 0).least >= decree_points(decree, owned, fewer, 0).least


@given(st.lists(artifacts, max_size=6))
def test_the_range_of_the_shape_decree_is_exactly_what_telling_the_shapes_can_give(owned: list[Artifact]) -> None:
    possible = product(*(SHAPES if a.shape == UNKNOWN else (a.shape,) for a in owned))
    told = [
        sum((0, 0, 2, 4)[len({s for a, s in zip(owned, given_, strict=True) if a.kind == kind})] for kind in TYPES)
        for given_ in possible
    ]
    assert decree_points("E", owned, (), 0) == Points(min(told), max(told))


@given(owned_things, studies)
def test_type_counts_leave_out_prismatics_only(owned: list[Artifact], study: tuple[str, ...]) -> None:
    assert sum(type_counts(owned, study)) == len(study) + sum(1 for a in owned if a.kind != PRISMATIC)
