"""I C E, second edition: rules of `rules/ice.md` as pure functions."""
