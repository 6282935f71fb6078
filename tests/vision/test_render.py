"""The renderer: geometry where it should be, order of hiding, the same picture for the same seed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.games.ice.board import make_layout
from engine.spots import Spot
from vision.looks.conditions import CONDITIONS
from vision.looks.ice.art import ARTIFACT_KINDS, SNOW_KINDS, ArtSet
from vision.looks.lens import Lens
from vision.render import Piece, Renderer, Scene, Tile

LAYOUT = make_layout(42.0, {"snow": 9.0, "surface": 6.0, "deep": 3.0, "azulia": 0.0})
PLAIN = Lens(640, 480, focal_px=800, height_mm=1000)
ART = ArtSet(1)


def full_board() -> dict[Spot, Tile]:
    kinds = {"snow": SNOW_KINDS, "surface": ARTIFACT_KINDS, "deep": ARTIFACT_KINDS}
    return {
        place.spot: Tile(kinds[layer][i % len(kinds[layer])], i % 6)
        for layer in kinds
        for i, place in enumerate(LAYOUT.in_layer(layer))
    }


def small(condition: str = "mild", seed: int = 5) -> Renderer:
    return Renderer(LAYOUT, ART, condition, seed, size=(640, 360))


def test_a_point_above_the_table_lands_farther_out() -> None:
    # Straight down from 1000 mm with focal length 800 px: 100 mm off axis at height h is 800 * 100 / (1000 - h) px out.
    for height in (0.0, 9.0, 25.0):
        x, y = PLAIN.project((100.0, 50.0, height))
        assert x == pytest.approx(320 + 80000 / (1000 - height))
        assert y == pytest.approx(240 - 40000 / (1000 - height))


def test_a_tilted_camera_hangs_over_the_viewers_side_and_sees_its_aim_in_the_middle() -> None:
    lens = Lens(640, 480, 800, 1000, tilt_deg=20, turn_deg=0, aim_mm=(30, -10))
    assert lens.position_mm()[1] < -300
    assert lens.project((30, -10, 0)) == pytest.approx((320, 240))


def test_plane_map_inverts_project() -> None:
    lens = Lens(640, 480, 800, 1000, tilt_deg=12, turn_deg=7, k1=-0.1, k2=0.02)
    where = lens.plane_map(6.0)
    for u, v in ((10, 20), (320, 240), (600, 470)):
        x, y = where[v, u]
        assert lens.project((float(x), float(y), 6.0)) == pytest.approx((u, v), abs=0.05)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_same_seed_gives_the_same_picture_and_markers_can_be_read(condition: str) -> None:
    scene = Scene(full_board(), {Spot("snow:4,3,3"): (Piece("leader.red"),)})
    first, second = small(condition).picture(scene, 3), small(condition).picture(scene, 3)
    assert first.shape == (360, 640, 3)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, small(condition).picture(scene, 4))
    large = Renderer(LAYOUT, ART, condition, 5).picture(scene)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, ids, _ = detector.detectMarkers(large)
    assert sorted(ids.ravel()) == [0, 1, 2, 3]


def test_kinds_and_prints_differ() -> None:
    for seed in range(4):
        art = ArtSet(seed)
        for layer, kinds in (("snow", SNOW_KINDS), ("surface", ARTIFACT_KINDS), ("deep", ARTIFACT_KINDS)):
            faces = [art.face(layer, kind).astype(float) for kind in kinds]
            for i, a in enumerate(faces):
                assert all(np.abs(a - b).mean() > 2 for b in faces[:i])
        assert not np.array_equal(art.face("snow", "crevasse", 0), art.face("snow", "crevasse", 1))


def test_a_crevasse_is_dark_on_the_sides_its_rotation_says() -> None:
    renderer = Renderer(LAYOUT, ART, lens=PLAIN)
    spot = Spot("snow:4,3,3")
    centre = np.array(LAYOUT.places[spot].centre_mm)
    for rotation in range(6):
        picture = renderer.drawing(Scene({**full_board(), spot: Tile("crevasse", rotation)}))
        darkness = []
        for side in range(6):
            angle = np.radians(60 * side)
            darkest = 255
            for along in (-4, -2, 0, 2, 4):
                for inset in np.arange(14.0, 19.5, 0.5):
                    point = centre + inset * np.array([np.cos(angle), np.sin(angle)])
                    point = point + along * np.array([-np.sin(angle), np.cos(angle)])
                    u, v = np.rint(PLAIN.project((*point, 9.0))).astype(int)
                    darkest = min(darkest, int(picture[v, u].min()))
            darkness.append(darkest)
        assert set(np.argsort(darkness)[:2]) == {rotation, (rotation + 1) % 6}


def shown(label: str, spot: str, tiles: dict[Spot, Tile], lens: Lens, shift: tuple[float, float] = (0, 0)) -> int:
    """How many pixels a piece changes in its neighbourhood."""
    renderer = Renderer(LAYOUT, ART, lens=lens)
    bare = renderer.drawing(Scene(tiles)).astype(int)
    with_piece = renderer.drawing(Scene(tiles, {Spot(spot): (Piece(label, shift),)})).astype(int)
    return int((np.abs(with_piece - bare).max(-1) > 40).sum())


def test_a_leader_hides_more_than_an_archaeologist() -> None:
    assert shown("leader.red", "snow:4,3,3", full_board(), PLAIN) > 2 * shown(
        "archaeologist", "snow:4,3,3", full_board(), PLAIN
    )


def test_a_higher_tile_on_the_near_side_hides_the_base_of_a_piece() -> None:
    lens = Lens(640, 480, 800, 1000, tilt_deg=45)
    tiles = {spot: tile for spot, tile in full_board().items() if spot.startswith("deep")}
    free = shown("archaeologist", "deep:3,3,2", tiles, lens, (0, -10))
    # The surface tile on the viewer's side of that deep tile.
    tiles[Spot("surface:3,3,3")] = Tile("harmony")
    near = min((c for c in LAYOUT.places[Spot("deep:3,3,2")].covers), key=lambda c: LAYOUT.places[c].centre_mm[1])
    hidden = shown("archaeologist", "deep:3,3,2", {**tiles, near: Tile("harmony")}, lens, (0, -10))
    assert hidden < free


def test_a_near_piece_stands_in_front_of_a_far_one() -> None:
    lens = Lens(640, 480, 1600, 600, tilt_deg=40)
    renderer = Renderer(LAYOUT, ART, lens=lens)
    pair = (Piece("leader.blue", (0, 7)), Piece("leader.red", (0, -7)))
    spot = Spot("snow:4,3,3")
    both = renderer.drawing(Scene(full_board(), {spot: pair}))
    turned = renderer.drawing(Scene(full_board(), {spot: pair[::-1]}))
    assert np.array_equal(both, turned)
    red_alone = renderer.drawing(Scene(full_board(), {spot: pair[1:]}))
    red = (red_alone[..., 2].astype(int) - red_alone[..., 0]) > 80
    assert red.sum() > 100
    assert ((both[..., 2].astype(int) - both[..., 0]) > 80)[red].mean() > 0.9


def test_leds_light_the_rim_only_when_they_are_on() -> None:
    renderer = small()
    dark = renderer.drawing(Scene(full_board())).astype(int)
    spot = Spot("snow:4,3,3")
    assert np.array_equal(renderer.drawing(Scene(full_board(), leds={spot: (0, 0, 0)})), dark)
    lit = renderer.drawing(Scene(full_board(), leds={spot: (0, 200, 0)})).astype(int)
    assert (lit[..., 1] - dark[..., 1]).max() > 10
    assert (lit >= dark).all()


def test_unknown_kinds_and_labels_are_named() -> None:
    with pytest.raises(ValueError, match="snow, got 'harmony'"):
        ART.face("snow", "harmony")
    with pytest.raises(ValueError, match=r"got 'leader\.pink'"):
        small().drawing(Scene(pieces={Spot("snow:4,3,3"): (Piece("leader.pink"),)}))
