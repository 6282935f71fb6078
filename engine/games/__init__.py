"""One package per game; games do not know each other."""
