"""Helpers that several tests use. They run real processes, and send transactions for players."""
