"""How the components of I C E look: tile art, board, pieces."""
