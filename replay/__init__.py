"""Replay files: read, verified, played back and drawn. docs/trust.md explains what they prove."""
