"""The command line, which puts all layers together."""
