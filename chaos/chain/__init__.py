"""The chain of a scenario. After a recorded beginning, it gets random moves and reorgs."""
