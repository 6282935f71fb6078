"""The product: joins rules, eye and devices, remembers the game and shows it."""
