"""The implementations of the commands."""
