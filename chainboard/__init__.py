"""The command line, which connects all layers."""
