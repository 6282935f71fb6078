"""Many whole games in every variant, followed by the referee with an ideal and with a noisy camera."""

from collections import Counter

import pytest

from tests.companion.followed_games import VARIANTS, followed, rates


@pytest.mark.slow
@pytest.mark.parametrize("pressed", [True, False])
@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_many_games_are_followed(variant: str, players: int, noisy: bool, pressed: bool) -> None:
    counts: Counter[str] = Counter()
    for seed in range(3):
        counts += followed(seed, players, variant, illegal=0.1, pressed=pressed, noisy=noisy).whole_game()
    shares = rates(counts)
    # Cues flip at random in noisy games: what they hide is asked about, which counts as help.
    assert shares["tracked_share"] >= (0.9 if noisy else 0.995)
    assert counts["wrong"] == 0
    assert shares["asked_per_turn"] <= (1.0 if pressed else 2.0)
    # A picture with many wrong cues may hide an illegal move for longer than these few looks.
    assert counts["illegal_flagged"] >= (0.9 if noisy else 1.0) * counts["illegal_made"]
    assert counts["illegal_right_rule"] >= (0.8 if noisy else 0.99) * counts["illegal_made"]
    assert shares["false_flags_per_game"] <= 0.05
    assert counts["scores_equal"] == counts["games"]
