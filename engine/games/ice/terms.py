"""Words of the rulebook for places, kinds, guilds, types and cards, as sayings."""

from __future__ import annotations

from typing import Any, Final

from engine.sayings import Saying
from engine.spots import Spot

TERMS: Final[dict[str, str]] = {
    "navigators": "Navigators",
    "incandescents": "Incandescents",
    "icewalkers": "Icewalkers",
    "nurturers": "Nurturers",
    "cryoarchitects": "Cryoarchitects",
    "neutral": "neutral",
    "table": "the table",
    "empty": "empty snow",
    "tunnel": "tunnel",
    "crevasse": "crevasse",
    "nunatak": "nunatak",
    "campsite": "campsite",
    "exalted": "Exalted",
    "achievement": "Achievement",
    "philosophical": "Philosophical",
    "obliteration": "Obliteration",
    "harmony": "Harmony",
    "prismatic": "prismatic",
    "unknown": "not told",
    "termites": "Polar Termite Swarm",
    "smilodon": "Boreal Smilodon",
    "spiders": "White Spiders",
    "manta": "Ice Manta",
    "rope": "Climbing Rope",
    "sailship": "Ice Sailship",
    "wreck": "Wreck",
    "survivors": "Expedition Survivors",
    "whistle": "Storm Whistle",
    "rune": "Explosive Rune",
    "gem": "Anima Gem",
    "setup": "Setup",
    "sunrise": "Sunrise",
    "exploration": "Exploration",
    "sunset": "Sunset",
    "over": "Game over",
    "camp": "camp",
    "covered": "covered by a tile",
}
"""What people call the things that data and positions name by one word."""

LAYERS: Final[dict[str, str]] = {
    "snow": "snow {cell}",
    "surface": "surface {cell}",
    "deep": "deep {cell}",
    "azulia": "Azulia {cell}",
    "edge.surface": "upper edge {cell}",
    "edge.deep": "middle edge {cell}",
    "edge.azulia": "lower edge {cell}",
}
"""How a place of each layer is called."""

TALISMAN: Final = "Talisman ({type})"
THAT_PLACE: Final = Saying("that place")
FORBIDDEN: Final = "{rule} forbids this."


def term(word: Any) -> Any:
    """The rulebook's word for a name in the data; other values unchanged."""
    if isinstance(word, str) and word.startswith("talisman."):
        return Saying(TALISMAN, {"type": term(word.removeprefix("talisman."))})
    return Saying(TERMS[word]) if word in TERMS else word


def spot_name(spot: Spot | str) -> Saying:
    """A place as people call it: its layer and its cell."""
    layer, _, cell = str(spot).partition(":")
    return Saying(LAYERS.get(layer, "{cell}"), {"cell": cell.replace(",", "·")})
