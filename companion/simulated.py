"""The simulated table of I C E: a drawn board with hands, enrolled the way an owner enrols a real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.ice_pieces import COLOURS, RULE_NAMES
from companion.picture_sets import recognised, table_layout
from companion.table_eye import BoardReader, TableEye
from companion.virtual_hands import carry_out
from companion.virtual_stock import HandsCannot, any_unknown, position_tiles, visible_pieces
from companion.virtual_table import VirtualTable
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.following import PLAIN
from engine.games.ice.position import write_position
from engine.games.ice.state import State
from engine.games.ice.terms import spot_name
from engine.spots import Cue, Spot
from vision.enrolment import Enrolment, enrol_ground, enrol_layer
from vision.locate import locate
from vision.looks.ice.art import ArtSet
from vision.looks.ice.deals import deal_tiles
from vision.render import Renderer, Rgb

OF_A_DIG: Final = ("reveal", "slot", "allocate", "camp")
"""Questions that belong to the gesture of digging: hands go on until they are answered."""


class SimulatedTable:
    """A table that needs no hardware; what lies on it is known only to the hands."""

    def __init__(
        self,
        game: Ice,
        condition: str = "mild",
        seed: int = 0,
        size: tuple[int, int] = (1280, 720),
        art: int = 0,
        beats: int = 2,
    ) -> None:
        self.game, self.seed = game, seed
        self.layout = table_layout()
        self.renderer = Renderer(self.layout, ArtSet(art), condition, seed, size=size)
        self.table = VirtualTable(self.layout, self.renderer, seed, beats)
        self.markers = recognised(self.renderer.markers)
        self.plan: State | None = None
        """The start of the game, as hands lay it out step by step."""
        self._taken: dict[Spot, tuple[str, int]] = {}
        """Kind and turn of the tiles that somebody took off by hand."""
        self._in_hand: list[str] = []
        """Explorers of a tile that was dug; the hand stays over the board until they are put down."""
        self._digger = ""
        """The leader whose player digs."""

    # ---- the camera's side

    def picture(self) -> NDArray[np.uint8]:
        """What the camera sees at this moment."""
        return self.table.live_picture()

    def enrol(self) -> Enrolment:
        """Pictures of a board being laid out, layer by layer; afterwards the board is empty."""
        dealt = self._deal()
        ground = [spot for spot, place in self.layout.places.items() if not place.takes_tile]
        learnt, shown = Enrolment(), set[str]()
        for layer in reversed(self.layout.layers):
            shown.add(layer)
            self.table.arrange({s: t for s, t in dealt.items() if self.layout.places[s].layer in shown}, {})
            image = self.table.picture()
            view = locate(image, self.markers)
            labels = {s: t for s, t in dealt.items() if self.layout.places[s].layer == layer}
            if labels:
                learnt = learnt.extend(enrol_layer(image, view, self.markers, self.layout, labels))
            else:
                learnt = learnt.extend(enrol_ground(image, view, self.markers, self.layout, ground))
        self.table.arrange({}, {})
        return learnt

    def _deal(self) -> dict[Spot, tuple[str, int]]:
        """The tiles as they lie while the eye learns them."""
        return dict(deal_tiles(self.layout, np.random.default_rng([self.seed, 97])))

    def lay_layers(self, upto: str) -> None:
        """A board being set up: every layer up to one, nothing above it."""
        layers = list(reversed(self.layout.layers))
        shown = layers[: layers.index(upto) + 1]
        self.table.arrange({s: t for s, t in self._deal().items() if self.layout.places[s].layer in shown}, {})

    def make_eye(self, reader: BoardReader, still_frames: int = 3) -> TableEye:
        """An eye that looks at this table."""
        return TableEye(reader, self.layout, self.markers, still_frames, RULE_NAMES)

    def light(self, colours: Sequence[Rgb]) -> None:
        """The strip under the board."""
        self.table.light_strip(colours)

    # ---- the hands' side

    def lay_out(self, state: State) -> None:
        """Clear the table and lay out a position at once; pieces of an unfinished dig stay beside the board."""
        tiles, pieces = self._wanted(state)
        self.table.arrange(tiles, {})
        self.table.arrange(tiles, {spot: labels for spot, labels in pieces.items() if self.table.is_open(spot)})

    def clear(self) -> None:
        """Take everything off the board."""
        self.table.arrange({}, {})

    def lay_next(self) -> None:
        """Lay the next layer of the planned start, or when all of them lie the pieces."""
        if self.plan is None:
            raise HandsCannot("Nobody has said which game is to be laid out.")
        tiles, _ = self._wanted(self.plan)
        shown: dict[Spot, tuple[str, int]] = {}
        for layer in reversed(self.layout.layers):
            shown |= {spot: tile for spot, tile in tiles.items() if self.layout.places[spot].layer == layer}
            if not shown.keys() <= self.table.tiles.keys():
                self.table.arrange(shown, {})
                return
        self.act_out(self.plan)

    def act_out(self, state: State) -> None:
        """Let hands bring the table to a position, in the order that hands would."""
        carry_out(self.table, *self._wanted(state))

    def finished(self, state: State, action: a.Action) -> State:
        """The state after an action, and after the rest of its gesture: a dig ends with its explorers spread."""
        state = self.game.apply(state, action)
        while state.asked and state.asked[0].kind in OF_A_DIG:
            state = self.game.apply(state, self.game.legal_actions(state)[0])
        return state

    def obey(self, verb: str, arguments: Mapping[str, Any], believed: State) -> str | None:
        """Do what somebody asks of the hands; gives the line that the players say with it, if they say one.

        HandsCannot says why hands cannot do it.
        """
        if verb == "act":
            self._in_hand.clear()
            return self._act(self.game.parse(str(arguments["line"])), believed)
        try:
            if verb not in ("lay_game", "lay_next", "put_right"):
                self._digger = f"leader.{COLOURS[believed.seats[believed.active].guild]}"
                self._gesture(verb, arguments)
                return None
            self._in_hand.clear()
            if verb == "lay_game":
                self.lay_out(believed)
            elif verb == "lay_next":
                self.lay_next()
            else:
                self.act_out(believed)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, HandsCannot):
                raise
            raise HandsCannot(
                "Hands do not know how to do this: {verb} ({detail})", verb=verb, detail=str(error)
            ) from error
        return None

    def told(self) -> dict[str, list[str]]:
        """What the hands hold, and where they took a tile away, as far as the game does not know of it."""
        taken = [str(spot) for spot in self._taken if spot not in self.table.tiles]
        return {"in_hand": list(self._in_hand), "taken": taken}

    def _act(self, action: a.Action, believed: State) -> str | None:
        """Show what can be shown; say what nobody can see or would take for something else."""
        after = self.finished(believed, action)
        is_visible = bool(self.game.changed(believed, after))
        if is_visible:
            self.act_out(after)
        is_plain = self.game.effort(believed, action) == PLAIN or isinstance(action, a.Allocate | a.PlaceCamp)
        return None if is_visible and is_plain else self.game.format(action)

    def _gesture(self, verb: str, arguments: Mapping[str, Any]) -> None:
        table = self.table
        if verb == "dig":
            spot = Spot(arguments["spot"])
            self._take_pieces_off(spot)
            tile = table.tiles.get(spot)
            table.dig(spot)
            if tile is not None:
                self._taken[spot] = (tile.kind, tile.rotation)
            if self._in_hand:
                table.reach(spot)
        elif verb == "put_tile":
            self._put_back(Spot(arguments["spot"]))
        elif verb == "move_tile":
            self._take_pieces_off(Spot(arguments["start"]))
            self._carry_tile(Spot(arguments["start"]), Spot(arguments["end"]))
        elif verb == "turn_tile":
            table.turn_tile(Spot(arguments["spot"]), int(arguments["rotation"]))
            table.withdraw()
        elif verb == "move_pieces":
            table.move_pieces(_labels(arguments), Spot(arguments["start"]), Spot(arguments["end"]))
        elif verb == "add_pieces":
            table.add_pieces(_labels(arguments), Spot(arguments["spot"]))
            for label in _labels(arguments):
                if label in self._in_hand:
                    self._in_hand.remove(label)
            if self._in_hand:
                table.reach(Spot(arguments["spot"]))
        elif verb == "lay_layer":
            self.lay_layers(str(arguments["layer"]))
        elif verb == "remove_pieces":
            table.remove_pieces(_labels(arguments), Spot(arguments["spot"]))
        else:
            raise HandsCannot("Hands do not know how to do this: {verb} ({detail})", verb=verb, detail="")

    def _put_back(self, spot: Spot) -> None:
        """Lay a tile that was taken off where it was."""
        if spot not in self._taken:
            raise HandsCannot("No tile was taken from {place}.", place=spot_name(spot))
        kind, rotation = self._taken[spot]
        self.table.fetch_tile(self.layout.places[spot].layer, kind, spot)
        try:
            self.table.put_tile(spot, rotation)
            del self._taken[spot]
        finally:
            self.table.withdraw()

    def _carry_tile(self, start: Spot, end: Spot) -> None:
        """Lay a tile on another place of its layer; one that cannot lie there goes back."""
        self.table.lift_tile(start)
        try:
            self.table.put_tile(end)
        except HandsCannot:
            self.table.put_tile(start)
            raise
        finally:
            self.table.withdraw()

    def _take_pieces_off(self, spot: Spot) -> None:
        """Pieces on a tile that is lifted are held aside, as at a real table."""
        if labels := [piece.label for piece in self.table.pieces.get(spot, ())]:
            self.table.remove_pieces(labels, spot)
            explorers = [label for label in labels if not label.startswith("camp")]
            self._in_hand = explorers if self._digger in labels else []

    def _wanted(self, state: State) -> tuple[dict[Spot, tuple[str, int]], dict[Spot, list[str]]]:
        document = write_position(state, self.game.box.options)
        lying = {spot: tile.kind for spot, tile in self.table.tiles.items()}
        seen = {Cue(s, kind): label for s in self.layout.places for kind, label in self.game.seen_at(state, s).items()}
        return any_unknown(position_tiles(document), lying), visible_pieces(seen)


def _labels(arguments: Mapping[str, Any]) -> list[str]:
    labels = arguments["labels"]
    if not isinstance(labels, list | tuple) or not labels:
        raise ValueError("expected a list of pieces in labels")
    return [str(label) for label in labels]
