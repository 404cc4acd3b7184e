"""Latency of queries over a large database."""
