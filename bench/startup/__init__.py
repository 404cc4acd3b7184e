"""Measures the time for a start, for a restart, for a page load, and for moves on a long chain."""
