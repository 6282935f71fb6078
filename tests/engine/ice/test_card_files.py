"""Data files of the game: every error names file, field and value (§20)."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.documents import DataError, show
from engine.games.ice import board
from engine.games.ice import card_files as f
from engine.games.ice import cards as c
from engine.spots import Spot


def valid() -> dict[str, Any]:
    """A sound document of every kind, to be spoilt in one field."""
    surface = {**{kind: [2, 2, 2] for kind in c.TYPES}, "prismatic": 7}
    deep = {**{kind: [2, 2, 1] for kind in c.TYPES}, "prismatic": 2}
    areas: list[Any] = [{"id": f"area {i}", "positions": [board.SPOTS[p]]} for i, p in enumerate(board.AZULIA)]
    areas[1]["under"] = ["deep:3,3,2"]
    return {
        "requests": {
            "format": 1,
            "note": "ours",
            "cards": [
                {"id": "a", "kind": "K1", "n": 2, "reward": 5, "copies": 2},
                {"id": "b", "kind": "K2", "n": 3, "types": ["harmony", "exalted"], "reward": 5},
                {"id": "c", "kind": "K3", "n": 2, "types": ["harmony", "exalted"], "reward": 4},
                {"id": "d", "kind": "K5", "types": ["harmony"], "rewards": [None, 5, 9]},
            ],
        },
        "logbook": {
            "format": 1,
            "cards": [
                {"id": "J1", "title": "Thaw", "icon": "tunnel", "text": "Melt.", "effect": "manual"},
                {
                    "id": "J2",
                    "title": "Storm",
                    "icon": "unknown",
                    "text": "Snow.",
                    "effect": [
                        {"op": "place_archaeologists", "where": "nunatak"},
                        {"op": "return_snow", "count": 3, "by": "each"},
                        {"op": "discard_tile", "where": "crevasse"},
                        {"op": "gain_rp", "count": 1},
                    ],
                },
            ],
        },
        "guilds": {"format": 1, "guilds": [{"id": "navigators", "start_rp": 3, "colour": "#0080ff"}]},
        "snow_fronts": {"format": 1, "counts": dict.fromkeys(c.FRONTS, 3)},
        "artifacts": {"format": 1, "surface": surface, "deep": deep},
        "azulia": {
            "format": 1,
            "areas": areas,
            "adjacent": [["area 0", "area 1"]],
            "icons": [{"id": "palace", "under": ["deep:3,3,2"]}],
        },
    }


PARSE = {
    "requests": f.parse_requests,
    "logbook": f.parse_logbook,
    "guilds": f.parse_guilds,
    "snow_fronts": f.parse_snow_fronts,
    "artifacts": f.parse_artifacts,
    "azulia": f.parse_azulia,
}


def spoil(doc: Any, path: str, value: Any) -> None:
    """Set the field at a path such as `cards.0.kind`; GONE removes it."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        doc = doc[step]
    if value is GONE:
        del doc[last]
    else:
        doc[last] = value


GONE = object()
NESTED: Any = []
for _ in range(100_000):
    NESTED = [NESTED]


@pytest.mark.parametrize("part", PARSE)
def test_a_sound_document_is_read(part: str) -> None:
    PARSE[part](valid()[part])


def test_records_of_a_document() -> None:
    deck = f.parse_requests(valid()["requests"])
    assert deck.find("a") == c.Request("a", "K1", 2, (), (5,), 2)
    assert deck.find("d") == c.Request("d", "K5", 2, ("harmony",), (None, 5, 9))
    assert deck.find(c.UNKNOWN) is None
    program = f.parse_logbook(valid()["logbook"]).cards[1].effect
    assert program is not None
    assert program[1] == c.Op("return_snow", count=3, by="each")
    azulia = f.parse_azulia(valid()["azulia"])
    assert azulia.icons == (c.Icon("palace", (Spot("deep:3,3,2"),)),)
    assert azulia.adjacent == (("area 0", "area 1"),)


def test_a_stand_in_mark_of_the_file_holds_for_records_that_say_nothing() -> None:
    doc = valid()["requests"]
    doc["stand_in"] = True
    doc["cards"][1]["stand_in"] = False
    assert [card.stand_in for card in f.parse_requests(doc).cards] == [True, False, True, True]


def test_areas_of_several_positions_touch_where_their_positions_touch() -> None:
    doc = valid()["azulia"]
    positions = [area["positions"][0] for area in doc["areas"]]
    doc["areas"] = [{"id": "west", "positions": positions[:9]}, {"id": "east", "positions": positions[9:]}]
    del doc["adjacent"]
    doc["areas"][0]["under"] = ["deep:3,3,2"]
    azulia = f.parse_azulia(doc)
    assert azulia.adjacent == (("east", "west"),)
    assert azulia.areas[0].under == ("deep:3,3,2",)
    assert len(azulia.areas[1].under) > 9


