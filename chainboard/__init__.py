"""The command line, which puts all the layers together."""
