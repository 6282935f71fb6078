"""A state of I C E as a page may show it: what everybody may know, what one seat may know, and why not.

Every sentence is a `Saying`; the page puts it into each viewer's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion import coaching
from companion.lighting import hex_colour, screen_colour
from engine.game import RuleViolation
from engine.games.ice import Ice, wording
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS, TILE_COUNT
from engine.games.ice.card_words import request_name
from engine.games.ice.cards import TYPES, UNKNOWN
from engine.games.ice.digging import collapses, cover_count, dig_cost, has_discount, why_not_dig
from engine.games.ice.position import actor_name, write_position
from engine.games.ice.state import FIRST_TYPE, OFF, PRISMATIC_KIND, State
from engine.games.ice.tally import tally
from engine.games.ice.terms import spot_name, term
from engine.lights import Light
from engine.sayings import Saying
from engine.spots import Spot

MOST_LEGAL: Final = 400
"""Actions listed at most; effects that gather from many places multiply."""
NEAR: Final = 1
"""Tiles with at most so many tiles on them are worth a word about digging."""

HAND_ACTIONS: Final = (
    a.PlaySmilodon, a.PlaySpiders, a.PlayManta, a.PlayRope, a.PlaySailship, a.PlayWreck, a.PlaySurvivors,
    a.PlayWhistle, a.PlayRune, a.DiscardSnow,
)  # fmt: skip
REQUEST_ACTIONS: Final = (a.ValidateRequest, a.DiscardRequest, a.KeepRequests)


def shown(game: Ice, state: State) -> dict[str, Any]:
    """What everybody at the table may know of a state."""
    box = game.box
    legal = game.legal_actions(state)
    digs = {str(SPOTS[place]): dig(game, state, place) for place in _near_tiles(state)}
    pads = [tally(state, seat, box.options, box.data.requests) for seat in range(len(state.seats))]
    return {
        "position": public_position(game, state),
        "to_act": actor_name(state),
        "headline": wording.headline(box, state),
        "facts": wording.facts(box, state),
        "legal": [listed(game, state, action) for action in legal if not is_secret(state, action)][:MOST_LEGAL],
        "digs": digs,
        "coach": coaching.tips(game, state, [action for action in legal if not is_secret(state, action)], digs),
        "lights": lights(game, state),
        "score": wording.score_rows(box.guilds, pads),
    }


def private(game: Ice, state: State) -> dict[str, dict[str, Any]]:
    """What each seat alone may know: its hand, its requests, and what it may do with them."""
    legal = [action for action in game.legal_actions(state) if is_secret(state, action)]
    return {
        seat.guild: {
            "hand": [term(front) for front in seat.hand],
            "requests": [request_name(game.box.data.requests, card) for card in seat.requests],
            "legal": [listed(game, state, action) for action in legal if action.by == number][:MOST_LEGAL],
        }
        for number, seat in enumerate(state.seats)
    }


def public_position(game: Ice, state: State) -> dict[str, Any]:
    """The position without secrets: hands and requests as counts, no card that a question names."""
    position = write_position(state, game.box.options)
    for seat in position["seats"]:
        seat["hand"] = len(seat.get("hand", ()))
        seat["requests"] = len(seat.get("requests", ()))
    for name in ("asked", "dig", "sunset"):
        position.pop(name, None)
    return position


def is_secret(state: State, action: a.Action) -> bool:
    """Whether offering an action would tell what a hand holds; a hand that nobody told has no secret here."""
    if action.by < 0:
        return isinstance(action, a.DealRequests) and any(card != UNKNOWN for card in action.cards)
    seat = state.seats[action.by]
    told = any(front != UNKNOWN for front in seat.hand)
    if isinstance(action, HAND_ACTIONS):
        return told
    if isinstance(action, a.Excavate) and (action.termites or action.talisman):
        return told
    if getattr(action, "means", a.BY_ARTIFACT) == a.BY_GEM:
        return told
    return isinstance(action, REQUEST_ACTIONS) and any(card != UNKNOWN for card in seat.requests)


def listed(game: Ice, state: State, action: a.Action) -> dict[str, Any]:
    """An action as a button: its line, what it is called, and the spots it is about."""
    line = game.format(action)
    return {"line": line, "label": wording.label(game.box, state, action), "spots": _spots_of(action)}


def told(game: Ice, state: State, action: a.Action) -> Saying:
    """A step as everybody may hear of it afterwards: what was played is open, what was taken into a hand is not."""
    if not stays_secret(state, action):
        return wording.label(game.box, state, action)
    if action.by < 0:
        return Saying("Cards or a tile were dealt in secret")
    return Saying("{guild}: something that only they may know", {"guild": term(game.box.guilds[action.by])})


def stays_secret(state: State, action: a.Action) -> bool:
    """Whether an action tells what a hand holds even after it was done."""
    if isinstance(action, a.Reveal):
        return action.front != UNKNOWN
    return isinstance(action, a.DealRequests | a.KeepRequests | a.DiscardRequest) and is_secret(state, action)


def _spots_of(action: a.Action) -> list[str]:
    places = [getattr(action, name, OFF) for name in ("place", "start")]
    if isinstance(action, a.MovePrismatic):
        places = []
    places += getattr(action, "places", ())
    return [str(SPOTS[place]) for place in places if isinstance(place, int) and place >= 0]


def lights(game: Ice, state: State, focus: Spot | None = None) -> dict[str, dict[str, str]]:
    """Role and colour by spot, as the strip shows them."""
    return coloured(game.lights(state, focus))


def coloured(found: Mapping[Spot, Light]) -> dict[str, dict[str, str]]:
    """Lights with their colours, by spot."""
    return {
        str(spot): {"role": light.role, "colour": hex_colour(screen_colour(light))} for spot, light in found.items()
    }


def _near_tiles(state: State) -> Iterator[int]:
    return (place for place in range(TILE_COUNT) if state.tiles[place] and cover_count(state, place) <= NEAR)


def dig(game: Ice, state: State, place: int) -> dict[str, Any]:
    """A plain dig of a tile: verdict, cost and why, what falls."""
    box, seat = game.box, state.active
    discount = has_discount(box, state, seat, place)
    cost = dig_cost(box, state, seat, place, discount=discount)
    rules = why_not_dig(box, state, seat, place, cost)
    violation = game.why_illegal(state, a.Excavate(seat, place, discount=discount))
    if violation is not None and violation.rule not in rules:
        rules.append(violation.rule)
    return {
        "legal": not rules,
        "cost": cost.total,
        "rules": rules,
        "say": wording.dig(violation),
        "breakdown": wording.cost(cost),
        "collapses": [str(SPOTS[fallen]) for fallen in collapses(box, state.present, place)],
    }


def refused(
    violation: RuleViolation | None, spots: tuple[Spot, ...] = (), cure: tuple[Saying, ...] = ()
) -> dict[str, Any]:
    """A refusal with its rule, the rule's title, the sentence, where, and how to put it right."""
    if violation is None:
        title, sentence = (
            Saying("This cannot be explained"),
            Saying("No move of the rules leads to what the camera sees."),
        )
        return {"rule": "", "title": title, "say": sentence, "spots": [str(s) for s in spots], "cure": list(cure)}
    title, sentence = wording.refusal(violation)
    where = [str(spot) for spot in (violation.spots or spots)]
    return {"rule": violation.rule, "title": title, "say": sentence, "spots": where, "cure": list(cure)}


