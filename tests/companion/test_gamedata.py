"""Shipped data and an owner's corrections (§20)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.gamedata import PARTS, decode, load, shipped
from engine.documents import DataError
from engine.games.ice.cards import TALISMANS, TYPES, UNKNOWN


def write(folder: Path, part: str, doc: Any) -> Path:
    path = folder / f"{part}.json"
    path.write_text(doc if isinstance(doc, str) else json.dumps(doc), encoding="utf-8")
    return path


def fault(folder: Path) -> str:
    with pytest.raises(DataError) as caught:
        load(folder)
    return str(caught.value).replace(f"{folder}/", "")


def test_q_1_to_q_12_every_shipped_part_is_marked_as_a_stand_in() -> None:
    assert load().stand_ins == PARTS


def test_q_1_azulia_has_18_areas_and_unknown_icons() -> None:
    azulia = shipped().azulia
    assert len(azulia.areas) == 18
    assert azulia.icons is None
    assert all(len(area.under) == 3 for area in azulia.areas)
    # Euler: 18 positions and 22 triangles of neighbours make 39 borders.
    assert len(azulia.adjacent) == 18 + 22 - 1


def test_q_2_guilds_start_with_two_rp_and_unknown_colours() -> None:
    assert [(g.start_rp, g.colour) for g in shipped().guilds] == [(2, UNKNOWN)] * 5


def test_q_3_ten_logbook_cards_five_titles_two_programs() -> None:
    cards = shipped().logbook
    assert len(cards) == 10
    titles = {card.title for card in cards} - {UNKNOWN}
    assert titles == {"Blizzard", "Something's coming", "Snowstorm", "Merchant caravan", "Helping hands"}
    assert [card.id for card in cards if not card.is_manual] == ["J3", "J5"]
    assert {card.icon for card in cards} == {UNKNOWN}


def test_q_4_six_example_requests_one_of_each_kind() -> None:
    cards = shipped().requests.cards
    assert [card.kind for card in cards] == ["K1", "K2", "K3", "K4", "K5", "K6"]
    assert cards[4].rewards == (UNKNOWN, 5, 9)
    assert [card.id for card in cards if card.stand_in] == ["shapes-achievement"]
    assert any("copies" in warning for warning in load().warnings)


def test_q_11_fronts_add_up_to_48() -> None:
    fronts = shipped().fronts.tiles()
    assert len(fronts) == 48
    assert fronts.count("rune") == 3
    assert [fronts.count(name) for name in TALISMANS] == [1] * 5
    assert fronts.count("gem") == fronts.count("termites") == 4


def test_q_12_artifacts_add_up_to_37_and_27() -> None:
    artifacts = shipped().artifacts
    assert [len(artifacts.tiles("surface")), len(artifacts.tiles("deep"))] == [37, 27]
    for kind in TYPES:
        assert [t.shape for t in artifacts.tiles("surface") if t.kind == kind] == [1, 1, 2, 2, 3, 3]
        assert [(t.shape, t.anima) for t in artifacts.tiles("deep") if t.kind == kind] == [
            *[(1, 2)] * 2,
            *[(2, 2)] * 2,
            (3, 2),
        ]
    assert {t.shape for t in artifacts.tiles("deep") if t.kind == "prismatic"} == {None}


def test_an_empty_folder_changes_nothing(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.data == shipped()
    assert loaded.from_owner == ()


def test_an_owners_record_replaces_the_shipped_one_of_that_id(tmp_path: Path) -> None:
    write(tmp_path, "guilds", {"format": 1, "guilds": [{"id": "nurturers", "start_rp": 3, "colour": "#00FF7f"}]})
    loaded = load(tmp_path)
    guild = loaded.data.guild("nurturers")
    assert (guild.start_rp, guild.colour, guild.stand_in) == (3, "#00ff7f", False)
    assert loaded.data.guild("navigators").stand_in
    assert loaded.from_owner == ("guilds",)
    assert "guilds" in loaded.stand_ins


def test_all_guilds_told_are_no_stand_in_any_more(tmp_path: Path) -> None:
    guilds = [{"id": guild.id, "start_rp": 1} for guild in shipped().guilds]
    write(tmp_path, "guilds", {"format": 1, "guilds": guilds})
    assert "guilds" not in load(tmp_path).stand_ins


def test_a_new_request_joins_the_examples_with_a_warning(tmp_path: Path) -> None:
    card = {"id": "mine", "kind": "K6", "n": 2, "types": ["harmony"], "reward": 3}
    write(tmp_path, "requests", {"format": 1, "cards": [card]})
    loaded = load(tmp_path)
    assert len(loaded.data.requests.cards) == 7
    assert loaded.data.requests.find("mine") is not None
    assert any(warning.startswith("requests.json") for warning in loaded.warnings)


def complete_requests(copies: int) -> dict[str, Any]:
    cards = [{"id": f"c{i}", "kind": "K1", "n": 1, "reward": 2, "copies": 1} for i in range(40)]
    cards.append({"id": "last", "kind": "K1", "n": 2, "reward": 4, "copies": copies})
    return {"format": 1, "complete": True, "cards": cards}


def test_a_complete_deck_replaces_the_examples(tmp_path: Path) -> None:
    write(tmp_path, "requests", complete_requests(14))
    loaded = load(tmp_path)
    assert len(loaded.data.requests.cards) == 41
    assert "requests" not in loaded.stand_ins


def test_r_cmp_23_a_deck_claimed_complete_must_add_up(tmp_path: Path) -> None:
    write(tmp_path, "requests", complete_requests(13))
    assert fault(tmp_path) == "requests.json: complete: copies add up to 53, the box has 54"


def test_an_eleventh_logbook_card_is_a_warning(tmp_path: Path) -> None:
    card = {"id": "mine", "title": "Thaw", "icon": "tunnel", "text": "One RP each.", "effect": "manual"}
    write(tmp_path, "logbook", {"format": 1, "cards": [card]})
    assert any("11 logbook cards" in warning for warning in load(tmp_path).warnings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "requests.json: not valid JSON: Expecting property name"),
        ('{"format": 1, "format": 1}', "requests.json: the key 'format' stands twice in one object"),
        ('{"format": NaN}', "requests.json: NaN is not a number that JSON knows"),
        ("[" * 200_000, "requests.json: nested more than"),
        ("9" * 9_000, "requests.json: not valid JSON: a number is too long"),
        (" " * 1_000_001, "requests.json: more than the 1000000 bytes that are read"),
    ],
    ids=["broken", "double", "nan", "nested", "digits", "huge"],
)
def test_text_that_is_not_sound_json(tmp_path: Path, text: str, expected: str) -> None:
    write(tmp_path, "requests", text)
    assert fault(tmp_path).startswith(expected)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(DataError, match=r"x\.json: not UTF-8 text"):
        decode(b'"\xff\xfe\xff"', "x.json")


def test_a_misspelled_file_name_is_told(tmp_path: Path) -> None:
    write(tmp_path, "request", {})
    assert fault(tmp_path).startswith("request.json: not a data file of this game; known are azulia.json")


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        load(tmp_path / "nowhere")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "guilds.json").mkdir()
    assert fault(tmp_path).startswith("guilds.json: cannot be read")


def test_the_examples_of_the_documentation_are_sound(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    examples = [block.split("```")[0] for block in text.split("```json\n")[1:]]
    assert len(examples) == 2
    for part, example in zip(("requests", "logbook"), examples, strict=True):
        write(tmp_path, part, example)
    loaded = load(tmp_path)
    assert loaded.from_owner == ("logbook", "requests")
    card = loaded.data.find_logbook_card("J5")
    assert card is not None
    assert card.icon == "nunatak"


def test_a_box_that_is_told_completely_leaves_no_warning(tmp_path: Path) -> None:
    write(tmp_path, "requests", complete_requests(14))
    cards = [{"id": f"c{i}", "title": "t", "icon": "tunnel", "text": "x", "effect": "manual"} for i in range(10)]
    write(tmp_path, "logbook", {"format": 1, "complete": True, "cards": cards})
    areas = [{"id": area.id, "positions": list(area.positions)} for area in shipped().azulia.areas]
    write(tmp_path, "azulia", {"format": 1, "areas": areas, "icons": []})
    loaded = load(tmp_path)
    assert loaded.warnings == ()
    assert loaded.stand_ins == ("guilds", "snow_fronts", "artifacts")
