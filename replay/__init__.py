"""Replay files: read, verified, played and drawn. docs/trust.md says what they prove."""
