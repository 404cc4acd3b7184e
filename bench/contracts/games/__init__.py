"""Gas costs of the games' calls, with one module per game."""
