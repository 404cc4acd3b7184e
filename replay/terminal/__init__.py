"""Plays a replay in the terminal, drawn with characters and controlled by keys."""
