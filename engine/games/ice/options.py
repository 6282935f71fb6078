"""What a table may decide about I C E: player count, variants, and every decision of ours with its default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

START_EP: Final = {1: 6, 2: 6, 3: 5, 4: 5, 5: 4}
"""EP at sunrise by player count (R-SUN-1); one player practises with the values of two (Q-10)."""

NEUTRAL_CAMPS: Final = {1: 2, 2: 2, 3: 2, 4: 1, 5: 0}
"""Neutral camps in the game by player count (R-SET-6, R-SET-8)."""


@dataclass(frozen=True, slots=True)
class Options:
    """The variants of §18 and the decisions of §20.1, each named and with the specification's default."""

    players: int = 3
    """1 is a practice table with two-player values, not the official solo mode (R-VAR-SOLO, Q-10)."""
    expert: bool = False
    """The Curse of the Nuuk (R-CURSE)."""
    blessing: bool = False
    """Everybody starts with a blessing token (R-VAR-BL)."""
    fluid_move: bool = False
    """Fluid move with three players (R-VAR-FM3); with two it is always on (R-VAR-2P)."""
    first_game: bool = False
    """No logbook, no guild abilities, 2 RP each, 3 requests dealt and 1 kept (R-VAR-1)."""
    logbook_setup: bool = False
    """A logbook card tells where archaeologists start (R-VAR-LOG)."""
    friendly_curse: bool = False
    """The last on the curse track are helped at sunrise (R-VAR-FC)."""

    # Geometry and crevasses
    hidden_places_closed: bool = True  # R-GEO-9
    edge_places: Literal["position", "side", "level"] = "position"  # R-ADJ-4, Q-5
    edge_steps_under_frame: bool = False  # R-ADJ-5, Q-5
    adjacent_under_cover: bool = True  # R-ADJ-6, Q-6
    cracks_stop_camp_travel: bool = False  # R-CREV-3: True = not across a crack between neighbours
    cracks_stop_destruction: bool = False  # R-CREV-4: True = Obliteration does not reach across a crack
    crack_step_down: Literal["open_sides", "free"] = "open_sides"  # R-CREV-5, Q-7

    # Turns and plain actions
    taken_request_may_pay: bool = True  # R-DUSK-4
    free_dig_meets_minimum: bool = False  # R-EP-5
    gained_ep_prevents_sunset: bool = True  # R-EP-9
    blocked_player_loses_ep: bool = True  # R-EP-10, Q-9
    sail_must_change_place: bool = True  # R-SAIL-3
    spent_study_counts_as_owned: bool = True  # R-STU-2
    fluid_exchange_half_way: bool = False  # R-FLUID-3
    overwork_counts_spent: bool = True  # R-OVW-2
    overwork_once: bool = True  # R-OVW-3

    # Digging
    lone_tile_collapses: bool = True  # R-COL-3
    allocator: Literal["active", "table"] = "active"  # R-ALLOC-4
    azulia_area_is_one_place: bool = True  # R-ALLOC-6
    camp_chooser: Literal["active", "owner"] = "active"  # R-ALLOC-8
    icons_by_destruction: bool = True  # R-AZU-3

    # Artifacts, snow tiles, guilds
    gem_uses_up_effect: bool = False  # R-ART-9
    exalted_needs_archaeologist: bool = True  # R-EXAL
    exalted_takes_every: bool = False
    navigators_neutral_camp_anywhere: bool = True  # R-NAV-5
    activation_expires: bool = True  # R-INC-4
    nurturers_capacity: int = 2  # R-NUR-2
    cryo_cover_is_harder: bool = True  # R-CRYO-1
    partial_reinforcements: bool = True  # R-SNOW-7
    termites_combine: bool = True  # R-TERM
    manta_to_azulia: bool = False  # R-MANT, Q-8
    manta_to_edges: bool = True  # R-MANT, Q-8
    manta_from_reserve: bool = False  # R-MANT, Q-8
    sailship_without_others: bool = True  # R-SHIP
    gem_on_prismatic: bool = True  # R-GEM, Q-8

    # Sunset, scoring, expert mode, logbook
    planning_is_rp_token: bool = False  # R-DEC-4
    face_down_pays: bool = True  # R-REQ-3
    taken_artifacts_curse: bool = False  # R-CURSE-4
    curse_space_by_space: bool = True  # R-CURSE-5
    curse_limits_fluid_move: bool = True  # R-CURSE-8
    returned_snow_may_collapse: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.players <= 5:
            raise ValueError(f"expected 1 to 5 players, got {self.players}")

    @property
    def start_ep(self) -> int:
        """EP at sunrise (R-SUN-1)."""
        return START_EP[self.players]

    @property
    def neutral_camps(self) -> int:
        """Neutral camps in the game: on the campsite tile and in the supply (R-SET-6, R-SET-8)."""
        return NEUTRAL_CAMPS[self.players]

    @property
    def fluid_tokens(self) -> int:
        """Fluid-move tokens per player (R-SET-14, R-VAR-FM3)."""
        if self.players == 2:
            return 2
        return 1 if self.players == 3 and self.fluid_move else 0

    @property
    def may_plan(self) -> bool:
        """Whether the Plan action exists (R-PLAN-2); a practice table has two-player values."""
        return self.players > 2

    @property
    def guild_abilities(self) -> bool:
        """Guild abilities are left out of a first game (R-VAR-1)."""
        return not self.first_game

    @property
    def logbook(self) -> bool:
        """Logbook cards are left out of a first game (R-VAR-1)."""
        return not self.first_game

    @property
    def dealt_requests(self) -> int:
        """Requests dealt to each player (R-SET-15, R-VAR-1)."""
        return 3 if self.first_game else 5

    @property
    def kept_requests(self) -> int:
        """Requests each player keeps (R-SET-15, R-VAR-1)."""
        return 1 if self.first_game else 3


