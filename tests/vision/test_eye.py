"""The whole eye on drawn tables: tiles and pieces together, colours shared out, hands and doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from companion.picture_sets import FILE_KINDS
from engine.spots import Cue, Point, Spot
from tests.vision.drawn import LAYOUT, enrolled
from tests.vision.sheet import MARKERS
from vision.beliefs import Agreed
from vision.eye import AGAINST, Eye, Sight
from vision.looks.hands import Arm
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import deal_tiles, dig, scatter
from vision.looks.placing import arrange, put_pieces
from vision.piece_net import Floats, PieceNet
from vision.pieces import Candidate, apart, piece_odds, share_out
from vision.reader import Bare
from vision.render import Hand, Renderer, Scene
from vision.tuning import Tuning
from vision.view import Image

ART = 21


@dataclass
class Table:
    """A drawn table with pieces and its eye."""

    eye: Eye
    renderer: Renderer
    scene: Scene
    image: Image
    sight: Sight


@pytest.fixture(scope="module")
def table() -> Table:
    rng = np.random.default_rng(12)
    renderer = Renderer(LAYOUT, ArtSet(ART), "mild", 78)
    tiles = dig(LAYOUT, deal_tiles(LAYOUT, rng), 25, rng)
    pieces = scatter(LAYOUT, tiles, rng)
    laid, stood = arrange(LAYOUT, tiles, pieces, renderer.condition, renderer.make, 5, ArtSet(ART).prints)
    scene = Scene(laid, stood)
    image = renderer.picture(scene)
    eye = Eye(LAYOUT, MARKERS, enrolled(ART))
    return Table(eye, renderer, scene, image, eye.read(image))


def tops(scene: Scene) -> list[Spot]:
    return [s for s in scene.tiles if not any(c in scene.tiles for c in LAYOUT.places[s].covers)]


def test_pieces_on_uncovered_tiles_are_read_with_their_colours(table: Table) -> None:
    for spot in tops(table.scene):
        want = sorted(piece.label for piece in table.scene.pieces.get(spot, ()))
        assert table.sight.pieces.get(spot, []) == want, spot


def test_tiles_under_pieces_are_read_around_them(table: Table) -> None:
    under = [s for s in tops(table.scene) if s in table.scene.pieces]
    assert len(under) > 6
    for spot in under:
        assert table.sight.reading.tiles[spot].kind == FILE_KINDS.get(
            table.scene.tiles[spot].kind, table.scene.tiles[spot].kind
        )


def test_a_tile_taken_for_another_kind_is_told_by_what_then_stands_out(table: Table) -> None:
    reader = table.eye.reader
    table.eye.read(table.image)
    clear = reader.shares(range(reader.board.tile_count), table.eye.bare)
    told: list[bool] = []
    for spot in tops(table.scene):
        row = reader.board.row[spot]
        tile = reader.known.tiles[row]
        if spot not in table.scene.pieces or clear[row] > 0.9:
            continue
        for wrong in {"tunnel", "nunatak"} & set(tile.rivals) - {tile.kind}:  # a mark that no piece hides wholly
            reader.suppose(row, tile.weighed({tile.kind: 0.4, wrong: 0.6}))
            table.eye.weigh_tiles(table.image, [row])
            told.append(reader.known.tiles[row].kind == tile.kind)
    assert len(told) > 5
    assert sum(told) >= 0.9 * len(told)  # a camp in the middle may hide nearly all of a mark


def test_nobody_is_quite_sure_of_a_tile_under_pieces(table: Table) -> None:
    """Samples beside bodies and in shadows err together, so odds from them would claim too much."""
    reader = table.eye.reader
    table.eye.read(table.image)
    clear = reader.shares(range(reader.board.tile_count), table.eye.bare)
    doubts = {row: 1 - max(tile.kinds.values()) for row, tile in reader.known.tiles.items() if reader.is_top(row)}
    under = [doubt for row, doubt in doubts.items() if clear[row] < 0.9]
    bare = [doubt for row, doubt in doubts.items() if clear[row] == 1]
    assert len(under) > 3
    assert min(under) > 1e-3
    assert np.median(bare) < 1e-4


def test_a_place_whose_pieces_are_in_doubt_is_unsure_but_its_tile_is_still_told(table: Table) -> None:
    """Nothing is guessed of it, and yet it is known that a tile lies there."""
    certain = Eye(LAYOUT, MARKERS, enrolled(ART), Tuning(sure_pieces=1.01))
    sight = certain.read(table.image)
    busy = next(spot for spot in tops(table.scene) if spot in table.scene.pieces)
    assert busy in sight.unsure
    assert busy not in sight.sighting.unsure
    assert Cue(busy, "tile") in sight.sighting.odds


class Mirrors(PieceNet):
    """The network that is shipped, counting how often it looks at mirror images."""

    count = 0

    def run_mirrored(self, inputs: Floats) -> Floats:
        self.count += 1
        return super().run_mirrored(inputs)


@pytest.mark.parametrize("doubted", [False, True])
def test_only_pieces_in_doubt_are_looked_at_in_mirrors(table: Table, doubted: bool) -> None:
    """Here nobody wavers, so what is looked at twice reads the same."""
    net = Mirrors()
    eye = Eye(LAYOUT, MARKERS, enrolled(ART), Tuning(plain_pieces=1.01 if doubted else 0.0), net)
    sight = eye.read(table.image)
    seen = [spot for spot in tops(table.scene) if spot not in sight.unsure]
    assert [sight.pieces.get(s) for s in seen] == [table.sight.pieces.get(s) for s in seen]
    assert (net.count >= len(tops(table.scene))) if doubted else net.count == 0


def test_a_hole_that_was_taken_for_a_tile_is_found(table: Table) -> None:
    eye, reader = table.eye, table.eye.reader
    eye.read(table.image)
    every = range(reader.board.tile_count)
    assert eye.find_holes(table.image, every) == []
    holes = [
        r
        for r in every
        if not reader.known.present[r] and all(reader.known.present[b] for b in reader.board.below[r] if b in every)
    ]
    found = 0
    for row in holes:
        eye.read(table.image)
        near = reader.sharing([row])
        for more in range(1, int(AGAINST) + 1):  # a mistake that was nearly not made
            reader.look_again(table.image, near, None, {row: -more})
            if reader.is_top(row):
                break
        assert reader.is_top(row)
        eye.look_for_pieces(table.image, near)
        found += eye.find_holes(table.image, near) == [row]
        assert reader.known.present[row] == (row not in eye.gone)
    assert len(holes) > 8
    assert found >= 0.8 * len(holes)


def lying(table: Table) -> dict[Spot, str | None]:
    """What lies on every place that can be seen."""
    known = table.eye.reader.known
    spots = {place.spot: row for row, place in enumerate(table.eye.reader.board.places) if place.takes_tile}
    seen = {spot: known.tiles[row].kind for spot, row in spots.items() if row in known.tiles}
    return {**seen, **{spot: None for spot, row in spots.items() if not known.present[row]}}


def test_what_is_agreed_on_is_not_read_otherwise(table: Table) -> None:
    eye, reader = table.eye, table.eye.reader
    right = eye.read(table.image)
    agreed = Agreed(lying(table), standing(table.scene))
    assert eye.trust(table.image, agreed) is None
    hole = next(
        r for r in range(reader.board.tile_count) if not reader.known.present[r] and eye.reader.in_question([r])
    )
    eye.reader.look_again(table.image, reader.sharing([hole]), None, {hole: -AGAINST})
    assert reader.known.present[hole]
    again = eye.trust(table.image, agreed)
    assert again is not None
    assert not reader.known.present[hole]
    assert again.pieces == right.pieces
    eye.trust(table.image, Agreed())


def test_a_tile_that_is_put_back_is_seen_though_none_was_believed_to_lie_there(table: Table) -> None:
    eye, spot = table.eye, next(s for s in tops(table.scene) if s not in table.scene.pieces)
    tiles = {s: tile for s, tile in table.scene.tiles.items() if s != spot}
    without = table.renderer.picture(Scene(tiles, table.scene.pieces))
    eye.read(without)
    believed = lying(table)
    assert believed[spot] is None
    eye.trust(without, Agreed(believed, standing(table.scene)))
    cell = min(
        LAYOUT.in_layer(LAYOUT.layers[0]),
        key=lambda p: np.hypot(*np.subtract(p.centre_mm, LAYOUT.places[spot].centre_mm)),
    )
    assert eye.read_changes(table.image, [cell.spot]).sighting.odds[Cue(spot, "tile")].get("absent", 0.0) < 0.01
    eye.trust(table.image, Agreed())


def standing(scene: Scene) -> tuple[tuple[str, Point], ...]:
    """Where all pieces of a scene stand."""
    return tuple(
        (
            piece.label,
            (LAYOUT.places[s].centre_mm[0] + piece.shift_mm[0], LAYOUT.places[s].centre_mm[1] + piece.shift_mm[1]),
        )
        for s, pieces in scene.pieces.items()
        for piece in pieces
    )


def test_who_comes_into_a_crowd_is_found_and_who_leaves_is_gone(table: Table) -> None:
    eye, rng = table.eye, np.random.default_rng(3)
    crowds = [s for s in tops(table.scene) if len(table.scene.pieces.get(s, ())) > 1]
    assert len(crowds) > 3
    for spot in crowds:
        here = table.scene.pieces[spot]
        came = put_pieces(
            ["archaeologist"], LAYOUT.places[spot], LAYOUT, table.scene.tiles, table.renderer.make, rng, here
        )
        fuller = Scene(table.scene.tiles, {**table.scene.pieces, spot: (*here, *came)})
        images = table.image, table.renderer.picture(fuller)
        for (before, earlier), (now, image) in (
            ((table.scene, images[0]), (fuller, images[1])),
            ((fuller, images[1]), (table.scene, images[0])),
        ):
            eye.read(earlier)
            eye.trust(earlier, Agreed(lying(table), standing(before)))
            seen = eye.read_changes(image, [spot])
            assert seen.pieces.get(spot, []) == sorted(piece.label for piece in now.pieces[spot]), spot
    eye.trust(table.image, Agreed())


def test_a_piece_that_was_only_imagined_is_not_seen(table: Table) -> None:
    eye = table.eye
    empty = next(s for s in tops(table.scene) if s not in table.scene.pieces)
    eye.read(table.image)
    feet = (*standing(table.scene), ("archaeologist", LAYOUT.places[empty].centre_mm))
    eye.trust(table.image, Agreed(lying(table), feet))
    assert empty not in eye.read_changes(table.image, [empty]).pieces
    eye.trust(table.image, Agreed())


def test_nothing_is_unsure_on_a_clear_board(table: Table) -> None:
    assert not table.sight.unsure & set(tops(table.scene))


def test_a_board_without_pieces_shows_none(table: Table) -> None:
    image = table.renderer.picture(Scene(table.scene.tiles))
    assert table.eye.read(image).pieces == {}


def test_cues_agree_with_the_pieces(table: Table) -> None:
    for spot in tops(table.scene):
        labels = [piece.label for piece in table.scene.pieces.get(spot, ())]
        said = table.sight.sighting.at(spot)
        assert said["archaeologists"] == str(labels.count("archaeologist"))
        for kind, cue in (("leader", "leaders"), ("camp", "camp")):
            names = sorted(label.split(".")[1] for label in labels if label.startswith(kind))
            assert said[cue] == ("+".join(names) or "none")


def test_places_under_a_hand_are_unsure_and_have_no_cue(table: Table) -> None:
    x, y = LAYOUT.places[tops(table.scene)[8]].centre_mm
    hand = Hand(Arm((x, y, 30.0), 0.0, 2, 3))
    scene = Scene(table.scene.tiles, table.scene.pieces, hands=(hand,))
    sight = table.eye.read(table.renderer.picture(scene))
    assert tops(table.scene)[8] in sight.unsure
    assert len(sight.unsure & set(tops(scene))) < len(tops(scene)) / 2


@pytest.mark.parametrize("hard", [0.0, 99.0])
def test_only_a_board_that_is_hardly_understood_is_explained_twice(
    table: Table, hard: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye, asked = Eye(LAYOUT, MARKERS, enrolled(ART), Tuning(hard=hard)), []
    relight = eye.reader.relight
    monkeypatch.setattr(eye.reader, "relight", lambda *args: asked.append(relight(*args)))
    sight = eye.read(table.image)
    assert bool(asked) == (hard == 0.0)
    assert {s: sight.pieces.get(s) for s in tops(table.scene)} == {
        s: table.sight.pieces.get(s) for s in tops(table.scene)
    }
    assert {s: sight.reading.tiles[s].kind for s in tops(table.scene)} == {
        s: table.scene.tiles[s].kind.replace("empty", "blank").replace("campsite", "camp_site")
        for s in tops(table.scene)
    }


def test_after_a_change_only_what_it_touched_is_compared_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = max(tops(table.scene), key=lambda s: len(table.scene.pieces.get(s, ())))
    left = {spot: pieces for spot, pieces in table.scene.pieces.items() if spot != crowd}
    image = table.renderer.picture(Scene(table.scene.tiles, left))
    reader = table.eye.reader
    touched = set(reader.affected([crowd]))
    looked: list[int] = []
    look_again = reader.look_again

    def note(image: Image, rows: Sequence[int], *args: Bare) -> None:
        looked.extend(rows)
        look_again(image, rows, *args)

    table.eye.read(table.image)
    monkeypatch.setattr(reader, "look_again", note)
    after = table.eye.read_changes(image, [crowd])
    assert touched <= set(looked)
    assert len(set(looked) - touched) < 8
    monkeypatch.undo()
    whole = table.eye.read(image)
    assert {s: after.pieces.get(s) for s in tops(table.scene)} == {s: whole.pieces.get(s) for s in tops(table.scene)}
    assert crowd not in after.pieces
    assert {s: after.reading.tiles[s].kind for s in tops(table.scene)} == {
        s: whole.reading.tiles[s].kind for s in tops(table.scene)
    }


def painted(row: int, chance: float, **colours: float) -> Candidate:
    return Candidate(row, (0.0, 0.0), chance, {f"leader.{name}": share for name, share in colours.items()})


def test_a_colour_that_the_box_has_once_goes_to_the_surer_piece() -> None:
    found = share_out([painted(1, 0.9, red=0.8, purple=0.2), painted(2, 0.9, red=0.6, purple=0.4)])
    assert {c.row: c.label for c in found} == {1: "leader.red", 2: "leader.purple"}


def test_a_second_piece_that_fits_only_a_used_colour_is_not_believed() -> None:
    found = share_out([painted(1, 0.95, red=0.999, purple=0.001), painted(2, 0.6, red=0.999, purple=0.001)])
    assert {c.row for c in found if c.chance > 0.5} == {1}


def test_a_red_piece_beside_the_red_camp_is_the_red_leader() -> None:
    camp = Candidate(1, (0.0, 0.0), 0.95, {"camp.red": 0.97, "leader.red": 0.03})
    doubtful = Candidate(2, (40.0, 0.0), 0.9, {"camp.red": 0.6, "leader.red": 0.4})
    found = share_out([doubtful, camp])
    assert {c.row: c.label for c in found if c.chance > 0.5} == {1: "camp.red", 2: "leader.red"}


def test_what_hardly_is_an_archaeologist_may_be_the_leader_that_stands_nowhere_else() -> None:
    small = Candidate(1, (0.0, 0.0), 0.6, {"archaeologist": 1.0})
    leader = replace(painted(1, 0.5, red=1.0), at_mm=(2.0, 1.0))
    (either,) = share_out(apart([small, leader]))
    assert either.labels == pytest.approx({"archaeologist": 0.6 / 1.1, "leader.red": 0.5 / 1.1})
    elsewhere = replace(painted(2, 0.9, red=1.0), at_mm=(80.0, 0.0))
    (alone,) = (c for c in share_out(apart([small, leader, elsewhere])) if c.row == 1)
    assert dict(alone.labels) == {"archaeologist": 1.0}


def test_two_white_camps_on_one_place_are_two() -> None:
    spot = Spot("snow:4,3,3")
    white = [Candidate(0, (x, 0.0), 0.95, {"camp.white": 1.0}) for x in (0.0, 12.0)]
    odds = piece_odds({0: spot}, white)[Cue(spot, "camp")]
    assert max(odds, key=odds.__getitem__) == "white+white"
    red = [Candidate(0, (x, 0.0), 0.95, {"camp.red": 1.0}) for x in (0.0, 12.0)]
    odds = piece_odds({0: spot}, red)[Cue(spot, "camp")]
    assert max(odds, key=odds.__getitem__) == "red"


def count_odds(chances: Sequence[float]) -> dict[str, float]:
    found = [Candidate(0, (0.0, 0.0), chance, {"archaeologist": 1.0}) for chance in chances]
    return piece_odds({0: Spot("snow:4,3,3")}, found)[Cue(Spot("snow:4,3,3"), "archaeologists")]


def test_counts_weigh_every_candidate() -> None:
    odds = count_odds([0.9, 0.5])
    assert sum(odds.values()) == pytest.approx(1.0)
    assert odds["0"] == pytest.approx(0.05, abs=0.01)
    assert odds["1"] == pytest.approx(0.5, abs=0.01)
    assert odds["2"] == pytest.approx(0.45, abs=0.01)
    assert count_odds([])["0"] > 0.99


def test_pieces_in_a_hole_at_the_rim_do_not_make_a_tile_of_it() -> None:
    art, hole = 3, Spot("snow:7,0,3")
    rng = np.random.default_rng(5)
    renderer = Renderer(LAYOUT, ArtSet(art), "mild", 79)
    tiles = {spot: tile for spot, tile in deal_tiles(LAYOUT, rng).items() if spot != hole}
    pieces = {
        Spot("edge.surface:7,-1,3"): ["leader.red", "archaeologist"],
        Spot("edge.surface:7,0,2"): ["archaeologist", "camp.white"],
        Spot("surface:6,0,3"): ["archaeologist"],
    }
    laid, stood = arrange(LAYOUT, tiles, pieces, renderer.condition, renderer.make, 6, ArtSet(art).prints)
    sight = Eye(LAYOUT, MARKERS, enrolled(art)).read(renderer.picture(Scene(laid, stood)))
    assert hole not in sight.reading.present
    assert sight.pieces.get(hole) is None
    assert sight.pieces[Spot("surface:6,0,3")] == ["archaeologist"]
