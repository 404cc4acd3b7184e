"""Replay files: read, proved, played and drawn. docs/replay.md is about them."""
