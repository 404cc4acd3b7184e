"""Replay files: read, verified, played back and drawn. docs/explanation/trust.md explains what they prove."""
