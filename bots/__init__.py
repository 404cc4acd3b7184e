"""The computer players of each game, and a module that plays their matches without a chain."""
