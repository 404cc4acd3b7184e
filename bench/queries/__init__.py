"""The latency of queries over a large database."""
