"""Measures the server's latency and throughput, also with many clients or hostile clients."""
