"""Draws boards and trains the piece network on them."""
