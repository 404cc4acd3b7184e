"""The defects that each game's rules sheet lists, one file per game."""
