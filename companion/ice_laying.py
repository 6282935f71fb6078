"""The board of a new game is laid out: which layer comes next, what is missing or wrong, which tiles lie where.

Nobody tells how a shuffled board lies: the camera reads every layer while it can be seen, and what was learnt goes to
the journal as soon as a layer is complete. Then the pieces follow, and the game begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import lights as roles
from engine.games.ice import Ice
from engine.games.ice.board import CENTRAL, COVERS, INDEX, LAYER, SNOW, SPOTS, TILE_COUNT, TILE_LAYERS
from engine.games.ice.following import HERE, TILE, TURN, YES
from engine.games.ice.state import CAMPSITE, KIND, KIND_NAMES, UNKNOWN_KIND, UNKNOWN_TURN, State
from engine.games.ice.terms import spot_name, term
from engine.lights import Light
from engine.sayings import Saying
from engine.sighting import Sighting
from engine.spots import Cue

ORDER: Final = tuple(reversed(TILE_LAYERS))
"""The layers in the order in which they are laid."""
TITLES: Final = {
    "deep": Saying("Lay out the deep layer"),
    "surface": Saying("Lay out the surface layer"),
    "snow": Saying("Lay out the snow layer"),
    "pieces": Saying("Archaeologists and the white camp"),
}
"""The steps of setting a game up."""
HOW: Final = {
    "deep": Saying("Shuffle the 27 deep artifacts and lay them face down on the lit places."),
    "surface": Saying("Shuffle the 37 surface artifacts and lay them face down on the lit places."),
    "snow": Saying("Lay the campsite on one of the three places in the middle and the other 47 snow tiles at random."),
}
MOST_NAMED: Final = 8
"""Places that are named in words; more are only counted and lit."""


def is_unlaid(state: State) -> bool:
    """Whether nobody knows yet how the snow of this board lies; where the campsite is supposed does not count."""
    return sum(state.tiles[place] not in (UNKNOWN_KIND, CAMPSITE) for place in SNOW) == 0


class Laying:
    """What is known of a board that is being laid out."""

    def __init__(self, game: Ice) -> None:
        self.game = game
        self.layer = ORDER[0]
        """The layer that comes next; empty when all of them lie."""
        self.known: dict[int, tuple[int, int]] = {}
        """Kind and turn of every tile that was seen lying, also of those that are covered by now."""
        self.told: dict[int, int] = {}
        """Kinds that the players know better than the camera."""
        self.missing: tuple[int, ...] = tuple(place for place in range(TILE_COUNT) if LAYER[place] == self.layer)
        self.early: tuple[int, ...] = ()
        """Tiles of a layer whose turn has not come."""
        self.astray: tuple[int, ...] = ()
        """The campsite where it does not belong."""

    # ------------------------------------------------------------------ what the eye saw

    def see(self, sighting: Sighting) -> None:
        """Take in a settled sighting."""
        lying = self._lying(sighting)
        for place in range(TILE_COUNT):
            if not lying[place]:
                self.known.pop(place, None)
                self.told.pop(place, None)
            elif (kind := sighting.best(Cue(SPOTS[place], TILE))) in KIND:
                turn = sighting.best(Cue(SPOTS[place], TURN))
                self.known[place] = (
                    KIND[kind],
                    int(turn) if turn is not None else self.known.get(place, (0, UNKNOWN_TURN))[1],
                )
        self.known |= {place: (kind, self.known.get(place, (0, UNKNOWN_TURN))[1]) for place, kind in self.told.items()}
        self._judge(lying)

    def _lying(self, sighting: Sighting) -> list[bool]:
        """Whether a tile lies on each place; one that cannot be seen lies if something lies on it."""
        lying = [False] * TILE_COUNT
        for place in range(TILE_COUNT):  # snow first: it covers the others
            here = sighting.best(Cue(SPOTS[place], HERE))
            lying[place] = any(lying[cover] for cover in COVERS[place]) if here is None else here == YES
        return lying

    def _judge(self, lying: Sequence[bool]) -> None:
        """Which layer comes next, and what is in the way."""
        gaps = {layer: _in(layer, [i for i, lies in enumerate(lying) if not lies]) for layer in ORDER}
        self.layer = next((layer for layer in ORDER if gaps[layer]), "")
        self.missing = gaps.get(self.layer, ())
        higher = ORDER[ORDER.index(self.layer) + 1 :] if self.layer else ()
        self.early = tuple(i for i, lies in enumerate(lying) if lies and LAYER[i] in higher)
        sites = [place for place in SNOW if self.known.get(place, (0, 0))[0] == CAMPSITE]
        self.astray = tuple(site for site in sites if site not in CENTRAL)
        if not self.layer and (self.astray or len(sites) != 1):
            self.layer = ORDER[-1]

    # ------------------------------------------------------------------ what follows from it

    @property
    def is_done(self) -> bool:
        """Whether every tile lies, with the campsite where it belongs."""
        return not self.layer

    def learnt(self, state: State) -> State | None:
        """The start of the game with the tiles of every complete layer; None when the belief has them already."""
        complete = ORDER if self.is_done else ORDER[: ORDER.index(self.layer)]
        tiles, turns = bytearray(state.tiles), bytearray(state.turns)
        if self.is_done:
            tiles[: SNOW.stop] = bytes([UNKNOWN_KIND]) * len(SNOW)
        for place, (kind, turn) in self.known.items():
            if LAYER[place] in complete:
                tiles[place], turns[place] = kind, turn
        if bytes(tiles) == state.tiles:
            return None
        return self.game.start(bytes(tiles), bytes(turns), state.first)

    def tell(self, tiles: Mapping[str, Mapping[str, Any] | None]) -> None:
        """The players say what lies somewhere."""
        for spot, tile in tiles.items():
            place = INDEX.get(spot, TILE_COUNT)  # type: ignore[call-overload]
            if tile is not None and place < TILE_COUNT and tile.get("kind") in KIND:
                self.told[place] = KIND[tile["kind"]]

    # ------------------------------------------------------------------ what is shown

    def version(self) -> tuple[object, ...]:
        """Changes when anything changes that is shown."""
        return (self.layer, self.missing, self.early, self.astray, frozenset(self.known.items()))

    def lights(self) -> dict[Any, Light]:
        """Where tiles of the next layer go, and which have to go away."""
        lit = {SPOTS[place]: Light(roles.PUT_HERE) for place in self.missing}
        if self.astray or (self.layer == ORDER[-1] and not self.missing):
            lit |= {SPOTS[place]: Light(roles.PUT_HERE) for place in CENTRAL}
        return lit | {SPOTS[place]: Light(roles.TAKE_AWAY) for place in (*self.early, *self.astray)}

    def say(self) -> list[Saying]:
        """What to do next, in words."""
        if not self.layer:
            return []
        if self.early:
            facts = {"count": len(self.early), "places": _names(self.early)}
            return [
                Saying("{count} {count:tile is|tiles are} there too early; take {count:it|them} off again:", facts),
                *([Saying("Take the tile off {place}.", {"place": place}) for place in _names(self.early)]),
            ]
        count = sum(1 for layer in LAYER[:TILE_COUNT] if layer == self.layer)
        said = [HOW[self.layer]]
        if count > len(self.missing) > 0:
            said.append(
                Saying("{laid} of {count} tiles can be seen.", {"laid": count - len(self.missing), "count": count})
            )
        if 0 < len(self.missing) <= MOST_NAMED:
            said += [Saying("A tile is missing on {place}.", {"place": place}) for place in _names(self.missing)]
        return [*said, *self._about_the_campsite()]

    def _about_the_campsite(self) -> list[Saying]:
        if self.astray:
            facts = {"place": spot_name(SPOTS[self.astray[0]])}
            return [Saying("The campsite lies on {place}; it belongs on one of the three places in the middle.", facts)]
        if self.layer == ORDER[-1] and not self.missing:
            return [Saying("The campsite cannot be found in the middle; tap the tile that it is and correct it.")]
        return []

    def tiles(self) -> dict[str, dict[str, Any]]:
        """The tiles that lie, in the form of a position."""
        lying = set(range(TILE_COUNT)) - set(self.missing)
        if self.layer:
            higher = ORDER[ORDER.index(self.layer) + 1 :]
            lying -= {place for place in lying if LAYER[place] in higher and place not in self.early}
        return {str(SPOTS[place]): self._tile(place) for place in sorted(lying)}

    def _tile(self, place: int) -> dict[str, Any]:
        kind, turn = self.known.get(place, (UNKNOWN_KIND, UNKNOWN_TURN))
        return {"kind": KIND_NAMES[kind], **({"rotation": turn} if turn != UNKNOWN_TURN else {})}


def steps(now: str) -> list[dict[str, Any]]:
    """The steps of setting a game up, those before `now` done."""
    order = list(TITLES)
    return [{"say": TITLES[step], "done": order.index(step) < order.index(now), "now": step == now} for step in order]


def reminders(game: Ice, state: State) -> list[Saying]:
    """What every player takes before the first turn; no camera sees it."""
    options, guilds = game.box.options, game.box.guilds
    said = [Saying("Everybody keeps leader and camp of the own guild beside the board.")]
    if options.guild_abilities:
        own = {
            "incandescents": Saying("Incandescents: lay the activation token on its place."),
            "icewalkers": Saying("Icewalkers: lay both hook tokens on their places, ready side up."),
            "nurturers": Saying("Nurturers: stand 2 archaeologists of the supply on the guild board."),
        }
        said += [own[guild] for guild in guilds if guild in own]
    said += [
        Saying("{guild}: {count} RP {count:token|tokens}.", {"guild": term(seat.guild), "count": seat.rp})
        for seat in state.seats
    ]
    if options.fluid_tokens:
        said.append(Saying("Everybody takes {count} fluid-move {count:token|tokens}.", {"count": options.fluid_tokens}))
    facts = {"dealt": options.dealt_requests, "kept": options.kept_requests}
    said.append(Saying("Deal {dealt} requests to everybody; {kept} are kept in secret.", facts))
    said.append(Saying("First player: {guild}.", {"guild": term(guilds[state.first])}))
    return said


def _in(layer: str, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(place for place in places if LAYER[place] == layer)


def _names(places: Sequence[int]) -> list[Saying]:
    return [spot_name(SPOTS[place]) for place in places[:MOST_NAMED]]
