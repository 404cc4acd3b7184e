"""Benchmarks of the backfill: how fast a chain is indexed from its beginning."""
