"""What follows when tiles leave the board: pieces go home, camps move, icons of Azulia appear (R-COL, R-NAV-4)."""

from __future__ import annotations

from engine.game import TABLE
from engine.games.ice.board import COVERS, INDEX, NEIGHBOURS, SNOW, TILE_COUNT
from engine.games.ice.box import Box
from engine.games.ice.cards import UNKNOWN, Artifact
from engine.games.ice.digging import uncovers_deep
from engine.games.ice.draft import Draft
from engine.games.ice.state import (
    ANIMA_AT,
    FIRST_TYPE,
    KIND_NAMES,
    NEUTRAL,
    OFF,
    PRISMATIC_KIND,
    UNKNOWN_KIND,
    Question,
    State,
    camp_places,
)  # fmt: skip


def remove(box: Box, draft: Draft, places: tuple[int, ...]) -> None:
    """Collapse or destroy tiles: to the discard pile, everything on them goes home (R-COL-1)."""
    for place in places:
        draft.lost += ((place, draft.take_tile(place)),)
        draft.discard_tile(place)
    for place in places:
        owner = draft.send_home(place)
        if owner is not None and box.has_ability(owner, "navigators"):
            settle_navigators_camp(draft, owner, place)


def settle_navigators_camp(draft: Draft, owner: int, place: int) -> None:
    """The Navigators' camp moves to snow nearby, else it may go to any snow tile (R-NAV-4)."""
    camps = set(camp_places(draft))
    free = [i for i in SNOW if draft.present >> i & 1 and i not in camps]
    near = tuple(i for i in free if i in NEIGHBOURS[place] or i in COVERS[place])
    if len(near) == 1:
        draft.put_camp(owner, near[0])
    elif near:
        draft.ask(Question("camp", owner, place, seat=owner, choices=near))
    elif free:
        draft.ask(Question("camp", owner, place, seat=owner, choices=(*free, OFF)))


def settle_camp(box: Box, draft: Draft, place: int) -> None:
    """A camp that stood on a dug tile goes on a tile beneath, or returns (R-ALLOC-8, R-ALLOC-9)."""
    owner = draft.lift_camp(place)
    if owner is None:
        return
    if box.has_ability(owner, "navigators"):
        settle_navigators_camp(draft, owner, place)
        return
    camps = camp_places(draft)
    choices = tuple(i for i in box.terrain.below[place] if i < TILE_COUNT and draft.present >> i & 1 and i not in camps)
    chooser = owner if box.options.camp_chooser == "owner" and owner != NEUTRAL else draft.active
    if len(choices) == 1:
        draft.put_camp(owner, choices[0])
    elif choices:
        draft.ask_first(Question("camp", chooser, place, seat=owner, choices=choices))


def pay_icons(box: Box, draft: Draft, places: tuple[int, ...], by_dig: bool) -> None:
    """RP for icons of Azulia that became wholly visible; asked when nobody told where they are (R-AZU-3, Q-1)."""
    if not uncovers_deep(places) or not (by_dig or box.options.icons_by_destruction):
        return
    icons = box.data.azulia.icons
    if icons is None:
        draft.ask(Question("icons", TABLE, seat=draft.active))
        return
    for number, icon in enumerate(icons):
        if not draft.icons >> number & 1 and not any(draft.present >> INDEX[spot] & 1 for spot in icon.under):
            draft.icons |= 1 << number
            draft.gain_rp(draft.active)


def ask_about_tile(place: int, kind: int, seat: int) -> Question:
    """What must be told about a gained tile: a prismatic only needs a slot, others show front or shape."""
    if kind == PRISMATIC_KIND:
        return Question("slot", seat, place, kind, seat)
    return Question("reveal", TABLE, place, kind, seat)


def gain_artifact(draft: Draft, seat: int, place: int, kind: int, slot: int, shape: int = 0) -> None:
    """Lay an artifact on a slot, face down when the slot was used today (R-ART-3, R-ART-7)."""
    prismatic = kind == PRISMATIC_KIND
    tile = Artifact(KIND_NAMES[kind], ANIMA_AT[place], None if prismatic else shape or UNKNOWN)
    board = draft.seats[seat]
    slots = (*board.slots[:slot], (*board.slots[slot], tile), *board.slots[slot + 1 :])
    down = board.down
    if down[slot]:
        down = (*down[:slot], down[slot] + 1, *down[slot + 1 :])
    draft.seat(seat, slots=slots, down=down)


def type_matches(kind: int, type_number: int) -> bool:
    """Whether a tile is, or may be, an artifact of a type."""
    return kind in (FIRST_TYPE + type_number, UNKNOWN_KIND)


def kind_under(state: State, seat: int) -> int:
    """The kind of the artifact tile under a leader; 0 when it stands on none."""
    place = state.leaders[seat]
    if not SNOW.stop <= place < TILE_COUNT:
        return 0
    if state.dig is not None and not state.dig.allocated and state.dig.place == place:
        return state.dig.tile
    return state.tiles[place]
