"""Measures the time of a start, of a restart, of loading the page, and of moves on a long chain."""
