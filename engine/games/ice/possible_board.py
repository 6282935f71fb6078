"""Whether a board that players confirm is one the box allows, whatever a card made them do (R-LOG-4, R-LOG-6)."""

from __future__ import annotations

from engine.game import RuleViolation
from engine.games.ice.board import BELOW, PLACE_COUNT, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.state import OFF, Board, State, present_mask, supply
from engine.games.ice.terrain import is_open
from engine.games.ice.violations import no


def is_supported(present: int, place: int) -> bool:
    """Whether every tile that a tile rests on is there; edges always are (R-GEO-7)."""
    return all(present >> lower & 1 for lower in BELOW[place] if lower < TILE_COUNT)


def why_impossible(box: Box, state: State, board: Board) -> RuleViolation | None:
    """The first thing that cannot be on a board which followed a state, or None."""
    if (len(board.tiles), len(board.turns), len(board.archaeologists)) != (TILE_COUNT, TILE_COUNT, PLACE_COUNT):
        return no("R-LOG-6", "size")
    if not len(board.leaders) == len(board.camps) == len(state.seats):
        return no("R-LOG-6", "size")
    present = present_mask(board.tiles)
    tiles = _why_wrong_tiles(state, present)
    return tiles or _why_wrong_camps(box, board, present) or _why_wrong_explorers(box, state, board, present)


def _why_wrong_tiles(state: State, present: int) -> RuleViolation | None:
    """Only snow comes back, out of the discard pile, and nothing hangs in the air."""
    new = [i for i in range(TILE_COUNT) if present >> i & 1 and not state.present >> i & 1]
    artifacts = [i for i in new if i not in SNOW]
    if artifacts:
        return no("R-LOG-6", "artifact appeared", *artifacts)
    if len(new) > state.discarded[0]:
        return no("R-LOG-6", "too many tiles", *new, found=len(new), pile=state.discarded[0])
    hanging = [i for i in range(TILE_COUNT) if present >> i & 1 and not is_supported(present, i)]
    return no("R-LOG-4", "gap", *hanging) if hanging else None


def _why_wrong_camps(box: Box, board: Board, present: int) -> RuleViolation | None:
    """A camp stands on a tile, alone (remark J7, R-FAQ-2)."""
    camps = [place for place in (*board.camps, *board.neutral_camps) if place != OFF]
    astray = [place for place in camps if not (place < TILE_COUNT and present >> place & 1)]
    if astray:
        return no("R-LOG-3", "camp not on a tile", *astray)
    doubled = sorted({place for place in camps if camps.count(place) > 1})
    if doubled:
        return no("R-FAQ-2", "two camps", *doubled)
    if len(board.neutral_camps) > box.options.neutral_camps:
        return no("R-LOG-6", "too many camps", *board.neutral_camps, found=len(board.neutral_camps))
    return None


def _why_wrong_explorers(box: Box, state: State, board: Board, present: int) -> RuleViolation | None:
    """Explorers stand where something is visible, and not more than the supply had."""
    standing = {place for place, count in enumerate(board.archaeologists) if count} | {*board.leaders} - {OFF}
    buried = sorted(place for place in standing if not is_open(box.terrain, present, place))
    if buried:
        return no("R-GEO-9", "hidden", *buried)
    added = sum(board.archaeologists) - sum(state.archaeologists)
    if added > supply(state):
        return no("R-CMP-6", "archaeologists", added=added, supply=supply(state))
    return None
