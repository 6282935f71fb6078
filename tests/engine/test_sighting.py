"""Odds per cue."""

import math

from engine.sighting import Sighting, certain, merge
from engine.spots import Cue, Spot

A, B = Spot("snow:4,3,3"), Spot("snow:3,4,3")
TILE = Cue(A, "tile")


def test_surprise_is_zero_for_the_best_label_and_grows_with_the_odds_against() -> None:
    sighting = Sighting({TILE: {"tunnel": 0.9, "empty": 0.1}})
    assert sighting.surprise(TILE, "tunnel") == 0
    assert math.isclose(sighting.surprise(TILE, "empty"), math.log(9))
    assert sighting.surprise(TILE, "nunatak") > sighting.surprise(TILE, "empty")
    assert sighting.surprise(Cue(B, "tile"), "anything") == 0
    assert Sighting({TILE: {}}).surprise(TILE, "x") == 0


def test_best_and_at() -> None:
    sighting = Sighting({TILE: {"tunnel": 0.9, "empty": 0.1}, Cue(A, "camp"): {"neutral": 1.0}})
    assert sighting.best(TILE) == "tunnel"
    assert sighting.best(Cue(B, "tile")) is None
    assert sighting.at(A) == {"tile": "tunnel", "camp": "neutral"}


def test_merge_averages_and_keeps_what_any_picture_could_read() -> None:
    one = Sighting({TILE: {"tunnel": 1.0}}, frozenset({A, B}))
    two = Sighting({TILE: {"tunnel": 0.5, "empty": 0.5}, Cue(B, "tile"): {"empty": 1.0}}, frozenset({B}))
    merged = merge([one, two])
    assert merged.odds[TILE] == {"tunnel": 0.75, "empty": 0.25}
    assert merged.odds[Cue(B, "tile")] == {"empty": 1.0}
    assert merged.unsure == {B}
    assert merge([]).odds == {}


def test_certain_is_hardly_in_doubt() -> None:
    assert certain({TILE: "tunnel"}).surprise(TILE, "empty") > 10
