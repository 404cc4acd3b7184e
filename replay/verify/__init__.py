"""Compares a replay file with its chain."""
