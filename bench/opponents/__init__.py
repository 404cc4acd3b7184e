"""Figures of the computer players."""
