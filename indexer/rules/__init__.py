"""The rules of the games in Python, for computer players and tests. The index needs no rules."""
