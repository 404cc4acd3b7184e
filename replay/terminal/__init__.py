"""Plays a replay in the terminal. Boards are drawn with characters, and keys control the
playback."""
