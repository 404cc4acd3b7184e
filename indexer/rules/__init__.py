"""The rules of the games in Python, for computer players and tests. The index doesn't need them,
because events contain the results of moves."""
