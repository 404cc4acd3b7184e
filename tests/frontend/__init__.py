"""Tests of the page: its modules under Node, and with Python."""
