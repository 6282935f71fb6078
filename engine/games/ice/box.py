"""What one game is played with: options, guilds at the table, printed data, and the terrain made from them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.ice.cards import GUILDS, GameData
from engine.games.ice.options import Options
from engine.games.ice.terrain import Terrain, make_terrain


@dataclass(frozen=True, slots=True)
class Box:
    """Options, guild per seat, data and terrain; every rule function takes one first."""

    options: Options
    guilds: tuple[str, ...]
    data: GameData
    terrain: Terrain

    def has_ability(self, seat: int, guild: str) -> bool:
        """Whether a seat plays a guild whose abilities are in the game (R-VAR-1)."""
        return self.options.guild_abilities and 0 <= seat < len(self.guilds) and self.guilds[seat] == guild


def make_box(options: Options, guilds: tuple[str, ...], data: GameData) -> Box:
    """Check that the guilds fit the player count and prepare the terrain."""
    if len(guilds) != options.players or len(set(guilds)) != len(guilds) or not set(guilds) <= set(GUILDS):
        raise ValueError(f"expected {options.players} different guilds of {', '.join(GUILDS)}, got {guilds}")
    return Box(options, guilds, data, make_terrain(options, data.azulia))
