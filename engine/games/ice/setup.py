"""The start of a game: board, common pieces, players, requests and decrees (R-SET, R-VAR)."""

from __future__ import annotations

from collections import Counter

from engine.game import TABLE, RuleViolation
from engine.games.ice.actions import DealRequests, DrawDecrees, KeepRequests
from engine.games.ice.board import CENTRAL, PLACE_COUNT, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import DECREE, UNKNOWN
from engine.games.ice.curse import DARK_SPACES, LIGHT_SPACES, START_SPACE
from engine.games.ice.draft import Draft
from engine.games.ice.state import (
    BLESSING,
    CAMPSITE,
    NO_TOKEN,
    NO_TURNS,
    OFF,
    SETUP,
    TUNNEL,
    UNKNOWN_KIND,
    Question,
    Seat,
    State,
    present_mask,
)  # fmt: skip
from engine.games.ice.violations import no

DECREES_IN_PLAY = 3  # R-SET-9
FIRST_GAME_RP = 2  # R-VAR-1


def unknown_tiles() -> bytes:
    """A full board of which only the campsite is known, on the first central cell."""
    tiles = bytearray([UNKNOWN_KIND]) * TILE_COUNT
    tiles[CENTRAL[0]] = CAMPSITE
    return bytes(tiles)


def why_not_start(tiles: bytes) -> str | None:
    """What is wrong with a laid-out board; None when the game can start (R-SET-2, R-SET-3)."""
    if len(tiles) != TILE_COUNT or 0 in tiles:
        return f"expected {TILE_COUNT} tiles, got {sum(1 for kind in tiles if kind)}"
    sites = [i for i in SNOW if tiles[i] == CAMPSITE]
    if len(sites) > 1 or (sites and sites[0] not in CENTRAL):
        return "the campsite tile belongs on one of the three central snow cells (R-SET-3)"
    return None


def start(box: Box, tiles: bytes | None = None, turns: bytes | None = None, first: int = 0) -> State:
    """The state before the first turn: laid-out tiles, questions for decrees and requests."""
    tiles = unknown_tiles() if tiles is None else tiles
    if problem := why_not_start(tiles):
        raise ValueError(problem)
    players = box.options.players
    site = next((i for i in SNOW if tiles[i] == CAMPSITE), CENTRAL[0])
    counts = bytearray(PLACE_COUNT)
    for i in SNOW:
        if i == site or (tiles[i] == TUNNEL and not box.options.logbook_setup):  # R-SET-5, R-SET-6
            counts[i] = 1
    asked = [Question("decrees", TABLE)]
    if box.options.logbook_setup and box.options.logbook:
        asked.append(Question("setup", TABLE))
    asked += [Question("deal", TABLE, seat=(first + i) % players) for i in range(players)]
    expert = box.options.expert
    return State(
        tiles=tiles,
        turns=NO_TURNS if turns is None else turns,
        present=present_mask(tiles),
        archaeologists=bytes(counts),
        leaders=(OFF,) * players,
        camps=(OFF,) * players,
        neutral_camps=(site,) if players < 5 else (),
        seats=tuple(_seat(box, guild) for guild in box.guilds),
        phase=SETUP,
        first=first,
        active=first,
        asked=tuple(asked),
        light_tokens=LIGHT_SPACES[players] if expert else (),
        dark_tokens=DARK_SPACES[players] if expert else (),
    )


def _seat(box: Box, guild: str) -> Seat:
    """A player's board at the start, day 1's EP included (R-SET-11 to R-SET-14, R-SUN-5)."""
    options = box.options
    abilities = options.guild_abilities
    blessed = options.expert or options.blessing
    return Seat(
        guild=guild,
        ep=options.start_ep,
        rp=FIRST_GAME_RP if options.first_game else box.data.guild(guild).start_rp,
        hooks=2 if guild == "icewalkers" and abilities else 0,
        tended=options.nurturers_capacity if guild == "nurturers" and abilities else 0,
        fluid=options.fluid_tokens,
        trigger=BLESSING if blessed else NO_TOKEN,
        curse=START_SPACE[options.players] if options.expert else 0,
    )


def why_not_deal_requests(box: Box, state: State, action: DealRequests) -> RuleViolation | None:
    """Each player is dealt requests in turn (R-SET-15)."""
    if action.seat != state.asked[0].seat:
        return no("R-SET-15", "other seat")
    if len(action.cards) != box.options.dealt_requests:
        return no("R-SET-15", "count", wanted=box.options.dealt_requests, got=len(action.cards))
    return None


def deal_requests(box: Box, draft: Draft, action: DealRequests) -> None:
    """Give the cards; nothing is left to choose when all look the same."""
    question = draft.answered()
    kept = box.options.kept_requests
    draft.requests_left -= len(action.cards)
    cards = tuple(sorted(action.cards))
    if len(set(cards)) == 1:
        draft.requests_discarded += len(cards) - kept
        cards = cards[:kept]
    else:
        draft.ask_first(Question("keep", question.seat, seat=question.seat))
    draft.seat(question.seat, requests=cards)


def why_not_keep_requests(box: Box, state: State, action: KeepRequests) -> RuleViolation | None:
    """Keep some of the dealt cards (R-SET-15)."""
    if len(action.cards) != box.options.kept_requests or Counter(action.cards) - Counter(
        state.seats[action.by].requests
    ):
        return no("R-SET-15", "keep", wanted=box.options.kept_requests)
    return None


def keep_requests(box: Box, draft: Draft, action: KeepRequests) -> None:
    """Discard the others."""
    draft.answered()
    draft.requests_discarded += len(draft.seats[action.by].requests) - len(action.cards)
    draft.seat(action.by, requests=tuple(sorted(action.cards)))


def why_not_draw_decrees(box: Box, state: State, action: DrawDecrees) -> RuleViolation | None:
    """Three different decrees (R-SET-9)."""
    known = [card for card in action.cards if card != UNKNOWN]
    if len(action.cards) != DECREES_IN_PLAY or len(set(known)) != len(known) or not set(known) <= set(DECREE):
        return no("R-SET-9", "decrees")
    return None


def draw_decrees(box: Box, draft: Draft, action: DrawDecrees) -> None:
    """Lay them out."""
    draft.answered()
    draft.decrees = tuple(action.cards)
