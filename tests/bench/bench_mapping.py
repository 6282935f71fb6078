"""How well the camera maps a strip: 300 LEDs under the simulated bare board, with and without holes in its frame."""

from __future__ import annotations

from collections.abc import Iterable

from tests.companion.test_led_mapping import Bench, judge

SEEDS = (21, 22, 23)


def measure() -> Iterable[tuple[str, str]]:
    for condition, goal in (("medium", 99), ("harsh", 97)):
        for seed in SEEDS:
            strict, near, doubtful, hidden, time_s = mapped(condition, seed)
            name = f"LED mapping, 300 LEDs, {condition}, strip {seed}"
            yield f"{name}: right spot (>= {goal} %)", f"{100 * strict:.1f} %; give or take 1 mm {100 * near:.1f} %"
            yield f"{name}: listed as doubtful; wrong and not listed", f"{doubtful}; {hidden}"
            yield f"{name}: camera time at 15 pictures a second (<= 90 s)", f"{time_s:.0f} s"
        _, near, doubtful, hidden, time_s = mapped(condition, SEEDS[0], through_frame=False)
        name = f"LED mapping, frame not drilled, {condition}"
        yield f"{name}: listed as doubtful; wrong and not listed (0)", f"{doubtful}; {hidden}"
        yield f"{name}: camera time (<= 90 s)", f"{time_s:.0f} s"


def mapped(condition: str, seed: int, *, through_frame: bool = True) -> tuple[float, float, int, int, float]:
    """Shares right, strictly and give or take 1 mm; LEDs listed; LEDs wrong and not listed; seconds of camera time."""
    bench = Bench(condition, 300, seed, through_frame)
    found = bench.mapper.map_all()
    assert found is not None
    strict, near, hidden = judge(bench, found)
    return strict, near, len(found.doubtful()), len(hidden), bench.mapper.frames_read / 15
