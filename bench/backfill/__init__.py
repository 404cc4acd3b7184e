"""Backfill: the speed of indexing a chain from its beginning."""
