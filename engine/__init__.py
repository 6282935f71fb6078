"""Rules and reasoning: pure functions of immutable values, standard library only."""
