"""How a table looks: lens, bodies, light and the art of each game; for the renderer only, never for the recogniser."""