DECISIONS: Final[dict[str, tuple[str, ...]]] = {
    "R-GEO-9": ("hidden_places_closed",),
    "R-ADJ-4": ("edge_places",),
    "R-ADJ-5": ("edge_steps_under_frame",),
    "R-ADJ-6": ("adjacent_under_cover",),
    "R-CREV-3": ("cracks_stop_camp_travel",),
    "R-CREV-4": ("cracks_stop_destruction",),
    "R-CREV-5": ("crack_step_down",),
    "R-DUSK-4": ("taken_request_may_pay",),
    "R-EP-5": ("free_dig_meets_minimum",),
    "R-EP-9": ("gained_ep_prevents_sunset",),
    "R-EP-10": ("blocked_player_loses_ep",),
    "R-SAIL-3": ("sail_must_change_place",),
    "R-STU-2": ("spent_study_counts_as_owned",),
    "R-FLUID-3": ("fluid_exchange_half_way",),
    "R-OVW-2": ("overwork_counts_spent",),
    "R-OVW-3": ("overwork_once",),
    "R-COL-3": ("lone_tile_collapses",),
    "R-ALLOC-4": ("allocator",),
    "R-ALLOC-6": ("azulia_area_is_one_place",),
    "R-ALLOC-8": ("camp_chooser",),
    "R-ART-9": ("gem_uses_up_effect",),
    "R-EXAL": ("exalted_needs_archaeologist", "exalted_takes_every"),
    "R-NAV-5": ("navigators_neutral_camp_anywhere",),
    "R-INC-4": ("activation_expires",),
    "R-NUR-2": ("nurturers_capacity",),
    "R-CRYO-1": ("cryo_cover_is_harder",),
    "R-SNOW-7": ("partial_reinforcements",),
    "R-TERM": ("termites_combine",),
    "R-MANT": ("manta_to_azulia", "manta_to_edges", "manta_from_reserve"),
    "R-SHIP": ("sailship_without_others",),
    "R-GEM": ("gem_on_prismatic",),
    "R-AZU-3": ("icons_by_destruction",),
    "R-DEC-4": ("planning_is_rp_token",),
    "R-REQ-3": ("face_down_pays",),
    "R-CURSE-4": ("taken_artifacts_curse",),
    "R-CURSE-5": ("curse_space_by_space",),
    "R-CURSE-8": ("curse_limits_fluid_move",),
}
"""The options that hold each decision of ours (§20.1)."""
