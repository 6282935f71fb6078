"""The current budget of a strip: enforced on the very values that go out, below every effect."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.errors import BadAddress

Values = NDArray[np.uint8]
"""One row per LED of the strip, one column per colour it has (3 or 4)."""


def drawn_ma(values: Values, channel_ma: float, idle_ma: float) -> float:
    """What a strip draws while it shows the values."""
    return len(values) * idle_ma + int(values.sum(dtype=np.int64)) * channel_ma / 255.0


def limit(values: Values, budget_ma: float, channel_ma: float, idle_ma: float) -> Values:
    """The values, dimmed alike until the strip draws no more than the budget."""
    if drawn_ma(values, channel_ma, idle_ma) <= budget_ma:
        return values
    room_ma = budget_ma - len(values) * idle_ma
    wanted_ma = drawn_ma(values, channel_ma, 0.0)
    share = max(0.0, room_ma / wanted_ma) * (1.0 - 1e-9)  # rounding of the sum must not lift it over the budget
    dimmed: Values = np.floor(values * share).astype(np.uint8)
    return dimmed


def require_room(total: int, budget_ma: float, idle_ma: float) -> None:
    """Refuse a budget that the dark strip alone would exceed: no dimming could keep it."""
    if total * idle_ma > budget_ma:
        raise BadAddress(
            f"{total} LEDs draw {total * idle_ma:.0f} mA even when dark, the budget is {budget_ma:.0f} mA; "
            "raise the budget to what the supply gives, or power fewer LEDs"
        )
