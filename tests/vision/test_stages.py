"""The stages of the eye as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from companion.picture_sets import table_layout
from tests.vision.sheet import MARKERS, draw_sheet, make_view
from vision.stages import STAGES, Looked, Stage, look_through, make_stages
from vision.view import Image

LAYOUT = table_layout()


def names(image: Image) -> tuple[Looked, dict[str, Image]]:
    looked = look_through(image, LAYOUT, MARKERS)
    return looked, dict(make_stages(looked))


def test_a_located_board_reaches_the_light() -> None:
    image = draw_sheet(make_view())
    looked, drawn = names(image)
    assert looked.trouble is None
    assert list(drawn)[:3] == ["01-picture", "02-markers", "03-view"]
    assert [name.split("-", 1)[1] for name in drawn][-1] == "light"
    assert (drawn["01-picture"] == image).all()
    assert (drawn["02-markers"] != image).any()
    assert (drawn["03-view"] != drawn["01-picture"]).any()
    assert all(picture.dtype == np.uint8 and picture.ndim == 3 for picture in drawn.values())


def test_layers_are_seen_from_above_at_their_own_height() -> None:
    _, drawn = names(draw_sheet(make_view(tilt_deg=15)))
    layers = [picture for name, picture in drawn.items() if "layer" in name]
    assert len(layers) == len(LAYOUT.layers)
    assert {layer.shape for layer in layers} == {layers[0].shape}
    width, height = LAYOUT.size_mm
    assert layers[0].shape[1] / layers[0].shape[0] == pytest.approx(width / height, rel=0.01)


def test_the_light_is_as_bright_as_the_paper() -> None:
    _, drawn = names(draw_sheet(make_view()))
    light = next(picture for name, picture in drawn.items() if name.endswith("light"))
    assert 225 <= light.mean() <= 240, "the sheet's paper is drawn with 235"


@pytest.mark.parametrize(
    ("image", "reason", "last"),
    [
        (np.zeros((960, 1280, 3), np.uint8), "dark", "02-markers"),
        (np.full((960, 1280, 3), 130, np.uint8), "no_marker", "02-markers"),
        (draw_sheet(make_view(), hidden=(0, 1, 3)), "one_marker", "02-markers"),
        (np.full((1, 1, 3), 200, np.uint8), "too_small", "02-markers"),
    ],
)
def test_what_cannot_be_located_is_drawn_as_far_as_it_came(image: Image, reason: str, last: str) -> None:
    looked, drawn = names(image)
    assert looked.trouble is not None
    assert looked.trouble.reason == reason
    assert list(drawn)[-1] == last


def test_others_can_add_a_stage() -> None:
    looked, _ = names(draw_sheet(make_view()))
    more = (*STAGES, Stage("halves", lambda looked: looked.image[::2, ::2]))
    assert [name for name, _ in make_stages(looked, more)][-1] == f"{len(more):02}-halves"
