"""Helpers that tests share: real processes, and players that sign transactions."""
