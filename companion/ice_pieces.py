"""How pictures name the pieces and tiles of I C E, and how many of each painted piece the box holds."""

from __future__ import annotations

from typing import Final

from engine.games.ice.position_board import NEUTRAL_CAMPS

COLOURS: Final = {
    "navigators": "blue",
    "incandescents": "red",
    "icewalkers": "purple",
    "nurturers": "green",
    "cryoarchitects": "yellow",
    "neutral": "white",
}
"""The paint of each guild's pieces, and of the camps of nobody."""

RULE_NAMES: Final = {
    "blank": "empty",
    "camp_site": "campsite",
    **{colour: guild for guild, colour in COLOURS.items()},
}
"""Labels of pictures that the rules call otherwise."""

MOST: Final = {
    **{f"{kind}.{guild}": 1 for kind in ("leader", "camp") for guild in COLOURS if guild != "neutral"},
    "camp.neutral": NEUTRAL_CAMPS,
}
"""How many of each painted piece there are, as the rules call them."""
