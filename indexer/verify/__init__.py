"""Comparison of a database with the chain."""
