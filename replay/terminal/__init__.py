"""A replay in the terminal: drawn with characters, controlled with keys."""
