"""The commands' implementations."""
