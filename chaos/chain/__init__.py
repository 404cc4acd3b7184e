"""The chain of a scenario. It starts as a replay of a recorded chain, and then gets random moves
and reorgs."""
