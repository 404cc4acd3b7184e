"""Plays a replay in the terminal. Keys control the playback."""
