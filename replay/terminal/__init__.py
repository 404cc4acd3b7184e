"""Plays back a replay in the terminal. The user controls the playback with keys."""
