"""One tile against its candidates: nothing is claimed of a face that is all hidden."""

from __future__ import annotations

import numpy as np

from vision.classify import IN_SHADE, choose_candidates, evidence_against, sample_costs, slips_of
from vision.compare import Bank
from vision.tuning import Tuning


def test_a_face_that_is_all_hidden_keeps_the_expected_light() -> None:
    rng = np.random.default_rng(3)
    seen = rng.uniform(0, 1, (1, 3, 50)).astype(np.float32)
    looks = rng.uniform(0, 1, (4, 3, 50)).astype(np.float32)
    weight = np.full((4, 50), 100, np.float32)
    light = np.array([0.8, 0.9, 1.0], np.float32)
    costs, gains = sample_costs(seen, np.zeros(50, np.float32), looks, weight, light, Tuning())
    assert np.isfinite(costs).all()
    np.testing.assert_allclose(gains, np.repeat(light[None], 4, axis=0), rtol=1e-5)


def test_a_tile_that_slipped_is_found_where_it_lies() -> None:
    y, x = np.mgrid[0:40, 0:40].astype(np.float32)

    def ring(right: float, down: float) -> np.ndarray:
        far = np.hypot(x - 20 - right, y - 18 - down)
        return np.asarray(0.9 - 0.5 * np.exp(-np.square((far - 9) / 1.2)), np.float32)

    look = ring(0, 0)
    slopes = np.stack([np.gradient(look, axis=1), np.gradient(look, axis=0)]).reshape(1, 2, -1)
    seen = np.repeat(ring(0.7, -0.5).reshape(1, -1) * 0.8, 3, axis=0)
    looks = np.repeat(look.reshape(1, 1, -1), 3, axis=1)
    shares = np.ones(seen.shape[1], np.float32)
    found = slips_of(seen[None], shares, looks, slopes, np.full((1, 3), 0.8, np.float32), Tuning())
    np.testing.assert_allclose(found, [(0.7, -0.5)], atol=0.25)


def test_what_tells_two_kinds_apart_decides_and_noise_does_not() -> None:
    rng = np.random.default_rng(4)
    plain = np.full((3, 200), 0.8, np.float32)
    marked = plain.copy()
    marked[:, :40] = 0.3
    looks = np.stack([plain, marked])
    weight = np.full((2, 200), 400, np.float32)
    # The picture is plain; noise happens to fit the marked look a little better where both look the same.
    costs = np.abs(rng.normal(0.6, 0.1, (2, 200))).astype(np.float32)
    costs[0, 40:] += 0.15
    costs[1, :40] = 9.0
    for free, decided in ((np.ones(200), True), (np.r_[np.zeros(40), np.ones(160)], False)):
        shown = free.astype(np.float32)
        total = (costs @ shown / shown.sum()).astype(np.float32)
        against = evidence_against(total, costs, shown, looks, np.ones((2, 3)), weight, np.array([0, 1]), Tuning())
        assert (against[1] - against[0] > 100) == decided
        assert decided or abs(against[1] - against[0]) < 1e-3


def test_a_shadow_is_no_print_but_print_shows_in_it() -> None:
    plain, marked = np.full((3, 200), 0.9, np.float32), np.full((3, 200), 0.9, np.float32)
    marked[:, :60] = 0.2
    looks, weight = np.stack([plain, marked]), np.full((2, 200), 400, np.float32)
    light = np.ones(3, np.float32)
    shadow = np.ones(200, np.float32)
    shadow[:120] = np.linspace(0.95, 0.6, 120)
    shares = np.where(shadow < 1, IN_SHADE, 1).astype(np.float32)
    for truth, look in enumerate(looks):
        costs, _ = sample_costs((look * shadow)[None], shares, looks, weight, light, Tuning())
        blind, _ = sample_costs((look * shadow)[None], np.ones(200, np.float32), looks, weight, light, Tuning())
        against, unshaded = costs @ shares, blind @ shares
        assert against[1 - truth] - against[truth] > 100
        assert against[truth] < 0.1 * unshaded[truth]


def test_where_something_is_hidden_every_kind_is_compared_in_every_turn() -> None:
    """Beside a lit rim the coarse costs of a crack in the right turn may be worse than those of all others."""
    prints, kinds = 3, ("blank", "crevasse")
    kind, turn = np.tile(np.repeat([0, 1], prints), 6), np.repeat(np.arange(6), 2 * prints)
    none = np.zeros((len(kind), 1), np.float32)
    bank = Bank(kinds, kind, turn, none, none, np.full(2, 0.5), (slice(0, 1),) * 6, none)
    costs = np.random.default_rng(2).uniform(0, 1, len(kind)).astype(np.float32)
    costs[(kind == 1) & (turn == 4)] += 9
    clear = choose_candidates(costs, bank, 6)
    assert (1, 4) not in set(zip(kind[clear].tolist(), turn[clear].tolist(), strict=True))
    hidden = choose_candidates(costs, bank, 6, is_hidden=True)
    assert set(zip(kind[hidden].tolist(), turn[hidden].tolist(), strict=True)) == {
        (k, t) for k in (0, 1) for t in range(6)
    }
    assert set(clear.tolist()) <= set(hidden.tolist())
