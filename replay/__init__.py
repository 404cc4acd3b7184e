"""Replay files: read, verified, played and drawn. docs/replay.md is about them."""
