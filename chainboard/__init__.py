"""The command line. It connects all layers."""
