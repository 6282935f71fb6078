"""How well the camera maps a strip: 300 LEDs under the simulated bare board."""

from __future__ import annotations

from collections.abc import Iterable

from tests.companion.test_led_mapping import Bench, judge


def measure() -> Iterable[tuple[str, str]]:
    for condition, goal in (("medium", 99), ("harsh", 97)):
        bench = Bench(condition, 300, seed=21)
        found = bench.mapper.map_all()
        assert found is not None
        strict, near, hidden = judge(bench, found)
        name = f"LED mapping, 300 LEDs, {condition}"
        yield f"{name}: right spot (>= {goal} %)", f"{100 * strict:.1f} %; give or take 1 mm {100 * near:.1f} %"
        yield f"{name}: listed as doubtful; wrong and not listed", f"{len(found.doubtful())}; {len(hidden)}"
        yield f"{name}: camera time at 15 pictures a second (<= 90 s)", f"{bench.mapper.frames_read / 15:.0f} s"
