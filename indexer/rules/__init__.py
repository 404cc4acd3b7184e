"""The rules of the games, for computer players and tests. Folding events into boards needs no
rules."""