def asked(game: Ice, state: State, number: int, key: str, options: Sequence[Sequence[a.Action]]) -> dict[str, Any]:
    """A question with its answers; each answer is a series of actions from `state` on.

    When the answers would tell what a hand holds they are left out, and `seat` says who is asked alone.
    """
    seat = asked_alone(game, state, options)
    if seat is not None:
        say = Saying("{guild} decide in secret, on the page of their seat.", {"guild": term(seat)})
        return {"id": number, "key": key, "say": say, "options": [], "seat": seat}
    return asked_openly(game, state, number, key, options)


def asked_openly(
    game: Ice, state: State, number: int, key: str, options: Sequence[Sequence[a.Action]]
) -> dict[str, Any]:
    """A question with all its answers."""
    labels = [steps(game, state, actions) for actions in options]
    if key == "which":
        labels.append(Saying("Something else"))
    return {"id": number, "key": key, "say": wording.question(key), "options": labels}


def asked_alone(game: Ice, state: State, options: Sequence[Sequence[a.Action]]) -> str | None:
    """The guild that alone may see the answers of a question; None when everybody may."""
    first = [actions[0] for actions in options if actions]
    secret = [action for action in first if action.by >= 0 and is_secret(state, action)]
    return game.box.guilds[secret[0].by] if secret else None


