"""Helpers that tests share: real processes, and players who send transactions."""
