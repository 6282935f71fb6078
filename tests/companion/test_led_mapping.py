"""Mapping a strip with the camera on the simulated bare board, and the map it gives."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.led_map import LedMap, LedMapError, MappedLed, leds_of_spots, load, save, spot_above
from companion.led_mapping import Mapper, doubt_misfits, fill_gaps, mark_jumps, straighten
from companion.picture_sets import table_layout
from companion.virtual_strip import VirtualStrip
from engine.spots import Point
from hardware.cameras import open_camera
from hardware.leds import LedFrame, StripOptions, open_leds
from tests.companion.lit_board import GluedStrip, LitBoard, serpentine
from vision.glow import Searchlight, find_glow
from vision.locate import locate
from vision.render import Renderer
from vision.view import Lens, Markers, View

LAYOUT = table_layout()
TOP = LAYOUT.layers[0]


class Bench:
    """A strip under a simulated board, a camera above it."""

    def __init__(self, condition: str, count: int, seed: int, through_frame: bool = True) -> None:
        renderer = Renderer(LAYOUT, condition=condition, seed=seed)
        self.places = serpentine(LAYOUT, count, seed=seed)
        self.leds = open_leds("simulator:", StripOptions(count, brightness=1.0, gamma=1.0, budget_ma=5000.0))
        strip = GluedStrip(self.places, seed=seed, through_frame=through_frame)
        board = LitBoard(renderer, strip, lambda: self.leds.glow)
        seen = renderer.markers
        markers = Markers("DICT_4X4_50", seen.size_mm, seen.z_mm, dict(enumerate(seen.centres_mm)))
        camera = open_camera("synthetic:", pictures=board)
        self.mapper = Mapper(self.leds, camera, locate(board(), markers), LAYOUT)


def is_right(found: MappedLed, true: Point, slack_mm: float) -> bool:
    """Whether the spot found for an LED holds its true place, or misses it by less than the slack."""
    if found.place_mm is None:
        return False
    spot = LAYOUT.places[spot_above(LAYOUT, TOP, found.place_mm)]
    best = LAYOUT.places[spot_above(LAYOUT, TOP, true)]
    return (math.dist(spot.centre_mm, true) - math.dist(best.centre_mm, true)) / 2 <= slack_mm


def judge(bench: Bench, led_map: LedMap) -> tuple[float, float, list[int]]:
    """Shares of LEDs with the right spot, strictly and give or take 1 mm; wrong ones that were not doubted."""
    pairs = list(zip(led_map.leds, bench.places, strict=True))
    strict = [is_right(led, true, 0.0) for led, true in pairs]
    near = [is_right(led, true, 1.0) for led, true in pairs]
    hidden = [led.led for (led, _), right in zip(pairs, near, strict=True) if not right and not led.doubt]
    return sum(strict) / len(strict), sum(near) / len(near), hidden


@cache
def short_strip() -> tuple[Bench, LedMap]:
    bench = Bench("medium", 40, seed=4)
    found = bench.mapper.map_all()
    assert found is not None
    return bench, found


def test_a_short_strip_is_mapped() -> None:
    bench, found = short_strip()
    _, near, hidden = judge(bench, found)
    assert near == 1.0
    assert hidden == []
    assert bench.leds.shown == LedFrame.dark(40), "the strip is dark afterwards"


def test_leds_that_a_frame_hides_are_listed_and_never_taken_for_sure() -> None:
    """Where the frame is not drilled, light of the LEDs under it leaks out at its edge or not at all."""
    bench = Bench("medium", 40, seed=4, through_frame=False)
    found = bench.mapper.map_all()
    assert found is not None
    assert judge(bench, found)[2] == []
    sure = [led for led in found.leds if not led.doubt]
    assert all(math.dist(led.place_mm, bench.places[led.led]) < 10.0 for led in sure)
    assert any(led.doubt == "no light was seen" and led.place_mm is None for led in found.leds)
    guessed = [led for led in found.leds if led.place_mm]
    assert max(math.dist(led.place_mm, bench.places[led.led]) for led in guessed) < 50.0, "nor put far away"


@pytest.mark.slow
@pytest.mark.parametrize(("condition", "share"), [("medium", 0.99), ("harsh", 0.97)])
@pytest.mark.parametrize("seed", [11, 12])
def test_three_hundred_leds(condition: str, share: float, seed: int) -> None:
    bench = Bench(condition, 300, seed)
    found = bench.mapper.map_all()
    assert found is not None
    strict, near, hidden = judge(bench, found)
    assert strict >= share
    assert near >= 0.995, "what is wrong lies within 1 mm of the border of two spots"
    assert hidden == []
    assert bench.mapper.frames_read / 15 <= 90, "seconds of camera time at 15 pictures a second"


def test_one_led_can_be_looked_at_again() -> None:
    bench, found = short_strip()
    spoilt = found.with_led(MappedLed(3, (0.0, 0.0), "spoilt"))
    again = bench.mapper.rescan(spoilt, 3).leds[3]
    assert math.dist(again.place_mm, bench.places[3]) < 4.0


def test_mapping_can_be_stopped() -> None:
    bench, _ = short_strip()
    assert bench.mapper.map_all(progress=lambda done: done < 2) is None
    assert bench.leds.shown == LedFrame.dark(40)


def line(count: int = 20, step: float = 10.0) -> LedMap:
    return LedMap(tuple(MappedLed(i, (i * step, 5.0)) for i in range(count)))


def test_a_jump_is_doubted_and_an_unseen_led_is_guessed() -> None:
    jumped = mark_jumps(line().with_led(MappedLed(7, (200.0, 90.0))), 2.2)
    assert [led.led for led in jumped.doubtful()] == [7]
    guessed = fill_gaps(line().with_led(MappedLed(7, None, "no light was seen")), 2.2).leds[7]
    assert guessed.place_mm == (70.0, 5.0)
    assert "guessed from its neighbours" in guessed.doubt


def test_what_cannot_be_is_doubted() -> None:
    strong = dict.fromkeys(range(20), 50.0)
    aside = doubt_misfits(line().with_led(MappedLed(7, (70.0, 10.0))), strong)
    assert [(led.led, led.doubt) for led in aside.doubtful()] == [(7, "it lies beside its row")]
    folded = LedMap((*line(10).leds, *(MappedLed(10 + i, (90.0 - 10.0 * i, 7.0)) for i in range(10))))
    weaker = doubt_misfits(folded, strong | dict.fromkeys(range(10), 30.0))
    assert {led.doubt for led in weaker.leds[:10]} == {"its light comes out where another LED lies"}
    assert not any(led.doubt for led in weaker.leds[10:])
    beside = doubt_misfits(line().with_led(MappedLed(7, None, "no light was seen")), strong)
    assert [led.led for led in beside.doubtful()] == [6, 7, 8], "an edge may hide a part of its neighbours too"


def test_single_lights_are_pulled_back_into_their_row() -> None:
    aside = line().with_led(MappedLed(7, (70.8, 6.5)))
    assert math.dist(straighten(aside).leds[7].place_mm, (70.0, 5.0)) < 0.5


def test_a_corner_is_not_straightened() -> None:
    corner = [(10.0 * i, 0.0) for i in range(8)] + [(70.0, 10.0 * i) for i in range(1, 9)]
    found = straighten(LedMap(tuple(MappedLed(i, place) for i, place in enumerate(corner))))
    assert max(math.dist(led.place_mm, place) for led, place in zip(found.leds, corner, strict=True)) < 0.01


def test_every_spot_gets_its_leds_or_the_nearest() -> None:
    places = VirtualStrip(LAYOUT, pitch_mm=35.0).points_mm
    led_map = LedMap(tuple(MappedLed(i, place) for i, place in enumerate(places)))
    for at in ("under", "rim"):
        lit = leds_of_spots(led_map, LAYOUT, at)
        assert set(lit) == {spot for spot, place in LAYOUT.places.items() if place.layer in LAYOUT.layers}
        assert all(lit.values())
    under = [led for spot, leds in leds_of_spots(led_map, LAYOUT).items() if spot.startswith("snow:") for led in leds]
    assert set(under) <= set(range(len(places)))
    assert leds_of_spots(LedMap((MappedLed(0, None),)), LAYOUT) == {}


def test_the_file_is_kept_whole_and_the_last_one_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "leds.json"
    first = line(3)
    save(first, path)
    second = first.moved(1, (4.0, 4.5))
    save(second, path)
    assert load(path) == second
    assert second.leds[1].by_hand
    assert load(tmp_path / "leds.json.previous") == first
    assert sorted(file.name for file in tmp_path.iterdir()) == ["leds.json", "leds.json.previous"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "damaged"),
        ('{"format": 9, "leds": []}', "expected format 1, got 9"),
        ('{"format": 1}', "damaged"),
        ('{"format": 1, "leds": [{"led": 4, "place_mm": null}]}', "expected LED 0, got 4"),
        (None, "cannot be read"),
    ],
)
def test_bad_files_are_named(text: str | None, message: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "leds.json").write_text(text)
    with pytest.raises(LedMapError, match=message):
        load(tmp_path / "leds.json")
    with pytest.raises(LedMapError, match="expected an LED from 0 to 2"):
        line(3).moved(3, (0.0, 0.0))


def test_a_glow_is_found_where_it_is_and_a_reflection_is_its_rival() -> None:
    view = View(Lens(400, 300, 400.0, (199.5, 149.5)), (math.pi, 0.0, 0.0), (0.0, 0.0, 400.0))
    search = Searchlight.over(view, [(-100, -80), (100, -80), (100, 80), (-100, 80)], 0.0)
    rows, columns = np.mgrid[0:300, 0:400].astype(np.float32)
    dark = np.full((300, 400, 3), 80, np.float32)

    def light(x: float, y: float, strength: float) -> np.ndarray:
        return (strength * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 200))[..., None]

    glow = find_glow(dark * 1.03 + light(170.3, 120.6, 60) + light(260, 190, 24), dark, search)
    assert glow.pixel == pytest.approx((170.3, 120.6), abs=0.2)
    assert glow.rival == pytest.approx(0.4, abs=0.05)
    assert find_glow(dark * 1.03, dark, search) is None
