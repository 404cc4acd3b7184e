"""Reads, verifies, plays back and draws replay files. See docs/explanation/trust.md."""
