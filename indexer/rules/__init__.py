"""The rules of the games, for computer players and tests. Folding needs no rules."""
