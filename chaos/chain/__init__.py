"""The chain of a scenario. It starts from a recording and then gets random moves and reorgs."""
