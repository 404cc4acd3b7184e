"""Benchmarks of the backfill, which indexes a chain from its beginning."""
