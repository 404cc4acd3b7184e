"""The rules of the games, for computer players and tests. Folding events needs no rules."""
