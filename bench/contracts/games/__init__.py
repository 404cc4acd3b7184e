"""Gas of the games' calls, one module per game."""
