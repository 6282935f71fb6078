"""Patches against enrolled looks: the sums give the same cost as fitting light and veil to every sample."""

from __future__ import annotations

import numpy as np
import pytest

from vision.compare import NEUTRAL, Bank, measure

GAIN_SD, VEIL_SD = 0.1, 0.05
SAMPLES = 30


def _bank(rng: np.random.Generator) -> Bank:
    sectors = tuple(slice(5 * k, 5 * k + 5) for k in range(6))
    looks = rng.uniform(0.1, 1, (4, 3, SAMPLES)).astype(np.float32)
    weights = rng.uniform(10, 1000, (4, SAMPLES)).astype(np.float32)
    numbers = np.arange(4)
    return Bank(("a",), numbers, numbers, looks, weights, np.ones(1), sectors, np.zeros((4, 2, SAMPLES), np.float32))


def _fitted(patch: np.ndarray, seen: np.ndarray, look: np.ndarray, weight: np.ndarray, light: np.ndarray) -> float:
    """The least cost per sample of one triangle, by solving for gain and veil of each channel."""
    count = max(float(seen.sum()), 1.0)
    stiff, damp = 0.25 * count / GAIN_SD**2, 0.25 * count / VEIL_SD**2
    total = 0.0
    for p, r, lit in zip(patch, look, light, strict=True):
        rows = np.sqrt(seen * weight)[:, None] * np.stack([r, np.ones_like(r)], axis=1)
        a = np.vstack([rows, [np.sqrt(stiff) / lit, 0], [0, np.sqrt(damp)]])
        b = np.concatenate([np.sqrt(seen * weight) * p, [np.sqrt(stiff), 0]])
        best = np.linalg.lstsq(a, b, rcond=None)[0]
        total += float(np.square(a @ best - b).sum())
    return (total / 3 + NEUTRAL * float((1 - seen).sum())) / len(seen)


@pytest.mark.parametrize("hidden", [False, True])
def test_sums_cost_what_a_fit_to_every_sample_costs(hidden: bool) -> None:
    rng = np.random.default_rng(5)
    bank = _bank(rng)
    patches = rng.uniform(0, 1, (3, 2, SAMPLES)).astype(np.float32)
    light = rng.uniform(0.7, 1.2, (2, 3)).astype(np.float32)
    seen = (rng.uniform(0, 1, (2, SAMPLES)) > 0.4).astype(np.float32) if hidden else np.ones((2, SAMPLES), np.float32)
    costs = measure(patches, seen if hidden else None, bank).costs(light, GAIN_SD, VEIL_SD)
    for place in range(2):
        for side, sector in enumerate(bank.sectors):
            for entry in range(4):
                expected = _fitted(
                    patches[:, place, sector].astype(np.float64),
                    seen[place, sector].astype(np.float64),
                    bank.planes[entry, :, sector].astype(np.float64),
                    bank.weights[entry, sector].astype(np.float64),
                    light[place].astype(np.float64),
                )
                assert costs[place, side, entry] == pytest.approx(expected, rel=1e-3, abs=1e-3)
