"""The defects that the games' rules list, in one module per game."""
