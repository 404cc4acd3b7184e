"""Reads, verifies, plays back and draws replay files. See docs/explanation/trust.md for what a
replay file proves."""
