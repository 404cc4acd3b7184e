"""Benchmarks of the backfill, in which the indexer reads a chain from its beginning."""
