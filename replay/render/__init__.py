"""Draws matches with the page's own renderers, which run in a Node process."""
