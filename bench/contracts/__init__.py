"""Measures the gas costs of the games' contracts, and the results of captains and cheats."""
