"""A desk without camera and session: what is said or done on the page goes straight to the engine."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from companion import showing
from companion.gamedata import shipped
from companion.messages import Answer, Board, Command, Declare, EndTurn, Fix, Hands, Keep, Redo, Snapshot, Undo
from companion.pretend_players import shuffled_tiles
from engine.game import RuleViolation
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import EXPLORATION, State
from engine.sayings import Saying

JPEG = bytes(cv2.imencode(".jpg", np.full((60, 80, 3), 128, np.uint8))[1])


def game_in_exploration(seed: int = 4, players: int = 3) -> tuple[Ice, State]:
    """A first game after its setup, leader of the first player on the board."""
    game = Ice(Options(players=players, first_game=True), shipped())
    state = game.start(*shuffled_tiles(random.Random(seed)))
    while state.phase != EXPLORATION or state.asked:
        state = game.apply(state, game.legal_actions(state)[0])
    return game, state


class EngineDesk:
    """Follows commands at once, without a table."""

    def __init__(self, game: Ice, state: State, *, simulated: bool = True) -> None:
        self.game, self.states, self.undone, self.simulated = game, [state], [], simulated
        self.refusal: RuleViolation | None = None
        self.refused: a.Action | None = None
        self.question: dict[str, Any] | None = None
        self.options: list[a.Action] = []
        self.taken: list[Command] = []
        self.log: list[Saying] = []
        self.board = Board(self._snapshot(1))

    @property
    def state(self) -> State:
        return self.states[-1]

    def submit(self, command: Command) -> None:
        self.taken.append(command)
        if isinstance(command, Declare):
            self.attempt(self.game.parse(command.line))
        elif isinstance(command, Hands):
            self._hands(command)
        elif isinstance(command, EndTurn):
            self.attempt(a.EndTurn(self.state.active))
        elif isinstance(command, Answer):
            self.question = None
            self.attempt(self.options[command.choice])
        elif isinstance(command, Undo) and len(self.states) > 1:
            self.undone.append(self.states.pop())
        elif isinstance(command, Redo) and self.undone:
            self.states.append(self.undone.pop())
        elif isinstance(command, Keep) and self.refused is not None:
            self.states.append(self.game.apply(self.state, self.refused))
            self.refusal = self.refused = None
        elif isinstance(command, Fix):
            position = write_position(self.state, self.game.box.options)
            for spot, tile in command.tiles.items():
                position["tiles"].pop(spot, None)
                if tile is not None:
                    position["tiles"][spot] = tile
            position["pieces"].update(command.pieces)
            self.states.append(read_position(position)[0])
        self.publish()

    def _hands(self, command: Hands) -> None:
        arguments = command.arguments
        if command.verb == "act":
            self.attempt(self.game.parse(str(arguments["line"])))
            return
        if command.verb == "dig":
            self.attempt(a.Excavate(self.state.active, INDEX[arguments["spot"]]))
        elif command.verb == "move_pieces":
            count = sum(label == "archaeologist" for label in arguments["labels"])
            self.attempt(a.Move(self.state.active, INDEX[arguments["end"]], count))

    def attempt(self, action: a.Action) -> None:
        self.refusal = self.game.why_illegal(self.state, action)
        self.refused = action if self.refusal else None
        if self.refusal is None:
            self.states.append(self.game.apply(self.state, action))
            self.undone.clear()

    def ask(self, say: Saying, actions: list[a.Action], labels: list[Saying]) -> None:
        self.options = actions
        self.question = {"id": 7, "key": "which", "say": say, "options": labels}
        self.publish()

    def publish(self) -> None:
        self.board.put_up(self._snapshot(self.board.newest().version + 1))

    def _snapshot(self, version: int) -> Snapshot:
        public = {
            "mode": "tracking",
            "simulated": self.simulated,
            **showing.shown(self.game, self.state),
            "refusal": showing.refused(self.refusal) if self.refusal else None,
            "question": self.question,
            "status": {"camera": {"ok": True, "say": "synthetic:"}},
            "log": self.log,
        }
        return Snapshot(version, public, showing.private(self.game, self.state))

    def picture(self) -> bytes | None:
        return JPEG

    def layout(self) -> Mapping[str, Any]:
        return showing.layout(self.game)

    def why(self, spot: str) -> Mapping[str, Any]:
        return showing.why(self.game, self.state, spot)
