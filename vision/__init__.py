"""Picture in, sighting out: pure functions on arrays."""
