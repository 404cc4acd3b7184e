"""The defects of each game's rules sheet, one file per game."""