# part, field to spoil, its new value, problem named there ("at" = named elsewhere)
ERRORS: list[tuple[str, str, Any, str]] = [
    # every file
    ("requests", "format", 2, "expected 1, got 2"),
    ("requests", "format", True, "expected 1, got true"),
    ("requests", "format", GONE, "missing field"),
    ("requests", "card", [], "unknown field; did you mean cards?"),
    ("requests", "zzz", [], "unknown field; known fields are format, cards, stand_in, note, complete"),
    ("requests", "stand_in", 1, "expected true or false, got 1"),
    ("requests", "note", "", "expected a text of 1 to 2000 characters, got ''"),
    ("requests", "cards", {}, "expected a list of 0 to 1000, got an object with 0 fields"),
    ("requests", "cards", [{}] * 1001, "expected a list of 0 to 1000, got a list of 1001"),
    ("requests", "cards.0", NESTED, "expected an object, got a list of 1"),
    # requests
    ("requests", "cards.3.kind", "K9", "expected one of K1..K6, got 'K9'"),
    ("requests", "cards.3.kind", NESTED, "expected one of K1..K6, got a list of 1"),
    ("requests", "cards.0.id", "unknown", "'unknown' is reserved for cards that nobody has told"),
    ("requests", "cards.0.id", "x" * 99, f"expected a text of 1 to 60 characters, got '{'x' * 60}'... (99 characters)"),
    ("requests", "cards.1.id", "a", "at cards[1]: 'a' is there twice"),
    ("requests", "cards.0.n", 0, "expected a whole number from 1 to 20, got 0"),
    ("requests", "cards.0.n", 10**5000, "expected a whole number from 1 to 20, got a huge number"),
    ("requests", "cards.0.n", 2.0, "expected a whole number from 1 to 20, got 2.0"),
    ("requests", "cards.0.n", True, "expected a whole number from 1 to 20, got true"),
    ("requests", "cards.0.n", None, "expected a whole number from 1 to 20, got null"),
    ("requests", "cards.0.n", GONE, "at cards[0]: missing field n, which kind K1 needs"),
    ("requests", "cards.2.n", 3, "expected a whole number from 1 to 2, got 3"),
    ("requests", "cards.0.types", ["harmony"], "kind K1 has no such field"),
    ("requests", "cards.1.types", ["harmony"], "expected a list of 2 to 5, got a list of 1"),
    ("requests", "cards.3.types", ["harmony"] * 2, "expected a list of 1, got a list of 2"),
    ("requests", "cards.1.types.1", "harmony", "'harmony' is there twice"),
    ("requests", "cards.1.types.1", "prismatic", f"expected one of {', '.join(c.TYPES)}, got 'prismatic'"),
    ("requests", "cards.0.reward", -1, "expected a whole number from 0 to 50, got -1"),
    ("requests", "cards.3.n", 2, "kind K5 has no such field"),
    ("requests", "cards.3.rewards", [5, 9], "expected a list of 3, got a list of 2"),
    ("requests", "cards.3.rewards", [None] * 3, "some number of shapes must have a reward"),
    ("requests", "cards.0.copies", 55, "expected a whole number from 1 to 54, got 55"),
    ("requests", "complete", True, "4 different request cards, the box has 41"),
    # logbook
    ("logbook", "complete", True, "2 logbook cards, the box has 10"),
    ("logbook", "cards.0.icon", "ice", f"expected one of {', '.join(c.SNOW_BACKS)}, unknown, got 'ice'"),
    ("logbook", "cards.0.text", GONE, "missing field"),
    ("logbook", "cards.0.effect", "auto", "expected 'manual' or a list of steps, got 'auto'"),
    ("logbook", "cards.1.effect", [], "expected a list of 1 to 10, got a list of 0"),
    ("logbook", "cards.1.effect.0", "melt", "expected an object with the field op, got 'melt'"),
    ("logbook", "cards.1.effect.0.op", "melt", f"expected one of {', '.join(f.OPS)}, got 'melt'"),
    ("logbook", "cards.1.effect.0.by", "each", "unknown field; known fields are op, where, count"),
    ("logbook", "cards.1.effect.0.where", GONE,
     "at cards[1].effect[0]: missing field where, which place_archaeologists needs"),
    ("logbook", "cards.1.effect.1.by", "all", "expected one of first, each, got 'all'"),
    ("logbook", "cards.1.effect.1.count", 49, "expected a whole number from 1 to 48, got 49"),
    # guilds
    ("guilds", "guilds.0.id", "nomads", f"expected one of {', '.join(c.GUILDS)}, got 'nomads'"),
    ("guilds", "guilds.0.start_rp", 36, "expected a whole number from 0 to 35, got 36"),
    ("guilds", "guilds.0.colour", "blue", "expected a colour as #rrggbb, or 'unknown', got 'blue'"),
    # snow fronts
    ("snow_fronts", "counts.gem", GONE, "missing field"),
    ("snow_fronts", "counts.gem", 4, "at counts: fronts add up to 49, the box has 48 snow tiles"),
    ("snow_fronts", "counts.gems", 0, "unknown field; did you mean gem?"),
    # artifacts
    ("artifacts", "surface.harmony", [2, 2, 3], "at surface: tiles of the five types add up to 31, the box has 30"),
    ("artifacts", "deep.prismatic", 3, "expected 2, as many as the box has, got 3"),
    ("artifacts", "deep.exalted", [5], "expected a list of 3, got a list of 1"),
    # azulia
    ("azulia", "areas.0.positions.0", "deep:1", "expected an Azulia position such as azulia:2,2,3, got 'deep:1'"),
    ("azulia", "areas.0.positions", [], "expected a list of 1 to 1000, got a list of 0"),
    ("azulia", "areas.0", GONE, "at areas: no area has position azulia:0,3,4; every one of the 18 needs exactly one"),
    ("azulia", "areas.1.positions", ["azulia:0,3,4"],
     "at areas[1]: position azulia:0,3,4 belongs to area 'area 0' already"),
    ("azulia", "areas.1.under.0", "azulia:0,3,4", "expected a deep spot such as deep:3,3,2, got 'azulia:0,3,4'"),
    ("azulia", "adjacent.0.1", "area 0", "at adjacent[0]: area 'area 0' cannot be adjacent to itself"),
    ("azulia", "adjacent.0.1", "nowhere", "expected the id of an area, got 'nowhere'"),
    ("azulia", "adjacent", [["area 0", "area 1"], ["area 1", "area 0"]], "at adjacent[1]: a list of 2 is there twice"),
    ("azulia", "icons.0.under.0", "snow:4,3,3", "expected a deep spot such as deep:3,3,2, got 'snow:4,3,3'"),
]  # fmt: skip


