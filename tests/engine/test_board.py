"""The lattice of I C E (R-GEO, R-ADJ; vectors V-20 to V-22)."""

from engine.games.ice import board as b
from engine.games.ice.board import BELOW, COVERS, INDEX, NEIGHBOURS, RIM, SPOTS


def names(indexes: object) -> set[str]:
    return {SPOTS[i] for i in indexes}  # type: ignore[attr-defined]


def test_v20_counts_of_cells_rim_and_edges() -> None:
    assert [len(b.CELLS[level]) for level in b.LEVELS] == [48, 37, 27, 18]
    assert [sum(1 for i in RIM if b.LAYER[i] == layer) for layer in b.TILE_LAYERS] == [21, 18, 15]
    assert [len(b.EDGES[level]) for level in b.LEVELS[1:]] == [24, 21, 18]
    assert b.PLACE_COUNT == 112 + 18 + 63


def test_v21_covers_and_supports_of_the_centre() -> None:
    centre = INDEX["surface:3,3,3"]
    assert names(COVERS[centre]) == {"snow:4,3,3", "snow:3,4,3", "snow:3,3,4"}
    assert names(BELOW[centre]) == {"deep:2,3,3", "deep:3,2,3", "deep:3,3,2"}


def test_v22_corners_rest_on_edges() -> None:
    corner = INDEX["snow:7,3,0"]
    assert names(NEIGHBOURS[corner]) == {"snow:6,4,0", "snow:6,3,1", "snow:7,2,1"}
    assert [SPOTS[i].startswith("edge.surface") for i in BELOW[corner]] == [False, True, True]
    assert names(BELOW[INDEX["snow:0,5,5"]]) > {"surface:0,4,5", "surface:0,5,4"}
    assert [b.LAYER[i] for i in BELOW[INDEX["deep:5,3,0"]]] == ["azulia", "edge.azulia", "edge.azulia"]


def test_r_geo_7_every_tile_rests_on_three_places() -> None:
    def tally(layer: str) -> list[int]:
        rows = [
            sum(1 for p in BELOW[i] if not b.LAYER[p].startswith("edge"))
            for i in range(b.TILE_COUNT)
            if b.LAYER[i] == layer
        ]
        return [rows.count(3), rows.count(2), rows.count(1)]

    assert all(len(BELOW[i]) == 3 for i in range(b.TILE_COUNT))
    assert [tally(layer) for layer in b.TILE_LAYERS] == [[27, 9, 12], [19, 6, 12], [12, 3, 12]]


def test_r_geo_3_a_tile_lies_one_radius_from_its_supports() -> None:
    layout = b.make_layout(42.0, {"snow": 9.0, "surface": 6.0, "deep": 3.0, "azulia": 0.0})
    tile = layout.places[SPOTS[INDEX["surface:3,3,3"]]]
    for spot in tile.rests_on:
        (x, y), (x0, y0) = layout.places[spot].centre_mm, tile.centre_mm
        assert abs(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5 - 42.0 / 3**0.5) < 1e-9


def test_side_steps_face_their_angle() -> None:
    from math import atan2, degrees

    from engine.hexes import plan

    for k, step in enumerate(b.SIDE_STEPS):
        x, y = plan(step)
        assert round(degrees(atan2(y, x))) % 360 == 60 * k
