"""What the commands answer about a position of I C E: what is legal, what a dig does, what the strip shows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.gamedata import shipped
from companion.lighting import colour_of, hex_colour
from engine.game import RuleViolation
from engine.games.ice import Ice
from engine.games.ice.actions import Excavate
from engine.games.ice.board import SPOTS, TILE_COUNT
from engine.games.ice.digging import DigCost, allocations, collapses, dig_cost, has_discount, why_not_dig
from engine.games.ice.options import Options
from engine.games.ice.position import actor_name
from engine.games.ice.reasons import say
from engine.games.ice.state import State


@lru_cache(maxsize=512)
def game_of(options: Options, guilds: tuple[str, ...]) -> Ice:
    """The game that a position belongs to, with the shipped card data."""
    return Ice(options, shipped(), guilds)


def rules_answer(game: Ice, state: State) -> dict[str, Any]:
    """Who acts, every legal action line, and what is to be said about digging each tile."""
    return {
        "to_act": actor_name(state),
        "legal": [game.format(action) for action in game.legal_actions(state)],
        "digs": {SPOTS[place]: dig_answer(game, state, place) for place in range(TILE_COUNT) if state.tiles[place]},
    }


def dig_answer(game: Ice, state: State, place: int) -> dict[str, Any]:
    """A dig of a tile with no snow tile played: verdict, cost and why, what falls, how explorers may be spread.

    The Cryoarchitects' discount costs nothing, so it counts wherever it is available (R-CRYO-1).
    """
    box, seat = game.box, state.active
    discount = has_discount(box, state, seat, place)
    cost = dig_cost(box, state, seat, place, discount=discount)
    rules = why_not_dig(box, state, seat, place, cost)
    violation = game.why_illegal(state, Excavate(seat, place, discount=discount))
    if violation is not None and violation.rule not in rules:
        rules.append(violation.rule)  # not the player's turn, a question is open, …
    return {
        "legal": not rules,
        "cost": cost.total,
        "rules": rules,
        "say": _say_cost(cost) if violation is None else say(violation),
        "collapses": [SPOTS[fallen] for fallen in collapses(box, state.present, place)],
        "allocations": sorted(list(counts) for counts in allocations(box, state, place)),
        "breakdown": _breakdown(cost),
    }


def _breakdown(cost: DigCost) -> dict[str, Any]:
    """The parts of a cost, for teaching (R-COST-5)."""
    return {
        "base": cost.base,
        "harder": list(cost.harder),
        "surcharge": cost.surcharge,
        "explorers": cost.explorers,
        "discount": cost.discount,
    }


def _say_cost(cost: DigCost) -> str:
    surcharge = f" + 1 harder ({', '.join(cost.harder)})" if cost.surcharge else ""
    discount = " - 1 for the Cryoarchitects' camp" if cost.discount else ""
    explorers = f" - {cost.explorers} for the explorers on it"
    return f"Dig it for {cost.total} EP: {cost.base} for the layer{surcharge}{explorers}{discount}."


def lights_answer(game: Ice, state: State) -> dict[str, Any]:
    """Role and colour by spot, as the strip would show it for the player to act."""
    shown = game.lights(state)
    return {spot: {"role": light.role, "colour": hex_colour(colour_of(light))} for spot, light in sorted(shown.items())}


def refusal_answer(game: Ice, violation: RuleViolation) -> dict[str, Any]:
    """Why an action line was refused."""
    return {"refused": {"rule": violation.rule, "say": say(violation), "spots": list(violation.spots)}}
