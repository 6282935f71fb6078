"""One tile against its candidates: nothing is claimed of a face that is all hidden."""

from __future__ import annotations

import numpy as np

from vision.classify import sample_costs
from vision.tuning import Tuning


def test_a_face_that_is_all_hidden_keeps_the_expected_light() -> None:
    rng = np.random.default_rng(3)
    seen = rng.uniform(0, 1, (3, 50)).astype(np.float32)
    looks = rng.uniform(0, 1, (4, 3, 50)).astype(np.float32)
    weight = np.full((4, 50), 100, np.float32)
    light = np.array([0.8, 0.9, 1.0], np.float32)
    costs, gains = sample_costs(seen, np.zeros(50, np.float32), looks, weight, light, Tuning())
    assert np.isfinite(costs).all()
    np.testing.assert_allclose(gains, np.repeat(light[None], 4, axis=0), rtol=1e-5)
