"""The defects that each game's rules list, one file per game."""
