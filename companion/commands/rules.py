"""`companion rules ice`: what is legal in a position, and why the rest is not; plays a line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.answers import game_of, refusal_answer, rules_answer
from companion.cli import UserError
from companion.position_answers import Answer, add_position_arguments, answer_positions
from engine.games.ice import Ice
from engine.games.ice.options import Options
from engine.games.ice.position import write_position
from engine.games.ice.state import State

HELP = "say what is legal in a position, and which rule forbids the rest; --play plays one line"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Position, line to play, JSON or not."""
    add_position_arguments(parser)
    parser.add_argument("--play", metavar="LINE", help="play this action line and print the next position")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def run(args: argparse.Namespace) -> int:
    """Answer every position."""

    def answer(state: State, options: Options) -> Answer:
        game = game_of(options, tuple(seat.guild for seat in state.seats))
        if args.play is not None:
            return _play(game, state, options, args.play)
        found = rules_answer(game, state)
        return Answer(found, "" if args.json else _describe(found))

    return answer_positions(args, answer)


def _play(game: Ice, state: State, options: Options, line: str) -> Answer:
    """The next position, or the refusal."""
    try:
        action = game.parse(line)
    except ValueError as error:
        raise UserError(f"--play: {error}") from None
    violation = game.why_illegal(state, action)
    if violation is not None:
        refusal = refusal_answer(game, violation)
        refused = refusal["refused"]
        return Answer(refusal, f"Refused by {refused['rule']}: {refused['say']}", status=1)
    position = write_position(game.apply(state, action), options)
    return Answer(position, json.dumps(position, indent=1))


def _describe(found: dict[str, Any]) -> str:
    """The answer for people: who acts, what is legal, and the tiles that can or almost can be dug."""
    lines = [f"To act: {found['to_act'] or 'nobody, the game is over'}", f"Legal actions ({len(found['legal'])}):"]
    lines += [f"  {line}" for line in found["legal"]]
    lines.append("Digging:")
    for spot, dig in found["digs"].items():
        if "R-DIG-1" in dig["rules"]:
            continue
        verdict = f"legal for {dig['cost']} EP" if dig["legal"] else f"not legal ({', '.join(dig['rules'])})"
        falls = f" {', '.join(dig['collapses'])} would fall." if dig["collapses"] else ""
        lines.append(f"  {spot}: {verdict}. {dig['say']}{falls}")
    away = sum("R-DIG-1" in dig["rules"] for dig in found["digs"].values())
    lines.append(f"  {away} other tiles: the leader does not stand on them (R-DIG-1).")
    return "\n".join(lines)
