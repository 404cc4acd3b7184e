"""Measures the latency of queries over a large database."""
