"""Measures the gas costs of the games' contracts, and how often captains and cheats win."""
