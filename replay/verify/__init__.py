"""A replay file compared with its chain."""
