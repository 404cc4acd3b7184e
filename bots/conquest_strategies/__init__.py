"""The computer players of Conquest: their view of the board and their strategies."""
