"""The computer players of each game, and matches between them without a chain."""
