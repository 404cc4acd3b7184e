"""Replay files: read, verified, played and drawn. docs/explanation/trust.md says what they prove."""
