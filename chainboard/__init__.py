"""The command line, and the one place that composes the layers."""
