"""What the page says about a game of I C E: the headline, actions, questions, digs and the score, as sayings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Any, Final

from engine.game import TABLE, RuleViolation, Warned
from engine.games.ice import actions as a
from engine.games.ice import reasons
from engine.games.ice.board import BELOW, SPOTS
from engine.games.ice.box import Box
from engine.games.ice.card_words import decree_name, request_name
from engine.games.ice.cards import TYPES
from engine.games.ice.digging import DigCost, limit
from engine.games.ice.points import total
from engine.games.ice.rule_titles import RULES
from engine.games.ice.scoring import Score
from engine.games.ice.state import EXPLORATION, KIND_NAMES, OFF, OVER, SUNSET, State, neutral_supply, supply
from engine.games.ice.terms import spot_name, term
from engine.sayings import Saying

ACTIONS: Final[dict[type[a.Action], str]] = {
    a.BuildCamp: "Build a camp on {place}",
    a.Recruit: "Recruit an archaeologist on {place}",
    a.Sail: "Sail to {place}",
    a.Study: "Study {type}",
    a.Plan: "Plan",
    a.Move: "Move to {place} with {archaeologists} {archaeologists:archaeologist|archaeologists}",
    a.FluidMove: "Fluid move to {place} with {archaeologists} {archaeologists:archaeologist|archaeologists}",
    a.Overwork: "Overwork for 1 RP token",
    a.Excavate: "Excavate {place}",
    a.Reveal: "The tile is {kind}, front: {front}, shape: {shape}",
    a.ChooseSlot: "Put the prismatic artifact on the slot {slot}",
    a.Allocate: "Spread the explorers: {spread}",
    a.PlaceCamp: "Put the camp on {place}",
    a.CountIcons: "{found} whole 1-RP {found:icon|icons} can be seen now",
    a.UseHarmony: "Harmony: bring an archaeologist to your leader",
    a.UseObliteration: "Obliteration: destroy {place}",
    a.UsePhilosophical: "Philosophical: keep the tile of {place}",
    a.UseExalted: "Exalted: gather archaeologists from {places}",
    a.UseAchievement: "Achievement: gain 1 EP",
    a.PlaySmilodon: "Boreal Smilodon: all archaeologists from {start} to {place}",
    a.PlaySpiders: "White Spiders: leader to {place} with {followers} {followers:archaeologist|archaeologists}",
    a.PlayManta: "Ice Manta: leader to {place}",
    a.PlayRope: "Climbing Rope: leader and one archaeologist last, together",
    a.PlaySailship: "Ice Sailship: an archaeologist to you and one to {leader}",
    a.PlayWreck: "Wreck: gain 1 EP and 1 RP token",
    a.PlaySurvivors: "Expedition Survivors: two archaeologists join",
    a.PlayWhistle: "Storm Whistle: {archaeologists} {archaeologists:piece|pieces} from {start} to {place}",
    a.PlayRune: "Explosive Rune: destroy {place}",
    a.Recall: "Recall the leader to your camp",
    a.Activate: "Put the activation token on the slot {slot}",
    a.UseHook: "Use a hook: the leader lands anywhere of the three",
    a.Nurture: "Put an archaeologist from your guild board on {place}",
    a.DiscardSnow: "Discard the snow tile {front}",
    a.LoseBlockedPoint: "Nothing can be done: lose 1 EP",
    a.EndTurn: "End the turn",
    a.LayRequests: "Lay out the requests of the day",
    a.TakeRequest: "Take the request {card}",
    a.ValidateRequest: "Validate the request {card}",
    a.DiscardRequest: "Discard the request {card}",
    a.EndSunset: "Finish Sunset",
    a.MovePrismatic: "Move a prismatic artifact to the slot {slot}",
    a.TakeStudy: "Take the study token {type}",
    a.StartDay: "Begin the day",
    a.DrawLogbook: "Turn up the logbook card {card}",
    a.ConfirmBoard: "The logbook card is carried out",
    a.ChooseForCard: "Logbook card: choose {place}",
    a.DealRequests: "Deal requests to {seat}",
    a.KeepRequests: "Keep the requests {cards}",
    a.DrawDecrees: "The decrees are {cards}",
    a.ShowTile: "{place} is {kind}",
}  # fmt: skip
"""What every kind of action is called on a button."""

REQUESTS: Final = (a.TakeRequest, a.ValidateRequest, a.DiscardRequest)
"""Actions about one request card."""
NEUTRAL_CAMP: Final = "Build a neutral camp on {place}"
NOBODY_CHOSEN: Final = "Let the camp return to its owner or the supply"
MOVE_ALONE: Final = "Move to {place}"
FLUID_ALONE: Final = "Fluid move to {place}"
KEEP_SECRET: Final = "The tile stays secret"
SHAPE: Final = "The artifact has shape {shape}"
PUT: Final = "{count} to {place}"
LEADER_TO: Final = "leader of {guild} to {place}"
NOBODY: Final = "nobody"

QUESTIONS: Final[dict[str, str]] = {
    "which": "What was done?",
    "put back": "Was the last action taken back?",
    "reveal": "A tile was taken. What is it?",
    "slot": "Which slot does the prismatic artifact go on?",
    "allocate": "How are the explorers spread?",
    "camp": "Where does the camp go?",
    "icons": "How many whole 1-RP icons of Azulia can be seen now?",
    "study": "Which study token do you take?",
    "logbook": "Which logbook card was turned up?",
    "deal": "Which requests were dealt?",
    "keep": "Which requests do you keep?",
    "decrees": "Which decrees lie on the table?",
    "row": "Which requests were laid out?",
    "setup": "Which logbook card was turned up?",
    "sunrise": "Sunrise: what happens now?",
    "card place": "The logbook card: where does it go?",
    "card discard": "The logbook card: which tile is discarded?",
    "card return": "The logbook card: where does the snow tile return?",
}
"""What a question asks, by its key."""

COST: Final = "{total} EP = {base} for the layer, {explorers} less for the explorers on it"
COST_HARDER: Final = "{total} EP = {base} for the layer, 1 more ({harder}), {explorers} less for the explorers on it"
REDUCED: Final = "{cost}; {less} less by tiles and abilities"
DIG_LEGAL: Final = "This tile can be dug now."


def label(box: Box, state: State, action: a.Action) -> Saying:
    """An action as a button says it."""
    values = {f.name: _value(box, action, f.name, getattr(action, f.name)) for f in fields(action) if f.name != "by"}
    if isinstance(action, a.Allocate) and state.dig is not None:
        return Saying(ACTIONS[a.Allocate], {"spread": _spread(box, state, action)})
    return Saying(_template(action), values)


def _template(action: a.Action) -> str:
    if isinstance(action, a.BuildCamp) and action.neutral:
        return NEUTRAL_CAMP
    if isinstance(action, a.PlaceCamp) and action.place == OFF:
        return NOBODY_CHOSEN
    if isinstance(action, a.Move | a.FluidMove) and not action.archaeologists:
        return MOVE_ALONE if isinstance(action, a.Move) else FLUID_ALONE
    if isinstance(action, a.Reveal) and action.front == "unknown":
        return SHAPE if action.shape else KEEP_SECRET
    return ACTIONS[type(action)]


def _value(box: Box, action: a.Action, name: str, value: Any) -> Any:
    """A field of an action as people say it."""
    if name in ("place", "via") or (name == "start" and not isinstance(action, a.MovePrismatic)):
        return spot_name(SPOTS[value]) if value >= 0 else Saying(NOBODY)
    if name == "places":
        return [spot_name(SPOTS[place]) for place in value]
    if name in ("type", "slot", "start"):
        return term(TYPES[value])
    if name == "kind":
        return term(KIND_NAMES[value])
    if name in ("leader", "seat"):
        return term(box.guilds[value]) if 0 <= value < len(box.guilds) else Saying(NOBODY)
    if name == "card" and isinstance(action, REQUESTS):
        return request_name(box.data.requests, value)
    if name == "cards":
        named = decree_name if isinstance(action, a.DrawDecrees) else partial(request_name, box.data.requests)
        return [named(card) for card in value] or Saying(NOBODY)
    if isinstance(value, tuple):
        return [term(item) for item in value] or Saying(NOBODY)
    return term(value)


def _spread(box: Box, state: State, action: a.Allocate) -> list[Saying]:
    assert state.dig is not None
    below = [spot_name(SPOTS[place]) for place in BELOW[state.dig.place]]
    pieces = [
        Saying(PUT, {"count": count, "place": place})
        for count, place in zip(action.archaeologists, below, strict=True)
        if count
    ]
    return pieces + [
        Saying(LEADER_TO, {"guild": term(box.guilds[seat]), "place": below[at]}) for seat, at in action.leaders
    ]


def question(key: str) -> Saying:
    """What a question asks."""
    return Saying(QUESTIONS.get(key, QUESTIONS["which"]))


def headline(box: Box, state: State) -> Saying:
    """Whose turn it is and what is left of it."""
    if state.phase == OVER:
        return Saying("The game is over: count the points.")
    if state.actor == TABLE:
        return Saying("The table is asked.")
    guild = term(box.guilds[state.actor if state.actor is not None else state.active])
    if state.asked:
        return Saying("{guild} decide now.", {"guild": guild})
    if state.phase == SUNSET:
        return Saying("{guild} are in Sunset.", {"guild": guild})
    if state.phase == EXPLORATION:
        left = min(state.seats[state.active].ep, limit(state) - state.spent)
        return Saying("Turn of the {guild}: {left} EP can still be spent.", {"guild": guild, "left": left})
    return Saying("{guild} prepare the day.", {"guild": guild})


def facts(box: Box, state: State) -> list[tuple[Saying, Any]]:
    """Rows of name and value about the moment: day, phase, EP, supply."""
    rows: list[tuple[Saying, Any]] = [
        (Saying("Day"), Saying("{day} of 4", {"day": state.day})),
        (Saying("Phase"), term(state.phase)),
    ]
    rows += [
        (term(seat.guild), Saying("{ep} EP, {rp} RP {rp:token|tokens}", {"ep": seat.ep, "rp": seat.rp}))
        for seat in state.seats
    ]
    if state.phase == EXPLORATION:
        rows.append(
            (Saying("This turn"), Saying("{spent} of {most} EP spent", {"spent": state.spent, "most": limit(state)}))
        )
    left = neutral_supply(state, box.options.neutral_camps)
    rows.append(
        (
            Saying("Supply"),
            Saying(
                "{count} {count:archaeologist|archaeologists}, {camps} neutral {camps:camp|camps}",
                {"count": supply(state), "camps": left},
            ),
        )
    )
    return rows


def cost(dig: DigCost) -> Saying:
    """What a dig costs and why (R-COST)."""
    parts = {"total": dig.total, "base": dig.base, "explorers": dig.explorers}
    if dig.surcharge:
        plain = Saying(COST_HARDER, {**parts, "harder": [term(why) for why in dig.harder]})
    else:
        plain = Saying(COST, parts)
    less = dig.termites + dig.discount
    return Saying(REDUCED, {"cost": plain, "less": less}) if less else plain


def dig(violation: RuleViolation | None) -> Saying:
    """Whether a tile can be dug, and why not."""
    return Saying(DIG_LEGAL) if violation is None else reasons.saying(violation)


def refusal(violation: RuleViolation | Warned) -> tuple[Saying, Saying]:
    """The title of the rule and the sentence of a refusal or warning."""
    sentence = reasons.saying(violation) if isinstance(violation, RuleViolation) else reasons.warning(violation)
    return Saying(RULES.get(violation.rule, violation.rule)), sentence


SCORE_LINES: Final = ("Decrees", "Requests", "Days with two requests", "RP tokens", "Planning token", "Total")


def score_rows(guilds: Sequence[str], scores: Sequence[Score]) -> list[list[Any]]:
    """The score pad as rows: a heading, then one row per line."""
    heading = ["", *(term(guild) for guild in guilds)]
    return [heading, *([Saying(name), *(_points(score, name) for score in scores)] for name in SCORE_LINES)]


def pad_rows(guilds: Sequence[str], scores: Sequence[Score]) -> list[list[Any]]:
    """The final score pad: every decree and every day's requests on a line of their own (R-END)."""
    first = scores[0]
    names = [Saying("Decree: {decree}", {"decree": decree_name(decree)}) for decree, _ in first.decrees]
    names += [Saying("Requests of day {day}", {"day": day}) for day, _ in first.requests]
    names += [Saying("Two requests on day {day}", {"day": day}) for day, _ in first.bonuses]
    columns = [[str(points) for _, points in (*s.decrees, *s.requests, *s.bonuses)] for s in scores]
    heading, *plain = score_rows(guilds, scores)
    return [heading, *([name, *cells] for name, *cells in zip(names, *columns, strict=True)), *plain[-3:]]


def _points(score: Score, name: str) -> str:
    """One line of the pad."""
    if name == "Decrees":
        return str(total(points for _, points in score.decrees))
    if name == "Requests":
        return str(total(points for _, points in score.requests))
    if name == "Days with two requests":
        return str(sum(bonus for _, bonus in score.bonuses))
    return str({"RP tokens": score.rp_tokens, "Planning token": score.planning, "Total": score.total}[name])
