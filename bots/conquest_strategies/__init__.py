"""The computer players for Conquest: their view of the board, and their strategies."""
