"""A replay in the terminal: drawn in letters, played with keys."""
