"""Latency and throughput of the server, also with many clients or with hostile clients."""