NUMBERED = [f"{part}-{i}" for i, (part, *_) in enumerate(ERRORS)]


@pytest.mark.parametrize(("part", "path", "value", "problem"), ERRORS, ids=NUMBERED)
def test_an_error_names_file_field_and_value(part: str, path: str, value: Any, problem: str) -> None:
    doc = valid()[part]
    spoil(doc, path, value)
    if path == "areas.0":
        del doc["adjacent"]
    with pytest.raises(DataError) as caught:
        PARSE[part](doc, f"{part}.json")
    field = re.sub(r"\.(\d+)", r"[\1]", path)
    where = problem.removeprefix("at ") if problem.startswith("at ") else f"{field}: {problem}"
    assert str(caught.value) == f"{part}.json: {where}"


def test_unknown_copies_and_icons_are_explicit() -> None:
    requests, azulia = valid()["requests"], valid()["azulia"]
    requests["cards"][0]["copies"] = requests["cards"][0]["reward"] = azulia["icons"] = c.UNKNOWN
    card = f.parse_requests(requests).cards[0]
    assert (card.copies, card.rewards) == (c.UNKNOWN, (c.UNKNOWN,))
    assert f.parse_azulia(azulia).icons is None
    requests["complete"] = True
    with pytest.raises(DataError, match="copies of 1 request cards are unknown"):
        f.parse_requests(requests)


FIELDS = st.sampled_from(["format", "cards", "guilds", "counts", "areas", "id", "kind"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
)


@pytest.mark.parametrize("part", PARSE)
@given(ANYTHING)
def test_whatever_is_given_only_a_data_error_comes_out(part: str, doc: Any) -> None:
    with contextlib.suppress(DataError):
        PARSE[part](doc)


@given(st.data(), st.sampled_from(sorted(PARSE)))
def test_one_spoilt_field_gives_a_record_or_a_data_error(data: st.DataObject, part: str) -> None:
    doc = valid()[part]
    node: Any = doc
    while True:
        step = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        inner = node[step]
        if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
            node = inner
            continue
        node[step] = data.draw(st.sampled_from([None, True, -1, 10**40, 1.5, "", "unknown", "x", [], {}, [[]], NESTED]))
        break
    with contextlib.suppress(DataError):
        PARSE[part](doc)


def test_show_says_any_value_in_a_few_words() -> None:
    assert [show(v) for v in (False, "a", 7, 1.5, (1,), {"a": 1}, object())] == [
        "false", "'a'", "7", "1.5", "a list of 1", "an object with 1 fields", "object",
    ]  # fmt: skip
