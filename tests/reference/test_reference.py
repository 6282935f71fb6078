"""The second opinion agrees with the counts and vectors of the specification (V-20 to V-25) before it judges."""

from __future__ import annotations

import pytest

from tests.reference import ice
from tests.reference.random_positions import random_position


def test_v20_counts() -> None:
    assert [len(ice.CELLS[layer]) for layer in ice.LAYERS] == [48, 37, 27, 18]
    rims = [sum(ice.is_rim(s) for s in ice.TILE_SPOTS if s.startswith(layer)) for layer in ice.LAYERS[:3]]
    assert rims == [21, 18, 15]
    edges = [[s for s in ice.EDGE_SPOTS if s.startswith(f"edge.{layer}:")] for layer in ice.LAYERS[1:]]
    assert [len(group) for group in edges] == [24, 21, 18]
    pairs = [sum(q in group for p in group for q in ice.ADJACENT[p]) // 2 for group in edges]
    assert pairs == [12, 12, 12]  # R-ADJ-5


def test_v21_v22_covers_and_supports() -> None:
    assert set(ice.COVERING["surface:3,3,3"]) == {"snow:4,3,3", "snow:3,4,3", "snow:3,3,4"}
    assert ice.places_below("surface:3,3,3") == ["deep:2,3,3", "deep:3,2,3", "deep:3,3,2"]
    assert set(ice.NEIGHBOURS["snow:7,3,0"]) == {"snow:6,4,0", "snow:6,3,1", "snow:7,2,1"}
    assert ice.places_below("deep:5,3,0") == ["azulia:4,3,0", "edge.azulia:5,2,0", "edge.azulia:5,3,-1"]


@pytest.mark.parametrize(
    ("gone", "last", "fallen"),
    [
        (["5,2,3", "5,3,2", "4,4,2", "3,4,3"], "3,3,4", ["4,3,3"]),  # V-23
        (["3,3,4", "4,4,2", "4,2,4", "5,3,2", "2,4,4", "3,5,2"], "5,2,3", ["4,3,3", "3,4,3"]),  # V-24
        (["6,4,0", "6,3,1"], "7,2,1", []),  # V-25
    ],
)
def test_chains(gone: list[str], last: str, fallen: list[str]) -> None:
    tiles = {s for s in ice.TILE_SPOTS if s.startswith("snow:")} - {f"snow:{g}" for g in gone}
    assert ice.fall_by_chain(set(tiles), "snow") == []
    tiles.remove(f"snow:{last}")
    assert sorted(ice.fall_by_chain(tiles, "snow")) == sorted(f"snow:{f}" for f in fallen)


@pytest.mark.parametrize(
    ("before", "newcomers", "after"),
    [
        ((0, 0, 0), 2, (1, 1, 0)),
        ((0, 0, 0), 3, (1, 1, 1)),
        ((0, 0, 0), 4, (2, 1, 1)),
        ((2, 0, 0), 2, (2, 1, 1)),
        ((2, 0, 1), 3, (2, 2, 2)),
        ((3, 0, 0), 2, (3, 1, 1)),
        ((3, 0, 0), 5, (3, 3, 2)),
        ((1, 1, 0), 4, (2, 2, 2)),
    ],
)
def test_allocation_table_of_section_8(before: tuple[int, ...], newcomers: int, after: tuple[int, ...]) -> None:
    position = {"pieces": {"snow:4,3,3": {"archaeologists": newcomers}}}
    for spot, number in zip(ice.places_below("snow:4,3,3"), before, strict=True):
        position["pieces"][spot] = {"archaeologists": number}
    results = ice.allocations(position, "snow:4,3,3")
    assert after in results
    assert {tuple(sorted(r)) for r in results} == {tuple(sorted(after))}


@pytest.mark.parametrize("seed", range(30))
def test_random_positions_are_physically_possible(seed: int) -> None:
    position = random_position(seed)
    assert position == random_position(seed)
    for spot in position["tiles"]:
        for below in ice.places_below(spot):
            assert below not in ice.TILE_SPOTS or below in position["tiles"]
    assert sum(here.get("archaeologists", 0) for here in position["pieces"].values()) <= 45
    assert all(ice.is_place(position, spot) for spot in position["pieces"])
    kinds = [tile["kind"] for spot, tile in position["tiles"].items() if spot.startswith("snow:")]
    limits = {"empty": 12, "tunnel": 12, "crevasse": 12, "nunatak": 11, "campsite": 1}
    assert all(kinds.count(kind) <= limit for kind, limit in limits.items())
