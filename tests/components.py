"""Counts every component of a state of I C E, wherever it is (R-CMP)."""

from __future__ import annotations

from engine.games.ice import state as st
from engine.games.ice.board import DEEP, SNOW, SURFACE, TILE_COUNT
from engine.games.ice.options import Options
from engine.games.ice.state import NEUTRAL, OFF, State


def tiles_by_layer(state: State) -> list[int]:
    """Snow, surface and deep tiles: on the board, with players, discarded, and dug but not yet told."""
    totals = list(state.discarded)
    for number, cells in enumerate((SNOW, SURFACE, DEEP)):
        totals[number] += sum(1 for i in cells if state.tiles[i])
    for seat in state.seats:
        totals[0] += len(seat.hand)
        for artifact in (*(a for slot in seat.slots for a in slot), *seat.hold):
            totals[artifact.anima] += 1
    for question in state.asked:
        if question.kind in ("reveal", "slot"):
            totals[next(n for n, cells in enumerate((SNOW, SURFACE, DEEP)) if question.place in cells)] += 1
    return totals


def check_components(state: State, options: Options) -> None:
    """112 tiles, 45 archaeologists, one leader and camp per guild, neutral camps, and nobody in the air."""
    assert tiles_by_layer(state) == [48, 37, 27]
    assert 0 <= st.supply(state) <= 45
    assert sum(state.archaeologists) + sum(seat.tended for seat in state.seats) + st.supply(state) == 45
    assert state.present == st.present_mask(state.tiles)
    assert len(state.leaders) == len(state.camps) == len(state.seats) == options.players
    camps = st.camp_places(state)
    assert len(set(camps)) == len(camps), "two camps on one tile"
    falling = sum(1 for q in state.asked if q.kind == "camp" and q.seat == NEUTRAL)
    neutral = len(state.neutral_camps) + falling + st.neutral_supply(state, options.neutral_camps)
    assert neutral == options.neutral_camps
    standing = {place for place in (*state.leaders, *camps) if place != OFF}
    standing |= {place for place, number in enumerate(state.archaeologists) if number}
    dug = state.dig.place if state.dig is not None else OFF
    for place in standing:
        assert place >= TILE_COUNT or state.tiles[place] or place == dug, "pieces in the air"
    for seat in state.seats:
        assert 0 <= seat.ep <= 6  # R-EP-3
        assert seat.rp >= 0
        assert not seat.ready & seat.spent
    for bit in range(5):  # R-CMP-15
        assert sum((seat.ready | seat.spent) >> bit & 1 for seat in state.seats) <= st.TOTAL_STUDY
    assert sum(seat.planning for seat in state.seats) <= st.TOTAL_PLANNING  # R-CMP-16
