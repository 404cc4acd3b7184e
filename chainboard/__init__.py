"""The command line, and the composition of all layers."""
