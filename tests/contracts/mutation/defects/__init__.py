"""One file a game: the defects of its rules sheet."""
