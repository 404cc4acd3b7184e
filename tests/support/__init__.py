"""Helpers that several tests use. Some run real processes, and some send transactions for
players."""
