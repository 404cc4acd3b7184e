"""Replay files: read, verified, played back and drawn. See docs/explanation/trust.md."""
