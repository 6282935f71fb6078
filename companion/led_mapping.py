"""Mapping a strip with the camera: a dark picture, then one LED at a time on the bare board."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final, Protocol

import numpy as np

from companion.led_map import LedMap, MappedLed, bare_height, is_on_border
from engine.spots import Layout, Point
from hardware.cameras import Camera, Frame
from hardware.leds import Colour, LedFrame
from vision.glow import Floats, Glow, Searchlight, average, find_glow
from vision.view import View

WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class MappingPlan:
    """How carefully to look; the defaults take about a minute for 300 LEDs at 15 pictures a second."""

    settle_frames: int = 2
    """Pictures thrown away after a change of light: they may have been taken before it."""
    dark_frames: int = 4
    dark_every: int = 30
    """LEDs between two dark pictures: daylight changes."""
    again_frames: int = 4
    """Pictures averaged when a doubtful LED is looked at again."""
    clear: float = 8.0
    """A glow less clear than this is doubtful."""
    rival: float = 0.5
    """Another light stronger than this share makes it doubtful: a reflection."""
    weak: float = 0.35
    """A light weaker than this share of the usual one is doubtful: something hides a part of it."""
    nothing: float = 0.12
    """A light as weak as this, and not clear either, is none."""
    same: float = 0.5
    """Two LEDs nearer to each other than so many usual steps cannot both lie there."""
    beside_mm: float = 3.5
    """An LED further than this from where its row would have it is doubtful."""
    jump: float = 2.2
    """An LED further from both neighbours on the strip than so many usual steps is doubtful."""
    runs: tuple[int, ...] = (7, 9, 11)
    """Neighbours on the strip that are looked at together: a strip has equal steps and bends gently in its rows."""
    bend_mm: float = 3.0
    """Neighbours further than this off a row are none."""


PLAN = MappingPlan()
SLACK: Final = 0.3
"""Square millimetres added to what lies beside a row, so that a short run that fits by chance is not believed."""


class Strip(Protocol):
    """As much of a strip as a mapper needs."""

    @property
    def count(self) -> int:
        """How many LEDs a frame has."""
        ...

    def show(self, frame: LedFrame) -> None:
        """Light a frame."""
        ...


class Mapper:
    """Finds LEDs one by one; the strip is its own while it works."""

    def __init__(self, leds: Strip, camera: Camera, view: View, layout: Layout, plan: MappingPlan = PLAN) -> None:
        self._leds = leds
        self._camera = camera
        self._view = view
        self._layout = layout
        self._plan = plan
        corners = [point for place in layout.places.values() if place.takes_tile for point in place.outline_mm]
        self._search = Searchlight.over(view, np.array(corners), 0.0)
        self._dark: Floats | None = None
        self._strengths: dict[int, float] = {}
        """How strong the light of each LED was that was seen."""
        self.frames_read = 0

    def map_all(self, progress: Callable[[int], bool] = lambda done: True) -> LedMap | None:
        """The whole strip; `progress` is told after each LED and may say False to stop, then there is no map."""
        found: list[MappedLed] = []
        for led in range(self._leds.count):
            if led % self._plan.dark_every == 0:
                self._take_dark()
            found.append(self._judge(led, self._look_at(led, 1)))
            if not progress(led + 1):
                self._leds.show(LedFrame.dark(self._leds.count))
                return None
        led_map = self._look_again(LedMap(tuple(found)))
        self._leds.show(LedFrame.dark(self._leds.count))
        return led_map

    def rescan(self, led_map: LedMap, led: int) -> LedMap:
        """The map with one LED looked at anew."""
        self._take_dark()
        found = led_map.with_led(self._judge(led, self._look_at(led, self._plan.again_frames)))
        self._leds.show(LedFrame.dark(self._leds.count))
        return found

    def _look_again(self, led_map: LedMap) -> LedMap:
        """Look longer at what was doubtful; guess what stays unseen from its neighbours on the strip."""
        led_map = mark_jumps(led_map, self._plan.jump)
        doubtful = [led.led for led in led_map.doubtful()]
        if doubtful:
            self._take_dark()
        for led in doubtful:
            led_map = led_map.with_led(self._judge(led, self._look_at(led, self._plan.again_frames)))
        led_map = self._doubt_weak(mark_jumps(led_map, self._plan.jump))
        led_map = fill_gaps(doubt_misfits(led_map, self._strengths, self._plan), self._plan.jump)
        return self._doubt_borders(straighten(led_map, self._plan))

    def _doubt_weak(self, led_map: LedMap) -> LedMap:
        """Doubt lights that are weak beside the others; what is weak and faint was no light at all."""
        usual = float(np.median(list(self._strengths.values()))) if self._strengths else 0.0
        for led in led_map.leds:
            strength = self._strengths.get(led.led, 0.0)
            if led.place_mm and strength < self._plan.nothing * usual:
                led_map = led_map.with_led(MappedLed(led.led, None, "no light was seen"))
            elif led.place_mm and not led.doubt and strength < self._plan.weak * usual:
                led_map = led_map.with_led(replace(led, doubt="its light is weak; something hides a part of it"))
        return led_map

    def _read(self, count: int) -> Iterator[Frame]:
        for _ in range(count):
            self.frames_read += 1
            yield self._camera.read()

    def _pictures(self, count: int) -> Floats:
        """The mean of some pictures taken under the light that is on now."""
        for _ in self._read(self._plan.settle_frames):
            pass
        return average([frame.image for frame in self._read(count)])

    def _take_dark(self) -> None:
        self._leds.show(LedFrame.dark(self._leds.count))
        self._dark = self._pictures(self._plan.dark_frames)

    def _look_at(self, led: int, pictures: int) -> Glow | None:
        assert self._dark is not None
        count = self._leds.count
        self._leds.show(LedFrame(tuple(WHITE if i == led else (0, 0, 0) for i in range(count))))
        return find_glow(self._pictures(pictures), self._dark, self._search)

    def _judge(self, led: int, glow: Glow | None) -> MappedLed:
        self._strengths.pop(led, None)
        if glow is None:
            return MappedLed(led, None, "no light was seen")
        x, y = self._place_of(glow)
        self._strengths[led] = glow.strength
        doubt = ""
        if glow.clearness < self._plan.clear:
            doubt = "its light is faint"
        elif glow.rival > self._plan.rival:
            doubt = "a second light was seen, perhaps a reflection"
        return MappedLed(led, (x, y), doubt)

    def _place_of(self, glow: Glow) -> Point:
        """Where a light lies on the board, whose frame rises in steps towards its rim."""
        z_mm = 0.0
        for _ in range(3):
            x, y = self._view.unproject([glow.pixel], z_mm)[0].tolist()
            z_mm = bare_height(self._layout, (x, y))
        return (x, y)

    def _doubt_borders(self, led_map: LedMap) -> LedMap:
        top = self._layout.layers[0]
        for led in led_map.leds:
            if led.place_mm and not led.doubt and is_on_border(self._layout, top, led.place_mm):
                led_map = led_map.with_led(replace(led, doubt="it lies on the border of two spots"))
        return led_map


def usual_step(led_map: LedMap) -> float:
    """The usual distance of two neighbours on the strip."""
    places = [led.place_mm for led in led_map.leds]
    steps = [math.dist(a, b) for a, b in pairwise(places) if a and b]
    return float(np.median(steps)) if steps else math.inf


def mark_jumps(led_map: LedMap, jump: float) -> LedMap:
    """Doubt the LEDs that lie far from both their neighbours on the strip."""
    limit = jump * usual_step(led_map)
    leds = list(led_map.leds)
    for i, led in enumerate(led_map.leds):
        around = [led_map.leds[k].place_mm for k in (i - 1, i + 1) if 0 <= k < len(leds)]
        here = led.place_mm
        if here and not led.doubt and around and all(p and math.dist(p, here) > limit for p in around):
            leds[i] = replace(led, doubt="it lies far from its neighbours on the strip")
    return LedMap(tuple(leds))


def doubt_misfits(led_map: LedMap, strengths: Mapping[int, float], plan: MappingPlan = PLAN) -> LedMap:
    """Doubt what cannot be: two LEDs at one place, an LED beside its row, or next to one that was hidden."""
    step = usual_step(led_map)
    leds = list(led_map.leds)
    hidden = {led.led for led in leds if led.place_mm is None or led.doubt}

    def doubt(led: int, why: str) -> None:
        if leds[led].place_mm and not leds[led].doubt:
            leds[led] = replace(leds[led], doubt=why)

    for one, other in combinations([led for led in led_map.leds if led.place_mm], 2):
        assert one.place_mm is not None
        assert other.place_mm is not None
        if math.dist(one.place_mm, other.place_mm) < plan.same * step:
            weaker = min(one.led, other.led, key=lambda led: strengths.get(led, math.inf))
            doubt(weaker, "its light comes out where another LED lies")
    for led in range(len(leds)):
        if (off_mm := _off_row(led_map.leds, led)) is not None and off_mm > plan.beside_mm:
            doubt(led, "it lies beside its row")
        if {led - 1, led + 1} & hidden:
            doubt(led, "its neighbour on the strip is in doubt")
    return LedMap(tuple(leds))


def _off_row(leds: Sequence[MappedLed], led: int) -> float | None:
    """How far an LED is from where the LEDs before it, those after it or both would have it; None without a row."""
    here = leds[led].place_mm
    guesses = []
    for near, far in ((led - 1, led - 2), (led + 1, led + 2), (led - 1, led + 1)):
        if here and min(near, far) >= 0 and max(near, far) < len(leds):
            a, b = leds[near].place_mm, leds[far].place_mm
            if a and b:
                scale = 0.5 if near + far == 2 * led else -1.0
                guesses.append(math.dist(here, (a[0] + scale * (b[0] - a[0]), a[1] + scale * (b[1] - a[1]))))
    return min(guesses, default=None)


def fill_gaps(led_map: LedMap, jump: float) -> LedMap:
    """Put an unseen LED half-way between its neighbours where they are two steps apart; it stays doubtful."""
    limit = jump * usual_step(led_map)
    leds = list(led_map.leds)
    for i, led in enumerate(led_map.leds[1:-1], start=1):
        before, after = led_map.leds[i - 1].place_mm, led_map.leds[i + 1].place_mm
        if led.place_mm is None and before and after and math.dist(before, after) <= limit:
            middle: Point = ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)
            leds[i] = MappedLed(led.led, middle, "no light was seen; guessed from its neighbours")
    return LedMap(tuple(leds))


def straighten(led_map: LedMap, plan: MappingPlan = PLAN) -> LedMap:
    """Move each LED onto the best row of equal steps it belongs to; print and dust pull lights aside."""
    step, leds = usual_step(led_map), list(led_map.leds)
    for i, led in enumerate(led_map.leds):
        fits = [
            fit
            for run in plan.runs
            for first in range(max(0, i - run + 1), min(i, len(leds) - run) + 1)
            if (fit := _fit_run(led_map.leds[first : first + run], i - first, step, plan.bend_mm))
        ]
        if led.place_mm and fits:
            leds[i] = replace(led, place_mm=min(fits)[1])
    return LedMap(tuple(leds))


def _fit_run(run: tuple[MappedLed, ...], at: int, step: float, bend_mm: float) -> tuple[float, Point] | None:
    """How sure a row makes us of its LED number `at`, and where it would have it; None when the run is no row.

    A row goes on by equal steps and bends gently, as a strip glued by hand does. The error to be expected is larger
    at the end of a run than in its middle.
    """
    places = [led.place_mm for led in run if led.place_mm]
    if len(places) < len(run):
        return None
    points = np.array(places)
    steps = np.arange(len(run)) - (len(run) - 1) / 2
    slope = steps @ points / (steps @ steps)
    if not 0.85 < np.linalg.norm(slope) / step < 1.15:
        return None
    along = slope / np.linalg.norm(slope)
    axes = np.array([along, (-along[1], along[0])])
    ahead, aside = axes @ (points - points.mean(axis=0)).T
    powers = np.vander(steps, 3)
    onto = powers @ np.linalg.pinv(powers)
    wanted = np.column_stack([steps * np.linalg.norm(slope), onto @ aside])
    off = np.hypot(ahead - wanted[:, 0], aside - wanted[:, 1])
    if off.max() > bend_mm:
        return None
    x, y = (points.mean(axis=0) + wanted[at] @ axes).tolist()
    spread = math.sqrt(float(np.sum((aside - wanted[:, 1]) ** 2) + SLACK) / (len(run) - 3))
    return spread * math.sqrt(float(onto[at, at])), (x, y)
