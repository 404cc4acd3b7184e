"""Helpers that several tests use: real processes, and players who send transactions."""
