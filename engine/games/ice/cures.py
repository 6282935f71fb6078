"""What to put where so that the board is right again, as sentences."""

from __future__ import annotations

from typing import Final

from engine.games.ice.following import ARCHAEOLOGISTS, CAMP, HERE, LEADERS, NO, TILE
from engine.games.ice.sights import NONE
from engine.games.ice.terms import spot_name, term
from engine.sayings import Saying
from engine.spots import Label, Spot

GONE: Final = Saying("nothing")


def cure(spot: Spot, kind: str, wanted: Label, seen: Label) -> Saying:
    """How one thing at a spot is put right: what belongs there instead of what is seen."""
    place = spot_name(spot)
    if kind == HERE:
        if wanted == NO:
            return Saying("Take the tile off {place}.", {"place": place})
        return Saying("Put the tile of {place} back.", {"place": place})
    if kind == TILE:
        facts = {"place": place, "kind": term(wanted), "seen": term(seen)}
        return Saying("On {place} belongs {kind}, not {seen}.", facts)
    if kind == ARCHAEOLOGISTS:
        facts = {"place": place, "count": int(wanted), "seen": int(seen)}
        return Saying(
            "{count} {count:archaeologist belongs|archaeologists belong} on {place}; {seen} can be seen there.", facts
        )
    if kind == LEADERS:
        facts = {"place": place, "wanted": _guilds(wanted), "seen": _guilds(seen)}
        return Saying("Leaders on {place}: {wanted}; {seen} can be seen there.", facts)
    if kind == CAMP:
        facts = {"place": place, "wanted": _guilds(wanted), "seen": _guilds(seen)}
        return Saying("Camp on {place}: {wanted}; {seen} can be seen there.", facts)
    return Saying("Turn the tile of {place} as it lay.", {"place": place})


def _guilds(label: Label) -> list[Saying]:
    return [GONE] if label == NONE else [term(guild) for guild in label.split("+")]
