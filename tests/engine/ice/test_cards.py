"""Records of the components (R-CMP, R-ART-1, R-ART-2)."""

from __future__ import annotations

from companion.gamedata import shipped
from engine.games.ice import cards as c


def test_r_art_1_five_types_and_prismatic() -> None:
    assert len(c.TYPES) == 5
    assert c.ARTIFACT_KINDS[-1] == c.PRISMATIC


def test_r_art_2_anima_by_layer_and_no_shape_on_prismatics() -> None:
    assert c.artifact("harmony", "surface", 2) == c.Artifact("harmony", 1, 2)
    assert c.artifact("prismatic", "deep", 2) == c.Artifact("prismatic", 2, None)
    assert c.artifact("exalted", "deep").shape == c.UNKNOWN


def test_r_cmp_2_snow_backs_and_sixteen_fronts() -> None:
    assert sum(c.SNOW_BACK_COUNTS.values()) == 48
    assert len(c.FRONTS) == len(set(c.FRONTS)) == 16


def test_r_cmp_22_nine_decrees_one_per_type_among_them() -> None:
    assert len(c.DECREES) == 9
    assert tuple(d.type for d in c.DECREES if d.type) == c.TYPES


def test_lookups_by_id() -> None:
    data = shipped()
    assert data.guild("nurturers").id == "nurturers"
    card = data.find_logbook_card("J3")
    assert card is not None
    assert card.effect == (c.Op("place_archaeologists", where="prismatic"),)
    assert data.find_logbook_card(c.UNKNOWN) is None
