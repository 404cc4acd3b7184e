"""Measures the gas costs of calls, with one module per game."""
