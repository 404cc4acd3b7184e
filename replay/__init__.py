"""Reads, verifies, plays back and draws replay files. docs/explanation/trust.md explains the
checks."""
