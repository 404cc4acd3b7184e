"""The implementations of the commands, one module for each command."""
