"""Finds, builds and serves the page's files."""
