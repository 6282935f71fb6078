"""Answers about a position: the cost a player would really pay."""

from companion.answers import dig_answer, game_of
from engine.games.ice.board import INDEX
from engine.games.ice.position import read_position
from engine.spots import Spot


def test_r_cryo_1_the_discount_counts_in_the_answer() -> None:
    """V-9: a surface artifact with the Cryoarchitects' camp and two explorers costs nothing."""
    spot = "surface:3,3,3"
    position = {
        "format": 1,
        "game": "ice",
        "options": {"players": 3},
        "day": 2,
        "phase": "exploration",
        "to_act": "cryoarchitects",
        "first_player": "navigators",
        "turn": {"spent": 0, "overwork": False},
        "tiles": {
            spot: {"kind": "harmony"},
            **{f"deep:{cell}": {"kind": "exalted"} for cell in ("2,3,3", "3,2,3", "3,3,2")},
        },
        "pieces": {spot: {"archaeologists": 1, "leaders": ["cryoarchitects"], "camp": "cryoarchitects"}},
        "seats": [{"guild": "cryoarchitects", "ep": 4}, {"guild": "navigators"}, {"guild": "nurturers"}],
    }
    state, options = read_position(position)
    game = game_of(options, tuple(seat.guild for seat in state.seats))
    answer = dig_answer(game, state, INDEX[Spot(spot)])
    assert (answer["legal"], answer["cost"]) == (True, 0)
    assert answer["breakdown"]["discount"] == 1
    assert "Cryoarchitects" in answer["say"]
