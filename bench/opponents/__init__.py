"""Measures the speed and the strength of the computer players."""
