"""Reading a drawn table: every tile, only what changed, honest doubt, still boards and moved cameras."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from engine.spots import Cue, Spot
from tests.vision.drawn import LAYOUT, enrolled
from tests.vision.sheet import MARKERS
from vision.changes import Watch
from vision.enrolment import Enrolment, EnrolmentError
from vision.locate import locate
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import deal_tiles, dig
from vision.looks.placing import arrange
from vision.reader import Reader
from vision.render import Renderer, Scene
from vision.steady import Steady, mean_picture
from vision.view import Image, View

ART = 21


@dataclass
class Table:
    """A drawn table, its reader, and what lies on it."""

    reader: Reader
    renderer: Renderer
    scene: Scene
    image: Image
    view: View


@pytest.fixture(scope="module")
def table() -> Table:
    rng = np.random.default_rng(8)
    renderer = Renderer(LAYOUT, ArtSet(ART), "medium", 77)
    tiles = dig(LAYOUT, deal_tiles(LAYOUT, rng), 25, rng)
    laid, _ = arrange(LAYOUT, tiles, {}, renderer.condition, renderer.make, 5, ArtSet(ART).prints)
    scene = Scene(laid)
    image = renderer.picture(scene)
    return Table(Reader(LAYOUT, MARKERS, enrolled(ART)), renderer, scene, image, locate(image, MARKERS))


FILE_KINDS = {"empty": "blank", "campsite": "camp_site"}


def wanted(scene: Scene, covers: int) -> dict[Spot, str]:
    return {
        spot: FILE_KINDS.get(tile.kind, tile.kind)
        for spot, tile in scene.tiles.items()
        if sum(c in scene.tiles for c in LAYOUT.places[spot].covers) <= covers
    }


def test_every_tile_of_a_foreign_light_is_read(table: Table) -> None:
    reading = table.reader.read(table.image, table.view)
    assert reading.present == set(table.scene.tiles)
    for spot, kind in wanted(table.scene, 1).items():
        assert reading.tiles[spot].kind == kind
    for spot, kind in wanted(table.scene, 0).items():
        assert reading.sighting.best(Cue(spot, "tile")) == kind
        if kind == "crevasse":
            assert reading.tiles[spot].turn == table.scene.tiles[spot].rotation
    assert all(abs(sum(odds.values()) - 1) < 1e-6 for odds in reading.sighting.odds.values())


def test_only_what_changed_is_read_again(table: Table) -> None:
    reader, view = table.reader, table.view
    reader.read(table.image, view)
    watch = Watch(view, LAYOUT, MARKERS)
    free = [s for s in wanted(table.scene, 0) if s.startswith("snow")]
    gone = free[len(free) // 2]
    after = replace(table.scene, tiles={s: t for s, t in table.scene.tiles.items() if s != gone})
    picture = table.renderer.picture(after, 1)
    change = watch.compare(watch.remember(table.image), watch.remember(picture))
    assert gone in change.cells
    assert len(change.cells) <= 6
    reading = reader.read_changes(picture, change.cells)
    assert reading.present == set(after.tiles)
    again = reader.read(picture, view)
    assert {s: t.kind for s, t in reading.tiles.items()} == {s: t.kind for s, t in again.tiles.items()}
    for cell in watch.spots[:6]:  # cells without any doubt, too
        assert reader.read_changes(picture, [cell]).present == set(after.tiles)


def test_a_board_is_explained_anew_in_the_light_between_its_pieces(table: Table) -> None:
    """Where the light was mistaken, neighbours bear each other out; what shows between pieces puts it right."""
    reader = table.reader
    reader.read(table.image, table.view)
    right = reader.known
    mistaken = right.expected * np.linspace(0.9, 1.12, len(right.expected), dtype=np.float32)[:, None]
    holes = tuple(there and row % 5 > 0 for row, there in enumerate(right.present))
    reader.account = (replace(right, expected=mistaken, present=holes), *reader.account[1:])
    reader.relight(table.image, lambda grid, rows: np.ones((len(rows), grid.side, grid.side), np.float32))
    assert reader.known.present == right.present
    assert np.abs(np.log(reader.known.expected / right.expected)).max() < 0.08  # it was 0.11
    assert {row: tile.kind for row, tile in reader.known.tiles.items()} == {r: t.kind for r, t in right.tiles.items()}


def test_a_still_board_has_no_changes_and_a_moved_camera_is_noticed(table: Table) -> None:
    watch = Watch(table.view, LAYOUT, MARKERS)
    before = watch.remember(table.image)
    dimmer = np.asarray(table.image * 0.8, dtype=np.uint8)
    for other in (table.renderer.picture(table.scene, 2), dimmer):
        change = watch.compare(before, watch.remember(other))
        assert not change.cells
        assert not watch.is_moved(change)
    nudged = np.roll(table.image, 2, axis=1)
    assert watch.is_moved(watch.compare(before, watch.remember(nudged)))


def test_a_dark_board_in_a_noisy_picture_comes_to_rest(table: Table) -> None:
    watch, rng = Watch(table.view, LAYOUT, MARKERS), np.random.default_rng(5)
    dark = table.image * 0.4
    frames = [np.clip(dark + rng.normal(0, 8.0, dark.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    seen = [watch.remember(frame) for frame in frames]
    assert not any(watch.compare(one, other).cells for one, other in pairwise(seen))


def test_markers_that_are_gone_from_their_places_mean_a_moved_camera(table: Table) -> None:
    watch = Watch(table.view, LAYOUT, MARKERS)
    before = watch.remember(table.image)
    elsewhere = np.full_like(table.image, 200)
    assert watch.is_moved(watch.compare(before, watch.remember(elsewhere)))


def test_what_nothing_explains_is_unsure_and_never_guessed(table: Table) -> None:
    hidden = table.image.copy()
    spot = next(s for s in wanted(table.scene, 0) if s.startswith("snow"))
    place = LAYOUT.places[spot]
    x, y = table.view.project([(*place.centre_mm, place.top_mm)])[0].astype(int)
    rng = np.random.default_rng(1)
    box = hidden[y - 60 : y + 60, x - 60 : x + 60]
    box[:] = np.kron(rng.integers(0, 255, (12, 12, 3), dtype=np.uint8), np.ones((10, 10, 1), np.uint8))[
        : box.shape[0], : box.shape[1]
    ]
    assert spot in table.reader.read(hidden, table.view).unsure


def test_a_tile_hidden_altogether_may_be_any_of_its_layer(table: Table) -> None:
    reader = table.reader
    reader.read(table.image, table.view)
    spot = next(s for s in wanted(table.scene, 0) if s.startswith("snow"))
    row = reader.board.row[spot]
    reader.look_again(table.image, [row], lambda grid, rows: np.zeros((len(rows), grid.side, grid.side), bool))
    reading = reader.reading()
    bank = reader.banks["snow"]
    shares = dict(zip(bank.kinds, bank.prior.tolist(), strict=True))
    assert reading.tiles[spot].kinds == pytest.approx(shares, abs=1e-4)
    assert spot in reading.unsure


def test_a_board_without_tiles_is_read_as_empty_and_so_is_what_changes_on_it(table: Table) -> None:
    empty = table.renderer.picture(Scene({}))
    reading = table.reader.read(empty, locate(empty, MARKERS))
    assert reading.present == frozenset()
    assert reading.tiles == {}
    assert table.reader.read_changes(empty, [Spot("snow:4,3,3")]).tiles == {}
    assert table.reader.read_changes(empty, []).present == frozenset()


def test_an_incomplete_enrolment_is_refused() -> None:
    with pytest.raises(EnrolmentError, match="snow"):
        Reader(LAYOUT, MARKERS, Enrolment())


def test_hands_delay_the_reading_until_the_board_is_still(table: Table) -> None:
    steady = Steady(Watch(table.view, LAYOUT, MARKERS), wait=3)
    waving = table.image.copy()
    waving[300:420, 500:800] = (90, 120, 190)
    assert steady.update(table.image) is None
    assert steady.update(waving) is None
    assert steady.update(table.image) is None
    assert steady.update(table.image) is None
    still = steady.update(table.image)
    assert still is not None
    assert still.frames == 3
    assert np.array_equal(still.image, table.image)
    assert np.array_equal(mean_picture([table.image]), table.image)
