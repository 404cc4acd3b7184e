"""The chain of a scenario: it starts from a recording and gets random moves and reorgs."""
