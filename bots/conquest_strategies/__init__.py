"""The computer players for Conquest: their strategies, and the board as they see it."""