def steps(game: Ice, state: State, actions: Sequence[a.Action]) -> Saying:
    """Several actions in a row as one line."""
    labels = []
    for action in actions:
        labels.append(wording.label(game.box, state, action))
        state = game.apply(state, action)
    if not labels:
        return Saying("The last action was taken back")
    return labels[0] if len(labels) == 1 else Saying("{steps}", {"steps": labels})


def why(game: Ice, state: State, spot: str) -> dict[str, Any]:
    """What can happen at a spot now, and for everything else a player might try there: why not."""
    if spot not in INDEX:
        raise KeyError(spot)
    can, cannot = [], []
    for action in attempts(game, state, INDEX[Spot(spot)]):
        violation = game.why_illegal(state, action)
        if violation is None:
            warned = [wording.refusal(doubt)[1] for doubt in game.warnings(state, action)]
            can.append({**listed(game, state, action), "warnings": warned})
        else:
            cannot.append({"label": wording.label(game.box, state, action), **refused(violation)})
    return {"title": spot_name(spot), "can": can, "cannot": cannot}


def attempts(game: Ice, state: State, place: int) -> Iterator[a.Action]:
    """The plain things that a player might try at a place."""
    seat, here = state.active, state.leaders[state.active]
    if place < TILE_COUNT and state.tiles[place]:
        yield a.Excavate(seat, place, discount=has_discount(game.box, state, seat, place))
    if here != place:
        yield a.Move(seat, place)
        if game.box.options.fluid_tokens:
            yield a.FluidMove(seat, place)
        yield a.Sail(seat, place)
    yield a.BuildCamp(seat, place)
    yield a.BuildCamp(seat, place, neutral=True)
    yield a.Recruit(seat, place)
    if here == place and place < TILE_COUNT and FIRST_TYPE <= state.tiles[place] < FIRST_TYPE + len(TYPES):
        yield a.Study(seat, state.tiles[place] - FIRST_TYPE)
    if here == place and place < TILE_COUNT and state.tiles[place] == PRISMATIC_KIND:
        yield a.Study(seat, 0)
    if game.box.has_ability(seat, "nurturers"):
        yield a.Nurture(seat, place)
    yield a.UseObliteration(seat, place)


def layout(game: Ice) -> Mapping[str, Any]:
    """Outlines of all spots in millimetres, for drawing."""
    plan = game.layout()
    tile = next(place for place in plan.places.values() if place.takes_tile)
    across = max(x for x, _ in tile.outline_mm) - min(x for x, _ in tile.outline_mm)
    return {
        "size": [round(side, 2) for side in plan.size_mm],
        "tile": round(across, 2),
        "places": {
            str(spot): {
                "layer": place.layer,
                "centre": [round(v, 2) for v in place.centre_mm],
                "outline": [[round(v, 2) for v in corner] for corner in place.outline_mm],
                "covers": [str(cover) for cover in place.covers],
                "takesTile": place.takes_tile,
            }
            for spot, place in plan.places.items()
        },
    }
