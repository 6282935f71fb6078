"""What one game is played with: options, guilds at the table, printed data, and the terrain made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.games.ice.cards import GUILDS, GameData
from engine.games.ice.options import Options
from engine.games.ice.terrain import Terrain, make_terrain


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """Options, guild per seat, data and terrain; every rule function takes one first."""

    options: Options
    guilds: tuple[str, ...]
    data: GameData
    terrain: Terrain
    is_usual: bool = True
    """Whether all decisions that matter to the fast list of legal actions have their defaults."""
    has_abilities: bool = True
    neutral_camps: int = 2
    """Both are of the options, here because they are asked in every position."""

    def has_ability(self, seat: int, guild: str) -> bool:
        """Whether a seat plays a guild whose abilities are in the game (R-VAR-1)."""
        return self.has_abilities and 0 <= seat < len(self.guilds) and self.guilds[seat] == guild


RARELY_CHANGED: Final = (
    "adjacent_under_cover", "cracks_stop_camp_travel", "cracks_stop_destruction", "fluid_exchange_half_way",
    "exalted_takes_every", "navigators_neutral_camp_anywhere", "gem_uses_up_effect", "taken_request_may_pay",
    "manta_from_reserve", "sailship_without_others", "exalted_needs_archaeologist", "overwork_once",
    "sail_must_change_place", "hidden_places_closed", "termites_combine", "blocked_player_loses_ep",
)  # fmt: skip
"""Decisions that only the checked definition of legality follows when a table decides otherwise."""


def has_usual_decisions(options: Options) -> bool:
    """Whether the fast list of legal actions knows all decisions of a table."""
    usual = Options()
    return all(getattr(options, name) == getattr(usual, name) for name in RARELY_CHANGED)


def make_box(options: Options, guilds: tuple[str, ...], data: GameData) -> Box:
    """Check that the guilds fit the player count and prepare the terrain."""
    if len(guilds) != options.players or len(set(guilds)) != len(guilds) or not set(guilds) <= set(GUILDS):
        raise ValueError(f"expected {options.players} different guilds of {', '.join(GUILDS)}, got {guilds}")
    terrain, usual = make_terrain(options, data.azulia), has_usual_decisions(options)
    return Box(options, guilds, data, terrain, usual, options.guild_abilities, options.neutral_camps)
