"""Measures the time for a start, for a restart, for loading the page, and for moves on a long
chain."""
