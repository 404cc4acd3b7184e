"""Measures the server's latency and throughput, with normal, many or hostile clients."""
